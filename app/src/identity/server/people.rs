//! People: who signs in, with what, and whose wallet or store they act for.

use ledger::money::Instant;
use ledger::postgres::account::{self, AccountRow};
use ledger::{AccountId, AccountKind, AccountStatus, Failure, TenantId};
use sqlx::PgExecutor;
use uuid::Uuid;

use super::tokens;
use crate::context::AppState;
use crate::identity::address::Address;
use crate::identity::{Role, code};
use crate::problem::{self, Problem};

#[derive(Clone)]
pub struct Person {
    pub person_id: Uuid,
    pub role: String,
    pub account_id: Option<Uuid>,
    pub name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub password_hash: String,
    pub created_at: Instant,
    pub disabled_at: Option<Instant>,
}

impl Person {
    /// A person without an account yet.
    #[must_use]
    pub fn new(role: Role, name: String, address: Address, password_hash: String, at: Instant) -> Self {
        let (email, phone) = match address {
            Address::Email(email) => (Some(email), None),
            Address::Phone(phone) => (None, Some(phone)),
        };
        let (person_id, role) = (Uuid::now_v7(), role.as_str().to_owned());
        Self {
            person_id,
            role,
            account_id: None,
            name,
            email,
            phone,
            password_hash,
            created_at: at,
            disabled_at: None,
        }
    }
}

/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn find(db: impl PgExecutor<'_>, tenant: TenantId, person_id: Uuid) -> Result<Option<Person>, Failure> {
    let person = sqlx::query_as!(
        Person,
        r#"
        select person_id, role, account_id, name, email, phone, password_hash, created_at, disabled_at
        from identity.person
        where tenant_id = $1 and person_id = $2
        "#,
        tenant.0,
        person_id,
    )
    .fetch_optional(db)
    .await?;
    Ok(person)
}

/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn find_by_address(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    role: Role,
    address: &Address,
) -> Result<Option<Person>, Failure> {
    let person = sqlx::query_as!(
        Person,
        r#"
        select person_id, role, account_id, name, email, phone, password_hash, created_at, disabled_at
        from identity.person
        where tenant_id = $1 and role = $2 and (email = $3 or phone = $4)
        "#,
        tenant.0,
        role.as_str(),
        address.email(),
        address.phone(),
    )
    .fetch_optional(db)
    .await?;
    Ok(person)
}

/// Adds a person whose account exists.
///
/// # Errors
/// [`Problem`] `ADDRESS_TAKEN` if the address is in use for the role.
pub async fn insert(db: impl PgExecutor<'_>, tenant: TenantId, person: &Person) -> Result<(), Problem> {
    let inserted = sqlx::query!(
        r#"
        insert into identity.person (tenant_id, person_id, role, account_id, name, email, phone, password_hash, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        "#,
        tenant.0,
        person.person_id,
        person.role,
        person.account_id,
        person.name,
        person.email,
        person.phone,
        person.password_hash,
        person.created_at,
    )
    .execute(db)
    .await;
    match inserted {
        Ok(_) => Ok(()),
        Err(error) if is_address_taken(&error) => Err(Problem::at("address", problem::ADDRESS_TAKEN)),
        Err(error) => Err(Failure::from(error).into()),
    }
}

/// Opens a customer's wallet together with the person whose it is.
///
/// # Errors
/// [`Problem`], as [`insert`].
pub async fn open_customer(state: &AppState, tenant: TenantId, person: &Person) -> Result<AccountId, Problem> {
    let account_id = AccountId(Uuid::now_v7());
    let account = AccountRow {
        account_id,
        kind: AccountKind::Customer,
        status: AccountStatus::Active,
        name: person.name.clone(),
        code: Some(tokens::code(code::CUSTOMER_LENGTH)),
        created_at: person.created_at,
    };
    let mut tx = state.ledger.pool().begin().await.map_err(Failure::from)?;
    account::open(&mut *tx, tenant, &account).await?;
    insert(
        &mut *tx,
        tenant,
        &Person {
            account_id: Some(account_id.0),
            ..person.clone()
        },
    )
    .await?;
    tx.commit().await.map_err(Failure::from)?;
    Ok(account_id)
}

fn is_address_taken(error: &sqlx::Error) -> bool {
    let constraint = error.as_database_error().and_then(|error| error.constraint());
    matches!(constraint, Some("person_email_unique" | "person_phone_unique"))
}

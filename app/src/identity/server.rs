//! Signing up, in and out: who may, and what a session says.

pub mod api_keys;
pub mod attempts;
pub mod cards;
pub mod payer;
pub mod people;
pub mod seats;
pub mod secrets;
pub mod terminals;
pub mod tokens;

use chrono::TimeDelta;
use ledger::TenantId;
use tower_sessions::Session;

use super::Role;
use super::address::Address;
use crate::context::AppState;
use crate::problem::{self, Problem};
use attempts::Limit;
use people::Person;

/// Tries at one address before it has to wait.
const SIGN_IN_LIMIT: Limit = Limit {
    attempts: 10,
    window: TimeDelta::minutes(15),
};

/// Signs somebody in on the face of `role`: the session gets a new id, so one that was planted or seen before is worth
/// nothing.
///
/// # Errors
/// [`Problem`]; the same for an address that does not exist and a wrong password, after the same work.
pub async fn sign_in(
    state: &AppState,
    tenant: TenantId,
    role: Role,
    session: Option<Session>,
    address: &str,
    password: &str,
) -> Result<(), Problem> {
    let wrong = || Problem::new(problem::WRONG_CREDENTIALS);
    let Some(address) = Address::parse(address) else {
        return Err(wrong());
    };
    let subject = attempts::subject(
        &format!("sign_in:{}", role.as_str()),
        address.email().or(address.phone()).unwrap_or_default(),
    );
    attempts::raise(state, tenant, &subject, SIGN_IN_LIMIT).await?;
    let person = people::find_by_address(state.ledger.pool(), tenant, role, &address).await?;
    let hash = person.as_ref().map(|person| person.password_hash.clone());
    let proven = state.secrets.verify_password(password, hash).await?;
    let Some(person) = person.filter(|person| proven && person.disabled_at.is_none()) else {
        return Err(wrong());
    };
    attempts::clear(state, tenant, &subject).await?;
    seats::take(state, session, tenant, person.person_id).await
}

/// Opens a customer's account and signs the customer in.
///
/// # Errors
/// [`Problem`], with the field it is about.
pub async fn sign_up(
    state: &AppState,
    tenant: TenantId,
    session: Option<Session>,
    name: &str,
    address: &str,
    password: &str,
) -> Result<(), Problem> {
    let name = super::name::parse(name).ok_or_else(|| Problem::at("name", "NAME_MALFORMED"))?;
    let address = Address::parse(address).ok_or_else(|| Problem::at("address", "ADDRESS_MALFORMED"))?;
    secrets::check_new_password(
        password,
        &[&name, address.email().or(address.phone()).unwrap_or_default()],
    )?;
    let password_hash = state.secrets.hash_password(password).await?;
    let person = Person::new(Role::Customer, name, address, password_hash, state.ledger.now());
    people::open_customer(state, tenant, &person).await?;
    seats::take(state, session, tenant, person.person_id).await
}

/// The request's session on the face of `role`.
#[must_use]
pub fn session(role: Role) -> Option<Session> {
    crate::context::with_parts(|parts| seats::of(parts, role)).flatten()
}

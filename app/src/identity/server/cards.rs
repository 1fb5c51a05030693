//! Plastic cards: a number to type and a PIN that only the customer knows.

use chrono::TimeDelta;
use ledger::{AccountId, Failure, TenantId};
use sqlx::PgExecutor;
use uuid::Uuid;

use super::attempts::{self, Limit};
use super::tokens;
use crate::context::AppState;
use crate::identity::code;
use crate::problem::{self, Problem};

const PIN_LIMIT: Limit = Limit {
    attempts: 5,
    window: TimeDelta::minutes(30),
};
const PIN_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;
const NUMBER_DIGITS: usize = 16;

/// A new card's number: nine, and fifteen random digits.
#[must_use]
pub fn number() -> String {
    format!("9{}", tokens::digits(NUMBER_DIGITS - 1))
}

/// Gives the account a card.
///
/// # Errors
/// [`Problem`] `PIN_MALFORMED` unless the PIN has four to eight digits.
pub async fn issue(
    state: &AppState,
    tenant: TenantId,
    account: AccountId,
    card_number: &str,
    pin: &str,
) -> Result<(), Problem> {
    if !PIN_DIGITS.contains(&pin.len()) || !pin.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Problem::at("pin", "PIN_MALFORMED"));
    }
    let pin_hash = state.secrets.hash_pin(pin).await?;
    sqlx::query!(
        r#"
        insert into identity.card (tenant_id, card_id, card_number, account_id, pin_hash, created_at)
        values ($1, $2, $3, $4, $5, $6)
        "#,
        tenant.0,
        Uuid::now_v7(),
        card_number,
        account.0,
        pin_hash,
        state.ledger.now(),
    )
    .execute(state.ledger.pool())
    .await
    .map_err(Failure::from)?;
    Ok(())
}

/// The number of the card that an account uses, if it has one.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn number_of(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    account: AccountId,
) -> Result<Option<String>, Failure> {
    let number = sqlx::query_scalar!(
        r#"
        select card_number from identity.card
        where tenant_id = $1 and account_id = $2 and revoked_at is null
        order by created_at desc
        limit 1
        "#,
        tenant.0,
        account.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(number)
}

/// The account of a card that is named without its PIN: enough to be given money, not to pay.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn holder(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    card_number: &str,
) -> Result<Option<AccountId>, Failure> {
    let account = sqlx::query_scalar!(
        "select account_id from identity.card where tenant_id = $1 and card_number = $2 and revoked_at is null",
        tenant.0,
        card_number,
    )
    .fetch_optional(db)
    .await?;
    Ok(account.map(AccountId))
}

/// The account of a card whose PIN is known. A card that does not exist answers like a wrong PIN, after the same work.
///
/// # Errors
/// [`Problem`] `WRONG_PIN`, or `TOO_MANY_ATTEMPTS` for the card after five tries in half an hour.
pub async fn account(state: &AppState, tenant: TenantId, card_number: &str, pin: &str) -> Result<AccountId, Problem> {
    let card_number = code::normalized(card_number);
    let subject = attempts::subject("pin", &card_number);
    attempts::raise(state, tenant, &subject, PIN_LIMIT).await?;
    let card = sqlx::query!(
        r#"
        select account_id, pin_hash from identity.card
        where tenant_id = $1 and card_number = $2 and revoked_at is null
        "#,
        tenant.0,
        card_number,
    )
    .fetch_optional(state.ledger.pool())
    .await
    .map_err(Failure::from)?;
    let pin: String = pin.chars().map(crate::identity::name::narrowed).collect();
    let proven = state
        .secrets
        .verify_pin(&pin, card.as_ref().map(|card| card.pin_hash.clone()))
        .await?;
    let card = card
        .filter(|_| proven)
        .ok_or_else(|| Problem::at("pin", problem::WRONG_PIN))?;
    attempts::clear(state, tenant, &subject).await?;
    Ok(AccountId(card.account_id))
}

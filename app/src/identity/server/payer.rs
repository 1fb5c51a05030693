//! Who pays: named by the customer's code, by a card and its PIN, or, by a trusted integration, by account.

use ledger::postgres::account;
use ledger::{AccountId, AccountKind, Failure};

use super::cards;
use crate::context::AppState;
use crate::identity::{Caller, Role, code};
use crate::problem::{self, Problem};

#[derive(Clone)]
pub enum Payer {
    /// What the customer shows: typed or scanned.
    Code(String),
    Card {
        card_number: String,
        pin: String,
    },
    Account(AccountId),
}

/// The payer's account.
///
/// # Errors
/// [`Problem`] if there is no such payer, the PIN is wrong, or the caller may not name a payer in this way.
pub async fn resolve(state: &AppState, caller: &Caller, payer: Payer) -> Result<AccountId, Problem> {
    match payer {
        Payer::Code(typed) => of_code(state, caller, &typed).await,
        Payer::Card { card_number, pin } => cards::account(state, caller.tenant, &card_number, &pin).await,
        Payer::Account(account) if caller.role == Role::Integration => Ok(account),
        Payer::Account(_) => Err(Problem::new(problem::FORBIDDEN)),
    }
}

async fn of_code(state: &AppState, caller: &Caller, typed: &str) -> Result<AccountId, Problem> {
    let found = account::find_by_code(state.ledger.pool(), caller.tenant, &code::normalized(typed)).await?;
    let customer = found
        .filter(|account| account.kind == AccountKind::Customer)
        .ok_or(Failure::NotFound("payer"))?;
    Ok(customer.account_id)
}

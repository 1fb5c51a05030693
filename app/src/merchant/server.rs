//! What the rooms of the shop share.

use ledger::AccountId;

use crate::identity::{Caller, Role};
use crate::problem::{self, Problem};

/// The caller's own store.
///
/// # Errors
/// [`Problem`] `FORBIDDEN` if the caller is no merchant.
pub(super) fn store(caller: &Caller) -> Result<AccountId, Problem> {
    let own = caller.account.filter(|_| caller.role == Role::Merchant);
    own.ok_or_else(|| Problem::new(problem::FORBIDDEN))
}

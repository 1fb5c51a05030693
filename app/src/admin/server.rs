//! What the rooms of the administration share.

use crate::identity::{Caller, Role};
use crate::problem::{self, Problem};

/// Lets only admins in.
///
/// # Errors
/// [`Problem`] `FORBIDDEN` for everybody else.
pub(super) fn only_admins(caller: &Caller) -> Result<(), Problem> {
    match caller.role {
        Role::Admin => Ok(()),
        _ => Err(Problem::new(problem::FORBIDDEN)),
    }
}

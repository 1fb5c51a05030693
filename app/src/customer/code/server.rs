//! Draws the caller's own code.

use ledger::Failure;
use ledger::postgres::account;

use super::api::OwnCode;
use crate::context::AppState;
use crate::customer::server::wallet;
use crate::identity::{Caller, code};
use crate::problem::Problem;
use crate::qr;

pub(super) async fn own_code(state: &AppState, caller: &Caller) -> Result<OwnCode, Problem> {
    let account = account::find(state.ledger.pool(), caller.tenant, wallet(caller)?).await?;
    let code = account
        .and_then(|account| account.code)
        .ok_or(Failure::NotFound("code"))?;
    Ok(OwnCode {
        name: caller.name.clone(),
        svg: qr::svg(&code)?,
        code: code::grouped(&code),
    })
}

//! A store's owner pairs and revokes the store's own terminals.

use ledger::Failure;
use ledger::postgres::tenant::Tenant;
use tower_sessions::cookie::{Cookie, SameSite, time::Duration};
use uuid::Uuid;

use super::api::{PairingCode, TerminalLine, TerminalList};
use crate::context::{self, AppState};
use crate::identity::{Caller, code, name, terminals};
use crate::merchant::server::store;
use crate::problem::Problem;

pub(super) const URL: &str = "/merchant/terminals";
const MAX_NAME: usize = 60;
/// A code is shown to the browser that asked for it and stored nowhere else in the clear.
const CODE_COOKIE: &str = "koban-pairing";
const CODE_MINUTES: i64 = 10;

pub(super) async fn terminals(state: &AppState, tenant: &Tenant, caller: &Caller) -> Result<TerminalList, Problem> {
    let found = terminals::of_merchant(state.ledger.pool(), caller.tenant, store(caller)?).await?;
    let line = |terminal: terminals::Terminal| TerminalLine {
        id: terminal.terminal_id.to_string(),
        name: terminal.name,
        last_seen_at: context::local_time(tenant, terminal.last_seen_at),
        is_revoked: terminal.revoked_at.is_some(),
    };
    let code = shown_code(state, tenant, caller).await?;
    Ok(TerminalList {
        terminals: found.into_iter().map(line).collect(),
        code,
    })
}

/// The code in the browser's cookie, as long as it can be used.
async fn shown_code(state: &AppState, tenant: &Tenant, caller: &Caller) -> Result<Option<PairingCode>, Problem> {
    let Some(code) = context::cookie(CODE_COOKIE) else {
        return Ok(None);
    };
    let (pool, now) = (state.ledger.pool(), state.ledger.now());
    let expires_at = terminals::code_expires_at(pool, caller.tenant, store(caller)?, &code, now).await?;
    Ok(expires_at.map(|expires_at| PairingCode {
        code: code::grouped(&code),
        expires_at: context::local_time(tenant, expires_at),
        address: format!("{}/terminal", context::origin()),
    }))
}

pub(super) async fn issue_code(state: &AppState, caller: &Caller, typed: &str) -> Result<(), Problem> {
    let store = store(caller)?;
    let name = name::parse(typed).ok_or_else(|| Problem::at("name", "NAME_MALFORMED"))?;
    if name.chars().count() > MAX_NAME {
        return Err(Problem::at("name", "TEXT_TOO_LONG"));
    }
    let (pool, now) = (state.ledger.pool(), state.ledger.now());
    let code = terminals::issue_code(pool, caller.tenant, store, &name, now).await?;
    context::set_cookie(&code_cookie(code, state.https));
    Ok(())
}

fn code_cookie(code: String, https: bool) -> Cookie<'static> {
    Cookie::build((CODE_COOKIE, code))
        .path("/")
        .http_only(true)
        .secure(https)
        .same_site(SameSite::Strict)
        .max_age(Duration::minutes(CODE_MINUTES))
        .build()
}

pub(super) async fn revoke(state: &AppState, caller: &Caller, terminal: &str) -> Result<(), Problem> {
    let store = store(caller)?;
    let terminal: Uuid = terminal.parse().map_err(|_| Failure::NotFound("terminal"))?;
    Ok(terminals::revoke(state.ledger.pool(), caller.tenant, store, terminal, state.ledger.now()).await?)
}

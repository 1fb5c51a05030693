//! Who asks: the bearer of an API key.

use app::{
    context::AppState,
    identity::{Caller, api_keys},
};
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, header, request::Parts},
};

use crate::problem::Problem;

/// The proven caller of a request.
pub(super) struct Bearer(pub(super) Caller);

impl FromRequestParts<AppState> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Some(token) = token(parts) else {
            return Err(unknown());
        };
        let caller = api_keys::authenticate(state.ledger.pool(), token).await?;
        caller.map(Self).ok_or_else(unknown)
    }
}

/// The token after `Bearer`, whose spelling is free (RFC 9110).
fn token(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts
        .headers
        .get(header::AUTHORIZATION)?
        .to_str()
        .ok()?
        .split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn unknown() -> Problem {
    let detail = "send a valid key as `Authorization: Bearer <key>`";
    Problem::new(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED", detail)
}

//! What the ledger answered, as HTTP: the stored bytes, the same status at every replay, and the key's fate in headers.

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use chrono::SecondsFormat;
use ledger::{Answer, Failure, IdempotencyKey, Outcome, Rejection};
use serde::Serialize;

use super::key;
use crate::problem::{PROBLEM_JSON, Problem};

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const EXPIRES: HeaderName = HeaderName::from_static("idempotency-key-expires");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The answer to a request that creates something: created, declined, or why neither.
pub(super) fn created(
    key: &IdempotencyKey,
    result: Result<Answer, app::problem::Problem>,
) -> Result<Response, Problem> {
    let answer = result.map_err(|problem| Problem::from(problem).about(key.as_str()))?;
    let (status, content_type) = match &answer.outcome {
        Outcome::Applied(_) => (StatusCode::CREATED, JSON),
        Outcome::Rejected(rejection) => (status_of(rejection), PROBLEM_JSON),
    };
    let mut headers = HeaderMap::from_iter([(header::CONTENT_TYPE, content_type)]);
    let expires = answer.key_expires_at.to_rfc3339_opts(SecondsFormat::Secs, true);
    for (name, value) in [(key::HEADER, key.as_str()), (EXPIRES, &expires)] {
        // A key is visible ASCII, so it is always a header's value.
        headers.extend(HeaderValue::from_str(value).ok().map(|value| (name, value)));
    }
    if answer.replayed {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok((status, headers, answer.body).into_response())
}

/// A decline is the caller's to mend; only a payment in the wrong status conflicts with what is.
fn status_of(rejection: &Rejection) -> StatusCode {
    match rejection {
        Rejection::IllegalTransition { .. } => StatusCode::CONFLICT,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// What was asked for, with status 200.
pub(super) fn found(what: &impl Serialize) -> Result<Response, Problem> {
    let body = serde_json::to_string(what).map_err(Failure::from)?;
    Ok(([(header::CONTENT_TYPE, JSON)], body).into_response())
}

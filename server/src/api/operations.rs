//! `GET /api/v1/operations/{key}`: what became of a key of this caller (MISSION D2).

use app::context::AppState;
use axum::{
    extract::{Path, State},
    response::Response,
};
use ledger::{Failure, IdempotencyKey, Outcome, Rejection, postgres::Operation};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{answer, body::read, caller::Bearer};
use crate::problem::Problem;

#[derive(Serialize)]
struct Found {
    key: IdempotencyKey,
    state: &'static str,
    /// The answer that the operation got, as it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Box<RawValue>>,
}

/// Says what became of a key. Keys belong to whoever used them, so nobody asks about another's.
pub(super) async fn find(
    State(state): State<AppState>,
    Bearer(caller): Bearer,
    Path(key): Path<String>,
) -> Result<Response, Problem> {
    let key = read("key", &key, IdempotencyKey::parse)?;
    let (state, answer) = match state.ledger.operation(caller.tenant, caller.actor, &key).await? {
        Operation::NeverSeen => ("never_seen", None),
        Operation::InFlight => ("in_flight", None),
        Operation::Done(answer) => (word(&answer.outcome), Some(answer.body)),
        Operation::Compensating(answer) => ("compensating", Some(answer.body)),
        Operation::Compensated(answer) => ("compensated", Some(answer.body)),
    };
    let answer = answer.map(RawValue::from_string).transpose().map_err(Failure::from)?;
    answer::found(&Found { key, state, answer })
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Applied(_) => "succeeded",
        Outcome::Rejected(Rejection::Fenced) => "fenced",
        Outcome::Rejected(_) => "declined",
    }
}

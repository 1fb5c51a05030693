//! Reading a request's JSON so that every refusal names the field: numbers for money, unknown and doubled fields are
//! errors, and a field that is missing is an empty text, refused by whoever reads it.

use axum::{
    extract::{FromRequest, Request},
    http::StatusCode,
};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_path_to_error::Segment;
use std::fmt::Display;

use crate::problem::Problem;

pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let body = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => Problem::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "BODY_TOO_LARGE",
                    "a request's body has at most 64 KiB",
                ),
                _ => Problem::invalid("body", "BODY_UNREADABLE", "the request's body did not arrive"),
            })?;
        parse(&body).map(Self)
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let field = field(error.path());
        let error = error.into_inner();
        match error.classify() {
            Category::Data => Problem::invalid(field, "FIELD_INVALID", error.to_string()),
            _ => malformed(error),
        }
    })?;
    json.end().map_err(malformed)?;
    Ok(value)
}

fn malformed(error: impl Display) -> Problem {
    Problem::invalid("body", "JSON_MALFORMED", format!("the body is not JSON: {error}"))
}

/// `payer.code`; the whole is the `body`.
fn field(path: &serde_path_to_error::Path) -> String {
    let names = path.iter().filter_map(|segment| match segment {
        Segment::Map { key } => Some(key.as_str()),
        _ => None,
    });
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        "body".to_owned()
    } else {
        names.join(".")
    }
}

/// Reads the text of `field` by the rule of its type.
pub(super) fn read<T, E: Display>(
    field: &'static str,
    text: &str,
    rule: impl Fn(&str) -> Result<T, E>,
) -> Result<T, Problem> {
    if text.is_empty() {
        return Err(Problem::invalid(field, "FIELD_MISSING", format!("{field} is missing")));
    }
    rule(text).map_err(|error| Problem::invalid(field, "FIELD_INVALID", error.to_string()))
}

/// Reads an amount: a text of plain digits.
pub(super) fn amount(text: &str) -> Result<ledger::Amount, Problem> {
    if text.is_empty() {
        return Err(Problem::invalid("amount", "FIELD_MISSING", "amount is missing"));
    }
    ledger::Amount::parse(text).map_err(|error| Problem::invalid("amount", error.code(), error.to_string()))
}

//! What a visitor may be told when something did not happen: the one error that crosses the wire.

mod query;
mod text;

use ledger::{Failure, Rejection};
use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use query::{of_query, with_problem};
pub use text::{at_field, text};

/// A stable word for what is wrong, the field it is about, and one plain fact (such as a cap) for the message.
///
/// It holds nothing that a person typed and nothing secret: without JavaScript it travels in a URL.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("{code}")]
pub struct Problem {
    pub code: String,
    pub field: Option<String>,
    pub detail: Option<String>,
}

pub const SIGN_IN_REQUIRED: &str = "SIGN_IN_REQUIRED";
pub const FORBIDDEN: &str = "FORBIDDEN";
pub const NOT_FOUND: &str = "NOT_FOUND";
pub const WRONG_CREDENTIALS: &str = "WRONG_CREDENTIALS";
pub const WRONG_PIN: &str = "WRONG_PIN";
pub const WRONG_PAIRING_CODE: &str = "WRONG_PAIRING_CODE";
pub const TOO_MANY_ATTEMPTS: &str = "TOO_MANY_ATTEMPTS";
pub const ADDRESS_TAKEN: &str = "ADDRESS_TAKEN";
pub const KEY_MISSING: &str = "KEY_MISSING";
pub const KEY_MALFORMED: &str = "KEY_MALFORMED";
/// The browser got no answer, or none that it understands: whatever was asked may have happened.
pub const NO_ANSWER: &str = "NO_ANSWER";
/// What was sent earlier never arrived, and is not known any more: to be typed again.
pub const NOT_SENT: &str = "NOT_SENT";
/// A request that none of our pages makes.
pub const MALFORMED: &str = "MALFORMED";

impl Problem {
    #[must_use]
    pub fn new(code: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            field: None,
            detail: None,
        }
    }

    #[must_use]
    pub fn at(field: impl Into<String>, code: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            field: Some(field.into()),
            detail: None,
        }
    }

    #[must_use]
    pub fn is(&self, code: &str) -> bool {
        self.code == code
    }

    /// Whether the operation may have happened, by this sending or an earlier one of its key, or may still happen without
    /// anybody doing anything: its outcome must be asked for by key before a person is told that it failed (MISSION D4).
    #[must_use]
    pub fn leaves_outcome_open(&self) -> bool {
        matches!(
            self.code.as_str(),
            NO_ANSWER | "OUTCOME_UNKNOWN" | "IN_FLIGHT" | "CONFLICT" | "THROTTLED" | "UNAVAILABLE"
        )
    }

    /// Whether the operation's key has had its one outcome or is too old, so that another try needs another key.
    #[must_use]
    pub fn ends_key(&self) -> bool {
        Rejection::CODES.contains(&self.code.as_str()) || matches!(self.code.as_str(), "KEY_REUSED" | "KEY_EXPIRED")
    }

    /// The HTTP status of the problem; the JSON API and the server functions answer alike.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self.code.as_str() {
            SIGN_IN_REQUIRED => 401,
            FORBIDDEN => 403,
            NOT_FOUND => 404,
            "ILLEGAL_TRANSITION" | "IN_FLIGHT" | "CONFLICT" => 409,
            "KEY_REUSED" => 422,
            TOO_MANY_ATTEMPTS => 429,
            "INCONSISTENT" => 500,
            "THROTTLED" | "UNAVAILABLE" | "OUTCOME_UNKNOWN" | NO_ANSWER => 503,
            _ => 400,
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid { field, code, .. } => Self::at(field, code),
            Failure::NotFound(what) => Self::at(what, NOT_FOUND),
            other => Self::new(other.code()),
        }
    }
}

impl From<Rejection> for Problem {
    fn from(rejection: Rejection) -> Self {
        let detail = match &rejection {
            Rejection::CapExceeded { cap } => Some(ledger::money::grouped(cap.normalize())),
            Rejection::RefundExceedsCaptured { refundable } => Some(ledger::money::grouped(*refundable)),
            Rejection::CaptureExceedsHeld { capturable } => Some(ledger::money::grouped(*capturable)),
            Rejection::LimitExceeded { allowed, .. } => Some(ledger::money::grouped(allowed.normalize())),
            _ => None,
        };
        let field = match &rejection {
            Rejection::Insufficient
            | Rejection::CapExceeded { .. }
            | Rejection::LimitExceeded { .. }
            | Rejection::CaptureExceedsHeld { .. }
            | Rejection::RefundExceedsCaptured { .. } => Some("amount".to_owned()),
            _ => None,
        };
        Self {
            code: rejection.code().to_owned(),
            field,
            detail,
        }
    }
}

impl FromServerFnError for Problem {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) | ServerFnErrorErr::Serialization(_) => {
                Self::new(MALFORMED)
            }
            _ => Self::new(NO_ANSWER),
        }
    }
}

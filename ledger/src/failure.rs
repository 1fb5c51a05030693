//! Why an operation did not happen: a [`Rejection`] is the answer to the key for ever, a [`Failure`] leaves nothing.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    account::AccountStatus, adjustment::AdjustmentStatus, limit::Bound, money::Instant, payment::PaymentStatus,
};

/// Refused for a business reason. Recorded under the key (MISSION A6), never retried (B5).
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Rejection {
    #[error("the balance is less than the amount")]
    Insufficient,
    #[error("the charge would lift the balance over its cap of {cap}")]
    CapExceeded { cap: Decimal },
    #[error("over the limit of the {limit}: at most {allowed} is left of it")]
    LimitExceeded { limit: Bound, allowed: Decimal },
    #[error("too soon after the last one: possible again at {again_at}")]
    TooSoon { again_at: Instant },
    #[error("at most {capturable} of this payment can still be captured")]
    CaptureExceedsHeld { capturable: Decimal },
    #[error("what was held for this payment expired at {expired_at}")]
    HoldExpired { expired_at: Instant },
    #[error("what is held for this payment expires only at {expires_at}")]
    HoldNotExpired { expires_at: Instant },
    #[error("at most {refundable} of this payment can still be refunded")]
    RefundExceedsCaptured { refundable: Decimal },
    #[error("a payment that is {from} can't become {to}")]
    IllegalTransition { from: PaymentStatus, to: PaymentStatus },
    #[error("an account of this operation is frozen or closed")]
    AccountFrozen,
    #[error("an account that is {status} can't get that status")]
    AccountStatusStays { status: AccountStatus },
    #[error("the account still holds or owes something")]
    AccountNotEmpty,
    #[error("this kind of money can't be handed to another customer")]
    NotTransferable,
    #[error("nothing of this balance has expired")]
    NothingExpired,
    #[error("this was undone before")]
    AlreadyReversed,
    #[error("a {kind} can't be undone")]
    NotReversible { kind: String },
    #[error("this was decided before")]
    AlreadyDecided { status: AdjustmentStatus },
    #[error("somebody else than who proposed it has to apply it")]
    SecondPersonNeeded,
    #[error("this operation was cancelled before it came")]
    Fenced,
}

impl Rejection {
    /// Every word that [`Rejection::code`] says.
    pub const CODES: [&str; 19] = [
        "INSUFFICIENT",
        "CAP_EXCEEDED",
        "LIMIT_EXCEEDED",
        "TOO_SOON",
        "CAPTURE_EXCEEDS_HELD",
        "HOLD_EXPIRED",
        "HOLD_NOT_EXPIRED",
        "REFUND_EXCEEDS_CAPTURED",
        "ILLEGAL_TRANSITION",
        "ACCOUNT_FROZEN",
        "ACCOUNT_STATUS_STAYS",
        "ACCOUNT_NOT_EMPTY",
        "NOT_TRANSFERABLE",
        "NOTHING_EXPIRED",
        "ALREADY_REVERSED",
        "NOT_REVERSIBLE",
        "ALREADY_DECIDED",
        "SECOND_PERSON_NEEDED",
        "FENCED",
    ];

    /// The stable word for the rejection, as the API sends it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Insufficient => "INSUFFICIENT",
            Self::CapExceeded { .. } => "CAP_EXCEEDED",
            Self::LimitExceeded { .. } => "LIMIT_EXCEEDED",
            Self::TooSoon { .. } => "TOO_SOON",
            Self::CaptureExceedsHeld { .. } => "CAPTURE_EXCEEDS_HELD",
            Self::HoldExpired { .. } => "HOLD_EXPIRED",
            Self::HoldNotExpired { .. } => "HOLD_NOT_EXPIRED",
            Self::RefundExceedsCaptured { .. } => "REFUND_EXCEEDS_CAPTURED",
            Self::IllegalTransition { .. } => "ILLEGAL_TRANSITION",
            Self::AccountFrozen => "ACCOUNT_FROZEN",
            Self::AccountStatusStays { .. } => "ACCOUNT_STATUS_STAYS",
            Self::AccountNotEmpty => "ACCOUNT_NOT_EMPTY",
            Self::NotTransferable => "NOT_TRANSFERABLE",
            Self::NothingExpired => "NOTHING_EXPIRED",
            Self::AlreadyReversed => "ALREADY_REVERSED",
            Self::NotReversible { .. } => "NOT_REVERSIBLE",
            Self::AlreadyDecided { .. } => "ALREADY_DECIDED",
            Self::SecondPersonNeeded => "SECOND_PERSON_NEEDED",
            Self::Fenced => "FENCED",
        }
    }

    /// The rejection as it is stored under its key and sent: a problem (RFC 9457) without the transport's status.
    #[must_use]
    pub fn body(&self) -> String {
        #[derive(Serialize)]
        struct Problem<'a> {
            #[serde(flatten)]
            rejection: &'a Rejection,
            title: &'a str,
            detail: String,
            should_retry: bool,
            safe_new_key: bool,
        }
        let problem = Problem {
            rejection: self,
            title: self.title(),
            detail: self.to_string(),
            should_retry: false,
            safe_new_key: true,
        };
        serde_json::to_string(&problem).unwrap_or_else(|_| format!(r#"{{"code":"{}"}}"#, self.code()))
    }

    fn title(&self) -> &'static str {
        match self {
            Self::Insufficient => "Insufficient balance",
            Self::CapExceeded { .. } => "Cap exceeded",
            Self::LimitExceeded { .. } => "Limit exceeded",
            Self::TooSoon { .. } => "Too soon",
            Self::CaptureExceedsHeld { .. } => "Capture exceeds the held amount",
            Self::HoldExpired { .. } => "Hold expired",
            Self::HoldNotExpired { .. } => "Hold not expired",
            Self::RefundExceedsCaptured { .. } => "Refund exceeds the captured amount",
            Self::IllegalTransition { .. } => "Not possible in this status",
            Self::AccountFrozen => "Account frozen",
            Self::AccountStatusStays { .. } => "Not possible for this account",
            Self::AccountNotEmpty => "Account not empty",
            Self::NotTransferable => "Not transferable",
            Self::NothingExpired => "Nothing expired",
            Self::AlreadyReversed => "Undone before",
            Self::NotReversible { .. } => "Can't be undone",
            Self::AlreadyDecided { .. } => "Decided before",
            Self::SecondPersonNeeded => "Second person needed",
            Self::Fenced => "Cancelled before it came",
        }
    }
}

/// The operation did not happen, or it is not known yet whether it did; nothing is recorded under the key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// `code` is the stable word for what is wrong with the field.
    #[error("{field}: {detail}")]
    Invalid {
        field: &'static str,
        code: &'static str,
        detail: String,
    },
    #[error("this idempotency key was used for another request")]
    KeyReused,
    /// The key is a UUIDv7 of a time that may be forgotten, and nothing is remembered of it: it can't be told whether this is
    /// a late repetition.
    #[error("this idempotency key is too old; look for what it was for before using another")]
    KeyExpired,
    #[error("the operation with this key is still running")]
    InFlight,
    /// Other writers were in the way, and still were after three retries.
    #[error("too many operations on the same account at once")]
    Conflict,
    /// The queue or the pool is full.
    #[error("too many operations at once")]
    Throttled,
    /// The database can't be reached or can't write; nothing happened.
    #[error("the ledger is not available")]
    Unavailable,
    /// The connection was lost after the commit was sent: ask by key before doing anything else (D1).
    #[error("the outcome is not known yet")]
    Unknown,
    /// A guard of the database contradicted the plan. Nothing happened; someone must look.
    #[error("the ledger refused an inconsistent write")]
    Inconsistent,
}

impl Failure {
    /// The stable word for the failure, as the API sends it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "NOT_FOUND",
            Self::Invalid { code, .. } => code,
            Self::KeyReused => "KEY_REUSED",
            Self::KeyExpired => "KEY_EXPIRED",
            Self::InFlight => "IN_FLIGHT",
            Self::Conflict => "CONFLICT",
            Self::Throttled => "THROTTLED",
            Self::Unavailable => "UNAVAILABLE",
            Self::Unknown => "OUTCOME_UNKNOWN",
            Self::Inconsistent => "INCONSISTENT",
        }
    }

    /// Whether the same request with the same key can succeed later.
    #[must_use]
    pub fn should_retry(&self) -> bool {
        matches!(
            self,
            Self::InFlight | Self::Conflict | Self::Throttled | Self::Unavailable | Self::Unknown
        )
    }

    /// Whether another key can't make happen twice what this one was for. Where the same request can be sent again it is
    /// not safe: an earlier sending of it may be done, or at work on another server.
    #[must_use]
    pub fn safe_new_key(&self) -> bool {
        matches!(self, Self::NotFound(_) | Self::Invalid { .. })
    }
}

//! Errors as the API sends them: `application/problem+json` (RFC 9457) with a stable `code`, and whether to try again,
//! with the same key or a new one.

use app::problem::{self, FORBIDDEN, NOT_FOUND, TOO_MANY_ATTEMPTS, WRONG_PIN};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use ledger::{AmountError, Failure};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

pub(crate) const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

/// Who has used up their tries at a secret waits this long at most.
const ATTEMPTS_WINDOW_SECONDS: u64 = 1800;

#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: String,
    detail: String,
    field: Option<String>,
    should_retry: bool,
    safe_new_key: bool,
    /// Where to ask what became of the operation.
    operation: Option<String>,
    retry_after_seconds: Option<u64>,
}

impl Problem {
    /// A problem that trying again does not solve; nothing happened.
    pub(crate) fn new(status: StatusCode, code: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            status,
            code: code.into(),
            detail: detail.into(),
            field: None,
            should_retry: false,
            safe_new_key: true,
            operation: None,
            retry_after_seconds: None,
        }
    }

    /// A field of the request can't be accepted.
    pub(crate) fn invalid(field: impl Into<String>, code: &str, detail: impl Into<String>) -> Self {
        Self {
            field: Some(field.into()),
            ..Self::new(StatusCode::BAD_REQUEST, code, detail)
        }
    }

    /// Names where to ask what became of `key`, if that has to be asked.
    #[must_use]
    pub(crate) fn about(self, key: &str) -> Self {
        if self.safe_new_key || !self.should_retry {
            return self;
        }
        let operation = format!("/api/v1/operations/{}", utf8_percent_encode(key, NON_ALPHANUMERIC));
        Self {
            operation: Some(operation),
            ..self
        }
    }
}

impl From<problem::Problem> for Problem {
    fn from(problem: problem::Problem) -> Self {
        let status = StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let failure = FAILURES.iter().find(|failure| problem.is(failure.code()));
        let retry = failure.is_some_and(Failure::should_retry);
        Self {
            field: problem.field.clone().filter(|_| status == StatusCode::BAD_REQUEST),
            should_retry: retry,
            safe_new_key: failure.is_none_or(Failure::safe_new_key),
            retry_after_seconds: match status {
                StatusCode::TOO_MANY_REQUESTS => Some(ATTEMPTS_WINDOW_SECONDS),
                _ => retry.then_some(1),
            },
            ..Self::new(
                status,
                &problem.code,
                failure.map_or_else(|| detail(&problem), ToString::to_string),
            )
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let detail = failure.to_string();
        Self {
            detail,
            ..problem::Problem::from(failure).into()
        }
    }
}

/// The failures that are about no field.
const FAILURES: [Failure; 8] = [
    Failure::KeyReused,
    Failure::KeyExpired,
    Failure::InFlight,
    Failure::Conflict,
    Failure::Throttled,
    Failure::Unavailable,
    Failure::Unknown,
    Failure::Inconsistent,
];

fn detail(problem: &problem::Problem) -> String {
    let amount = [
        AmountError::Malformed,
        AmountError::NotPositive,
        AmountError::TooLarge,
        AmountError::TooManyDecimals,
    ];
    match problem.code.as_str() {
        NOT_FOUND => format!("there is no such {}", problem.field.as_deref().unwrap_or("thing")),
        FORBIDDEN => "this key may not do that".to_owned(),
        WRONG_PIN => "the card's number or the PIN is wrong".to_owned(),
        TOO_MANY_ATTEMPTS => "too many tries; wait before the next".to_owned(),
        code => {
            let amount = amount.iter().find(|error| error.code() == code);
            amount.map_or_else(|| code.to_lowercase().replace('_', " "), ToString::to_string)
        }
    }
}

impl Problem {
    fn json(&self) -> String {
        #[derive(Serialize)]
        struct Body<'a> {
            #[serde(rename = "type")]
            kind: String,
            title: &'a str,
            status: u16,
            code: &'a str,
            detail: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            field: Option<&'a str>,
            should_retry: bool,
            safe_new_key: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            operation: Option<&'a str>,
        }
        let body = Body {
            kind: format!("urn:koban:problem:{}", self.code.to_lowercase().replace('_', "-")),
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            code: &self.code,
            detail: &self.detail,
            field: self.field.as_deref(),
            should_retry: self.should_retry,
            safe_new_key: self.safe_new_key,
            operation: self.operation.as_deref(),
        };
        serde_json::to_string(&body).unwrap_or_default()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, [(header::CONTENT_TYPE, PROBLEM_JSON)], self.json()).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after_seconds {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

//! The one place that reads SQLSTATE codes; the text of a database's message is never read (MISSION B5).

use sqlx::Error;

use crate::failure::Failure;

/// What a database error means to a caller.
#[must_use]
pub fn failure_of(error: &Error) -> Failure {
    match error {
        Error::Database(error) => of_sqlstate(error.code().as_deref().unwrap_or_default()),
        Error::PoolTimedOut => Failure::Throttled,
        Error::PoolClosed | Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::WorkerCrashed => {
            Failure::Unavailable
        }
        _ => Failure::Inconsistent,
    }
}

fn of_sqlstate(code: &str) -> Failure {
    match code {
        // serialization_failure, deadlock_detected, lock_not_available
        "40001" | "40P01" | "55P03" => Failure::Conflict,
        // too_many_connections, query_canceled (a statement took too long)
        "53300" | "57014" => Failure::Throttled,
        // disk_full, out_of_memory, configuration_limit_exceeded, read_only_sql_transaction
        "53100" | "53200" | "53400" | "25006" => Failure::Unavailable,
        // idle_in_transaction_session_timeout, operator intervention, system errors, connection exceptions
        code if code == "25P03" || ["57P", "58", "08", "XX"].iter().any(|class| code.starts_with(class)) => {
            Failure::Unavailable
        }
        _ => Failure::Inconsistent,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let failure = failure_of(&error);
        match failure {
            Self::Inconsistent => tracing::error!(%error, "the database refused a statement"),
            Self::Unavailable => tracing::warn!(%error, "the database is not available"),
            _ => tracing::debug!(%error, "the database could not do a statement now"),
        }
        failure
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        tracing::error!(%error, "a stored outcome can't be read");
        Self::Inconsistent
    }
}

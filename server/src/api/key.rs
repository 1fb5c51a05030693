//! The `Idempotency-Key` of a request: read, or made where the tenant still lets requests without one through.

use app::context::AppState;
use axum::http::{HeaderMap, HeaderName};
use ledger::{
    Failure, IdempotencyKey, TenantId,
    postgres::{Counter, key_stage, key_stage::Stage},
};
use uuid::Uuid;

use crate::problem::Problem;

const FIELD: &str = "Idempotency-Key";
pub(super) const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// The key of a request that changes something.
pub(super) async fn of(state: &AppState, tenant: TenantId, headers: &HeaderMap) -> Result<IdempotencyKey, Problem> {
    let mut values = headers.get_all(HEADER).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(missing(state, tenant).await?),
        (Some(value), None) => {
            let key = value
                .to_str()
                .map_err(|_| invalid("an idempotency key has visible ASCII characters only"))?;
            Ok(IdempotencyKey::parse_header(key).map_err(|error| invalid(error.to_string()))?)
        }
        (Some(_), Some(_)) => Err(invalid("send one idempotency key")),
    }
}

/// Lets a request without a key through and counts it, until the tenant requires keys (MISSION A8).
async fn missing(state: &AppState, tenant: TenantId) -> Result<IdempotencyKey, Problem> {
    let stage = key_stage::of_surface(state.ledger.pool(), tenant, "api").await?;
    state.ledger.count(tenant, Counter::KeyMissing);
    if stage == Stage::Required {
        return Err(Problem::invalid(
            FIELD,
            "KEY_REQUIRED",
            "send an Idempotency-Key with this request",
        ));
    }
    let key = IdempotencyKey::parse(&Uuid::now_v7().to_string());
    Ok(key.map_err(|_| Failure::Inconsistent)?)
}

fn invalid(detail: impl Into<String>) -> Problem {
    Problem::invalid(FIELD, "KEY_INVALID", detail)
}

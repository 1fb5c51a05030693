//! How strictly a surface asks for idempotency keys (MISSION A8).

use sqlx::PgExecutor;

use crate::{failure::Failure, id::TenantId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Stage {
    /// A missing key is let through and counted.
    Optional,
    /// The same, and the rate of missing keys is watched.
    Observed,
    /// A missing key is refused.
    Required,
}

/// The stage of `surface` (`api`, `form` or `terminal`).
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_surface(db: impl PgExecutor<'_>, tenant: TenantId, surface: &str) -> Result<Stage, Failure> {
    let stage = sqlx::query_scalar!(
        r#"select stage as "stage: Stage" from ledger.key_stage where tenant_id = $1 and surface = $2"#,
        tenant.0,
        surface,
    )
    .fetch_optional(db)
    .await?;
    Ok(stage.unwrap_or(Stage::Optional))
}

/// Puts `surface` at `stage`.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn set(db: impl PgExecutor<'_>, tenant: TenantId, surface: &str, stage: Stage) -> Result<(), Failure> {
    sqlx::query!(
        r#"
        insert into ledger.key_stage (tenant_id, surface, stage) values ($1, $2, $3)
        on conflict (tenant_id, surface) do update set stage = excluded.stage
        "#,
        tenant.0,
        surface,
        stage as Stage,
    )
    .execute(db)
    .await?;
    Ok(())
}

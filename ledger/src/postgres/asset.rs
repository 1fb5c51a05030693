//! Assets and the tenant's policy for them.

use sqlx::PgExecutor;
use std::collections::BTreeMap;

use super::balance::asset_code;
use crate::{
    account::{Asset, AssetCode},
    failure::Failure,
    id::TenantId,
};

/// The tenant's assets.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_tenant(db: impl PgExecutor<'_>, tenant: TenantId) -> Result<BTreeMap<AssetCode, Asset>, Failure> {
    let rows = sqlx::query!(
        r#"
        select asset_code, name_ja, name_en, scale, sign, sign_before, cap, bonus_rate, point_rate
        from ledger.asset
        where tenant_id = $1
        "#,
        tenant.0,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            let code = asset_code(row.asset_code)?;
            let asset = Asset {
                code: code.clone(),
                name_ja: row.name_ja,
                name_en: row.name_en,
                scale: u32::try_from(row.scale).map_err(|_| Failure::Inconsistent)?,
                sign: row.sign,
                sign_before: row.sign_before,
                cap: row.cap,
                bonus_rate: row.bonus_rate,
                point_rate: row.point_rate,
            };
            Ok((code, asset))
        })
        .collect()
}

/// Adds an asset to a tenant.
///
/// # Errors
/// [`Failure`]; [`Failure::Inconsistent`] if the tenant has it already or its policy is out of range.
pub async fn create(db: impl PgExecutor<'_>, tenant: TenantId, asset: &Asset) -> Result<(), Failure> {
    sqlx::query!(
        r#"
        insert into ledger.asset
            (tenant_id, asset_code, name_ja, name_en, scale, sign, sign_before, cap, bonus_rate, point_rate)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        "#,
        tenant.0,
        asset.code.as_str(),
        asset.name_ja,
        asset.name_en,
        i16::try_from(asset.scale).map_err(|_| Failure::Inconsistent)?,
        asset.sign,
        asset.sign_before,
        asset.cap,
        asset.bonus_rate,
        asset.point_rate,
    )
    .execute(db)
    .await?;
    Ok(())
}

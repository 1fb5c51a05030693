//! Assets and the tenant's policy for them.

use chrono_tz::Tz;
use rust_decimal::Decimal;
use sqlx::{PgExecutor, types::Json};
use std::collections::BTreeMap;

use super::balance::asset_code;
use crate::{
    asset::{Asset, AssetCode},
    calendar,
    failure::Failure,
    id::TenantId,
    limit::{Limit, Limits},
    money::Amount,
};

/// What a tenant decides about its money.
pub(super) struct Policy {
    pub(super) zone: Tz,
    pub(super) assets: BTreeMap<AssetCode, Asset>,
}

/// The tenant's policy, from one question.
pub(super) async fn policy(db: impl PgExecutor<'_>, tenant: TenantId) -> Result<Policy, Failure> {
    let rows = sqlx::query!(
        r#"
        select a.asset_code, a.name_ja, a.name_en, a.scale, a.sign, a.sign_before, a.cap, a.bonus_rate, a.point_rate,
            a.transferable, a.expiry, t.time_zone,
            (select coalesce(
                 jsonb_object_agg(l.kind, jsonb_build_object('per_operation', l.per_operation::text,
                     'per_day', l.per_day::text, 'per_month', l.per_month::text, 'min_interval_s', l.min_interval_s)), '{}')
             from ledger.operation_limit l
             where l.tenant_id = a.tenant_id and l.asset_code = a.asset_code) as "limits!: Json<Limits>"
        from ledger.asset a
        join ledger.tenant t on t.tenant_id = a.tenant_id
        where a.tenant_id = $1
        "#,
        tenant.0,
    )
    .fetch_all(db)
    .await?;
    let zone = rows.first().map_or(Tz::UTC, |row| calendar::zone(&row.time_zone));
    let assets = rows.into_iter().map(|row| {
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
            transferable: row.transferable,
            expiry: row
                .expiry
                .map(|rule| rule.parse())
                .transpose()
                .map_err(|_| Failure::Inconsistent)?,
            limits: row.limits.0,
        };
        Ok((code, asset))
    });
    Ok(Policy {
        zone,
        assets: assets.collect::<Result<_, Failure>>()?,
    })
}

/// The tenant's assets.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn of_tenant(db: impl PgExecutor<'_>, tenant: TenantId) -> Result<BTreeMap<AssetCode, Asset>, Failure> {
    Ok(policy(db, tenant).await?.assets)
}

/// Adds an asset to a tenant.
///
/// # Errors
/// [`Failure`]; [`Failure::Inconsistent`] if the tenant has it already or its policy is out of range.
pub async fn create(db: impl PgExecutor<'_>, tenant: TenantId, asset: &Asset) -> Result<(), Failure> {
    let limits = asset.limits.iter();
    let (kinds, limits): (Vec<String>, Vec<Limit>) = limits.map(|(kind, limit)| (kind.to_string(), *limit)).unzip();
    let per = |bound: fn(&Limit) -> Option<Amount>| {
        let bounds = limits.iter().map(bound);
        bounds.map(|amount| amount.map(Amount::value)).collect::<Vec<_>>()
    };
    let intervals: Vec<Option<i32>> = limits
        .iter()
        .map(|limit| limit.min_interval_s.map(i32::try_from).transpose())
        .collect::<Result<_, _>>()
        .map_err(|_| Failure::Inconsistent)?;
    sqlx::query!(
        r#"
        with created as (
            insert into ledger.asset (tenant_id, asset_code, name_ja, name_en, scale, sign, sign_before, cap, bonus_rate,
                point_rate, transferable, expiry)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        )
        insert into ledger.operation_limit
            (tenant_id, asset_code, kind, per_operation, per_day, per_month, min_interval_s)
        select $1, $2, d.kind, d.per_operation, d.per_day, d.per_month, d.min_interval_s
        from unnest($13::text[], $14::numeric[], $15::numeric[], $16::numeric[], $17::integer[])
            as d (kind, per_operation, per_day, per_month, min_interval_s)
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
        asset.transferable,
        asset.expiry.map(String::from),
        &kinds,
        &per(|limit| limit.per_operation) as &[Option<Decimal>],
        &per(|limit| limit.per_day) as &[Option<Decimal>],
        &per(|limit| limit.per_month) as &[Option<Decimal>],
        &intervals as &[Option<i32>],
    )
    .execute(db)
    .await?;
    Ok(())
}

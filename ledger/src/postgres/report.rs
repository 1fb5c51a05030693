//! What a tenant has issued, in sums: value that was paid for told apart from value that was given.

use rust_decimal::Decimal;
use sqlx::PgExecutor;

use super::balance::asset_code;
use crate::{account::SystemAccount, asset::AssetCode, failure::Failure, id::TenantId};

/// What became of an asset, by where it came from and went to. All are above zero but `corrected`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    pub asset: AssetCode,
    /// Charged and not taken back: money was paid for it.
    pub paid: Decimal,
    /// Given as bonus, points or gifts and not taken back.
    pub free: Decimal,
    /// Lasted its time.
    pub expired: Decimal,
    /// Paid out to merchants.
    pub paid_out: Decimal,
    /// What corrections added; below zero, took.
    pub corrected: Decimal,
    /// Of what customers hold in lots, what was paid for and what was given; zero for an asset without an expiry rule, of
    /// which only the whole is known.
    pub unspent_paid: Decimal,
    pub unspent_free: Decimal,
}

impl Issue {
    /// What all accounts hold together.
    #[must_use]
    pub fn in_circulation(&self) -> Decimal {
        self.paid + self.free + self.corrected - self.expired - self.paid_out
    }
}

/// The issue of each of the tenant's assets. It reads every entry of the tenant's own accounts.
///
/// # Errors
/// [`Failure`] if the database can't be asked.
pub async fn issues(db: impl PgExecutor<'_>, tenant: TenantId) -> Result<Vec<Issue>, Failure> {
    let id = |account: SystemAccount| account.id().0;
    let free = [SystemAccount::Bonus, SystemAccount::Points, SystemAccount::Campaign].map(id);
    let rows = sqlx::query!(
        r#"
        select a.asset_code,
            coalesce(-sum(e.amount) filter (where e.account_id = $2), 0) as "paid!",
            coalesce(-sum(e.amount) filter (where e.account_id = any($3)), 0) as "free!",
            coalesce(sum(e.amount) filter (where e.account_id = $4), 0) as "expired!",
            coalesce(sum(e.amount) filter (where e.account_id = $5), 0) as "paid_out!",
            coalesce(-sum(e.amount) filter (where e.account_id = $6), 0) as "corrected!",
            coalesce(max(l.paid), 0) as "unspent_paid!",
            coalesce(max(l.free), 0) as "unspent_free!"
        from ledger.asset a
        left join ledger.entry e
            on e.tenant_id = a.tenant_id and e.asset_code = a.asset_code and e.account_id = any($3 || $7::uuid[])
        left join lateral (
            select sum(remaining) filter (where paid) as paid, sum(remaining) filter (where not paid) as free
            from ledger.lot
            where tenant_id = a.tenant_id and asset_code = a.asset_code
        ) l on true
        where a.tenant_id = $1
        group by a.asset_code
        order by a.asset_code
        "#,
        tenant.0,
        id(SystemAccount::Funding),
        &free,
        id(SystemAccount::Expired),
        id(SystemAccount::Settlement),
        id(SystemAccount::Adjustment),
        &[
            SystemAccount::Funding,
            SystemAccount::Expired,
            SystemAccount::Settlement,
            SystemAccount::Adjustment
        ]
        .map(id),
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Issue {
                asset: asset_code(row.asset_code)?,
                paid: row.paid,
                free: row.free,
                expired: row.expired,
                paid_out: row.paid_out,
                corrected: row.corrected,
                unspent_paid: row.unspent_paid,
                unspent_free: row.unspent_free,
            })
        })
        .collect()
}

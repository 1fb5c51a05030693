//! The facts of a batch. Every writer takes its locks in the same order (accounts that change, payments, corrections,
//! payouts, balances, totals, markers; ids and keys ascending), so two that cross can't deadlock; what needs no lock, or is
//! protected by one of these, is read after they are held.

use chrono::NaiveDate;
use chrono_tz::Tz;
use rust_decimal::Decimal;
use sqlx::PgConnection;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use uuid::Uuid;

use super::{
    account, adjustment, asset, balance,
    execute::{Asked, Batch, Interruption},
    lot, payment, payout, top_up, transaction, usage,
};
use crate::{
    account::AccountKind,
    asset::{Asset, AssetCode},
    calendar,
    command::Named,
    failure::Failure,
    id::TenantId,
    money::Instant,
    plan::{self, Lock},
    snapshot::Snapshot,
};

/// Locks and reads what the commands name.
///
/// A balance that has no row yet can't be made here: it would be locked out of order, while others are. Unless they were
/// just `opened`, rows that are absent and can be made interrupt the batch.
pub(super) async fn read(
    db: &mut PgConnection,
    Batch {
        tenant,
        lane,
        at,
        opened,
    }: Batch,
    fresh: &[Asked<'_>],
) -> Result<Snapshot, Interruption> {
    let policy = asset::policy(&mut *db, tenant).await?;
    let mut snapshot = Snapshot::new(at, calendar::day_of(policy.zone, at), rand::random());
    snapshot.lane = lane;
    snapshot.expires_at = expiries(&policy.assets, policy.zone, snapshot.today);
    snapshot.assets = policy.assets;
    let named = NamedRows::of(fresh);
    named.read(db, tenant, &mut snapshot).await?;
    let (locks, absent) = lock_balances(db, tenant, fresh, &mut snapshot).await?;
    let accounts: BTreeSet<Uuid> = fresh
        .iter()
        .flat_map(|asked| plan::accounts(&asked.command, &snapshot))
        .map(|account| account.0)
        .collect();
    let accounts: Vec<Uuid> = accounts.into_iter().collect();
    snapshot.accounts = account::for_plan(&mut *db, tenant, &accounts).await?;
    let unopened: Vec<Lock> = absent
        .into_iter()
        .filter(|lock| can_be_opened(lock, &snapshot))
        .collect();
    if !unopened.is_empty() && !opened {
        return Err(Interruption::Unopened(unopened));
    }
    if snapshot.assets.values().any(|asset| !asset.limits.is_empty()) {
        snapshot.usage = usage::of_accounts(db, tenant, &accounts).await?;
    }
    if !snapshot.expires_at.is_empty() {
        read_lots(db, tenant, &locks, &named, &mut snapshot).await?;
    }
    if named.may_be_reversed() {
        snapshot.reversed = transaction::reversed(db, tenant, &named.subjects).await?;
    }
    Ok(snapshot)
}

/// Whether there can be such a row: of an account and an asset that exist, and in the first lane unless the account collects.
fn can_be_opened(lock: &Lock, snapshot: &Snapshot) -> bool {
    let is_first_lane = lock.lane.unwrap_or_default() == 0;
    let account = snapshot.accounts.get(&lock.account);
    account.is_some_and(|account| match account.kind {
        AccountKind::Customer => is_first_lane,
        AccountKind::Merchant => true,
        AccountKind::System => false,
    }) && snapshot.assets.contains_key(&lock.asset)
}

/// When value that is made on `today` will be gone, by asset.
fn expiries(assets: &BTreeMap<AssetCode, Asset>, zone: Tz, today: NaiveDate) -> BTreeMap<AssetCode, Instant> {
    let rules = assets
        .values()
        .filter_map(|asset| Some((asset.code.clone(), asset.expiry?)));
    rules
        .map(|(code, rule)| (code, calendar::beginning_of(zone, rule.gone_on(today))))
        .collect()
}

/// The rows that commands name, by what they are; ids ascend.
#[derive(Default)]
struct NamedRows {
    accounts: Vec<Uuid>,
    payments: Vec<Uuid>,
    adjustments: Vec<Uuid>,
    payouts: Vec<Uuid>,
    top_ups: Vec<Uuid>,
    transactions: Vec<Uuid>,
    /// Those of them that operations are about.
    subjects: Vec<Uuid>,
}

impl NamedRows {
    fn of(fresh: &[Asked<'_>]) -> Self {
        let named: BTreeSet<Named> = fresh.iter().filter_map(|asked| asked.command.named()).collect();
        let mut rows = Self::default();
        for name in named {
            let (column, id) = match name {
                Named::Account(id) => (&mut rows.accounts, id.0),
                Named::Payment(id) => (&mut rows.payments, id.0),
                Named::Adjustment(id) => (&mut rows.adjustments, id.0),
                Named::Payout(id) => (&mut rows.payouts, id.0),
                Named::TopUp(id) => (&mut rows.top_ups, id.0),
                Named::Transaction(id) => (&mut rows.transactions, id.0),
            };
            column.push(id);
            rows.subjects.push(id);
        }
        rows
    }

    fn may_be_reversed(&self) -> bool {
        !self.top_ups.is_empty() || !self.transactions.is_empty()
    }

    async fn read(&self, db: &mut PgConnection, tenant: TenantId, snapshot: &mut Snapshot) -> Result<(), Failure> {
        if !self.accounts.is_empty() {
            account::lock(db, tenant, &self.accounts).await?;
        }
        if !self.payments.is_empty() {
            snapshot.payments = payment::lock(db, tenant, &self.payments, &snapshot.assets).await?;
        }
        if !self.adjustments.is_empty() {
            snapshot.adjustments = adjustment::lock(db, tenant, &self.adjustments).await?;
        }
        if !self.payouts.is_empty() {
            snapshot.payouts = payout::lock(db, tenant, &self.payouts).await?;
        }
        if !self.top_ups.is_empty() {
            snapshot.top_ups = top_up::for_plan(db, tenant, &self.top_ups).await?;
        }
        if !self.transactions.is_empty() {
            snapshot.movements = transaction::movements(db, tenant, &self.transactions).await?;
        }
        self.rescale(snapshot);
        Ok(())
    }

    /// Gives amounts the scale of their asset, as plans expect them.
    fn rescale(&self, snapshot: &mut Snapshot) {
        let scale = |asset: &AssetCode, amounts: &mut [&mut Decimal]| {
            if let Some(asset) = snapshot.assets.get(asset) {
                for amount in amounts {
                    **amount = asset.round_down(**amount);
                }
            }
        };
        for row in snapshot.adjustments.values_mut() {
            scale(&row.asset, &mut [&mut row.amount]);
        }
        for row in snapshot.payouts.values_mut() {
            scale(&row.asset, &mut [&mut row.amount]);
        }
        for row in snapshot.top_ups.values_mut() {
            scale(&row.asset, &mut [&mut row.amount, &mut row.bonus]);
        }
        for row in snapshot.movements.values_mut() {
            scale(&row.asset, &mut [&mut row.amount]);
        }
    }
}

/// Locks the balances that commands may change; returns the locks, and those of them that have no row.
async fn lock_balances(
    db: &mut PgConnection,
    tenant: TenantId,
    fresh: &[Asked<'_>],
    snapshot: &mut Snapshot,
) -> Result<(Vec<Lock>, Vec<Lock>), Failure> {
    let asked: BTreeSet<Lock> = fresh
        .iter()
        .flat_map(|asked| plan::locks(&asked.command, snapshot))
        .collect();
    // Every lane that there is includes the one, if there is the one.
    let locks: Vec<Lock> = asked
        .iter()
        .filter(|lock| {
            lock.lane.is_none()
                || !asked.contains(&Lock {
                    lane: None,
                    ..(*lock).clone()
                })
        })
        .cloned()
        .collect();
    let locked = balance::lock(db, tenant, &locks).await?;
    let absent = absent(&asked, &locked);
    for balance::Locked {
        key,
        mut balance,
        updated_at,
    } in locked
    {
        snapshot.advance_past(updated_at);
        if let Some(asset) = snapshot.assets.get(&key.asset) {
            for amount in [&mut balance.amount, &mut balance.held, &mut balance.owed] {
                *amount = asset.round_down(*amount);
            }
        }
        snapshot.balances.insert(key, balance);
    }
    Ok((locks, absent))
}

/// The locks for which there is no row yet.
fn absent(locks: &BTreeSet<Lock>, locked: &[balance::Locked]) -> Vec<Lock> {
    let lanes: HashSet<_> = locked
        .iter()
        .map(|row| (row.key.account, &row.key.asset, Some(row.key.lane)))
        .collect();
    let holdings: HashSet<_> = locked.iter().map(|row| (row.key.account, &row.key.asset)).collect();
    let is_there = |lock: &Lock| match lock.lane {
        Some(_) => lanes.contains(&(lock.account, &lock.asset, lock.lane)),
        None => holdings.contains(&(lock.account, &lock.asset)),
    };
    locks.iter().filter(|lock| !is_there(lock)).cloned().collect()
}

async fn read_lots(
    db: &mut PgConnection,
    tenant: TenantId,
    locks: &[Lock],
    named: &NamedRows,
    snapshot: &mut Snapshot,
) -> Result<(), Failure> {
    let holdings = plan::holdings_with_lots(locks, snapshot);
    if holdings.is_empty() {
        return Ok(());
    }
    snapshot.lots = lot::of_holdings(db, tenant, &holdings).await?;
    for ((_, code), lots) in &mut snapshot.lots {
        if let Some(asset) = snapshot.assets.get(code) {
            for lot in lots {
                lot.remaining = asset.round_down(lot.remaining);
            }
        }
    }
    if !named.subjects.is_empty() {
        snapshot.lot_uses = lot::uses(db, tenant, &named.subjects).await?;
    }
    Ok(())
}

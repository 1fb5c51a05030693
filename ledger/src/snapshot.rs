//! The facts that a plan is decided on, read under lock at one instant.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

use crate::{
    account::{Account, AccountKind},
    adjustment::Adjustment,
    asset::{Asset, AssetCode},
    failure::Failure,
    id::{AccountId, AdjustmentId, IdSource, PaymentId, PayoutId, TopUpId, TransactionId},
    limit::{LimitKind, Usage},
    lot::{Lot, LotChange, LotKey},
    money::Instant,
    payment::Payment,
    payout::{Payout, PayoutStatus},
    plan::{Plan, Record},
};

/// Who holds what.
pub type Holding = (AccountId, AssetCode);

/// A row of a balance: accounts that only collect have one per lane, so that servers never wait for each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct BalanceKey {
    pub account: AccountId,
    pub asset: AssetCode,
    pub lane: i16,
}

/// One row of a balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    pub amount: Decimal,
    /// Of the amount, what authorised payments hold.
    pub held: Decimal,
    /// What the account owes of this asset, paid from what it earns next.
    pub owed: Decimal,
}

/// A top-up as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopUpFact {
    pub account: AccountId,
    pub asset: AssetCode,
    pub amount: Decimal,
    pub bonus: Decimal,
}

/// What one account got and another gave in a transfer or a grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovementFact {
    pub from: AccountId,
    pub to: AccountId,
    pub asset: AssetCode,
    pub amount: Decimal,
}

#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The instant of everything that is planned on this snapshot; later than every entry of the balances in it.
    pub at: Instant,
    /// The tenant's local day at that instant.
    pub today: NaiveDate,
    /// The lane in which this server writes what accounts collect.
    pub lane: i16,
    pub ids: IdSource,
    pub assets: BTreeMap<AssetCode, Asset>,
    /// When value of an asset that is made now will be gone, of the assets that have an expiry rule.
    pub expires_at: BTreeMap<AssetCode, Instant>,
    pub accounts: BTreeMap<AccountId, Account>,
    pub balances: BTreeMap<BalanceKey, Balance>,
    /// Of each holding with lots those that are not empty, by expiry.
    pub lots: BTreeMap<Holding, Vec<Lot>>,
    /// What operations on a subject did to lots so far.
    pub lot_uses: BTreeMap<Uuid, Vec<LotChange>>,
    pub usage: BTreeMap<(AccountId, AssetCode, LimitKind), Usage>,
    pub payments: BTreeMap<PaymentId, Payment>,
    pub top_ups: BTreeMap<TopUpId, TopUpFact>,
    pub movements: BTreeMap<TransactionId, MovementFact>,
    /// What was undone already.
    pub reversed: BTreeSet<Uuid>,
    pub adjustments: BTreeMap<AdjustmentId, Adjustment>,
    pub payouts: BTreeMap<PayoutId, Payout>,
}

impl Snapshot {
    /// An empty snapshot of `at`, which is on the tenant's local day `today`.
    #[must_use]
    pub fn new(at: Instant, today: NaiveDate, random: [u8; 6]) -> Self {
        Self {
            at,
            today,
            lane: 0,
            ids: IdSource::new(at, random),
            assets: BTreeMap::new(),
            expires_at: BTreeMap::new(),
            accounts: BTreeMap::new(),
            balances: BTreeMap::new(),
            lots: BTreeMap::new(),
            lot_uses: BTreeMap::new(),
            usage: BTreeMap::new(),
            payments: BTreeMap::new(),
            top_ups: BTreeMap::new(),
            movements: BTreeMap::new(),
            reversed: BTreeSet::new(),
            adjustments: BTreeMap::new(),
            payouts: BTreeMap::new(),
        }
    }

    /// Moves the instant past `updated_at`, in case another server's clock runs ahead: the entries of an account must
    /// sort by instant as its balances follow each other.
    pub fn advance_past(&mut self, updated_at: Instant) {
        if updated_at >= self.at {
            self.at = updated_at + chrono::TimeDelta::microseconds(1);
            self.ids = self.ids.at(self.at);
        }
    }

    /// # Errors
    /// [`Failure::NotFound`] if the tenant has no such asset.
    pub fn asset(&self, code: &AssetCode) -> Result<&Asset, Failure> {
        self.assets.get(code).ok_or(Failure::NotFound("asset"))
    }

    /// What the account holds, all lanes together; an account that never held the asset holds zero.
    #[must_use]
    pub fn balance(&self, account: AccountId, asset: &AssetCode) -> Balance {
        self.lanes(account, asset)
            .fold(Balance::default(), |sum, (_, lane)| Balance {
                amount: sum.amount + lane.amount,
                held: sum.held + lane.held,
                owed: sum.owed + lane.owed,
            })
    }

    /// The rows of a holding, by lane.
    pub fn lanes(&self, account: AccountId, asset: &AssetCode) -> impl Iterator<Item = (i16, &Balance)> {
        let key = |lane| BalanceKey {
            account,
            asset: asset.clone(),
            lane,
        };
        let rows = self.balances.range(key(0)..=key(i16::MAX));
        rows.map(|(key, balance)| (key.lane, balance))
    }

    /// What the account can spend: neither held nor past its expiry. What is held rests on value that lasts, and on value
    /// past its expiry only as far as the other does not suffice: so taking what has expired changes nothing here.
    #[must_use]
    pub fn available(&self, account: AccountId, asset: &AssetCode) -> Decimal {
        let balance = self.balance(account, asset);
        if !self.has_lots(account, asset) {
            return balance.amount - balance.held;
        }
        let lots = self.lots_of(account, asset).iter();
        let lasting = lots.filter(|lot| lot.expires_at > self.at).map(|lot| lot.remaining);
        (lasting.sum::<Decimal>() - balance.held).max(Decimal::ZERO)
    }

    /// Whether the account holds the asset in lots.
    #[must_use]
    pub fn has_lots(&self, account: AccountId, asset: &AssetCode) -> bool {
        self.expires_at.contains_key(asset)
            && self
                .accounts
                .get(&account)
                .is_some_and(|account| account.kind == AccountKind::Customer)
    }

    #[must_use]
    pub fn lots_of(&self, account: AccountId, asset: &AssetCode) -> &[Lot] {
        self.lots.get(&(account, asset.clone())).map_or(&[], Vec::as_slice)
    }

    /// Makes the plan's effect part of the facts, so that the next plan of the batch sees it.
    pub fn apply(&mut self, plan: &Plan) {
        for change in &plan.balances {
            let balance = self.balances.entry(change.key.clone()).or_default();
            balance.amount += change.amount;
            balance.held += change.held;
            balance.owed += change.owed;
        }
        for change in &plan.lots {
            self.apply_to_lot(change);
            let uses = self.lot_uses.entry(plan.transaction.subject_id).or_default();
            uses.push(change.clone());
        }
        for change in &plan.usage {
            let key = (change.account, change.asset.clone(), change.kind);
            self.usage.insert(key, change.after);
        }
        for record in &plan.records {
            self.apply_record(record);
        }
    }

    fn apply_to_lot(&mut self, change: &LotChange) {
        let LotKey {
            account,
            asset,
            expires_at,
            paid,
        } = &change.key;
        let lots = self.lots.entry((*account, asset.clone())).or_default();
        match lots.binary_search_by_key(&(*expires_at, *paid), |lot| (lot.expires_at, lot.paid)) {
            Ok(place) => lots[place].remaining += change.amount,
            Err(place) => lots.insert(
                place,
                Lot {
                    expires_at: *expires_at,
                    paid: *paid,
                    remaining: change.amount,
                },
            ),
        }
    }

    fn apply_record(&mut self, record: &Record) {
        match record {
            Record::PaymentChange(change) => {
                self.payments.insert(change.after().payment_id, change.after().clone());
            }
            Record::Reversal(reversal) => {
                self.reversed.insert(reversal.reversed_id);
            }
            Record::AdjustmentDecision(decision) => {
                if let Some(adjustment) = self.adjustments.get_mut(&decision.adjustment_id) {
                    adjustment.status = decision.status;
                }
            }
            Record::PayoutFailure(failure) => {
                if let Some(payout) = self.payouts.get_mut(&failure.payout_id) {
                    payout.status = PayoutStatus::Failed;
                }
            }
            Record::AccountStatus(change) => {
                if let Some(account) = self.accounts.get_mut(&change.account) {
                    account.status = change.to;
                }
            }
            Record::Payment(_)
            | Record::PaymentEvent(_)
            | Record::Refund(_)
            | Record::TopUp(_)
            | Record::Adjustment(_)
            | Record::Payout(_)
            | Record::Fence => {}
        }
    }
}

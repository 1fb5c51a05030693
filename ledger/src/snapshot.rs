//! The facts that a plan is decided on, read under lock at one instant.

use rust_decimal::Decimal;
use std::collections::BTreeMap;

use crate::{
    account::{Account, Asset, AssetCode},
    failure::Failure,
    id::{AccountId, IdSource, PaymentId},
    money::Instant,
    payment::Payment,
    plan::Plan,
};

/// A balance is named by who holds what.
pub type BalanceKey = (AccountId, AssetCode);

#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The instant of everything that is planned on this snapshot; later than every entry of the balances in it.
    pub at: Instant,
    pub ids: IdSource,
    pub assets: BTreeMap<AssetCode, Asset>,
    pub accounts: BTreeMap<AccountId, Account>,
    pub balances: BTreeMap<BalanceKey, Decimal>,
    pub payments: BTreeMap<PaymentId, Payment>,
}

impl Snapshot {
    /// An empty snapshot of `at`.
    #[must_use]
    pub fn new(at: Instant, random: [u8; 6]) -> Self {
        Self {
            at,
            ids: IdSource::new(at, random),
            assets: BTreeMap::new(),
            accounts: BTreeMap::new(),
            balances: BTreeMap::new(),
            payments: BTreeMap::new(),
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

    /// What the account holds; an account that never held the asset holds zero.
    #[must_use]
    pub fn balance(&self, account: AccountId, asset: &AssetCode) -> Decimal {
        self.balances
            .get(&(account, asset.clone()))
            .copied()
            .unwrap_or_default()
    }

    /// Makes the plan's effect part of the facts, so that the next plan of the batch sees it.
    pub fn apply(&mut self, plan: &Plan) {
        for change in &plan.balances {
            *self.balances.entry((change.account, change.asset.clone())).or_default() += change.delta;
        }
        let Some(change) = &plan.payment_change else { return };
        if let Some(payment) = self.payments.get_mut(&change.payment_id) {
            payment.status = change.status.to();
            payment.refunded = change.refunded_after;
            payment.points_returned = change.points_returned_after;
        }
    }
}

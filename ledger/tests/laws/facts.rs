//! What is so in a town, in the plainest form, whoever tells it: the snapshot of a plan, the model, or the database.

use ledger::{Snapshot, lot::LotKey, snapshot::Holding};
use rust_decimal::Decimal;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Sums by what they are of; none of them is zero.
pub type Sums<Key> = BTreeMap<Key, Decimal>;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// What accounts hold, all lanes together.
    pub amounts: Sums<Holding>,
    /// Of the amounts, what payments hold.
    pub held: Sums<Holding>,
    pub owed: Sums<Holding>,
    pub lots: Sums<LotKey>,
    /// What the operations on a subject gave to a lot; below zero, what they took from it.
    pub uses: Sums<(Uuid, LotKey)>,
    pub payments: BTreeMap<Uuid, PaymentFacts>,
    /// The word for the status of an account, a correction or a payout.
    pub statuses: BTreeMap<Uuid, String>,
    pub undone: BTreeSet<Uuid>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "postgres", derive(sqlx::FromRow))]
pub struct PaymentFacts {
    pub status: String,
    pub amount: Decimal,
    pub captured: Decimal,
    pub held: Decimal,
    pub refunded: Decimal,
    pub points_earned: Decimal,
    pub points_withheld: Decimal,
    pub points_returned: Decimal,
    pub co2_saved_kg: Decimal,
}

/// Adds to a sum; one that is zero is none.
pub fn add<Key: Clone + Ord>(sums: &mut Sums<Key>, key: &Key, amount: Decimal) {
    let sum = sums.entry(key.clone()).or_default();
    *sum += amount;
    if sum.is_zero() {
        sums.remove(key);
    }
}

impl Facts {
    pub fn of(snapshot: &Snapshot) -> Self {
        let mut facts = Self {
            payments: payments(snapshot),
            statuses: statuses(snapshot),
            undone: snapshot.reversed.clone(),
            ..Self::default()
        };
        for (key, balance) in &snapshot.balances {
            let holding = (key.account, key.asset.clone());
            add(&mut facts.amounts, &holding, balance.amount);
            add(&mut facts.held, &holding, balance.held);
            add(&mut facts.owed, &holding, balance.owed);
        }
        for ((account, asset), lots) in &snapshot.lots {
            for lot in lots {
                let key = LotKey {
                    account: *account,
                    asset: asset.clone(),
                    expires_at: lot.expires_at,
                    paid: lot.paid,
                };
                add(&mut facts.lots, &key, lot.remaining);
            }
        }
        for (subject, changes) in &snapshot.lot_uses {
            for change in changes {
                add(&mut facts.uses, &(*subject, change.key.clone()), change.amount);
            }
        }
        facts
    }
}

fn payments(snapshot: &Snapshot) -> BTreeMap<Uuid, PaymentFacts> {
    let payments = snapshot.payments.iter();
    let facts = payments.map(|(id, payment)| {
        let facts = PaymentFacts {
            status: payment.status.to_string(),
            amount: payment.amount,
            captured: payment.captured,
            held: payment.held,
            refunded: payment.refunded,
            points_earned: payment.points_earned,
            points_withheld: payment.points_withheld,
            points_returned: payment.points_returned,
            co2_saved_kg: payment.co2_saved_kg,
        };
        (id.0, facts)
    });
    facts.collect()
}

fn statuses(snapshot: &Snapshot) -> BTreeMap<Uuid, String> {
    let accounts = snapshot.accounts.iter();
    let accounts = accounts.map(|(id, account)| (id.0, account.status.as_str()));
    let corrections = snapshot.adjustments.iter();
    let corrections = corrections.map(|(id, correction)| (id.0, correction.status.as_str()));
    let payouts = snapshot.payouts.iter().map(|(id, payout)| {
        let failed = payout.paid().is_err();
        (id.0, if failed { "failed" } else { "paid" })
    });
    let statuses = accounts.chain(corrections).chain(payouts);
    statuses.map(|(id, status)| (id, status.to_owned())).collect()
}

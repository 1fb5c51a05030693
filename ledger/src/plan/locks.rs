//! What has to be locked and read before a command can be decided. Whatever a plan changes was named here.

#[cfg(feature = "postgres")]
use crate::snapshot::Holding;
use crate::{
    account::SystemAccount, asset::AssetCode, command::Command, id::AccountId, payment::Payment, snapshot::Snapshot,
};

/// A balance to lock: one lane, or every lane that there is (to take from it, or to judge it as a whole).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lock {
    pub account: AccountId,
    pub asset: AssetCode,
    /// `None` is every lane.
    pub lane: Option<i16>,
}

/// The accounts that `command` names, given the rows that were read for it.
#[must_use]
pub fn accounts(command: &Command, snapshot: &Snapshot) -> Vec<AccountId> {
    match command {
        Command::Pay(pay) => vec![pay.payer, pay.merchant],
        Command::Authorize(authorize) => vec![authorize.pay.payer, authorize.pay.merchant],
        Command::TopUp(top_up) => vec![top_up.account],
        Command::Transfer(transfer) => vec![transfer.from, transfer.to],
        Command::Grant(grant) => vec![grant.account],
        Command::Expire(expire) => vec![expire.account],
        Command::ProposeAdjustment(propose) => vec![propose.account],
        Command::Settle(settle) => vec![settle.merchant],
        Command::SetAccountStatus(change) => vec![change.account],
        Command::Fence => Vec::new(),
        Command::Capture(_)
        | Command::Void(_)
        | Command::ExpireHold(_)
        | Command::Refund(_)
        | Command::CancelTopUp(_)
        | Command::Reverse(_)
        | Command::ApplyAdjustment(_)
        | Command::DeclineAdjustment(_)
        | Command::FailPayout(_) => locks(command, snapshot).into_iter().map(|lock| lock.account).collect(),
    }
}

/// The balances that `command` may change or judge, given the assets and rows that were read for it.
#[must_use]
pub fn locks(command: &Command, snapshot: &Snapshot) -> Vec<Lock> {
    match command {
        Command::Pay(pay) => {
            let mut locks = vec![
                whole(pay.payer, &pay.asset),
                collecting(pay.merchant, &pay.asset, snapshot),
            ];
            locks.extend(earns(&pay.asset, snapshot).then(|| whole(pay.payer, &AssetCode::point())));
            locks
        }
        Command::Authorize(authorize) => vec![whole(authorize.pay.payer, &authorize.pay.asset)],
        Command::Capture(capture) => of_payment(snapshot.payments.get(&capture.payment), |payment| {
            let mut locks = vec![
                whole(payment.payer, &payment.asset),
                collecting(payment.merchant, &payment.asset, snapshot),
            ];
            locks.extend(earns(&payment.asset, snapshot).then(|| whole(payment.payer, &AssetCode::point())));
            locks
        }),
        Command::Void(void) => of_payment(snapshot.payments.get(&void.payment), payer_of),
        Command::ExpireHold(expire) => of_payment(snapshot.payments.get(&expire.payment), payer_of),
        Command::Refund(refund) => of_payment(snapshot.payments.get(&refund.payment), |payment| {
            let mut locks = vec![
                whole(payment.payer, &payment.asset),
                whole(payment.merchant, &payment.asset),
            ];
            locks.extend((!payment.points_earned.is_zero()).then(|| whole(payment.payer, &AssetCode::point())));
            locks
        }),
        Command::TopUp(top_up) => vec![whole(top_up.account, &top_up.asset)],
        Command::CancelTopUp(cancel) => {
            let top_up = snapshot.top_ups.get(&cancel.top_up);
            top_up.map_or(Vec::new(), |top_up| vec![whole(top_up.account, &top_up.asset)])
        }
        Command::Transfer(transfer) => vec![
            whole(transfer.from, &transfer.asset),
            whole(transfer.to, &transfer.asset),
        ],
        Command::Grant(grant) => vec![whole(grant.account, &grant.asset)],
        Command::Expire(expire) => vec![whole(expire.account, &expire.asset)],
        Command::Reverse(reverse) => {
            let Some(movement) = snapshot.movements.get(&reverse.transaction) else {
                return Vec::new();
            };
            let parties = [movement.from, movement.to];
            let parties = parties
                .into_iter()
                .filter(|party| *party != SystemAccount::Campaign.id());
            parties.map(|party| whole(party, &movement.asset)).collect()
        }
        Command::ProposeAdjustment(_) | Command::DeclineAdjustment(_) | Command::Fence => Vec::new(),
        Command::ApplyAdjustment(apply) => {
            let adjustment = snapshot.adjustments.get(&apply.adjustment);
            adjustment.map_or(Vec::new(), |adjustment| {
                vec![whole(adjustment.account, &adjustment.asset)]
            })
        }
        Command::Settle(settle) => vec![whole(settle.merchant, &settle.asset)],
        Command::FailPayout(fail) => {
            let payout = snapshot.payouts.get(&fail.payout);
            payout.map_or(Vec::new(), |payout| vec![whole(payout.merchant, &payout.asset)])
        }
        Command::SetAccountStatus(change) => {
            let assets = snapshot.assets.keys();
            assets.map(|asset| whole(change.account, asset)).collect()
        }
    }
}

/// The holdings whose lots a plan may change.
#[cfg(feature = "postgres")]
pub(crate) fn holdings_with_lots(locks: &[Lock], snapshot: &Snapshot) -> Vec<Holding> {
    let with_lots = locks
        .iter()
        .filter(|lock| snapshot.expires_at.contains_key(&lock.asset));
    with_lots.map(|lock| (lock.account, lock.asset.clone())).collect()
}

fn of_payment(payment: Option<&Payment>, locks: impl FnOnce(&Payment) -> Vec<Lock>) -> Vec<Lock> {
    payment.map_or(Vec::new(), locks)
}

fn payer_of(payment: &Payment) -> Vec<Lock> {
    vec![whole(payment.payer, &payment.asset)]
}

fn whole(account: AccountId, asset: &AssetCode) -> Lock {
    Lock {
        account,
        asset: asset.clone(),
        lane: None,
    }
}

fn collecting(account: AccountId, asset: &AssetCode, snapshot: &Snapshot) -> Lock {
    Lock {
        lane: Some(snapshot.lane),
        ..whole(account, asset)
    }
}

fn earns(asset: &AssetCode, snapshot: &Snapshot) -> bool {
    snapshot
        .assets
        .get(asset)
        .is_some_and(|asset| !asset.point_rate.is_zero())
}

//! Random things that people ask a town for: what, by whom, and when.

use ledger::{
    AccountStatus, AdjustmentId, Amount, AssetCode, Command, Pay, Payment, PaymentId, PayoutId, Refund, Snapshot,
    TopUp, TopUpId, TransactionId,
    command::{
        ApplyAdjustment, Authorize, CancelTopUp, Capture, DeclineAdjustment, Direction, Expire, ExpireHold, FailPayout,
        Grant, ProposeAdjustment, Reason, Reverse, SetAccountStatus, Settle, Transfer, Void,
    },
};
use proptest::prelude::*;

use super::{CUSTOMERS, amount, customer, merchant, mizu};

/// Something that people ask for, of accounts, payments and the like by their place among those that there are.
#[derive(Clone, Debug)]
pub struct Step {
    pub kind: Kind,
    /// The customer it is about, or whom the money leaves.
    pub customer: u128,
    /// The other side.
    pub other: u128,
    /// Which of the payments, top-ups, movements, corrections or payouts.
    pub place: usize,
    pub asset: usize,
    pub amount: Amount,
    /// The server that is asked.
    pub lane: i16,
    /// Who asks.
    pub asker: u8,
    /// Hours that pass before.
    pub wait_h: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Pay,
    Authorize,
    Capture,
    CaptureAll,
    Void,
    ExpireHold,
    Refund,
    RefundTheRest,
    TopUp,
    CancelTopUp,
    Transfer,
    TransferAll,
    Grant,
    Expire,
    Reverse,
    Propose(Direction),
    Apply,
    Decline,
    Settle,
    SettleAll,
    FailPayout,
    SetStatus(AccountStatus),
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        6 => Just(Kind::Pay),
        4 => Just(Kind::Authorize),
        3 => Just(Kind::Capture),
        2 => Just(Kind::CaptureAll),
        1 => Just(Kind::Void),
        1 => Just(Kind::ExpireHold),
        3 => Just(Kind::Refund),
        2 => Just(Kind::RefundTheRest),
        5 => Just(Kind::TopUp),
        1 => Just(Kind::CancelTopUp),
        3 => Just(Kind::Transfer),
        1 => Just(Kind::TransferAll),
        2 => Just(Kind::Grant),
        2 => Just(Kind::Expire),
        1 => Just(Kind::Reverse),
        1 => Just(Kind::Propose(Direction::Add)),
        1 => Just(Kind::Propose(Direction::Take)),
        2 => Just(Kind::Apply),
        1 => Just(Kind::Decline),
        1 => Just(Kind::Settle),
        1 => Just(Kind::SettleAll),
        1 => Just(Kind::FailPayout),
        1 => Just(Kind::SetStatus(AccountStatus::Frozen)),
        2 => Just(Kind::SetStatus(AccountStatus::Active)),
        1 => Just(Kind::SetStatus(AccountStatus::Closed)),
    ]
}

prop_compose! {
    pub fn step()(
        kind in kind(),
        customer in 0..CUSTOMERS,
        other in 0..CUSTOMERS,
        place in any::<usize>(),
        asset in 0..2_usize,
        amount in prop_oneof![7 => amount(4, 0), 1 => amount(4, 1)],
        lane in 0..3_i16,
        asker in 0..3_u8,
        wait_h in prop_oneof![8 => Just(0_i64), 2 => 1..48_i64, 1 => 300..800_i64],
    ) -> Step {
        Step { kind, customer, other, place, asset, amount, lane, asker, wait_h }
    }
}

/// A step of one customer at one shop, of the main currency.
pub fn simple(kind: Kind, amount: Amount) -> Step {
    Step {
        kind,
        customer: 0,
        other: 0,
        place: 0,
        asset: 0,
        amount,
        lane: 0,
        asker: 0,
        wait_h: 0,
    }
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..=50)
}

/// Who asks.
pub fn asker(step: &Step) -> String {
    format!("admin:{}", step.asker)
}

/// The command of a step; `None` if there is nothing of the kind that it is about.
pub fn command(step: &Step, snapshot: &Snapshot) -> Option<Command> {
    let code = [AssetCode::main(), mizu()][step.asset].clone();
    let reason = || Reason::parse("the customer brought it back").unwrap();
    let (account, amount) = (customer(step.customer), step.amount);
    let anybody = if step.place.is_multiple_of(2) {
        account
    } else {
        merchant(step.other)
    };
    let payment = || nth(step.place, snapshot.payments.keys());
    let hold = || hold(step.place, snapshot);
    let pay = || Pay {
        payer: account,
        merchant: merchant(step.other),
        asset: code.clone(),
        amount,
        memo: None,
    };
    let transfer = |amount| Transfer {
        from: account,
        to: customer(step.other),
        asset: code.clone(),
        amount,
        memo: None,
    };
    Some(match step.kind {
        Kind::Pay => Command::Pay(pay()),
        Kind::Authorize => Command::Authorize(Authorize {
            pay: pay(),
            valid_for_s: 86_400,
        }),
        Kind::Capture => Command::Capture(Capture {
            payment: hold()?,
            amount,
        }),
        Kind::CaptureAll => {
            let payment = hold()?;
            let amount = Amount::new(snapshot.payments[&payment].held).ok()?;
            Command::Capture(Capture { payment, amount })
        }
        Kind::Void => Command::Void(Void {
            payment: hold()?,
            reason: reason(),
        }),
        Kind::ExpireHold => Command::ExpireHold(ExpireHold { payment: hold()? }),
        Kind::Refund => Command::Refund(Refund {
            payment: payment()?,
            amount,
            reason: reason(),
        }),
        Kind::RefundTheRest => {
            let payment: PaymentId = payment()?;
            Command::Refund(Refund {
                payment,
                amount: Amount::new(snapshot.payments[&payment].refundable()).ok()?,
                reason: reason(),
            })
        }
        Kind::TopUp => Command::TopUp(TopUp {
            account,
            asset: code,
            amount,
        }),
        Kind::CancelTopUp => Command::CancelTopUp(CancelTopUp {
            top_up: nth::<TopUpId>(step.place, snapshot.top_ups.keys())?,
            reason: reason(),
        }),
        Kind::Transfer => Command::Transfer(transfer(amount)),
        Kind::TransferAll => Command::Transfer(transfer(Amount::new(snapshot.available(account, &code)).ok()?)),
        Kind::Grant => Command::Grant(Grant {
            account,
            asset: code,
            amount,
            reason: reason(),
        }),
        Kind::Expire => Command::Expire(Expire { account, asset: code }),
        Kind::Reverse => Command::Reverse(Reverse {
            transaction: nth::<TransactionId>(step.place, snapshot.movements.keys())?,
            reason: reason(),
        }),
        Kind::Propose(direction) => Command::ProposeAdjustment(ProposeAdjustment {
            account: anybody,
            asset: code,
            direction,
            amount,
            reason: reason(),
        }),
        Kind::Apply => Command::ApplyAdjustment(ApplyAdjustment {
            adjustment: nth::<AdjustmentId>(step.place, snapshot.adjustments.keys())?,
        }),
        Kind::Decline => Command::DeclineAdjustment(DeclineAdjustment {
            adjustment: nth::<AdjustmentId>(step.place, snapshot.adjustments.keys())?,
            reason: reason(),
        }),
        Kind::Settle => Command::Settle(Settle {
            merchant: merchant(step.other),
            asset: code,
            amount,
        }),
        Kind::SettleAll => {
            let merchant = merchant(step.other);
            let amount = Amount::new(snapshot.available(merchant, &code)).ok()?;
            Command::Settle(Settle {
                merchant,
                asset: code,
                amount,
            })
        }
        Kind::FailPayout => Command::FailPayout(FailPayout {
            payout: nth::<PayoutId>(step.place, snapshot.payouts.keys())?,
            reason: reason(),
        }),
        Kind::SetStatus(status) => Command::SetAccountStatus(SetAccountStatus {
            account: anybody,
            status,
            reason: reason(),
        }),
    })
}

/// A payment: mostly one of which something is held, if there is any.
fn hold(place: usize, snapshot: &Snapshot) -> Option<PaymentId> {
    let payments = snapshot.payments.values();
    let held: Vec<&Payment> = payments.filter(|payment| !payment.held.is_zero()).collect();
    if held.is_empty() || place.is_multiple_of(4) {
        return nth(place, snapshot.payments.keys());
    }
    Some(held[place % held.len()].payment_id)
}

fn nth<Id: Copy>(place: usize, ids: impl ExactSizeIterator<Item = impl std::borrow::Borrow<Id>>) -> Option<Id> {
    let mut ids = ids;
    let count = ids.len();
    (count > 0)
        .then(|| ids.nth(place % count).map(|id| *id.borrow()))
        .flatten()
}

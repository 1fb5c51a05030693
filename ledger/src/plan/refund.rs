//! A full or partial return of a payment: never above what was captured, to the lots that were spent, and the points that
//! it earned come back. What is still held for the payment is released: nothing more is captured of what is being returned.
//!
//! Points are taken back in proportion to all that was refunded so far, rounded down, so that parts add up to the
//! whole; those that the payer has already spent are owed from then on. Those whose time has passed are left alone, used
//! or not: whether a refund costs points must not hang on when the job that expires them runs.

use rust_decimal::Decimal;

use super::{
    Legs, Plan, Record, RefundRow, Refusal, active,
    hold::found,
    in_asset,
    pay::{co2_change, co2_saved, event},
    transaction,
};
use crate::{
    account::{AccountKind, SystemAccount},
    asset::AssetCode,
    command::Refund,
    failure::Rejection,
    id::AccountId,
    money::Instant,
    outcome::{Receipt, RefundReceipt},
    payment::{Payment, PaymentChange, PaymentStatus},
    snapshot::Snapshot,
};

pub(super) fn plan(refund: &Refund, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let payment = found(snapshot, refund.payment)?;
    let Payment { payer, merchant, .. } = payment;
    let amount = in_asset(snapshot, refund.amount, &payment.asset)?;
    let change = change(&payment, amount, snapshot)?;
    active(snapshot, payer, AccountKind::Customer, "payer")?;
    active(snapshot, merchant, AccountKind::Merchant, "merchant")?;
    let points_due = change.after().points_returned - payment.points_returned;
    let points_returned = points_due.min(points_left(payer, snapshot));
    let row = RefundRow {
        refund_id: snapshot.ids.draw(),
        payment_id: payment.payment_id,
        amount,
        points_returned,
        points_owed: points_due - points_returned,
        reason: refund.reason.as_str().to_owned(),
    };
    let head = transaction(snapshot, "refund", Some(payment.payment_id.0), Some(row.reason.clone()));
    let event = event(
        snapshot,
        payment.payment_id,
        Some(payment.status),
        change.after().status,
        Some(row.reason.clone()),
    );
    let (subject, point) = (payment.payment_id.0, AssetCode::point());
    let mut legs = Legs::new(snapshot);
    if payment.held > Decimal::ZERO {
        legs.hold(payer, &payment.asset, -payment.held);
    }
    legs.give_back(merchant, payer, &payment.asset, amount, subject)?;
    legs.take_back(payer, SystemAccount::Points, &point, points_returned, Some(subject));
    legs.owe(payer, &point, row.points_owed);
    let receipt = Receipt::Refund(receipt(&row, &change, head.occurred_at));
    let co2 = co2_saved(change.after().refunded) - co2_saved(payment.refunded);
    let records = vec![
        Record::PaymentChange(change),
        Record::PaymentEvent(event),
        Record::Refund(row),
    ];
    Ok(Plan {
        metrics: vec![co2_change(payer, -co2)],
        ..legs.plan(head, records, receipt)
    })
}

/// The payment's change by a refund of `amount`, if its status and what was captured allow one.
fn change(payment: &Payment, amount: Decimal, snapshot: &Snapshot) -> Result<PaymentChange, Rejection> {
    let refunded = payment.refunded + amount;
    let to = if refunded < payment.captured {
        PaymentStatus::PartiallyRefunded
    } else {
        PaymentStatus::Refunded
    };
    let lapsed = Legs::new(snapshot).lapsed(payment.payer, &AssetCode::point(), payment.payment_id.0);
    let points_due = points_due(payment, refunded, snapshot).min(payment.points_earned - lapsed);
    let change = payment.change(to, |after| {
        after.refunded = refunded;
        after.held -= payment.held;
        after.points_returned = points_due.max(payment.points_returned);
    })?;
    if refunded > payment.captured {
        let refundable = payment.refundable();
        return Err(Rejection::RefundExceedsCaptured { refundable });
    }
    Ok(change)
}

/// What the payer can give back of the points.
fn points_left(payer: AccountId, snapshot: &Snapshot) -> Decimal {
    let point = AssetCode::point();
    let left = snapshot.available(payer, &point).max(Decimal::ZERO);
    snapshot.assets.get(&point).map_or(left, |point| point.round_down(left))
}

/// The share of the points that belongs to `refunded`; of the whole payment all, whatever a division would leave.
fn points_due(payment: &Payment, refunded: Decimal, snapshot: &Snapshot) -> Decimal {
    if refunded >= payment.captured {
        return payment.points_earned;
    }
    let Some(point) = snapshot.assets.get(&AssetCode::point()) else {
        return Decimal::ZERO;
    };
    // The product of the largest amounts is more than a decimal holds; their ratio is not.
    point.round_down(match payment.points_earned.checked_mul(refunded) {
        Some(product) => product / payment.captured,
        None => payment.points_earned * (refunded / payment.captured),
    })
}

fn receipt(row: &RefundRow, change: &PaymentChange, created_at: Instant) -> RefundReceipt {
    let payment = change.after();
    RefundReceipt {
        refund_id: row.refund_id,
        payment_id: payment.payment_id,
        status: payment.status,
        asset: payment.asset.clone(),
        amount: row.amount,
        refunded_total: payment.refunded,
        points_returned: row.points_returned,
        created_at,
    }
}

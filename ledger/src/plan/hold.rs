//! A payment that is held before it is taken: authorised, captured in one part or several, released by whoever may or by
//! time. What is held counts as spent (A14), and what is captured was promised: it is not judged again.

use chrono::TimeDelta;
use rust_decimal::Decimal;

use super::{
    Legs, Plan, Record, Refusal, active, in_asset,
    pay::{Points, admitted, begun, co2_change, co2_saved, event},
    transaction,
};
use crate::{
    account::AccountKind,
    command::{Authorize, Capture, ExpireHold, Void},
    failure::{Failure, Rejection},
    id::PaymentId,
    limit::LimitKind,
    outcome::{HoldReceipt, Receipt},
    payment::{Payment, PaymentStatus},
    snapshot::Snapshot,
};

/// How long a hold may last, in seconds.
pub const VALID_FOR_S: std::ops::RangeInclusive<u32> = 60..=31 * 24 * 60 * 60;

pub(super) fn authorize(authorize: &Authorize, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let Authorize { pay, valid_for_s } = authorize;
    let amount = admitted(pay, snapshot)?;
    if !VALID_FOR_S.contains(valid_for_s) {
        let (field, code) = ("valid_for_s", "HOLD_PERIOD_OUT_OF_RANGE");
        let detail = format!("a hold lasts {} to {} seconds", VALID_FOR_S.start(), VALID_FOR_S.end());
        return Err(Failure::Invalid { field, code, detail }.into());
    }
    let payment = Payment {
        held: amount,
        status: PaymentStatus::Authorized,
        hold_expires_at: Some(snapshot.at + TimeDelta::seconds((*valid_for_s).into())),
        ..begun(pay, amount, snapshot)
    };
    let head = transaction(snapshot, "authorize", Some(payment.payment_id.0), payment.memo.clone());
    let event = event(snapshot, payment.payment_id, None, payment.status, None);
    let mut legs = Legs::new(snapshot);
    legs.limit(LimitKind::Pay, pay.payer, &pay.asset, amount)?;
    legs.available(pay.payer, &pay.asset, amount)?;
    legs.hold(pay.payer, &pay.asset, amount);
    let receipt = receipt(&payment);
    let records = vec![Record::Payment(payment), Record::PaymentEvent(event)];
    Ok(legs.plan(head, records, receipt))
}

pub(super) fn capture(capture: &Capture, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let payment = found(snapshot, capture.payment)?;
    let amount = in_asset(snapshot, capture.amount, &payment.asset)?;
    let Payment { payer, merchant, .. } = payment;
    let points = Points::earned(payer, &payment.asset, payment.captured, amount, snapshot);
    let co2 = co2_saved(payment.captured + amount) - co2_saved(payment.captured);
    let change = payment.change(PaymentStatus::Captured, |after| {
        after.captured += amount;
        after.held -= amount;
        after.points_earned += points.earned;
        after.points_withheld += points.withheld;
        after.co2_saved_kg += co2;
    })?;
    if amount > payment.held {
        let capturable = payment.held;
        return Err(Rejection::CaptureExceedsHeld { capturable }.into());
    }
    if let Some(expired_at) = payment.hold_expires_at.filter(|end| *end <= snapshot.at) {
        return Err(Rejection::HoldExpired { expired_at }.into());
    }
    active(snapshot, payer, AccountKind::Customer, "payer")?;
    active(snapshot, merchant, AccountKind::Merchant, "merchant")?;
    let head = transaction(snapshot, "capture", Some(payment.payment_id.0), None);
    let event = event(
        snapshot,
        payment.payment_id,
        Some(payment.status),
        change.after().status,
        None,
    );
    let mut legs = Legs::new(snapshot);
    legs.capture(payer, merchant, &payment.asset, amount);
    points.write(&mut legs, payer);
    let receipt = receipt(change.after());
    let records = vec![Record::PaymentChange(change), Record::PaymentEvent(event)];
    Ok(Plan {
        metrics: vec![co2_change(payer, co2)],
        ..legs.plan(head, records, receipt)
    })
}

pub(super) fn void(void: &Void, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let payment = found(snapshot, void.payment)?;
    let reason = void.reason.as_str().to_owned();
    release(&payment, "void", PaymentStatus::Voided, Some(reason), snapshot)
}

pub(super) fn expire(expire: &ExpireHold, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let payment = found(snapshot, expire.payment)?;
    if let Some(expires_at) = payment.hold_expires_at.filter(|end| *end > snapshot.at) {
        return Err(Rejection::HoldNotExpired { expires_at }.into());
    }
    release(&payment, "expire_hold", PaymentStatus::Expired, None, snapshot)
}

/// Releases what is held. A payment of which something was captured stays captured; else it ends as `end`.
fn release(
    payment: &Payment,
    kind: &'static str,
    end: PaymentStatus,
    reason: Option<String>,
    snapshot: &mut Snapshot,
) -> Result<Plan, Refusal> {
    let to = if payment.held > Decimal::ZERO && payment.status == PaymentStatus::Captured {
        PaymentStatus::Captured
    } else {
        end
    };
    let change = payment.change(to, |after| after.held -= payment.held)?;
    let head = transaction(snapshot, kind, Some(payment.payment_id.0), reason.clone());
    let event = event(snapshot, payment.payment_id, Some(payment.status), to, reason);
    let mut legs = Legs::new(snapshot);
    legs.hold(payment.payer, &payment.asset, -payment.held);
    let receipt = receipt(change.after());
    let records = vec![Record::PaymentChange(change), Record::PaymentEvent(event)];
    Ok(legs.plan(head, records, receipt))
}

pub(super) fn found(snapshot: &Snapshot, payment: PaymentId) -> Result<Payment, Failure> {
    let found = snapshot.payments.get(&payment).cloned();
    found.ok_or(Failure::NotFound("payment"))
}

fn receipt(payment: &Payment) -> Receipt {
    Receipt::Hold(HoldReceipt {
        payment_id: payment.payment_id,
        status: payment.status,
        asset: payment.asset.clone(),
        amount: payment.amount,
        captured: payment.captured,
        held: payment.held,
        points_earned: payment.points_earned,
        hold_expires_at: payment.hold_expires_at,
        created_at: payment.created_at,
    })
}

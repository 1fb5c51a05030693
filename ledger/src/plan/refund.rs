//! A full or partial return of a payment: never above what was captured, and the points that it earned come back.
//!
//! Points are taken back in proportion to all that was refunded so far, rounded down, so that parts add up to the
//! whole; a payer who has already spent them gives back what is left.

use rust_decimal::Decimal;

use super::{
    CO2_SAVED_KG, Legs, MetricChange, PaymentChange, PaymentEvent, Plan, RefundRow, Refusal, Transaction, active,
    in_asset, pay::co2_saved,
};
use crate::{
    account::{AccountKind, AssetCode, SystemAccount},
    command::Refund,
    failure::{Failure, Rejection},
    id::RefundId,
    outcome::{Receipt, RefundReceipt},
    payment::{Payment, PaymentStatus},
    snapshot::Snapshot,
};

pub(super) fn plan(refund: &Refund, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let payment = snapshot
        .payments
        .get(&refund.payment)
        .cloned()
        .ok_or(Failure::NotFound("payment"))?;
    let amount = in_asset(snapshot, refund.amount, &payment.asset)?;
    let change = change(&payment, amount, snapshot)?;
    active(snapshot, payment.payer, AccountKind::Customer, "payer")?;
    active(snapshot, payment.merchant, AccountKind::Merchant, "merchant")?;
    if snapshot.balance(payment.merchant, &payment.asset) < amount {
        return Err(Rejection::Insufficient.into());
    }
    let points_returned = change.points_returned_after - payment.points_returned;
    let mut legs = Legs::new(snapshot);
    legs.transfer(payment.merchant, payment.payer, &payment.asset, amount);
    legs.take_back(
        payment.payer,
        SystemAccount::Points,
        &AssetCode::point(),
        points_returned,
    );
    let Legs { entries, balances, .. } = legs;
    let refund_id: RefundId = snapshot.ids.draw();
    let reason = refund.reason.as_str().to_owned();
    let co2_taken_back = co2_saved(change.refunded_after) - co2_saved(change.refunded_before);
    Ok(Plan {
        transaction: Transaction {
            transaction_id: snapshot.ids.draw(),
            kind: "refund",
            subject_id: payment.payment_id.0,
            occurred_at: snapshot.at,
        },
        entries,
        balances,
        metrics: vec![MetricChange {
            account: payment.payer,
            name: CO2_SAVED_KG,
            delta: -co2_taken_back,
        }],
        payment: None,
        event: Some(PaymentEvent {
            event_id: snapshot.ids.draw(),
            payment_id: payment.payment_id,
            from: Some(change.status.from()),
            to: change.status.to(),
            reason: Some(reason.clone()),
        }),
        refund: Some(RefundRow {
            refund_id,
            payment_id: payment.payment_id,
            amount,
            points_returned,
            reason,
        }),
        top_up: None,
        receipt: Receipt::Refund(RefundReceipt {
            refund_id,
            payment_id: payment.payment_id,
            status: change.status.to(),
            asset: payment.asset.clone(),
            amount,
            refunded_total: change.refunded_after,
            points_returned,
            created_at: snapshot.at,
        }),
        payment_change: Some(change),
    })
}

/// The payment's change by a refund of `amount`, if its status and what was captured allow one.
fn change(payment: &Payment, amount: Decimal, snapshot: &Snapshot) -> Result<PaymentChange, Rejection> {
    let refunded_after = payment.refunded + amount;
    let to = if refunded_after < payment.captured {
        PaymentStatus::PartiallyRefunded
    } else {
        PaymentStatus::Refunded
    };
    let status = payment.status.to(to)?;
    if refunded_after > payment.captured {
        return Err(Rejection::RefundExceedsCaptured {
            refundable: payment.refundable(),
        });
    }
    Ok(PaymentChange {
        payment_id: payment.payment_id,
        status,
        refunded_before: payment.refunded,
        refunded_after,
        points_returned_after: payment.points_returned + points_to_return(payment, refunded_after, snapshot),
    })
}

fn points_to_return(payment: &Payment, refunded_after: Decimal, snapshot: &Snapshot) -> Decimal {
    let Some(point) = snapshot.assets.get(&AssetCode::point()) else {
        return Decimal::ZERO;
    };
    let due = point.round_down(points_due(payment, refunded_after)) - payment.points_returned;
    due.clamp(
        Decimal::ZERO,
        snapshot.balance(payment.payer, &point.code).max(Decimal::ZERO),
    )
}

/// The share of the points that belongs to `refunded_after`; of the whole payment all, whatever a division would leave.
fn points_due(payment: &Payment, refunded_after: Decimal) -> Decimal {
    if refunded_after == payment.captured {
        return payment.points_earned;
    }
    // The product of the largest amounts is more than a decimal holds; their ratio is not.
    match payment.points_earned.checked_mul(refunded_after) {
        Some(product) => product / payment.captured,
        None => payment.points_earned * (refunded_after / payment.captured),
    }
}

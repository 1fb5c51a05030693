//! A customer pays a merchant: captured at once, with points by the asset's rate and the CO2 that it saved.

use rust_decimal::Decimal;

use super::{CO2_SAVED_KG, Legs, MetricChange, PaymentEvent, Plan, Refusal, Transaction, active, in_asset};
use crate::{
    account::{AccountKind, AssetCode, SystemAccount},
    command::Pay,
    failure::Rejection,
    money::round_down,
    outcome::{PaymentReceipt, Receipt},
    payment::{Payment, PaymentStatus},
    snapshot::Snapshot,
};

/// Kilograms of CO2 saved per unit paid (MISSION B6).
const CO2_RATE: Decimal = Decimal::from_parts(1, 0, 0, false, 2);
/// Grams: the smallest unit of the metric.
const CO2_SCALE: u32 = 3;

pub(super) fn plan(pay: &Pay, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    active(snapshot, pay.payer, AccountKind::Customer, "payer")?;
    active(snapshot, pay.merchant, AccountKind::Merchant, "merchant")?;
    let amount = in_asset(snapshot, pay.amount, &pay.asset)?;
    if snapshot.balance(pay.payer, &pay.asset) < amount {
        return Err(Rejection::Insufficient.into());
    }
    let payment = payment(pay, amount, snapshot)?;
    let mut legs = Legs::new(snapshot);
    legs.transfer(pay.payer, pay.merchant, &pay.asset, amount);
    legs.grant(
        SystemAccount::Points,
        pay.payer,
        &AssetCode::point(),
        payment.points_earned,
    );
    let Legs { entries, balances, .. } = legs;
    Ok(Plan {
        transaction: Transaction {
            transaction_id: snapshot.ids.draw(),
            kind: "pay",
            subject_id: payment.payment_id.0,
            occurred_at: snapshot.at,
        },
        entries,
        balances,
        metrics: vec![MetricChange {
            account: pay.payer,
            name: CO2_SAVED_KG,
            delta: payment.co2_saved_kg,
        }],
        event: Some(PaymentEvent {
            event_id: snapshot.ids.draw(),
            payment_id: payment.payment_id,
            from: None,
            to: payment.status,
            reason: None,
        }),
        receipt: Receipt::Payment(receipt(&payment)),
        payment: Some(payment),
        payment_change: None,
        refund: None,
        top_up: None,
    })
}

fn payment(pay: &Pay, amount: Decimal, snapshot: &mut Snapshot) -> Result<Payment, Refusal> {
    let rate = snapshot.asset(&pay.asset)?.point_rate;
    let points_earned = match snapshot.assets.get(&AssetCode::point()) {
        Some(point) => point.round_down(amount * rate),
        None => Decimal::ZERO,
    };
    Ok(Payment {
        payment_id: snapshot.ids.draw(),
        payer: pay.payer,
        merchant: pay.merchant,
        asset: pay.asset.clone(),
        amount,
        captured: amount,
        refunded: Decimal::ZERO,
        status: PaymentStatus::Captured,
        memo: pay.memo.clone().map(String::from),
        points_earned,
        points_returned: Decimal::ZERO,
        co2_saved_kg: co2_saved(amount),
        created_at: snapshot.at,
    })
}

/// The CO2 that paying `amount` saves, in kilograms, rounded down to grams.
pub(super) fn co2_saved(amount: Decimal) -> Decimal {
    round_down(amount * CO2_RATE, CO2_SCALE)
}

fn receipt(payment: &Payment) -> PaymentReceipt {
    PaymentReceipt {
        payment_id: payment.payment_id,
        status: payment.status,
        asset: payment.asset.clone(),
        amount: payment.amount,
        points_earned: payment.points_earned,
        co2_saved_kg: payment.co2_saved_kg,
        created_at: payment.created_at,
    }
}

//! A customer pays a merchant: captured at once, with points by the asset's rate and the CO2 that it saved.

use rust_decimal::Decimal;

use super::{CO2_SAVED_KG, Legs, MetricChange, PaymentEvent, Plan, Record, Refusal, active, in_asset, transaction};
use crate::{
    account::{AccountKind, SystemAccount},
    asset::AssetCode,
    command::Pay,
    id::{AccountId, PaymentId},
    limit::LimitKind,
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
    let amount = admitted(pay, snapshot)?;
    let points = Points::earned(pay.payer, &pay.asset, Decimal::ZERO, amount, snapshot);
    let payment = Payment {
        captured: amount,
        status: PaymentStatus::Captured,
        points_earned: points.earned,
        points_withheld: points.withheld,
        co2_saved_kg: co2_saved(amount),
        ..begun(pay, amount, snapshot)
    };
    let head = transaction(snapshot, "pay", Some(payment.payment_id.0), payment.memo.clone());
    let event = event(snapshot, payment.payment_id, None, payment.status, None);
    let mut legs = Legs::new(snapshot);
    legs.limit(LimitKind::Pay, pay.payer, &pay.asset, amount)?;
    legs.transfer(pay.payer, pay.merchant, &pay.asset, amount)?;
    points.write(&mut legs, pay.payer);
    let receipt = Receipt::Payment(PaymentReceipt {
        payment_id: payment.payment_id,
        status: payment.status,
        asset: payment.asset.clone(),
        amount: payment.amount,
        points_earned: payment.points_earned,
        co2_saved_kg: payment.co2_saved_kg,
        created_at: payment.created_at,
    });
    let co2 = co2_change(pay.payer, payment.co2_saved_kg);
    let records = vec![Record::Payment(payment), Record::PaymentEvent(event)];
    Ok(Plan {
        metrics: vec![co2],
        ..legs.plan(head, records, receipt)
    })
}

/// The amount of a payment whose parties exist and may act.
pub(super) fn admitted(pay: &Pay, snapshot: &Snapshot) -> Result<Decimal, Refusal> {
    active(snapshot, pay.payer, AccountKind::Customer, "payer")?;
    active(snapshot, pay.merchant, AccountKind::Merchant, "merchant")?;
    Ok(in_asset(snapshot, pay.amount, &pay.asset)?)
}

/// A payment of which nothing was taken yet.
pub(super) fn begun(pay: &Pay, amount: Decimal, snapshot: &mut Snapshot) -> Payment {
    let none = round_down(Decimal::ZERO, amount.scale());
    let point = snapshot.assets.get(&AssetCode::point());
    let no_points = point.map_or(Decimal::ZERO, |point| point.round_down(Decimal::ZERO));
    Payment {
        payment_id: snapshot.ids.draw(),
        payer: pay.payer,
        merchant: pay.merchant,
        asset: pay.asset.clone(),
        amount,
        captured: none,
        held: none,
        refunded: Decimal::ZERO,
        status: PaymentStatus::Processing,
        memo: pay.memo.clone().map(String::from),
        points_earned: no_points,
        points_withheld: no_points,
        points_returned: no_points,
        co2_saved_kg: Decimal::ZERO,
        hold_expires_at: None,
        created_at: snapshot.at,
    }
}

/// A change of a payment's status, as its history keeps it.
pub(super) fn event(
    snapshot: &mut Snapshot,
    payment_id: PaymentId,
    from: Option<PaymentStatus>,
    to: PaymentStatus,
    reason: Option<String>,
) -> PaymentEvent {
    PaymentEvent {
        event_id: snapshot.ids.draw(),
        payment_id,
        from,
        to,
        reason,
    }
}

/// The CO2 that paying `amount` saves, in kilograms, rounded down to grams.
pub(super) fn co2_saved(amount: Decimal) -> Decimal {
    round_down(amount * CO2_RATE, CO2_SCALE)
}

pub(super) fn co2_change(payer: AccountId, delta: Decimal) -> MetricChange {
    MetricChange {
        account: payer,
        name: CO2_SAVED_KG,
        delta,
    }
}

/// The points that a purchase earns: what the payer owes of them is paid first, so that nobody earns by returning what
/// was bought and keeping the points.
#[derive(Clone, Copy)]
pub(super) struct Points {
    pub(super) earned: Decimal,
    pub(super) withheld: Decimal,
}

impl Points {
    /// The points for capturing `more` of a payment, given what was `captured` of it before: parts earn what the whole
    /// would.
    pub(super) fn earned(
        payer: AccountId,
        asset: &AssetCode,
        captured: Decimal,
        more: Decimal,
        snapshot: &Snapshot,
    ) -> Self {
        let code = AssetCode::point();
        let (Some(point), Some(asset)) = (snapshot.assets.get(&code), snapshot.assets.get(asset)) else {
            let (earned, withheld) = (Decimal::ZERO, Decimal::ZERO);
            return Self { earned, withheld };
        };
        let of = |amount: Decimal| point.round_down(amount * asset.point_rate);
        let earned = of(captured + more) - of(captured);
        let withheld = point.round_down(snapshot.balance(payer, &code).owed.min(earned));
        Self { earned, withheld }
    }

    pub(super) fn write(self, legs: &mut Legs<'_>, payer: AccountId) {
        let code = AssetCode::point();
        legs.grant(SystemAccount::Points, payer, &code, self.earned - self.withheld);
        legs.owe(payer, &code, -self.withheld);
    }
}

//! Payments in the model: taken at once or held first, and refunded.

use ledger::{AssetCode, LimitKind, Pay, Refund, command::Capture, money::Instant, snapshot::Holding};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    Model, Parties, Verdict,
    books::{Shares, first, sum},
    refuse_if,
};
use crate::facts::{PaymentFacts, add};

impl Model {
    pub(super) fn pay(&mut self, pay: &Pay, made: Uuid) -> Verdict {
        let (payer, amount) = self.admit(pay)?;
        self.begin(pay, amount, None, made);
        self.collect(made, amount, self.lasting(&payer));
        Ok(())
    }

    pub(super) fn authorize(&mut self, pay: &Pay, valid_for_s: u32, made: Uuid) -> Verdict {
        let (payer, amount) = self.admit(pay)?;
        let until = self.now + chrono::TimeDelta::seconds(valid_for_s.into());
        self.begin(pay, amount, Some(until), made);
        self.hold(made, &payer, amount);
        Ok(())
    }

    /// Judges what is the same whether it is taken or held; a hold counts as a payment of its day.
    fn admit(&mut self, pay: &Pay) -> Result<(Holding, Decimal), &'static str> {
        let payer = (pay.payer, pay.asset.clone());
        self.active(pay.payer)?;
        self.active(pay.merchant)?;
        let amount = self.amount(pay.amount, &pay.asset)?;
        self.within_limits(LimitKind::Pay, &payer, amount)?;
        self.sufficient(&payer, amount)?;
        self.count(LimitKind::Pay, &payer, amount);
        Ok((payer, amount))
    }

    fn begin(&mut self, pay: &Pay, amount: Decimal, until: Option<Instant>, made: Uuid) {
        let none = Decimal::ZERO;
        let payment = PaymentFacts {
            status: "authorized".to_owned(),
            amount,
            captured: none,
            held: none,
            refunded: none,
            points_earned: none,
            points_withheld: none,
            points_returned: none,
            co2_saved_kg: none,
        };
        let parties = Parties {
            payer: (pay.payer, pay.asset.clone()),
            merchant: (pay.merchant, pay.asset.clone()),
            until,
        };
        self.facts.payments.insert(made, payment);
        self.payments.insert(made, parties);
    }

    /// Holds more for a payment; below zero, less.
    fn hold(&mut self, payment: Uuid, payer: &Holding, amount: Decimal) {
        add(&mut self.facts.held, payer, amount);
        self.payment(payment).held += amount;
    }

    /// The merchant gets `amount` from `lots`, the payer the points that it earns after what is owed of them, so that
    /// parts earn what the whole would; CO2 is a hundredth of what was captured, in whole grams.
    fn collect(&mut self, id: Uuid, amount: Decimal, lots: Shares) {
        let Parties { payer, merchant, .. } = self.payments[&id].clone();
        let shares = self.take(id, &payer, amount, lots);
        self.give(id, &merchant, amount, shares);
        let points = points_of(&payer);
        let captured = self.payment(id).captured + amount;
        let earned_in_all = self.down(&points.1, captured * self.assets[&payer.1].point_rate);
        let earned = earned_in_all - self.payment(id).points_earned;
        let withheld = earned.min(sum(&self.facts.owed, &points));
        add(&mut self.facts.owed, &points, -withheld);
        self.make(id, &points, earned - withheld, false);
        let payment = self.payment(id);
        payment.status = "captured".to_owned();
        payment.captured = captured;
        payment.points_earned = earned_in_all;
        payment.points_withheld += withheld;
        payment.co2_saved_kg = (captured / Decimal::ONE_HUNDRED).trunc_with_scale(3);
    }

    /// What was promised is captured though it has expired meanwhile, and first.
    pub(super) fn capture(&mut self, capture: &Capture) -> Verdict {
        let (id, Parties { payer, merchant, until }) = (capture.payment.0, self.payments[&capture.payment.0].clone());
        let amount = self.amount(capture.amount, &payer.1)?;
        let payment = self.payment(id).clone();
        refuse_if(
            !["authorized", "captured"].contains(&payment.status.as_str()),
            "ILLEGAL_TRANSITION",
        )?;
        refuse_if(amount > payment.held, "CAPTURE_EXCEEDS_HELD")?;
        refuse_if(until.is_some_and(|until| until <= self.now), "HOLD_EXPIRED")?;
        self.active(payer.0)?;
        self.active(merchant.0)?;
        self.hold(id, &payer, -amount);
        // Value past its time is promised only as far as what lasts does not suffice.
        let mut lots = self.lasting(&payer);
        lots.extend(self.expired(&payer));
        self.collect(id, amount, lots);
        Ok(())
    }

    pub(super) fn expire_hold(&mut self, id: Uuid) -> Verdict {
        let until = self.payments[&id].until;
        refuse_if(until.is_some_and(|until| until > self.now), "HOLD_NOT_EXPIRED")?;
        self.release(id, "expired")
    }

    /// What was captured stays captured, whatever becomes of the rest.
    pub(super) fn release(&mut self, id: Uuid, end: &str) -> Verdict {
        let payment = self.payment(id).clone();
        refuse_if(payment.held.is_zero(), "ILLEGAL_TRANSITION")?;
        self.hold(id, &self.payments[&id].payer.clone(), -payment.held);
        if payment.captured.is_zero() {
            self.payment(id).status = end.to_owned();
        }
        Ok(())
    }

    /// The rest of the hold is released, and value comes back to the lots that were spent. Points go back in proportion,
    /// rounded down, to the lots that they made; those that were spent are owed, those past their time forgotten.
    pub(super) fn refund(&mut self, refund: &Refund) -> Verdict {
        let (id, Parties { payer, merchant, .. }) = (refund.payment.0, self.payments[&refund.payment.0].clone());
        let amount = self.amount(refund.amount, &payer.1)?;
        let before = self.payment(id).clone();
        let is_captured = ["captured", "partially_refunded"].contains(&before.status.as_str());
        refuse_if(!is_captured, "ILLEGAL_TRANSITION")?;
        let refunded = before.refunded + amount;
        refuse_if(refunded > before.captured, "REFUND_EXCEEDS_CAPTURED")?;
        self.active(payer.0)?;
        self.active(merchant.0)?;
        self.sufficient(&merchant, amount)?;
        self.hold(id, &payer, -before.held);
        self.take(id, &merchant, amount, Shares::new());
        self.give(id, &payer, amount, first(self.spent(id, &payer), amount));
        let points = points_of(&payer);
        let share = self.share(&points.1, before.points_earned, refunded, before.captured);
        let left = before.points_earned - self.gone(id, &points);
        let due = share.min(left).max(before.points_returned) - before.points_returned;
        let taken = due.min(self.available(&points));
        self.take(id, &points, taken, self.given_first(id, &points));
        add(&mut self.facts.owed, &points, due - taken);
        let is_whole = refunded == before.captured;
        let payment = self.payment(id);
        payment.status = if is_whole { "refunded" } else { "partially_refunded" }.to_owned();
        payment.refunded = refunded;
        payment.points_returned += due;
        Ok(())
    }

    /// `whole * part / of`, exactly, in whole units of `asset`, rounded down.
    fn share(&self, asset: &AssetCode, whole: Decimal, part: Decimal, of: Decimal) -> Decimal {
        let units = |mut value: Decimal| {
            value.rescale(8);
            value.mantissa()
        };
        let share = Decimal::from_i128_with_scale(units(whole) * units(part) / units(of), 8);
        self.down(asset, share)
    }

    fn payment(&mut self, id: Uuid) -> &mut PaymentFacts {
        self.facts.payments.get_mut(&id).unwrap()
    }
}

fn points_of((payer, _): &Holding) -> Holding {
    (*payer, AssetCode::point())
}

//! Value that comes, changes hands or goes without a purchase, in the model.

use ledger::{Amount, LimitKind, TopUp, command::Transfer, snapshot::Holding};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{Model, Verdict, books::sum, refuse_if};

impl Model {
    /// The cap is judged on the charge; the bonus may lift the balance over it.
    pub(super) fn top_up(&mut self, top_up: &TopUp, made: Uuid) -> Verdict {
        let (holding, asset) = ((top_up.account, top_up.asset.clone()), &self.assets[&top_up.asset]);
        self.active(top_up.account)?;
        let charge = self.amount(top_up.amount, &top_up.asset)?;
        let bonus = self.down(&top_up.asset, charge * asset.bonus_rate);
        self.below_cap(&holding, charge)?;
        self.within_limits(LimitKind::TopUp, &holding, charge)?;
        self.count(LimitKind::TopUp, &holding, charge);
        self.make(made, &holding, charge, true);
        self.make(made, &holding, bonus, false);
        self.top_ups.insert(made, (holding, charge + bonus));
        Ok(())
    }

    pub(super) fn cancel_top_up(&mut self, id: Uuid) -> Verdict {
        let (holding, amount) = self.top_ups[&id].clone();
        refuse_if(self.facts.undone.contains(&id), "ALREADY_REVERSED")?;
        self.sufficient(&holding, amount)?;
        self.take(id, &holding, amount, self.given_first(id, &holding));
        self.facts.undone.insert(id);
        Ok(())
    }

    /// Value keeps its expiry from customer to customer.
    pub(super) fn transfer(&mut self, transfer: &Transfer, made: Uuid) -> Verdict {
        let [from, to] = [transfer.from, transfer.to].map(|account| (account, transfer.asset.clone()));
        self.active(from.0)?;
        self.active(to.0)?;
        refuse_if(from == to, "SAME_ACCOUNT")?;
        let amount = self.amount(transfer.amount, &transfer.asset)?;
        refuse_if(!self.assets[&transfer.asset].transferable, "NOT_TRANSFERABLE")?;
        self.below_cap(&to, amount)?;
        self.within_limits(LimitKind::Transfer, &from, amount)?;
        self.sufficient(&from, amount)?;
        self.count(LimitKind::Transfer, &from, amount);
        let shares = self.take(made, &from, amount, self.lasting(&from));
        self.give(made, &to, amount, shares);
        self.movements.insert(made, (Some(from.0), to, amount));
        Ok(())
    }

    pub(super) fn grant(&mut self, to: Holding, amount: Amount, made: Uuid) -> Verdict {
        self.active(to.0)?;
        let amount = self.amount(amount, &to.1)?;
        self.make(made, &to, amount, false);
        self.movements.insert(made, (None, to, amount));
        Ok(())
    }

    /// What is held stays, whatever its age.
    pub(super) fn expire(&mut self, holding: Holding, made: Uuid) -> Verdict {
        let expired: Decimal = self.expired(&holding).iter().map(|(_, remaining)| *remaining).sum();
        let free = sum(&self.facts.amounts, &holding) - sum(&self.facts.held, &holding);
        let amount = expired.min(free);
        refuse_if(amount.is_zero(), "NOTHING_EXPIRED")?;
        self.take(made, &holding, amount, self.expired(&holding));
        Ok(())
    }

    /// Nothing comes back to an account that was closed.
    pub(super) fn reverse(&mut self, id: Uuid) -> Verdict {
        let (from, to, amount) = self.movements[&id].clone();
        refuse_if(self.facts.undone.contains(&id), "ALREADY_REVERSED")?;
        refuse_if(from.is_some_and(|from| self.is(from.0, "closed")), "ACCOUNT_FROZEN")?;
        self.sufficient(&to, amount)?;
        let shares = self.take(id, &to, amount, self.given_first(id, &to));
        if let Some(from) = from {
            self.give(id, &(from, to.1), amount, shares);
        }
        self.facts.undone.insert(id);
        Ok(())
    }
}

//! What the town's people decide in the model: corrections, payouts, who may act.

use ledger::command::{Direction, ProposeAdjustment, SetAccountStatus, Settle};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{Model, Verdict, books::Shares, refuse_if};

impl Model {
    pub(super) fn propose(&mut self, propose: &ProposeAdjustment, asker: &str, made: Uuid) -> Verdict {
        refuse_if(self.is(propose.account.0, "closed"), "ACCOUNT_FROZEN")?;
        let amount = self.amount(propose.amount, &propose.asset)?;
        let amount = if propose.direction == Direction::Add {
            amount
        } else {
            -amount
        };
        let holding = (propose.account, propose.asset.clone());
        self.corrections.insert(made, (holding, amount, asker.to_owned()));
        self.set(made, "proposed");
        Ok(())
    }

    /// It takes two, and a frozen account can be corrected.
    pub(super) fn apply(&mut self, id: Uuid, asker: &str) -> Verdict {
        let (holding, amount, proposer) = self.corrections[&id].clone();
        refuse_if(!self.is(id, "proposed"), "ALREADY_DECIDED")?;
        refuse_if(asker == proposer, "SECOND_PERSON_NEEDED")?;
        refuse_if(self.is(holding.0.0, "closed"), "ACCOUNT_FROZEN")?;
        if amount > Decimal::ZERO {
            self.make(id, &holding, amount, false);
        } else {
            self.sufficient(&holding, -amount)?;
            self.take(id, &holding, -amount, self.lasting(&holding));
        }
        self.set(id, "applied");
        Ok(())
    }

    pub(super) fn decline(&mut self, id: Uuid) -> Verdict {
        refuse_if(!self.is(id, "proposed"), "ALREADY_DECIDED")?;
        self.set(id, "declined");
        Ok(())
    }

    pub(super) fn settle(&mut self, settle: &Settle, made: Uuid) -> Verdict {
        let holding = (settle.merchant, settle.asset.clone());
        self.active(settle.merchant)?;
        let amount = self.amount(settle.amount, &settle.asset)?;
        self.sufficient(&holding, amount)?;
        self.take(made, &holding, amount, Shares::new());
        self.payouts.insert(made, (holding, amount));
        self.set(made, "paid");
        Ok(())
    }

    pub(super) fn fail_payout(&mut self, id: Uuid) -> Verdict {
        let (holding, amount) = self.payouts[&id].clone();
        refuse_if(self.is(id, "failed"), "ALREADY_REVERSED")?;
        refuse_if(self.is(holding.0.0, "closed"), "ACCOUNT_FROZEN")?;
        self.make(id, &holding, amount, false);
        self.set(id, "failed");
        Ok(())
    }

    /// What is closed stays so; only who holds and owes nothing is closed.
    pub(super) fn set_status(&mut self, change: &SetAccountStatus) -> Verdict {
        let (account, to) = (change.account, change.status.as_str());
        refuse_if(
            self.is(account.0, "closed") || self.is(account.0, to),
            "ACCOUNT_STATUS_STAYS",
        )?;
        let sums = [&self.facts.amounts, &self.facts.owed];
        let is_empty = sums
            .iter()
            .all(|sums| sums.keys().all(|(holder, _)| *holder != account));
        refuse_if(to == "closed" && !is_empty, "ACCOUNT_NOT_EMPTY")?;
        self.set(account.0, to);
        Ok(())
    }
}

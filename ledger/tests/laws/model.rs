//! What every command does and why it is refused, said once more and as plainly as can be, to hold the planner against:
//! no lanes, no guards, no writes, only sums. Of several reasons to refuse, that which stands first is told.

mod books;
mod decisions;
mod movements;
mod payments;

use chrono::TimeDelta;
use ledger::{
    AccountId, AccountKind, Amount, Asset, AssetCode, Command, LimitKind, Snapshot, money::Instant, snapshot::Holding,
};
use rust_decimal::Decimal;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

use crate::facts::Facts;
use books::sum;

pub struct Model {
    pub now: Instant,
    pub facts: Facts,
    assets: BTreeMap<AssetCode, Asset>,
    customers: BTreeSet<AccountId>,
    payments: BTreeMap<Uuid, Parties>,
    top_ups: BTreeMap<Uuid, (Holding, Decimal)>,
    /// Transfers, and grants, which nobody gave.
    movements: BTreeMap<Uuid, (Option<AccountId>, Holding, Decimal)>,
    /// What is added, below zero taken, and who proposed it.
    corrections: BTreeMap<Uuid, (Holding, Decimal, String)>,
    payouts: BTreeMap<Uuid, (Holding, Decimal)>,
    /// What was done of what can be limited; a hold counts as a payment.
    done: Vec<(LimitKind, Holding, Instant, Decimal)>,
}

/// Whose payment it is, of what, and until when it can be captured.
#[derive(Clone)]
struct Parties {
    payer: Holding,
    merchant: Holding,
    until: Option<Instant>,
}

/// Nothing, or the word for why not.
pub type Verdict = Result<(), &'static str>;

fn refuse_if(is_so: bool, code: &'static str) -> Verdict {
    if is_so { Err(code) } else { Ok(()) }
}

impl Model {
    /// The model of a town in which nothing was done yet.
    pub fn of(town: &Snapshot) -> Self {
        let customers = town.accounts.iter();
        let customers = customers.filter(|(_, account)| account.kind == AccountKind::Customer);
        Self {
            now: town.at,
            facts: Facts::of(town),
            assets: town.assets.clone(),
            customers: customers.map(|(id, _)| *id).collect(),
            payments: BTreeMap::new(),
            top_ups: BTreeMap::new(),
            movements: BTreeMap::new(),
            corrections: BTreeMap::new(),
            payouts: BTreeMap::new(),
            done: Vec::new(),
        }
    }

    /// Does what `asker` asks; what comes into being is called `made`. What is refused changes nothing.
    pub fn decide(&mut self, command: &Command, asker: &str, made: Uuid) -> Verdict {
        match command {
            Command::Pay(pay) => self.pay(pay, made),
            Command::Authorize(authorize) => self.authorize(&authorize.pay, authorize.valid_for_s, made),
            Command::Capture(capture) => self.capture(capture),
            Command::Void(void) => self.release(void.payment.0, "voided"),
            Command::ExpireHold(expire) => self.expire_hold(expire.payment.0),
            Command::Refund(refund) => self.refund(refund),
            Command::TopUp(top_up) => self.top_up(top_up, made),
            Command::CancelTopUp(cancel) => self.cancel_top_up(cancel.top_up.0),
            Command::Transfer(transfer) => self.transfer(transfer, made),
            Command::Grant(grant) => self.grant((grant.account, grant.asset.clone()), grant.amount, made),
            Command::Expire(expire) => self.expire((expire.account, expire.asset.clone()), made),
            Command::Reverse(reverse) => self.reverse(reverse.transaction.0),
            Command::ProposeAdjustment(propose) => self.propose(propose, asker, made),
            Command::ApplyAdjustment(apply) => self.apply(apply.adjustment.0, asker),
            Command::DeclineAdjustment(decline) => self.decline(decline.adjustment.0),
            Command::Settle(settle) => self.settle(settle, made),
            Command::FailPayout(fail) => self.fail_payout(fail.payout.0),
            Command::SetAccountStatus(change) => self.set_status(change),
            // Nothing came before it: the keys of a fence are tried on the database.
            Command::Fence => Ok(()),
        }
    }

    fn is(&self, id: Uuid, status: &str) -> bool {
        self.facts.statuses[&id] == status
    }

    fn set(&mut self, id: Uuid, status: &str) {
        self.facts.statuses.insert(id, status.to_owned());
    }

    fn active(&self, account: AccountId) -> Verdict {
        refuse_if(!self.is(account.0, "active"), "ACCOUNT_FROZEN")
    }

    fn amount(&self, amount: Amount, asset: &AssetCode) -> Result<Decimal, &'static str> {
        refuse_if(amount.scale() > self.assets[asset].scale, "AMOUNT_TOO_MANY_DECIMALS")?;
        Ok(amount.value())
    }

    fn sufficient(&self, holding: &Holding, amount: Decimal) -> Verdict {
        refuse_if(self.available(holding) < amount, "INSUFFICIENT")
    }

    /// Too soon is said before too much.
    fn within_limits(&self, kind: LimitKind, holding: &Holding, amount: Decimal) -> Verdict {
        let Some(limit) = self.assets[&holding.1].limits.get(&kind) else {
            return Ok(());
        };
        let done = self.done.iter();
        let done = done.filter(|(what, of, ..)| *what == kind && of == holding);
        let pause = limit.min_interval_s.map(|seconds| TimeDelta::seconds(seconds.into()));
        let too_soon = |pause| done.clone().any(|(_, _, at, _)| self.now < *at + pause);
        refuse_if(pause.is_some_and(too_soon), "TOO_SOON")?;
        let within = |format| {
            let of_now = |at: &Instant| at.format(format).to_string() == self.now.format(format).to_string();
            let done = done.clone().filter(|(_, _, at, _)| of_now(at));
            done.map(|(.., amount)| *amount).sum::<Decimal>()
        };
        let over = |most: Option<Amount>, used: Decimal| most.is_some_and(|most| used + amount > most.value());
        let over_any = over(limit.per_operation, Decimal::ZERO)
            || over(limit.per_day, within("%Y-%m-%d"))
            || over(limit.per_month, within("%Y-%m"));
        refuse_if(over_any, "LIMIT_EXCEEDED")
    }

    fn count(&mut self, kind: LimitKind, holding: &Holding, amount: Decimal) {
        self.done.push((kind, holding.clone(), self.now, amount));
    }

    fn below_cap(&self, holding: &Holding, amount: Decimal) -> Verdict {
        let after = sum(&self.facts.amounts, holding) + amount;
        let cap = self.assets[&holding.1].cap;
        refuse_if(cap.is_some_and(|cap| after > cap), "CAP_EXCEEDED")
    }
}

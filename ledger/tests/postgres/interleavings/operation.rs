//! The ledger's own way through an operation, as steps: the marker is read, rows are locked, the plan is written under
//! its guards, the marker is written last. What is written the planner decides, on what the script has read.

use ledger::{
    Account, AccountKind, AccountStatus, AssetCode, Command, Payment, PaymentStatus, Plan, Rejection, Snapshot,
    command::Named,
    money::Instant,
    plan::{self, Lock, Refusal, plan},
    snapshot::{Balance, BalanceKey},
};
use rust_decimal::Decimal;
use std::collections::BTreeSet;

use super::{
    script::{Facts, Row, Script, ask, write},
    statements,
    town::{MERCHANT, PAYER, PAYMENT},
};
use crate::world::{ASKER, assets, at};

/// The operation under a key that nobody else uses: whether it was used before need not be asked.
pub fn with_own_key(key: &'static str, command: Command) -> Script {
    operation(key, command).skipping("read marker")
}

pub fn operation(key: &'static str, command: Command) -> Script {
    let mut steps = vec![ask("read marker", move |_| statements::marker(key))];
    if let Some(Named::Payment(payment)) = command.named() {
        steps.push(ask("lock payment", move |_| statements::lock_payment(payment)));
    }
    let [locking, writing, recording, committing] = std::array::from_fn(|_| command.clone());
    steps.extend([
        ask("lock balances", move |facts| lock(&locking, facts)),
        write("write", move |facts| {
            decide(&writing, facts).map_or(String::new(), |plan| statements::change(&plan))
        }),
        write("record", move |facts| record(key, &recording, facts)),
        write("commit", move |facts| commit(&committing, facts)),
    ]);
    Script::transaction(steps)
}

fn lock(command: &Command, facts: &mut Facts) -> String {
    if facts.value("verdict").is_some() {
        return facts.end("REPLAYED", "commit");
    }
    let locks: BTreeSet<Lock> = plan::locks(command, &snapshot(facts)).into_iter().collect();
    statements::lock(&Vec::from_iter(locks))
}

/// Writes the marker, unless a guard did not hold.
fn record(key: &str, command: &Command, facts: &mut Facts) -> String {
    match decide(command, facts) {
        Ok(plan) if facts.written != statements::changes(&plan) => facts.end("INCONSISTENT", "rollback"),
        Ok(_) => statements::record(key, command.kind(), "applied"),
        Err(_) => statements::record(key, command.kind(), "rejected"),
    }
}

/// Commits, unless another has written the marker.
fn commit(command: &Command, facts: &mut Facts) -> String {
    if facts.written == 0 {
        return facts.end("OVERTAKEN", "rollback");
    }
    match decide(command, facts) {
        Ok(_) => facts.end("applied", "commit"),
        Err(rejection) => facts.end(rejection.code(), "commit"),
    }
}

fn decide(command: &Command, facts: &Facts) -> Result<Plan, Rejection> {
    plan(command, &ASKER.to_string(), &mut snapshot(facts)).map_err(|refusal| match refusal {
        Refusal::Rejected(rejection) => rejection,
        Refusal::Failed(failure) => panic!("{failure}"),
    })
}

/// The facts as the planner takes them.
fn snapshot(facts: &Facts) -> Snapshot {
    let now = at("2026-04-01T00:00:00Z");
    let mut snapshot = Snapshot::new(now, now.date_naive(), [0; 6]);
    snapshot.assets = assets().map(|asset| (asset.code.clone(), asset)).into();
    let active = |kind| Account {
        kind,
        status: AccountStatus::Active,
    };
    snapshot.accounts.insert(PAYER, active(AccountKind::Customer));
    snapshot.accounts.insert(MERCHANT, active(AccountKind::Merchant));
    for row in facts.rows("lane") {
        snapshot.balances.insert(key(row), balance(row));
    }
    for row in facts.rows("refunded") {
        snapshot.payments.insert(PAYMENT, payment(row, snapshot.at));
    }
    snapshot
}

fn key(row: &Row) -> BalanceKey {
    BalanceKey {
        account: row["account_id"].parse().unwrap(),
        asset: AssetCode::parse(&row["asset_code"]).unwrap(),
        lane: row["lane"].parse().unwrap(),
    }
}

fn balance(row: &Row) -> Balance {
    Balance {
        amount: number(row, "amount"),
        held: number(row, "held"),
        owed: number(row, "owed"),
    }
}

/// A payment without points, and without an end of what it holds.
fn payment(row: &Row, created_at: Instant) -> Payment {
    let status = |status: &PaymentStatus| status.as_str() == row["status"];
    Payment {
        payment_id: PAYMENT,
        payer: PAYER,
        merchant: MERCHANT,
        asset: AssetCode::main(),
        amount: number(row, "amount"),
        captured: number(row, "captured"),
        held: number(row, "held"),
        refunded: number(row, "refunded"),
        status: PaymentStatus::ALL.into_iter().find(status).unwrap(),
        memo: None,
        points_earned: Decimal::ZERO,
        points_withheld: Decimal::ZERO,
        points_returned: Decimal::ZERO,
        co2_saved_kg: Decimal::ZERO,
        hold_expires_at: None,
        created_at,
    }
}

fn number(row: &Row, column: &str) -> Decimal {
    row[column].parse::<Decimal>().unwrap().normalize()
}

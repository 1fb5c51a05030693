//! Reads `plans.txt`: a town and a command; and writes what the planner decides in the same words.

use ledger::{
    Account, AccountId, AccountKind, AccountStatus, Actor, ActorKind, Amount, Asset, AssetCode, Command, Outcome, Pay,
    Payment, PaymentId, PaymentStatus, Plan, Refund, Snapshot, SystemAccount, TopUp,
    command::{Memo, Reason},
    idempotency::MARKER_TTL,
    plan::{Refusal, plan},
};
use rust_decimal::Decimal;
use std::fmt::Display;
use uuid::Uuid;

const PAYER: AccountId = AccountId(Uuid::from_u128(0xc1));
const MERCHANT: AccountId = AccountId(Uuid::from_u128(0xe1));
const PAYMENT: PaymentId = PaymentId(Uuid::from_u128(0xa1));

#[test]
fn plans() {
    let table: Vec<&str> = super::lines(include_str!("plans.txt")).collect();
    for case in table.chunk_by(|_, next| !next.starts_with("case")) {
        let mut snapshot = town();
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        for line in &case[1..] {
            match super::word(line) {
                ("given", fact) => give(&mut snapshot, fact),
                ("do", asked) => found = decided(&command(asked), &mut snapshot),
                _ => expected.push(line.split_whitespace().collect::<Vec<_>>().join(" ")),
            }
        }
        assert_eq!(found, expected, "{}", case[0]);
    }
}

pub fn asset(code: &str, scale: u32, cap: Option<&str>, bonus_rate: &str, point_rate: &str) -> Asset {
    Asset {
        code: AssetCode::parse(code).unwrap(),
        name_ja: "通貨".to_owned(),
        name_en: "money".to_owned(),
        scale,
        sign: "¤".to_owned(),
        sign_before: true,
        cap: cap.map(decimal),
        bonus_rate: decimal(bonus_rate),
        point_rate: decimal(point_rate),
    }
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// Two accounts that hold nothing, and three assets.
fn town() -> Snapshot {
    let mut snapshot = Snapshot::new("2026-04-01T00:00:00Z".parse().unwrap(), [0, 0, 0, 0, 0, 0x0f]);
    let assets = [
        asset("ECOPAY", 0, Some("100000"), "0.05", "0.01"),
        asset("POINT", 0, None, "0", "0"),
        asset("JCREDIT", 3, None, "0", "0"),
    ];
    snapshot.assets = assets.into_iter().map(|asset| (asset.code.clone(), asset)).collect();
    let active = |kind| Account {
        kind,
        status: AccountStatus::Active,
    };
    snapshot.accounts.insert(PAYER, active(AccountKind::Customer));
    snapshot.accounts.insert(MERCHANT, active(AccountKind::Merchant));
    snapshot
}

fn give(snapshot: &mut Snapshot, fact: &str) {
    let words: Vec<&str> = fact.split_whitespace().collect();
    let account = if words[0] == "payer" { PAYER } else { MERCHANT };
    match words[..] {
        [
            "payment",
            captured,
            status,
            "refunded",
            refunded,
            "points",
            earned,
            "returned",
            returned,
        ] => {
            snapshot
                .payments
                .insert(PAYMENT, payment(snapshot, captured, status, refunded, earned, returned));
        }
        [_, "unknown"] => drop(snapshot.accounts.remove(&account)),
        [_, "frozen"] => snapshot.accounts.get_mut(&account).unwrap().status = AccountStatus::Frozen,
        [_, "closed"] => snapshot.accounts.get_mut(&account).unwrap().status = AccountStatus::Closed,
        [_, asset, balance] => {
            snapshot
                .balances
                .insert((account, AssetCode::parse(asset).unwrap()), decimal(balance));
        }
        _ => panic!("{fact}"),
    }
}

fn payment(snapshot: &Snapshot, captured: &str, status: &str, refunded: &str, earned: &str, returned: &str) -> Payment {
    Payment {
        payment_id: PAYMENT,
        payer: PAYER,
        merchant: MERCHANT,
        asset: AssetCode::main(),
        amount: decimal(captured),
        captured: decimal(captured),
        refunded: decimal(refunded),
        status: PaymentStatus::ALL
            .into_iter()
            .find(|known| known.as_str() == status)
            .unwrap(),
        memo: None,
        points_earned: decimal(earned),
        points_returned: decimal(returned),
        co2_saved_kg: Decimal::ZERO,
        created_at: snapshot.at,
    }
}

fn command(asked: &str) -> Command {
    let words: Vec<&str> = asked.split_whitespace().collect();
    let amount = Amount::parse(words[1]).unwrap();
    let asset = |code| AssetCode::parse(code).unwrap();
    match words[..] {
        ["pay", _, code, ref memo @ ..] => Command::Pay(Pay {
            payer: PAYER,
            merchant: MERCHANT,
            asset: asset(code),
            amount,
            memo: memo.first().map(|memo| Memo::parse(memo).unwrap()),
        }),
        ["top_up", _, code] => Command::TopUp(TopUp {
            account: PAYER,
            asset: asset(code),
            amount,
        }),
        ["refund", _, reason] => Command::Refund(Refund {
            payment: PAYMENT,
            amount,
            reason: Reason::parse(reason).unwrap(),
        }),
        _ => panic!("{asked}"),
    }
}

/// What is written under the key, row by row; of a failure nothing is.
fn decided(command: &Command, snapshot: &mut Snapshot) -> Vec<String> {
    let expires_at = snapshot.at + MARKER_TTL;
    let (rows, outcome) = match plan(command, snapshot) {
        Ok(plan) => (rows(&plan), Outcome::Applied(plan.receipt)),
        Err(Refusal::Rejected(rejection)) => (Vec::new(), Outcome::Rejected(rejection)),
        Err(Refusal::Failed(failure)) => return vec![format!("verdict failed {}", failure.code())],
    };
    let actor = Actor {
        kind: ActorKind::Customer,
        id: PAYER.0,
    };
    let fingerprint = super::hex(command.fingerprint());
    let expires_at = expires_at.format("%FT%TZ");
    let marker = format!(
        "marker {actor} key-1 {} {fingerprint} until {expires_at}",
        command.kind()
    );
    let verdict = format!("verdict {} {}", outcome.verdict(), outcome.body().unwrap());
    [marker].into_iter().chain(rows).chain([verdict]).collect()
}

fn rows(plan: &Plan) -> Vec<String> {
    let head = &plan.transaction;
    let mut rows = vec![format!(
        "head {} {} of {}",
        short(head.transaction_id),
        head.kind,
        short(head.subject_id)
    )];
    rows.extend(plan.entries.iter().map(|entry| {
        let after = entry.balance_after.map_or(String::new(), |after| format!(" = {after}"));
        format!("entry {} {} {}{after}", name(entry.account), entry.asset, entry.amount)
    }));
    rows.extend(plan.balances.iter().map(|change| {
        let at_most = change.at_most.map_or(String::new(), |at_most| format!(" to {at_most}"));
        format!(
            "guard {} {} {} from {}{at_most}",
            name(change.account),
            change.asset,
            change.delta,
            change.at_least
        )
    }));
    rows.extend(
        plan.metrics
            .iter()
            .map(|metric| format!("metric {} {} {}", name(metric.account), metric.name, metric.delta)),
    );
    rows.extend(payment_rows(plan));
    rows.extend(plan.refund.as_ref().map(|refund| {
        let (id, of) = (short(refund.refund_id), short(refund.payment_id));
        format!(
            "refund {id} of {of} {} points {} {}",
            refund.amount, refund.points_returned, refund.reason
        )
    }));
    rows.extend(plan.top_up.as_ref().map(|top_up| {
        let (id, account) = (short(top_up.top_up_id), name(top_up.account));
        let (asset, amount, bonus, after) = (&top_up.asset, top_up.amount, top_up.bonus, top_up.balance_after);
        format!("top_up {id} {account} {asset} {amount} bonus {bonus} = {after}")
    }));
    rows
}

fn payment_rows(plan: &Plan) -> impl Iterator<Item = String> {
    let payment = plan.payment.as_ref().map(|payment| {
        let (id, payer, merchant) = (short(payment.payment_id), name(payment.payer), name(payment.merchant));
        let (asset, amount, captured, refunded) = (&payment.asset, payment.amount, payment.captured, payment.refunded);
        let (points, co2, memo) = (payment.points_earned, payment.co2_saved_kg, text(&payment.memo));
        format!(
            "payment {id} {payer} {merchant} {asset} {amount} captured {captured} refunded {refunded} {} points {points} \
             co2 {co2} memo {memo}",
            payment.status
        )
    });
    let change = plan.payment_change.as_ref().map(|change| {
        let (id, from, to) = (short(change.payment_id), change.status.from(), change.status.to());
        let (before, after, points) = (
            change.refunded_before,
            change.refunded_after,
            change.points_returned_after,
        );
        format!("change {id} {from} -> {to} refunded {before} -> {after} points returned {points}")
    });
    let event = plan.event.as_ref().map(|event| {
        let from = event.from.map_or("new", PaymentStatus::as_str);
        let (id, of) = (short(event.event_id), short(event.payment_id));
        format!("event {id} of {of} {from} -> {} {}", event.to, text(&event.reason))
    });
    payment.into_iter().chain(change).chain(event)
}

fn text(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or("-")
}

fn name(account: AccountId) -> &'static str {
    match account {
        PAYER => "payer",
        MERCHANT => "merchant",
        other => SystemAccount::ALL
            .into_iter()
            .find(|known| known.id() == other)
            .unwrap()
            .name(),
    }
}

/// An id as the table writes it.
fn short(id: impl Display) -> String {
    let id = id.to_string();
    if id == PAYMENT.to_string() {
        return "..a1".to_owned();
    }
    let drawn = id
        .strip_prefix("019d4657-0000-7000-80")
        .and_then(|rest| rest.strip_suffix("-00000000000f"))
        .unwrap();
    format!("#{}", u32::from_str_radix(drawn, 16).unwrap())
}

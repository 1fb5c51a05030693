//! Reads `plans.txt`: a town and a command; and writes what the planner decides in the same words.

use ledger::{
    Account, AccountId, AccountKind, AccountStatus, Actor, ActorKind, AdjustmentId, Amount, Asset, AssetCode, Limit,
    LimitKind, Limits, Outcome, Payment, PaymentId, PaymentStatus, PayoutId, Snapshot, SystemAccount, TopUpId,
    TransactionId,
    adjustment::{Adjustment, AdjustmentStatus},
    idempotency::MARKER_TTL,
    limit::Usage,
    lot::{Lot, LotChange, LotKey},
    money::Instant,
    payout::{Payout, PayoutStatus},
    plan::{Refusal, plan},
    snapshot::{Balance, BalanceKey, MovementFact, TopUpFact},
};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{commands::command, rows::rows};

pub const PAYER: AccountId = AccountId(Uuid::from_u128(0xc1));
pub const FRIEND: AccountId = AccountId(Uuid::from_u128(0xc2));
pub const MERCHANT: AccountId = AccountId(Uuid::from_u128(0xe1));
/// The id of whatever a command is about: a payment, a top-up, a transaction, a correction, a payout.
pub const SUBJECT: Uuid = Uuid::from_u128(0xa1);
/// Who asks.
const ASKER: Actor = Actor {
    kind: ActorKind::Customer,
    id: PAYER.0,
};

#[test]
fn plans() {
    let table: Vec<&str> = super::lines(include_str!("plans.txt")).collect();
    for case in table.chunk_by(|_, next| !next.starts_with("case")) {
        let mut snapshot = town();
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        for line in &case[1..] {
            match super::word(line) {
                ("given", fact) => give(&mut snapshot, fact),
                ("do", asked) => found = decided(asked, &mut snapshot),
                _ => expected.push(line.split_whitespace().collect::<Vec<_>>().join(" ")),
            }
        }
        assert_eq!(found.join("\n"), expected.join("\n"), "{}", case[0]);
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
        transferable: false,
        expiry: None,
        limits: Limits::new(),
    }
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// The instant of a day's beginning in UTC.
fn instant(day: &str) -> Instant {
    format!("{day}T00:00:00Z").parse().unwrap()
}

/// Three accounts that hold nothing, and four assets.
fn town() -> Snapshot {
    let at = "2026-04-01T00:00:00Z".parse::<Instant>().unwrap();
    let mut snapshot = Snapshot::new(at, at.date_naive(), [0, 0, 0, 0, 0, 0x0f]);
    let assets = [
        asset("ECOPAY", 0, Some("100000"), "0.05", "0.01"),
        asset("POINT", 0, None, "0", "0"),
        asset("JCREDIT", 3, None, "0", "0"),
        Asset {
            transferable: true,
            ..asset("REGIONAL#mizu", 0, Some("5000"), "0.10", "0")
        },
    ];
    snapshot.assets = assets.into_iter().map(|asset| (asset.code.clone(), asset)).collect();
    let expiring = AssetCode::parse("REGIONAL#mizu").unwrap();
    snapshot.expires_at.insert(expiring, instant("2026-07-01"));
    let active = |kind| Account {
        kind,
        status: AccountStatus::Active,
    };
    snapshot.accounts.insert(PAYER, active(AccountKind::Customer));
    snapshot.accounts.insert(FRIEND, active(AccountKind::Customer));
    snapshot.accounts.insert(MERCHANT, active(AccountKind::Merchant));
    snapshot
}

fn account(word: &str) -> AccountId {
    match word {
        "payer" => PAYER,
        "friend" => FRIEND,
        "merchant" => MERCHANT,
        "campaign" => SystemAccount::Campaign.id(),
        other => panic!("{other}"),
    }
}

fn give(snapshot: &mut Snapshot, fact: &str) {
    let words: Vec<&str> = fact.split_whitespace().collect();
    let code = |word: &str| AssetCode::parse(word).unwrap();
    match words[..] {
        ["payment", amount, asset, status, ref amounts @ ..] => {
            let payment = payment(snapshot, amount, asset, status, amounts);
            snapshot.payments.insert(payment.payment_id, payment);
        }
        ["lane", lane] => snapshot.lane = lane.parse().unwrap(),
        ["points", "expire", day] => drop(snapshot.expires_at.insert(AssetCode::point(), instant(day))),
        ["lot", holder, asset, remaining, "until", day, paid] => {
            let lot = Lot {
                expires_at: instant(day),
                paid: paid == "paid",
                remaining: decimal(remaining),
            };
            let holding = (account(holder), code(asset));
            snapshot.lots.entry(holding).or_default().push(lot);
        }
        ["use", holder, asset, amount, "until", day, paid] => {
            let key = LotKey {
                account: account(holder),
                asset: code(asset),
                expires_at: instant(day),
                paid: paid == "paid",
            };
            let amount = decimal(amount);
            snapshot
                .lot_uses
                .entry(SUBJECT)
                .or_default()
                .push(LotChange { key, amount });
        }
        ["top_up", amount, asset, "bonus", bonus] => {
            let fact = TopUpFact {
                account: PAYER,
                asset: code(asset),
                amount: decimal(amount),
                bonus: decimal(bonus),
            };
            snapshot.top_ups.insert(TopUpId(SUBJECT), fact);
        }
        ["moved", from, to, amount, asset] => {
            let fact = MovementFact {
                from: account(from),
                to: account(to),
                asset: code(asset),
                amount: decimal(amount),
            };
            snapshot.movements.insert(TransactionId(SUBJECT), fact);
        }
        ["reversed"] => drop(snapshot.reversed.insert(SUBJECT)),
        ["adjustment", holder, asset, amount, status, "by", proposer] => {
            let adjustment = Adjustment {
                adjustment_id: AdjustmentId(SUBJECT),
                account: account(holder),
                asset: code(asset),
                amount: decimal(amount),
                reason: "a slip of the till".to_owned(),
                status: match status {
                    "proposed" => AdjustmentStatus::Proposed,
                    "applied" => AdjustmentStatus::Applied,
                    _ => AdjustmentStatus::Declined,
                },
                proposed_by: match proposer {
                    "asker" => ASKER.to_string(),
                    other => other.to_owned(),
                },
            };
            snapshot.adjustments.insert(adjustment.adjustment_id, adjustment);
        }
        ["payout", amount, asset, status] => {
            let payout = Payout {
                payout_id: PayoutId(SUBJECT),
                merchant: MERCHANT,
                asset: code(asset),
                amount: decimal(amount),
                status: match status {
                    "paid" => PayoutStatus::Paid,
                    _ => PayoutStatus::Failed,
                },
            };
            snapshot.payouts.insert(payout.payout_id, payout);
        }
        ["limit", asset, kind, ref bounds @ ..] => {
            let limit = limit(bounds);
            let asset = snapshot.assets.get_mut(&code(asset)).unwrap();
            asset.limits.insert(limit_kind(kind), limit);
        }
        ["used", kind, asset, day_total, month_total, "on", day] => {
            let usage = Usage {
                day_on: day.parse().unwrap(),
                day_total: decimal(day_total),
                month_total: decimal(month_total),
                last_at: instant(day),
            };
            snapshot.usage.insert((PAYER, code(asset), limit_kind(kind)), usage);
        }
        [holder, "unknown"] => drop(snapshot.accounts.remove(&account(holder))),
        [holder, "frozen"] => snapshot.accounts.get_mut(&account(holder)).unwrap().status = AccountStatus::Frozen,
        [holder, "closed"] => snapshot.accounts.get_mut(&account(holder)).unwrap().status = AccountStatus::Closed,
        [holder, asset, amount, ref more @ ..] => {
            let (mut balance, mut lane) = (Balance::default(), 0);
            balance.amount = decimal(amount);
            for pair in more.chunks(2) {
                match pair[0] {
                    "held" => balance.held = decimal(pair[1]),
                    "owed" => balance.owed = decimal(pair[1]),
                    _ => lane = pair[1].parse().unwrap(),
                }
            }
            let key = BalanceKey {
                account: account(holder),
                asset: code(asset),
                lane,
            };
            snapshot.balances.insert(key, balance);
        }
        _ => panic!("{fact}"),
    }
}

fn limit_kind(word: &str) -> LimitKind {
    match word {
        "pay" => LimitKind::Pay,
        "top_up" => LimitKind::TopUp,
        _ => LimitKind::Transfer,
    }
}

fn limit(bounds: &[&str]) -> Limit {
    let mut limit = Limit::default();
    for pair in bounds.chunks(2) {
        let amount = || Some(Amount::parse(pair[1]).unwrap());
        match pair[0] {
            "operation" => limit.per_operation = amount(),
            "day" => limit.per_day = amount(),
            "month" => limit.per_month = amount(),
            _ => limit.min_interval_s = Some(pair[1].parse().unwrap()),
        }
    }
    limit
}

fn payment(snapshot: &Snapshot, amount: &str, asset: &str, status: &str, amounts: &[&str]) -> Payment {
    let mut payment = Payment {
        payment_id: PaymentId(SUBJECT),
        payer: PAYER,
        merchant: MERCHANT,
        asset: AssetCode::parse(asset).unwrap(),
        amount: decimal(amount),
        captured: Decimal::ZERO,
        held: Decimal::ZERO,
        refunded: Decimal::ZERO,
        status: PaymentStatus::ALL
            .into_iter()
            .find(|known| known.as_str() == status)
            .unwrap(),
        memo: None,
        points_earned: Decimal::ZERO,
        points_withheld: Decimal::ZERO,
        points_returned: Decimal::ZERO,
        co2_saved_kg: Decimal::ZERO,
        hold_expires_at: None,
        created_at: snapshot.at,
    };
    for pair in amounts.chunks(2) {
        match pair[0] {
            "captured" => payment.captured = decimal(pair[1]),
            "held" => payment.held = decimal(pair[1]),
            "refunded" => payment.refunded = decimal(pair[1]),
            "points" => payment.points_earned = decimal(pair[1]),
            "returned" => payment.points_returned = decimal(pair[1]),
            _ => payment.hold_expires_at = Some(instant(pair[1])),
        }
    }
    payment
}

/// What is written under the key, row by row; of a failure nothing is.
fn decided(asked: &str, snapshot: &mut Snapshot) -> Vec<String> {
    let command = command(asked);
    let expires_at = snapshot.at + MARKER_TTL;
    let (rows, outcome) = match plan(&command, &ASKER.to_string(), snapshot) {
        Ok(plan) => (rows(&plan), Outcome::Applied(plan.receipt)),
        Err(Refusal::Rejected(rejection)) => (Vec::new(), Outcome::Rejected(rejection)),
        Err(Refusal::Failed(failure)) => return vec![format!("verdict failed {}", failure.code())],
    };
    let fingerprint = super::hex(command.fingerprint());
    let expires_at = expires_at.format("%FT%TZ");
    let marker = format!(
        "marker {ASKER} key-1 {} {fingerprint} until {expires_at}",
        command.kind()
    );
    let verdict = format!("verdict {} {}", outcome.verdict(), outcome.body().unwrap());
    [marker].into_iter().chain(rows).chain([verdict]).collect()
}

//! Writes a plan in the words of `plans.txt`, row by row.

use ledger::{
    AccountId, PaymentStatus, Plan, SystemAccount,
    lot::LotKey,
    plan::{BalanceChange, Record},
    snapshot::BalanceKey,
};
use rust_decimal::Decimal;
use std::fmt::Display;

use super::plans::{FRIEND, MERCHANT, PAYER, SUBJECT};

pub fn rows(plan: &Plan) -> Vec<String> {
    let head = &plan.transaction;
    let mut rows = vec![format!(
        "head {} {} of {}{}",
        short(head.transaction_id),
        head.kind,
        short(head.subject_id),
        said(" memo ", &head.memo)
    )];
    rows.extend(plan.entries.iter().map(|entry| {
        let after = entry.balance_after.map_or(String::new(), |after| format!(" = {after}"));
        let lane = lane(entry.lane);
        format!(
            "entry {} {}{lane} {}{after}",
            name(entry.account),
            entry.asset,
            entry.amount
        )
    }));
    rows.extend(plan.balances.iter().map(guard));
    rows.extend(plan.lots.iter().map(|change| {
        let LotKey {
            account,
            asset,
            expires_at,
            paid,
        } = &change.key;
        let paid = if *paid { "paid" } else { "free" };
        let day = expires_at.date_naive();
        format!("lot {} {asset} {} until {day} {paid}", name(*account), change.amount)
    }));
    rows.extend(plan.usage.iter().map(|usage| {
        let (day, month, on) = (usage.after.day_total, usage.after.month_total, usage.after.day_on);
        format!(
            "usage {} {} {} {day} {month} on {on}",
            name(usage.account),
            usage.kind,
            usage.asset
        )
    }));
    rows.extend(
        plan.metrics
            .iter()
            .map(|metric| format!("metric {} {} {}", name(metric.account), metric.name, metric.delta)),
    );
    rows.extend(plan.records.iter().map(record));
    rows
}

fn guard(change: &BalanceChange) -> String {
    let BalanceKey {
        account,
        asset,
        lane: number,
    } = &change.key;
    let mut row = format!(
        "guard {} {asset}{} {} from {}",
        name(*account),
        lane(*number),
        change.amount,
        change.available_at_least
    );
    if let Some(at_most) = change.at_most {
        row += &format!(" to {at_most}");
    }
    if !change.held.is_zero() {
        row += &format!(" held {} from {}", change.held, change.held_at_least);
    }
    if !change.owed.is_zero() {
        row += &format!(" owed {}", change.owed);
    }
    row
}

fn record(record: &Record) -> String {
    match record {
        Record::Payment(payment) => {
            let (id, payer, merchant) = (short(payment.payment_id), name(payment.payer), name(payment.merchant));
            let (asset, amount, captured) = (&payment.asset, payment.amount, payment.captured);
            let (refunded, points, co2) = (payment.refunded, payment.points_earned, payment.co2_saved_kg);
            let hold = payment.hold_expires_at.map_or(String::new(), |end| {
                format!(" held {} until {}", payment.held, end.format("%FT%TZ"))
            });
            format!(
                "payment {id} {payer} {merchant} {asset} {amount} captured {captured}{hold} refunded {refunded} {} points \
                 {points}{} co2 {co2} memo {}",
                payment.status,
                nonzero(" withheld ", payment.points_withheld),
                text(&payment.memo)
            )
        }
        Record::PaymentChange(change) => {
            let (before, after) = (change.before(), change.after());
            let moved = |name: &str, before: Decimal, after: Decimal| {
                if before == after {
                    return String::new();
                }
                format!(" {name} {before} -> {after}")
            };
            format!(
                "change {} {} -> {}{}{}{}{}{}{} points returned {}",
                short(before.payment_id),
                before.status,
                after.status,
                moved("captured", before.captured, after.captured),
                moved("held", before.held, after.held),
                moved("refunded", before.refunded, after.refunded),
                moved("points", before.points_earned, after.points_earned),
                moved("withheld", before.points_withheld, after.points_withheld),
                moved("co2", before.co2_saved_kg, after.co2_saved_kg),
                after.points_returned
            )
        }
        Record::PaymentEvent(event) => {
            let from = event.from.map_or("new", PaymentStatus::as_str);
            let (id, of) = (short(event.event_id), short(event.payment_id));
            format!("event {id} of {of} {from} -> {} {}", event.to, text(&event.reason))
        }
        Record::Refund(refund) => {
            let (id, of) = (short(refund.refund_id), short(refund.payment_id));
            let owed = nonzero(" owed ", refund.points_owed);
            let (amount, points) = (refund.amount, refund.points_returned);
            format!("refund {id} of {of} {amount} points {points}{owed} {}", refund.reason)
        }
        Record::TopUp(top_up) => {
            let (id, account) = (short(top_up.top_up_id), name(top_up.account));
            let (asset, amount, bonus, after) = (&top_up.asset, top_up.amount, top_up.bonus, top_up.balance_after);
            format!("top_up {id} {account} {asset} {amount} bonus {bonus} = {after}")
        }
        Record::Reversal(reversal) => {
            let (of, by) = (short(reversal.reversed_id), short(reversal.transaction_id));
            format!("reversal of {of} by {by} {}", reversal.reason)
        }
        Record::Adjustment(adjustment) => {
            let (id, account) = (short(adjustment.adjustment_id), name(adjustment.account));
            let (asset, amount, status) = (&adjustment.asset, adjustment.amount, adjustment.status.as_str());
            let (by, reason) = (&adjustment.proposed_by, &adjustment.reason);
            format!("adjustment {id} {account} {asset} {amount} {status} by {by} {reason}")
        }
        Record::AdjustmentDecision(decision) => {
            format!(
                "decision {} {}",
                short(decision.adjustment_id),
                decision.status.as_str()
            )
        }
        Record::Payout(payout) => {
            let (id, merchant) = (short(payout.payout_id), name(payout.merchant));
            format!("payout {id} {merchant} {} {}", payout.asset, payout.amount)
        }
        Record::PayoutFailure(failure) => format!("failure of {} {}", short(failure.payout_id), failure.reason),
        Record::Fence => "fenced".to_owned(),
        Record::AccountStatus(change) => format!("account {} {} -> {}", name(change.account), change.from, change.to),
    }
}

fn lane(lane: i16) -> String {
    if lane == 0 {
        String::new()
    } else {
        format!(" lane {lane}")
    }
}

fn nonzero(word: &str, amount: Decimal) -> String {
    if amount.is_zero() {
        return String::new();
    }
    format!("{word}{amount}")
}

fn said(word: &str, text: &Option<String>) -> String {
    text.as_ref().map_or(String::new(), |text| format!("{word}{text}"))
}

fn text(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or("-")
}

fn name(account: AccountId) -> &'static str {
    match account {
        PAYER => "payer",
        FRIEND => "friend",
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
    if id == SUBJECT.to_string() {
        return "..a1".to_owned();
    }
    if [PAYER, FRIEND, MERCHANT]
        .iter()
        .any(|account| id == account.to_string())
    {
        return name(AccountId(id.parse().unwrap())).to_owned();
    }
    let drawn = id
        .strip_prefix("019d4657-0000-7000-80")
        .and_then(|rest| rest.strip_suffix("-00000000000f"))
        .unwrap();
    format!("#{}", u32::from_str_radix(drawn, 16).unwrap())
}

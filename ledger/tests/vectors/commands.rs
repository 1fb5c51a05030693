//! Commands in the words of the tables: as `plans.txt` asks for them, and as their canonical text.

use ledger::{
    AccountId, AccountStatus, AdjustmentId, Amount, AssetCode, Command, Pay, PaymentId, PayoutId, Refund, TopUp,
    TopUpId, TransactionId,
    command::{
        ApplyAdjustment, Authorize, CancelTopUp, Capture, DeclineAdjustment, Direction, Expire, ExpireHold, FailPayout,
        Grant, Memo, ProposeAdjustment, Reason, Reverse, SetAccountStatus, Settle, Transfer, Void,
    },
};
use std::collections::HashMap;

use super::plans::{FRIEND, MERCHANT, PAYER, SUBJECT};

/// The fields of a command by name, as its canonical text writes them.
type Fields = HashMap<String, String>;

/// The command that a line of `plans.txt` asks for: its kind, then its amount, asset and words, as the kind needs them.
pub fn command(asked: &str) -> Command {
    let mut words = asked.split_whitespace();
    let kind = words.next().unwrap();
    let names: &[&str] = match kind {
        "pay" => &["amount", "asset", "memo"],
        "authorize" => &["amount", "asset", "valid_for_s"],
        "capture" => &["amount"],
        "refund" => &["amount", "reason"],
        "expire" => &["asset"],
        "top_up" | "settle" => &["amount", "asset"],
        "transfer" => &["amount", "asset", "memo"],
        "grant" => &["amount", "asset", "reason"],
        "propose_adjustment" => &["account", "direction", "amount", "asset", "reason"],
        "set_account_status" => &["account", "status", "reason"],
        _ => &["reason"],
    };
    let mut fields: Fields = names
        .iter()
        .zip(words)
        .map(|(name, word)| ((*name).to_owned(), word.to_owned()))
        .collect();
    let account = fields.get("account").map_or(PAYER, |word| match word.as_str() {
        "merchant" => MERCHANT,
        "friend" => FRIEND,
        _ => PAYER,
    });
    let subject = SUBJECT.to_string();
    for (name, id) in [
        ("account", account),
        ("payer", PAYER),
        ("from", PAYER),
        ("to", FRIEND),
        ("merchant", MERCHANT),
    ] {
        fields.insert(name.to_owned(), id.to_string());
    }
    for name in ["payment", "top_up", "transaction", "adjustment", "payout"] {
        fields.insert(name.to_owned(), subject.clone());
    }
    of_fields(kind, &fields)
}

/// The command of which `canonical` is the text.
pub fn of_canonical(canonical: &str) -> Command {
    let (kind, fields) = canonical.split_once('\n').unwrap();
    let fields = fields.lines().map(|field| {
        let (name, value) = field.split_once('=').unwrap();
        (name.to_owned(), value.to_owned())
    });
    of_fields(kind, &fields.collect())
}

fn of_fields(kind: &str, fields: &Fields) -> Command {
    let text = |name: &str| fields[name].as_str();
    let account = |name: &str| text(name).parse::<AccountId>().unwrap();
    let asset = || AssetCode::parse(text("asset")).unwrap();
    let amount = || Amount::parse(text("amount")).unwrap();
    let reason = || Reason::parse(text("reason")).unwrap();
    let memo = || fields.get("memo").map(|memo| Memo::parse(memo).unwrap());
    let payment = || text("payment").parse::<PaymentId>().unwrap();
    let pay = || Pay {
        payer: account("payer"),
        merchant: account("merchant"),
        asset: asset(),
        amount: amount(),
        memo: memo(),
    };
    match kind {
        "pay" => Command::Pay(pay()),
        "authorize" => Command::Authorize(Authorize {
            pay: pay(),
            valid_for_s: text("valid_for_s").parse().unwrap(),
        }),
        "capture" => Command::Capture(Capture {
            payment: payment(),
            amount: amount(),
        }),
        "void" => Command::Void(Void {
            payment: payment(),
            reason: reason(),
        }),
        "expire_hold" => Command::ExpireHold(ExpireHold { payment: payment() }),
        "refund" => Command::Refund(Refund {
            payment: payment(),
            amount: amount(),
            reason: reason(),
        }),
        "top_up" => Command::TopUp(TopUp {
            account: account("account"),
            asset: asset(),
            amount: amount(),
        }),
        "cancel_top_up" => Command::CancelTopUp(CancelTopUp {
            top_up: text("top_up").parse::<TopUpId>().unwrap(),
            reason: reason(),
        }),
        "transfer" => Command::Transfer(Transfer {
            from: account("from"),
            to: account("to"),
            asset: asset(),
            amount: amount(),
            memo: memo(),
        }),
        "grant" => Command::Grant(Grant {
            account: account("account"),
            asset: asset(),
            amount: amount(),
            reason: reason(),
        }),
        "expire" => Command::Expire(Expire {
            account: account("account"),
            asset: asset(),
        }),
        "reverse" => Command::Reverse(Reverse {
            transaction: text("transaction").parse::<TransactionId>().unwrap(),
            reason: reason(),
        }),
        "propose_adjustment" => Command::ProposeAdjustment(ProposeAdjustment {
            account: account("account"),
            asset: asset(),
            direction: match text("direction") {
                "add" => Direction::Add,
                _ => Direction::Take,
            },
            amount: amount(),
            reason: reason(),
        }),
        "apply_adjustment" => Command::ApplyAdjustment(ApplyAdjustment {
            adjustment: text("adjustment").parse::<AdjustmentId>().unwrap(),
        }),
        "decline_adjustment" => Command::DeclineAdjustment(DeclineAdjustment {
            adjustment: text("adjustment").parse::<AdjustmentId>().unwrap(),
            reason: reason(),
        }),
        "settle" => Command::Settle(Settle {
            merchant: account("merchant"),
            asset: asset(),
            amount: amount(),
        }),
        "fail_payout" => Command::FailPayout(FailPayout {
            payout: text("payout").parse::<PayoutId>().unwrap(),
            reason: reason(),
        }),
        "set_account_status" => Command::SetAccountStatus(SetAccountStatus {
            account: account("account"),
            status: match text("status") {
                "active" => AccountStatus::Active,
                "frozen" => AccountStatus::Frozen,
                _ => AccountStatus::Closed,
            },
            reason: reason(),
        }),
        "fence" => Command::Fence,
        other => panic!("{other}"),
    }
}

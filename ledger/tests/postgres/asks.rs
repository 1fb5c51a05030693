//! The words in which the tests ask a town for things.

use ledger::{
    AccountId, AccountStatus, AdjustmentId, Amount, AssetCode, Command, Pay, PaymentId, PayoutId, Reason, Refund,
    TopUp, TopUpId, TransactionId,
    command::{
        ApplyAdjustment, Authorize, CancelTopUp, Capture, DeclineAdjustment, Direction, Expire, ExpireHold, FailPayout,
        Grant, ProposeAdjustment, Reverse, SetAccountStatus, Settle, Transfer, Void,
    },
};

use crate::world::{amount, hana, reason};

pub fn pay(payer: AccountId, merchant: AccountId, units: u32) -> Command {
    Command::Pay(Pay {
        payer,
        merchant,
        asset: AssetCode::main(),
        amount: amount(units),
        memo: None,
    })
}

/// A payment of another asset than the main one.
pub fn pay_in(asset: AssetCode, payer: AccountId, merchant: AccountId, units: &str) -> Command {
    Command::Pay(Pay {
        payer,
        merchant,
        asset,
        amount: Amount::parse(units).unwrap(),
        memo: None,
    })
}

/// A hold of an hour.
pub fn authorize(payer: AccountId, merchant: AccountId, units: u32) -> Command {
    let Command::Pay(pay) = pay(payer, merchant, units) else {
        unreachable!()
    };
    Command::Authorize(Authorize { pay, valid_for_s: 3600 })
}

pub fn capture(payment: PaymentId, units: u32) -> Command {
    let amount = amount(units);
    Command::Capture(Capture { payment, amount })
}

pub fn void(payment: PaymentId) -> Command {
    let reason = reason();
    Command::Void(Void { payment, reason })
}

pub fn expire_hold(payment: PaymentId) -> Command {
    Command::ExpireHold(ExpireHold { payment })
}

pub fn top_up(account: AccountId, units: u32) -> Command {
    top_up_in(AssetCode::main(), account, &units.to_string())
}

pub fn top_up_hana(account: AccountId, units: u32) -> Command {
    top_up_in(hana(), account, &units.to_string())
}

pub fn top_up_in(asset: AssetCode, account: AccountId, units: &str) -> Command {
    let amount = Amount::parse(units).unwrap();
    Command::TopUp(TopUp { account, asset, amount })
}

pub fn cancel_top_up(top_up: TopUpId) -> Command {
    let reason = reason();
    Command::CancelTopUp(CancelTopUp { top_up, reason })
}

pub fn transfer(from: AccountId, to: AccountId, asset: AssetCode, units: &str) -> Command {
    let amount = Amount::parse(units).unwrap();
    Command::Transfer(Transfer {
        from,
        to,
        asset,
        amount,
        memo: None,
    })
}

pub fn grant(account: AccountId, asset: AssetCode, units: u32) -> Command {
    Command::Grant(Grant {
        account,
        asset,
        amount: amount(units),
        reason: reason(),
    })
}

pub fn expire(account: AccountId, asset: AssetCode) -> Command {
    Command::Expire(Expire { account, asset })
}

pub fn reverse(transaction: TransactionId) -> Command {
    let reason = reason();
    Command::Reverse(Reverse { transaction, reason })
}

pub fn propose(account: AccountId, direction: Direction, units: u32) -> Command {
    Command::ProposeAdjustment(ProposeAdjustment {
        account,
        asset: AssetCode::main(),
        direction,
        amount: amount(units),
        reason: reason(),
    })
}

pub fn apply_adjustment(adjustment: AdjustmentId) -> Command {
    Command::ApplyAdjustment(ApplyAdjustment { adjustment })
}

pub fn decline_adjustment(adjustment: AdjustmentId) -> Command {
    let reason = reason();
    Command::DeclineAdjustment(DeclineAdjustment { adjustment, reason })
}

pub fn settle(merchant: AccountId, units: u32) -> Command {
    Command::Settle(Settle {
        merchant,
        asset: AssetCode::main(),
        amount: amount(units),
    })
}

pub fn fail_payout(payout: PayoutId) -> Command {
    let reason = reason();
    Command::FailPayout(FailPayout { payout, reason })
}

pub fn set_status(account: AccountId, status: AccountStatus) -> Command {
    let reason = reason();
    Command::SetAccountStatus(SetAccountStatus {
        account,
        status,
        reason,
    })
}

pub fn refund(payment: PaymentId, units: u32) -> Command {
    refund_in(payment, &units.to_string())
}

pub fn refund_in(payment: PaymentId, units: &str) -> Command {
    let (amount, reason) = (Amount::parse(units).unwrap(), Reason::parse("brought back").unwrap());
    Command::Refund(Refund {
        payment,
        amount,
        reason,
    })
}

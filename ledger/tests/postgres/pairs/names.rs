//! The ids of the planner and of the database differ, so each thing has two names.

use ledger::{
    Answer, Command, Failure, Outcome, Receipt, Refund,
    command::{ApplyAdjustment, CancelTopUp, Capture, DeclineAdjustment, ExpireHold, FailPayout, Reverse, Void},
};
use std::collections::BTreeMap;
use uuid::Uuid;

use crate::facts::Facts;

/// The database's names, by the planner's.
pub(super) type Names = BTreeMap<Uuid, Uuid>;

/// The name of what the operation made or changed, if it was applied.
pub(super) fn made_by(answer: &Result<Answer, Failure>) -> Option<Uuid> {
    match &answer.as_ref().ok()?.outcome {
        Outcome::Applied(receipt) => Some(name_of(receipt)),
        Outcome::Rejected(_) => None,
    }
}

pub(super) fn name_of(receipt: &Receipt) -> Uuid {
    match receipt {
        Receipt::Payment(receipt) => receipt.payment_id.0,
        Receipt::Hold(receipt) => receipt.payment_id.0,
        Receipt::Refund(receipt) => receipt.payment_id.0,
        Receipt::TopUp(receipt) => receipt.top_up_id.0,
        Receipt::Movement(receipt) => receipt.transaction_id.0,
        Receipt::Adjustment(receipt) => receipt.adjustment_id.0,
        Receipt::Payout(receipt) => receipt.payout_id.0,
        Receipt::Account(receipt) => receipt.account_id.0,
        Receipt::Fence(_) => Uuid::nil(),
    }
}

/// The facts in the database's names; what has only one name keeps it.
pub(super) fn named(facts: Facts, names: &Names) -> Facts {
    let name = |id: Uuid| names.get(&id).copied().unwrap_or(id);
    Facts {
        uses: facts
            .uses
            .into_iter()
            .map(|((id, key), amount)| ((name(id), key), amount))
            .collect(),
        payments: facts
            .payments
            .into_iter()
            .map(|(id, payment)| (name(id), payment))
            .collect(),
        statuses: facts
            .statuses
            .into_iter()
            .map(|(id, status)| (name(id), status))
            .collect(),
        undone: facts.undone.into_iter().map(name).collect(),
        ..facts
    }
}

/// The command in the database's names.
pub(super) fn renamed(mut command: Command, names: &Names) -> Command {
    let id = match &mut command {
        Command::Capture(Capture { payment, .. })
        | Command::Void(Void { payment, .. })
        | Command::ExpireHold(ExpireHold { payment })
        | Command::Refund(Refund { payment, .. }) => &mut payment.0,
        Command::CancelTopUp(CancelTopUp { top_up, .. }) => &mut top_up.0,
        Command::Reverse(Reverse { transaction, .. }) => &mut transaction.0,
        Command::ApplyAdjustment(ApplyAdjustment { adjustment })
        | Command::DeclineAdjustment(DeclineAdjustment { adjustment, .. }) => &mut adjustment.0,
        Command::FailPayout(FailPayout { payout, .. }) => &mut payout.0,
        _ => return command,
    };
    *id = names[id];
    command
}

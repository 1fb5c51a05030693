//! Taking back by key: what the key asked for is undone, or, where it has not come yet, will never happen.

use super::{Legs, Plan, Record, transaction};
use crate::{
    command::{CancelTopUp, Command, Reason, Refund, Reverse, Void},
    failure::Rejection,
    money::Amount,
    outcome::{FenceReceipt, FenceState, Outcome, Receipt, Undoing},
    payment::PaymentStatus,
    snapshot::Snapshot,
};

/// What a fence finds under its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fencing {
    /// There is nothing to undo, and nothing can come any more.
    Over(FenceState),
    /// It happened: this undoes it.
    Undo(Command),
}

/// What a fence has to do about an operation whose outcome is `outcome`.
///
/// # Errors
/// [`Rejection::NotReversible`] for what can't be undone by key: it has its own way, such as a refund.
pub fn fencing(kind: &str, outcome: &Outcome, reason: &Reason) -> Result<Fencing, Rejection> {
    let receipt = match outcome {
        Outcome::Rejected(Rejection::Fenced) => return Ok(Fencing::Over(FenceState::Fenced)),
        Outcome::Rejected(_) => return Ok(Fencing::Over(FenceState::Declined)),
        Outcome::Applied(receipt) => receipt,
    };
    let not_reversible = || Rejection::NotReversible { kind: kind.to_owned() };
    let reason = reason.clone();
    let undo = match (kind, receipt) {
        ("pay", Receipt::Payment(paid)) => Command::Refund(Refund {
            payment: paid.payment_id,
            amount: Amount::new(paid.amount).map_err(|_| not_reversible())?,
            reason,
        }),
        ("authorize", Receipt::Hold(hold)) => Command::Void(Void {
            payment: hold.payment_id,
            reason,
        }),
        ("top_up", Receipt::TopUp(charged)) => Command::CancelTopUp(CancelTopUp {
            top_up: charged.top_up_id,
            reason,
        }),
        ("transfer" | "grant", Receipt::Movement(moved)) => Command::Reverse(Reverse {
            transaction: moved.transaction_id,
            reason,
        }),
        _ => return Err(not_reversible()),
    };
    Ok(Fencing::Undo(undo))
}

/// `undo`, of what is left to undo: of a payment of which parts were refunded, the rest.
#[must_use]
pub fn of_rest(undo: &Command, snapshot: &Snapshot) -> Command {
    let mut undo = undo.clone();
    if let Command::Refund(refund) = &mut undo
        && let Some(payment) = snapshot.payments.get(&refund.payment)
        && let Ok(rest) = Amount::new(payment.refundable())
    {
        refund.amount = rest;
    }
    undo
}

/// A fence that undoes nothing: the operation was declined, or must never happen, and then its key says so from now on.
pub fn over(state: FenceState, snapshot: &mut Snapshot) -> Plan {
    let head = transaction(snapshot, "fence", None, None);
    let records = match state {
        FenceState::Fenced => vec![Record::Fence],
        FenceState::Declined | FenceState::Reversed => Vec::new(),
    };
    let undone_by = None;
    Legs::new(snapshot).plan(head, records, Receipt::Fence(FenceReceipt { state, undone_by }))
}

impl Plan {
    /// This plan, as what a fence did to undo an operation.
    ///
    /// # Errors
    /// [`Rejection::IllegalTransition`] if it would leave a part done: what was captured of a hold is refunded, not voided.
    pub fn of_fence(self) -> Result<Self, Rejection> {
        if let Receipt::Hold(hold) = &self.receipt
            && !hold.captured.is_zero()
        {
            let (from, to) = (hold.status, PaymentStatus::Voided);
            return Err(Rejection::IllegalTransition { from, to });
        }
        let undone_by = Some(Undoing {
            kind: self.transaction.kind.to_owned(),
            transaction_id: self.transaction.transaction_id,
        });
        let state = FenceState::Reversed;
        Ok(Self {
            receipt: Receipt::Fence(FenceReceipt { state, undone_by }),
            ..self
        })
    }
}

//! A charge of a balance, with its bonus. The cap is judged on the charge; the bonus may lift the balance over it
//! (MISSION B3).

use super::{Legs, Plan, Refusal, TopUpRow, Transaction, active, in_asset};
use crate::{
    account::{AccountKind, SystemAccount},
    command::TopUp,
    failure::Rejection,
    id::TopUpId,
    outcome::{Receipt, TopUpReceipt},
    snapshot::Snapshot,
};

pub(super) fn plan(top_up: &TopUp, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let TopUp {
        account, asset: code, ..
    } = top_up;
    active(snapshot, *account, AccountKind::Customer, "account")?;
    let charge = in_asset(snapshot, top_up.amount, code)?;
    let asset = snapshot.asset(code)?;
    let bonus = asset.round_down(charge * asset.bonus_rate);
    let before = snapshot.balance(*account, code);
    if let Some(cap) = asset.cap.filter(|cap| before > cap - charge) {
        return Err(Rejection::CapExceeded {
            cap: asset.round_down(cap),
        }
        .into());
    }
    let at_most = asset.cap.map(|cap| cap - charge);
    let mut legs = Legs::new(snapshot);
    legs.grant(SystemAccount::Funding, *account, code, charge);
    legs.grant(SystemAccount::Bonus, *account, code, bonus);
    legs.bound(*account, code, at_most);
    let Legs { entries, balances, .. } = legs;
    let balance_after = asset.round_down(before + charge + bonus);
    let top_up_id: TopUpId = snapshot.ids.draw();
    Ok(Plan {
        transaction: Transaction {
            transaction_id: snapshot.ids.draw(),
            kind: "top_up",
            subject_id: top_up_id.0,
            occurred_at: snapshot.at,
        },
        entries,
        balances,
        metrics: Vec::new(),
        payment: None,
        payment_change: None,
        event: None,
        refund: None,
        top_up: Some(TopUpRow {
            top_up_id,
            account: *account,
            asset: code.clone(),
            amount: charge,
            bonus,
            balance_after,
        }),
        receipt: Receipt::TopUp(TopUpReceipt {
            top_up_id,
            amount: charge,
            bonus,
            balance_after,
        }),
    })
}

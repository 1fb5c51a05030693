//! Takes what has lasted its time. What is held for a payment stays until it is captured or released.

use rust_decimal::Decimal;

use super::{Legs, Plan, Refusal, existing, transaction, transfer::moved};
use crate::{account::AccountKind, command::Expire, failure::Rejection, snapshot::Snapshot};

pub(super) fn plan(expire: &Expire, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let Expire { account, asset } = expire;
    existing(snapshot, *account, AccountKind::Customer, "account")?;
    snapshot.asset(asset)?;
    let balance = snapshot.balance(*account, asset);
    let lots = snapshot.lots_of(*account, asset).iter();
    let expired = lots
        .filter(|lot| lot.expires_at <= snapshot.at)
        .map(|lot| lot.remaining);
    let amount = expired.sum::<Decimal>().min(balance.amount - balance.held);
    if amount <= Decimal::ZERO {
        return Err(Rejection::NothingExpired.into());
    }
    let head = transaction(snapshot, "expire", None, None);
    let mut legs = Legs::new(snapshot);
    legs.expire(*account, asset, amount);
    let receipt = moved(&legs, &head, *account, asset, -amount);
    Ok(legs.plan(head, Vec::new(), receipt))
}

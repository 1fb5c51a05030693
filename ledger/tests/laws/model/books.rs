//! The model's books: what accounts hold, as one number and, where value expires in customers' hands, as lots.

use chrono::{Datelike, Days, NaiveDate};
use ledger::{AssetCode, Expiry, lot::LotKey, money::Instant, snapshot::Holding};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::Model;
use crate::facts::{Sums, add};

/// A lot of a known holding: when it is gone, and whether it was paid for. What goes first sorts first.
type Lot = (Instant, bool);

/// How much of which lots, in order.
pub(super) type Shares = Vec<(Lot, Decimal)>;

impl Model {
    /// What can be spent: it is not held for a payment, and not past its time.
    pub(super) fn available(&self, holding: &Holding) -> Decimal {
        let held = sum(&self.facts.held, holding);
        if !self.has_lots(holding) {
            return sum(&self.facts.amounts, holding) - held;
        }
        let lasting: Decimal = self.lasting(holding).iter().map(|(_, remaining)| *remaining).sum();
        (lasting - held).max(Decimal::ZERO)
    }

    /// Takes `amount`, from lots in the order of `shares`, of each at most its share and what remains of it.
    pub(super) fn take(&mut self, subject: Uuid, holding: &Holding, amount: Decimal, shares: Shares) -> Shares {
        add(&mut self.facts.amounts, holding, -amount);
        let (mut left, mut taken) = (amount, Shares::new());
        for (lot, share) in shares {
            let share = share.min(left).min(sum(&self.facts.lots, &key(holding, lot)));
            left -= share;
            self.change_lot(subject, holding, lot, -share);
            taken.push((lot, share));
        }
        assert!(left.is_zero() || !self.has_lots(holding), "lots make up what is held");
        taken
    }

    /// Adds `amount`, to lots by `shares`; a holding that has no lots forgets them.
    pub(super) fn give(&mut self, subject: Uuid, holding: &Holding, amount: Decimal, shares: Shares) {
        add(&mut self.facts.amounts, holding, amount);
        if self.has_lots(holding) {
            for (lot, share) in shares {
                self.change_lot(subject, holding, lot, share);
            }
        }
    }

    /// Adds new value, which lasts from today on.
    pub(super) fn make(&mut self, subject: Uuid, holding: &Holding, amount: Decimal, paid: bool) {
        let rule = self.assets[&holding.1].expiry;
        let lot = rule.map(|rule| ((gone_at(rule, self.now.date_naive()), paid), amount));
        self.give(subject, holding, amount, lot.into_iter().collect());
    }

    /// What remains of the lots of a holding, in the order in which they go.
    pub(super) fn lots(&self, holding: &Holding) -> Shares {
        let lots = self.facts.lots.iter().filter(|(key, _)| is_of(key, holding));
        lots.map(|(key, remaining)| ((key.expires_at, key.paid), *remaining))
            .collect()
    }

    pub(super) fn lasting(&self, holding: &Holding) -> Shares {
        let mut lots = self.lots(holding);
        lots.retain(|((gone_at, _), _)| *gone_at > self.now);
        lots
    }

    pub(super) fn expired(&self, holding: &Holding) -> Shares {
        let mut lots = self.lots(holding);
        lots.retain(|((gone_at, _), _)| *gone_at <= self.now);
        lots
    }

    /// First what the operations on `subject` gave, then the rest, of what lasts.
    pub(super) fn given_first(&self, subject: Uuid, holding: &Holding) -> Shares {
        let mut shares = self.uses(subject, holding);
        shares.retain(|((gone_at, _), given)| *given > Decimal::ZERO && *gone_at > self.now);
        shares.extend(self.lasting(holding));
        shares
    }

    /// What the operations on `subject` gave and that is past its time.
    pub(super) fn gone(&self, subject: Uuid, holding: &Holding) -> Decimal {
        let uses = self.uses(subject, holding).into_iter();
        let gone = uses.filter(|((gone_at, _), given)| *given > Decimal::ZERO && *gone_at <= self.now);
        gone.map(|(_, given)| given).sum()
    }

    /// What the operations on `subject` spent, what goes last first.
    pub(super) fn spent(&self, subject: Uuid, holding: &Holding) -> Shares {
        let spent = self.uses(subject, holding).into_iter().rev();
        spent
            .map(|(lot, given)| (lot, -given))
            .filter(|(_, spent)| *spent > Decimal::ZERO)
            .collect()
    }

    fn uses(&self, subject: Uuid, holding: &Holding) -> Shares {
        let uses = self.facts.uses.iter();
        let uses = uses.filter(|((about, key), _)| *about == subject && is_of(key, holding));
        uses.map(|((_, key), given)| ((key.expires_at, key.paid), *given))
            .collect()
    }

    fn change_lot(&mut self, subject: Uuid, holding: &Holding, lot: Lot, amount: Decimal) {
        let key = key(holding, lot);
        add(&mut self.facts.lots, &key, amount);
        add(&mut self.facts.uses, &(subject, key), amount);
    }

    /// Value expires in the hands of customers alone.
    fn has_lots(&self, (account, asset): &Holding) -> bool {
        self.customers.contains(account) && self.assets[asset].expiry.is_some()
    }

    /// `value` in whole units of the asset, rounded down.
    pub(super) fn down(&self, asset: &AssetCode, value: Decimal) -> Decimal {
        value.trunc_with_scale(self.assets[asset].scale)
    }
}

/// The sum of `key`, zero if there is none.
pub(super) fn sum<Key: Ord>(sums: &Sums<Key>, key: &Key) -> Decimal {
    sums.get(key).copied().unwrap_or_default()
}

/// What of `shares` makes up `amount`, in their order.
pub(super) fn first(shares: Shares, amount: Decimal) -> Shares {
    let mut left = amount;
    let cut = shares.into_iter().map(|(lot, share)| {
        let share = share.min(left);
        left -= share;
        (lot, share)
    });
    cut.collect()
}

fn key((account, asset): &Holding, (expires_at, paid): Lot) -> LotKey {
    LotKey {
        account: *account,
        asset: asset.clone(),
        expires_at,
        paid,
    }
}

fn is_of(key: &LotKey, (account, asset): &Holding) -> bool {
    key.account == *account && key.asset == *asset
}

/// The midnight at which value that is made on `today` is gone: after so many whole days, or with the end of a month.
fn gone_at(rule: Expiry, today: NaiveDate) -> Instant {
    let gone_on = match rule {
        Expiry::Days(days) => today + Days::new(u64::from(days)) + Days::new(1),
        Expiry::Months(months) => {
            let month = today.month0() + u32::from(months) + 1;
            let year = today.year() + i32::try_from(month / 12).unwrap();
            NaiveDate::from_ymd_opt(year, month % 12 + 1, 1).unwrap()
        }
    };
    gone_on.and_hms_opt(0, 0, 0).unwrap().and_utc()
}

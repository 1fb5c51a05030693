//! The names of things: one type per noun, so that a payment's id can't stand where an account's belongs.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::{Builder, Uuid};

use crate::money::Instant;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "postgres", derive(sqlx::Type), sqlx(transparent))]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    )*};
}

ids! {
    /// A town, co-op or shop street that runs its own money; nothing of one tenant is visible to another (H4).
    TenantId
    /// A holder of balances.
    AccountId
    /// What a person sees of a purchase.
    PaymentId
    /// Entries that sum to zero per asset.
    TransactionId
    /// One return of money to a payer.
    RefundId
    /// One charge of a balance.
    TopUpId
    /// One correction of a balance, from its proposal on.
    AdjustmentId
    /// One paying out of a merchant's balance.
    PayoutId
}

/// A source of UUIDv7 that ascend in the order in which they are drawn.
///
/// Time and randomness are arguments, so a plan is a function of its snapshot. One source serves one batch: the
/// entries of an account sort by (instant, id) exactly as their balances follow each other.
#[derive(Clone, Debug)]
pub struct IdSource {
    at: Instant,
    drawn: u32,
    random: [u8; 6],
}

impl IdSource {
    /// Ids of the millisecond of `at`, told apart from those of other servers by `random`.
    #[must_use]
    pub fn new(at: Instant, random: [u8; 6]) -> Self {
        Self { at, drawn: 0, random }
    }

    /// The source with its ids dated `at`.
    #[must_use]
    pub fn at(&self, at: Instant) -> Self {
        Self { at, ..self.clone() }
    }

    /// The next id; converts into whichever noun is wanted.
    pub fn draw<Id: From<Uuid>>(&mut self) -> Id {
        let millis = u64::try_from(self.at.timestamp_millis()).unwrap_or(0);
        let mut tail = [0; 10];
        tail[..4].copy_from_slice(&spread(self.drawn));
        tail[4..].copy_from_slice(&self.random);
        self.drawn += 1;
        Builder::from_unix_timestamp_millis(millis, &tail).into_uuid().into()
    }
}

/// The counter, placed where a UUIDv7 has no version and variant bits, so that ids ascend with it.
///
/// The first nibble becomes the version and two bits after twelve become the variant, so the counter fills the
/// twelve bits between and the eight that follow the variant's byte.
fn spread(drawn: u32) -> [u8; 4] {
    let [_, _, high, low] = (drawn >> 8 & 0xfff).to_be_bytes();
    [high, low, 0, (drawn & 0xff) as u8]
}

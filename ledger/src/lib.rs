//! Koban's ledger: who holds what, and how it may change.
//!
//! A [`Command`] is asked for under an [`IdempotencyKey`]; a [`Snapshot`] of facts is read under lock; [`plan::plan`]
//! decides, purely, and returns a [`Plan`] (the writes, as data) or a refusal; `postgres` executes plans in batches.
//!
//! Without the feature `postgres` the crate does no I/O and compiles for wasm32, so a browser or an integrator's
//! client shares its types.
//!
//! # Invariants
//! 1. Entries of a transaction sum to zero per asset (MISSION B7).
//! 2. No balance is negative (B2); a charge never lifts a balance over its cap (B3).
//! 3. A key has at most one effect, and its answer never changes (A2, A5, A6).
//! 4. Refunds never exceed what was captured; a status moves only along [`payment::MOVES`] (D3).

pub mod account;
pub mod adjustment;
pub mod asset;
#[cfg(feature = "postgres")]
pub mod calendar;
pub mod command;
pub mod failure;
pub mod id;
pub mod idempotency;
pub mod limit;
pub mod lot;
pub mod money;
pub mod outcome;
pub mod payment;
pub mod payout;
pub mod plan;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod retry;
pub mod snapshot;

pub use account::{Account, AccountKind, AccountStatus, Actor, ActorKind, SystemAccount};
pub use asset::{Asset, AssetCode, Expiry};
pub use command::{Command, Memo, Pay, Reason, Refund, TopUp};
pub use failure::{Failure, Rejection};
pub use id::{AccountId, AdjustmentId, PaymentId, PayoutId, RefundId, TenantId, TopUpId, TransactionId};
pub use idempotency::{Fingerprint, IdempotencyKey};
pub use limit::{Limit, LimitKind, Limits};
pub use money::{Amount, AmountError};
pub use outcome::{
    Answer, HoldReceipt, MovementReceipt, Outcome, PaymentReceipt, Receipt, RefundReceipt, TopUpReceipt,
};
pub use payment::{Payment, PaymentStatus};
pub use plan::Plan;
#[cfg(feature = "postgres")]
pub use postgres::Ledger;
pub use snapshot::Snapshot;

//! The ledger on PostgreSQL: the queue of batches, the database transaction of a batch, and one file of free
//! functions per noun. All SQL on the schema `ledger` stands here.
//!
//! Money moves through [`Ledger::submit`] alone. The reading functions take any executor and stay short: a long-open
//! snapshot makes the hot path dearer.

mod batch;
mod execute;
mod failure;
mod in_flight;
mod lane;
mod pool;
mod queue;

mod read;
mod records;
mod write;

pub mod account;
pub mod adjustment;
pub mod asset;
pub mod balance;
pub mod counter;
pub mod entry;
pub mod key_stage;
pub mod lot;
pub mod marker;
pub mod metric;
pub mod payment;
pub mod payout;
pub mod report;
pub mod tenant;
pub mod top_up;
mod transaction;
mod usage;
pub mod verify;

use sqlx::PgPool;

use crate::{
    account::Actor,
    command::Command,
    failure::Failure,
    id::TenantId,
    idempotency::IdempotencyKey,
    money::Instant,
    outcome::{Answer, Outcome},
};
pub use counter::Counter;
use counter::Counters;
pub use failure::failure_of;
use lane::Lanes;
pub use pool::connect;
use queue::Queues;

/// The database's layout, in the order in which it came to be.
pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!("../migrations");

/// Where the ledger takes its time from.
pub type Clock = fn() -> Instant;

/// The ledger of every tenant on one PostgreSQL. Cloning is cheap; clones share their queues.
#[derive(Clone)]
pub struct Ledger {
    pool: PgPool,
    queues: Queues,
    lanes: Lanes,
    counters: Counters,
    clock: Clock,
}

/// What is known of an idempotency key (MISSION D2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// No operation of this key was ever committed; sending it (again) with the same key is safe.
    NeverSeen,
    /// It is in this server's queue or being executed.
    InFlight,
    /// It had its outcome; of a key that was fenced before anything came, that is [`crate::Rejection::Fenced`].
    Done(Answer),
    /// It was done, and is being taken back.
    Compensating(Answer),
    /// It was done and taken back.
    Compensated(Answer),
}

impl Ledger {
    /// A ledger on `pool`; needs a Tokio runtime.
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        Self::with_clock(pool, system_clock)
    }

    /// A ledger that takes its time from `clock`.
    #[must_use]
    pub fn with_clock(pool: PgPool, clock: Clock) -> Self {
        let counters = Counters::new(pool.clone(), clock);
        let lanes = Lanes::default();
        let queues = Queues::new(pool.clone(), lanes.clone(), counters.clone(), clock);
        Self {
            pool,
            queues,
            lanes,
            counters,
            clock,
        }
    }

    #[must_use]
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// The ledger's time.
    #[must_use]
    pub fn now(&self) -> Instant {
        (self.clock)()
    }

    /// Leases lanes of its own for this server and keeps them for as long as the future is polled, so that batches on one
    /// database collect for the same accounts without waiting for each other.
    pub async fn keep_lanes(&self) {
        self.lanes.keep(&self.pool).await;
    }

    /// The lanes in which this server writes what accounts collect.
    #[must_use]
    pub fn lanes(&self) -> Vec<i16> {
        self.lanes.each().map(|lane| lane.current()).collect()
    }

    /// Does what `command` asks, once per `key` of `actor` in `tenant`, whatever happens to the caller: dropping the
    /// future cancels nothing that was accepted.
    ///
    /// A business rejection is an outcome, not an error: it is recorded under the key like a success.
    ///
    /// # Errors
    /// [`Failure`]; nothing is recorded under the key then, but see [`Failure::Unknown`] and [`Failure::InFlight`].
    pub async fn submit(
        &self,
        tenant: TenantId,
        actor: Actor,
        key: &IdempotencyKey,
        command: Command,
    ) -> Result<Answer, Failure> {
        let answer = self.queues.submit(tenant, actor, key, command).await;
        match &answer {
            Ok(Answer { replayed: true, .. }) => self.counters.add(tenant, Counter::Replay),
            Err(Failure::KeyReused) => self.counters.add(tenant, Counter::KeyReused),
            Err(Failure::InFlight) => self.counters.add(tenant, Counter::InFlight),
            _ => {}
        }
        answer
    }

    /// What became of `key`.
    ///
    /// # Errors
    /// [`Failure::KeyExpired`] if that may be forgotten; [`Failure`] if the database can't be asked.
    pub async fn operation(&self, tenant: TenantId, actor: Actor, key: &IdempotencyKey) -> Result<Operation, Failure> {
        // The queue is asked first: what leaves it has committed, so the database is asked after.
        let fence = marker::scope(actor, &Command::Fence);
        let in_flight = self.queues.holds(tenant, &actor.to_string(), key);
        let is_being_taken_back = self.queues.holds(tenant, &fence, key);
        let answer = match marker::find(&self.pool, tenant, &actor.to_string(), key).await? {
            Some(saved) => saved.answer(true)?,
            None if in_flight => return Ok(Operation::InFlight),
            None => return key.may_be_new(self.now()).map(|()| Operation::NeverSeen),
        };
        if let Outcome::Rejected(_) = answer.outcome {
            return Ok(Operation::Done(answer));
        }
        let fence = marker::find(&self.pool, tenant, &fence, key).await?;
        Ok(match fence.map(|saved| saved.answer(true)).transpose()? {
            Some(Answer {
                outcome: Outcome::Applied(_),
                ..
            }) => Operation::Compensated(answer),
            None if is_being_taken_back => Operation::Compensating(answer),
            _ => Operation::Done(answer),
        })
    }

    /// Counts something that the ledger can't see itself, such as a request without a key.
    pub fn count(&self, tenant: TenantId, counter: Counter) {
        self.counters.add(tenant, counter);
    }

    /// Finishes what was accepted and writes the counters; accepts nothing more.
    pub async fn close(&self) {
        self.queues.close().await;
        self.counters.flush().await;
    }
}

/// The machine's time to the microsecond, which is what the database keeps.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the ledger reads a clock; everybody else is given an instant"
)]
fn system_clock() -> Instant {
    use chrono::SubsecRound;
    chrono::Utc::now().trunc_subsecs(6)
}

//! The database does what the pure plan says: of what comes one after another each step, and of two that come at once what
//! one of their two orders says (T13). Random towns, told apart by a seed; LAWS_CASES is how many.

mod names;
mod rows;
mod town;

use ledger::money::Instant;
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::sync::atomic::AtomicI64;

use crate::random::{Step, cases, step, town};
use town::{Servers, Town};

const TOWNS: u32 = 24;
const STEPS: usize = 30;
const PAIRS: usize = 16;
/// How often a pair is drawn anew in the hope that its order can be told.
const DRAWS: usize = 40;

/// The tests run side by side, so each has a clock of its own.
static ONE_AFTER_ANOTHER: AtomicI64 = AtomicI64::new(0);
static TWO_AT_ONCE: AtomicI64 = AtomicI64::new(0);

/// What is drawn from a seed is always the same.
struct Random(TestRunner);

impl Random {
    fn seeded(seed: u32) -> Self {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&seed.to_le_bytes());
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        Self(TestRunner::new_with_rng(ProptestConfig::default(), random))
    }

    fn draw<T: std::fmt::Debug>(&mut self, of: impl Strategy<Value = T>) -> T {
        of.new_tree(&mut self.0).unwrap().current()
    }

    /// Two steps of the same people and the same payment, so that they get in each other's way.
    fn pair(&mut self) -> [Step; 2] {
        let (one, two) = self.draw((step(), step()));
        let one = Step { wait_h: 0, ..one };
        let two = Step {
            kind: two.kind,
            amount: two.amount,
            asker: two.asker,
            ..one.clone()
        };
        [one, two]
    }

    /// Two steps whose order can be told from what comes of them, if some are found soon.
    fn telling_pair(&mut self, town: &Town) -> [Step; 2] {
        let found = (0..DRAWS).map(|_| self.pair()).find(|pair| town.can_tell(pair));
        found.unwrap_or_else(|| self.pair())
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn what_comes_one_after_another_ends_as_the_plans_say(_: PgPoolOptions, options: PgConnectOptions) {
    fn clock() -> Instant {
        town::time_of(&ONE_AFTER_ANOTHER)
    }
    let servers = Servers::on(options, &ONE_AFTER_ANOTHER, clock).await;
    for seed in 0..cases(TOWNS).cases {
        let mut random = Random::seeded(seed);
        let mut town = Town::found(&servers, seed, random.draw(town())).await;
        for _ in 0..STEPS {
            town.play(&[random.draw(step())]).await;
        }
    }
    servers.finish().await;
}

/// A pair of which both orders come to the same proves little, so of those that do not each order must have been met.
#[sqlx::test(migrations = "../migrations")]
async fn two_that_come_at_once_end_as_one_of_their_orders(_: PgPoolOptions, options: PgConnectOptions) {
    fn clock() -> Instant {
        town::time_of(&TWO_AT_ONCE)
    }
    let servers = Servers::on(options, &TWO_AT_ONCE, clock).await;
    let mut met = [0, 0];
    for seed in 0..cases(TOWNS).cases {
        let mut random = Random::seeded(seed);
        let mut town = Town::found(&servers, seed, random.draw(town())).await;
        for _ in 0..PAIRS {
            town.play(&[random.draw(step())]).await;
            for pair in [random.pair(), random.telling_pair(&town)] {
                if let Some(order) = town.play(&pair).await {
                    met[order] += 1;
                }
            }
        }
    }
    assert!(met.iter().all(|pairs| *pairs > 0), "{met:?}");
    servers.finish().await;
}

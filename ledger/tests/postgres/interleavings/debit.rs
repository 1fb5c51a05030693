//! Debit against debit on one balance: never negative, and exactly those that fit are applied (B2).

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::{Law, Stage, Subject, operation::with_own_key, town};
use crate::world::pay;

/// The first that locks the balance of 100 takes its 60.
const ONE_OF_TWO_FITS: Law = &[("INSUFFICIENT, applied: 40", 35), ("applied, INSUFFICIENT: 40", 35)];

/// Two payments of `units` from a balance of 100.
fn two_of(units: u32) -> Subject {
    let payment = |key| with_own_key(key, pay(town::PAYER, town::MERCHANT, units));
    Subject {
        fresh: town::fresh(100, 0),
        scripts: vec![payment("one"), payment("two")],
        outcome: town::held(town::PAYER, "ECOPAY"),
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn of_two_debits_the_one_that_fits_is_applied(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    stage.run(&two_of(60)).await.assert(70, 8, ONE_OF_TWO_FITS);
    stage
        .run(&two_of(50))
        .await
        .assert(70, 8, &[("applied, applied: 0", 70)]);
}

/// Without the lock an operation that read too early fails at the guard; without both, the table's constraint refuses it.
#[sqlx::test(migrations = "../migrations")]
async fn debits_without_their_lock_or_guard_are_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    let mut mutated = two_of(60).mutated(|script| script.without("for update of b"));
    stage.finds(&mutated, ONE_OF_TWO_FITS, "INCONSISTENT").await;
    mutated = mutated.mutated(|script| script.without("and b.amount - b.held >= d.available_at_least"));
    stage.finds(&mutated, ONE_OF_TWO_FITS, "balance_not_negative").await;
}

//! Charge against charge below a cap of 1000 with a bonus of a tenth: the cap is judged on the charge, and the bonus may
//! lift the balance over it (B3).

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::{Law, Stage, Subject, operation::with_own_key, town};
use crate::world::top_up_hana;

const ONE_OF_TWO_FITS: Law = &[("CAP_EXCEEDED, applied: 550", 35), ("applied, CAP_EXCEEDED: 660", 35)];

/// 550 and 451 are too much; 496 and 500 are not, whatever bonus comes with the second.
const THE_LARGER_FITS_SECOND: Law = &[("applied, CAP_EXCEEDED: 550", 35), ("applied, applied: 1046", 35)];

fn charges(one: u32, two: u32) -> Subject {
    Subject {
        fresh: town::fresh(0, 0),
        scripts: vec![
            with_own_key("one", top_up_hana(town::PAYER, one)),
            with_own_key("two", top_up_hana(town::PAYER, two)),
        ],
        outcome: town::held(town::PAYER, "REGIONAL#hana"),
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn no_charge_lifts_the_balance_over_the_cap(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    stage.run(&charges(600, 500)).await.assert(70, 8, ONE_OF_TWO_FITS);
    stage
        .run(&charges(500, 451))
        .await
        .assert(70, 8, THE_LARGER_FITS_SECOND);
}

#[sqlx::test(migrations = "../migrations")]
async fn charges_without_their_lock_or_guard_are_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    let mut mutated = charges(600, 500).mutated(|script| script.without("for update of b"));
    stage.finds(&mutated, ONE_OF_TWO_FITS, "INCONSISTENT").await;
    mutated = mutated.mutated(|script| script.without("and (d.at_most is null or b.amount <= d.at_most)"));
    stage.finds(&mutated, ONE_OF_TWO_FITS, "applied, applied: 1210").await;
}

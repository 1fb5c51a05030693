//! One new key on two servers: both find no marker and write, and the marker decides whose effect stays (A2).

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::{Law, Stage, Subject, operation::operation, script::write, town};
use crate::world::pay;

/// In one order each, one is done before the other begins and finds its marker.
const ONE_EFFECT: Law = &[
    ("OVERTAKEN, applied: 1 effects, 1 markers", 125),
    ("REPLAYED, applied: 1 effects, 1 markers", 1),
    ("applied, OVERTAKEN: 1 effects, 1 markers", 125),
    ("applied, REPLAYED: 1 effects, 1 markers", 1),
];

fn one_key_twice() -> Subject {
    let payment = || operation("one", pay(town::PAYER, town::MERCHANT, 10));
    Subject {
        fresh: town::fresh(1000, 0),
        scripts: vec![payment(), payment()],
        outcome: town::effects(1000),
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_key_that_two_servers_claim_has_one_effect(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    stage.run(&one_key_twice()).await.assert(252, 36, ONE_EFFECT);
}

/// Without its marker a key has an effect each time; with a marker that nobody counts, at least in a race.
#[sqlx::test(migrations = "../migrations")]
async fn a_claim_without_its_marker_or_its_count_is_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    let unmarked = one_key_twice().mutated(|script| script.skipping("record"));
    stage.finds(&unmarked, ONE_EFFECT, "2 effects, 0 markers").await;
    let commit = || write("commit", |facts| facts.end("applied", "commit"));
    let uncounted = one_key_twice().mutated(|script| script.replacing("commit", [commit()]));
    stage.finds(&uncounted, ONE_EFFECT, "2 effects, 1 markers").await;
}

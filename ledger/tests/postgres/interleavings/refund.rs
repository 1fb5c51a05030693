//! Refund against refund of one payment of 100: at most what was captured, and the status moves along its table (D3).

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::{
    Law, Stage, Subject,
    operation::with_own_key,
    statements::{AND_PAYMENT_IS_AS_IT_WAS, LOCK_OF_PAYMENT},
    town,
};
use crate::world::refund;

const ONE_OF_TWO_FULL: Law = &[
    ("ILLEGAL_TRANSITION, applied: refunded 100, given back 100", 126),
    ("applied, ILLEGAL_TRANSITION: refunded 100, given back 100", 126),
];
const ONE_OF_TWO_LARGE_PARTS: Law = &[
    (
        "REFUND_EXCEEDS_CAPTURED, applied: partially_refunded 60, given back 60",
        126,
    ),
    (
        "applied, REFUND_EXCEEDS_CAPTURED: partially_refunded 60, given back 60",
        126,
    ),
];

fn two_of(units: u32) -> Subject {
    let refund = |key| with_own_key(key, refund(town::PAYMENT, units));
    Subject {
        fresh: town::fresh(0, 1000),
        scripts: vec![refund("one"), refund("two")],
        outcome: "select status || ' ' || trim_scale(refunded) || ', given back ' || trim_scale(b.amount)
                  from ledger.payment join ledger.balance b on b.account_id = payer_account_id and b.asset_code = 'ECOPAY'"
            .to_owned(),
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn no_more_is_refunded_than_was_captured(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    stage.run(&two_of(100)).await.assert(252, 10, ONE_OF_TWO_FULL);
    stage.run(&two_of(60)).await.assert(252, 10, ONE_OF_TWO_LARGE_PARTS);
}

/// Of two whole refunds the status table would still refuse one; two parts would give back more than was captured.
#[sqlx::test(migrations = "../migrations")]
async fn refunds_without_their_lock_or_guard_are_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    let unlocked = |units| two_of(units).mutated(|script| script.without(LOCK_OF_PAYMENT));
    let unguarded = |units| unlocked(units).mutated(|script| script.without(AND_PAYMENT_IS_AS_IT_WAS));
    let mutations = [
        (unlocked(60), ONE_OF_TWO_LARGE_PARTS, "INCONSISTENT"),
        (unguarded(60), ONE_OF_TWO_LARGE_PARTS, "given back 120"),
        (unguarded(100), ONE_OF_TWO_FULL, "payment_move_allowed"),
    ];
    for (mutated, law, breach) in mutations {
        stage.finds(&mutated, law, breach).await;
    }
}

//! Hold against pay on one balance, and capture against void of one hold: what is held counts as spent, and is captured
//! or released, never both (A14).

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::{
    Law, Stage, Subject,
    operation::with_own_key,
    statements::LOCK_OF_PAYMENT,
    town::{self, MERCHANT, PAYER, PAYMENT},
};
use crate::world::{authorize, capture, pay, void};

/// The first that locks the balance of 100 has its 60.
const ONE_OF_TWO_FITS: Law = &[
    ("INSUFFICIENT, applied: 0 held of 40", 35),
    ("applied, INSUFFICIENT: 60 held of 100", 35),
];

/// What was captured before the void stays captured, and only the rest is released.
const ALL_OR_THE_REST_IS_RELEASED: Law = &[
    ("ILLEGAL_TRANSITION, applied: voided, 0 held of 100", 126),
    ("applied, applied: captured, 0 held of 80", 126),
];

/// The table's own guard of what is held: neither negative nor more than the amount.
const SPARES_WHAT_IS_HELD: &str = "balance_spares_what_is_held";

/// A hold of 60 and a payment of 60 from a balance of 100.
fn hold_and_pay() -> Subject {
    Subject {
        fresh: town::fresh(100, 0),
        scripts: vec![
            with_own_key("hold", authorize(PAYER, MERCHANT, 60)),
            with_own_key("pay", pay(PAYER, MERCHANT, 60)),
        ],
        outcome: held(""),
    }
}

/// A capture of 20 of a hold of 60, and its void, on a balance of 100.
fn capture_and_void() -> Subject {
    Subject {
        fresh: town::fresh_with_hold(100, 60),
        scripts: vec![
            with_own_key("capture", capture(PAYMENT, 20)),
            with_own_key("void", void(PAYMENT)),
        ],
        outcome: held("status || ', ' ||"),
    }
}

/// What the payer holds, after `columns`.
fn held(columns: &str) -> String {
    format!(
        "select {columns} trim_scale(b.held) || ' held of ' || trim_scale(b.amount)
         from ledger.payment join ledger.balance b on b.account_id = payer_account_id and b.asset_code = 'ECOPAY'"
    )
}

#[sqlx::test(migrations = "../migrations")]
async fn of_a_hold_and_a_payment_the_one_that_fits_is_applied(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    stage.run(&hold_and_pay()).await.assert(70, 8, ONE_OF_TWO_FITS);
}

/// Without the lock the guard knows what is held; a guard that does not would spend it, but for the table's constraint.
#[sqlx::test(migrations = "../migrations")]
async fn holds_without_their_lock_or_guard_are_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    let mut mutated = hold_and_pay().mutated(|script| script.without("for update of b"));
    stage.finds(&mutated, ONE_OF_TWO_FITS, "INCONSISTENT").await;
    mutated = mutated.mutated(|script| script.without(" - b.held"));
    stage.finds(&mutated, ONE_OF_TWO_FITS, SPARES_WHAT_IS_HELD).await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_void_releases_what_no_capture_took(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    stage
        .run(&capture_and_void())
        .await
        .assert(252, 10, ALL_OR_THE_REST_IS_RELEASED);
}

/// A void that reads too early would release what was captured: its guards refuse it, and the table's constraint too.
#[sqlx::test(migrations = "../migrations")]
async fn captures_and_voids_without_their_lock_or_guard_are_found(_: PgPoolOptions, options: PgConnectOptions) {
    let law = ALL_OR_THE_REST_IS_RELEASED;
    let mut stage = Stage::new(options, 2).await;
    let mut mutated = capture_and_void().mutated(|script| script.without(LOCK_OF_PAYMENT));
    stage.finds(&mutated, law, "INCONSISTENT").await;
    mutated = mutated.mutated(|script| script.without("and b.held >= d.held_at_least"));
    stage.finds(&mutated, law, SPARES_WHAT_IS_HELD).await;
}

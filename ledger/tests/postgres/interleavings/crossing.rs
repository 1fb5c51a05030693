//! A payment and a refund that move money between the same two, each the other way: locks are taken in one order, so
//! none waits for the other while the other waits for it (C1).

use ledger::{AccountId, AssetCode, plan::Lock};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::{
    DEADLOCK, Law, Stage, Subject,
    operation::with_own_key,
    script::{Step, ask},
    statements,
    town::{self, MERCHANT, PAYER},
};
use crate::world::{pay, refund};

/// 200 - 10 + 60.
const BOTH: Law = &[("applied, applied: 250", 126)];

fn crossing() -> Subject {
    Subject {
        fresh: town::fresh(200, 1000),
        scripts: vec![
            with_own_key("refund", refund(town::PAYMENT, 60)),
            with_own_key("pay", pay(PAYER, MERCHANT, 10)),
        ],
        outcome: town::held(PAYER, "ECOPAY"),
    }
}

/// Locks one balance alone, which the ledger never does while it needs two.
fn lock_alone(account: AccountId) -> Step {
    ask("lock one balance", move |_| {
        let (asset, lane) = (AssetCode::main(), None);
        statements::lock(&[Lock { account, asset, lane }])
    })
}

#[sqlx::test(migrations = "../migrations")]
async fn a_payment_and_a_refund_that_cross_are_both_applied(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    stage.run(&crossing()).await.assert(126, 18, BOTH);
}

#[sqlx::test(migrations = "../migrations")]
async fn locks_that_begin_with_who_gives_are_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    let mut givers = [[MERCHANT, PAYER], [PAYER, MERCHANT]].into_iter();
    let mutated =
        crossing().mutated(|script| script.replacing("lock balances", givers.next().unwrap().map(lock_alone)));
    stage.finds(&mutated, BOTH, DEADLOCK).await;
}

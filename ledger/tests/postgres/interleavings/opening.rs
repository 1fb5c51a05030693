//! Two operations that open the same two balances, while one of these is opened by a third: whoever finds a row absent
//! undoes what he has begun, and makes it while he holds nothing, so none waits in a circle (C1).

use ledger::{AssetCode, plan::Lock};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::{
    DEADLOCK, Law, Stage, Subject,
    script::{BEGIN, Facts, Script, ask, write},
    statements,
    town::{self, PAYER},
};

const BOTH_HAVE_BOTH: Law = &[("opened, opened: 2", 140)];

const LET_GO: &str = "rollback; ";

fn opening() -> Subject {
    let third = Script::statements(vec![write("open one", |_| {
        statements::open(&[all_of(AssetCode::point())])
    })]);
    Subject {
        fresh: format!("{}; delete from ledger.balance", town::fresh(0, 0)),
        scripts: vec![third, of_two(), of_two()],
        outcome: "select count(*)::text from ledger.balance".to_owned(),
    }
}

/// What is opened is committed before the transaction begins anew.
fn of_two() -> Script {
    Script::transaction(vec![
        ask("lock", |_| statements::lock(&both())),
        write("open", |facts| match absent(facts).as_slice() {
            [] => String::new(),
            absent => format!("{LET_GO}{}", statements::open(absent)),
        }),
        ask("lock all", |facts| match absent(facts).as_slice() {
            [] => facts.answer("opened", "commit"),
            _ => facts.answer("opened", &format!("{BEGIN}{}; commit", statements::lock(&both()))),
        }),
    ])
}

fn both() -> [Lock; 2] {
    [AssetCode::main(), AssetCode::point()].map(all_of)
}

fn all_of(asset: AssetCode) -> Lock {
    let (account, lane) = (PAYER, None);
    Lock { account, asset, lane }
}

/// Those that the script has not locked yet.
fn absent(facts: &Facts) -> Vec<Lock> {
    let is_locked = |lock: &Lock| {
        facts
            .rows("lane")
            .any(|row| row["asset_code"] == lock.asset.to_string())
    };
    both().into_iter().filter(|lock| !is_locked(lock)).collect()
}

#[sqlx::test(migrations = "../migrations")]
async fn operations_that_open_the_same_balances_are_both_done(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 3).await;
    stage.run(&opening()).await.assert(140, 134, BOTH_HAVE_BOTH);
}

#[sqlx::test(migrations = "../migrations")]
async fn an_opening_that_holds_what_it_has_locked_is_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 3).await;
    let mutated = opening().mutated(|script| script.without(LET_GO).without(BEGIN));
    stage.finds(&mutated, BOTH_HAVE_BOTH, DEADLOCK).await;
}

//! Callers that go away: what was accepted happens, and no session stays behind inside a database transaction (A03).

use ledger::{Answer, postgres::connect};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::task::yield_now;

use crate::world::{World, pay};

/// Gives other tasks `turns` turns: a finer clock than any timer.
async fn turns(turns: usize) {
    for _ in 0..turns {
        yield_now().await;
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_dropped_caller_cancels_nothing(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_connections(options, 1).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let mut answered = 0;
    for n in 0..100 {
        tokio::select! {
            biased;
            _ = world.call(format!("dropped-{n}"), pay(payer, merchant, 1)) => answered += 1,
            () = turns(n * n / 4) => {}
        }
    }
    assert!(answered < 100, "no call was dropped");
    // The same keys again: what the dropped calls did is found, and nothing is done twice.
    for n in 0..100 {
        let Answer { replayed, .. } = world
            .call(format!("dropped-{n}"), pay(payer, merchant, 1))
            .await
            .unwrap();
        assert!(replayed, "call {n} was accepted and has no outcome");
    }
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_write_after_a_cancelled_begin_is_visible_to_others(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_connections(options, 1).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let mut begun = 0;
    for n in 0..150 {
        tokio::select! {
            biased;
            tx = world.ledger.pool().begin() => { tx.unwrap(); begun += 1 }
            () = turns(n * 2) => {}
        }
        // A write outside a transaction, and a command.
        let opened = world.merchant().await;
        let seen = format!("select count(*) from ledger.account where account_id = '{opened}'");
        assert_eq!(world.count(seen).await, 1, "the write after begin {n} is lost");
        world.call(n, pay(payer, merchant, 1)).await.unwrap();
        let seen = format!("select count(*) from ledger.marker where key = '{n}'");
        assert_eq!(world.count(seen).await, 1, "the command after begin {n} is lost");
    }
    assert!(0 < begun && begun < 150, "{begun} of 150 were begun");
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_ledger_that_is_dropped_finishes_what_it_accepted(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let other = world.other_server();
    let call = tokio::spawn(other.call("one", pay(payer, merchant, 100)));
    yield_now().await;
    drop(other);
    assert!(!call.await.unwrap().unwrap().replayed);
    assert_eq!(world.balance(merchant).await, Decimal::from(100));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_ledger_without_database_says_so_and_nothing_happens(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options.clone()).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let nowhere = ledger::Ledger::new(connect(options.host("127.0.0.1").socket("/nowhere").port(1), 1));
    let failure = nowhere
        .submit(
            world.tenant,
            crate::world::ASKER,
            &crate::world::key("one"),
            pay(payer, merchant, 1),
        )
        .await;
    let failure = failure.unwrap_err();
    assert!(failure.should_retry() && !failure.safe_new_key(), "{failure:?}");
    world.finish().await;
}

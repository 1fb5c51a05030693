//! A connection that is lost at a commit leaves the outcome unknown, and the ledger finds it out by the markers (D1, T04,
//! T05).

use ledger::{
    Answer, Failure, Ledger,
    postgres::{Operation, connect},
};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::{
    proxy::{Cut, Proxy},
    world::{ASKER, World, key, pay, tally, together, verdict},
};

/// A town whose ledger reaches the database through the proxy.
async fn behind(proxy: &Proxy, options: PgConnectOptions) -> World {
    World::on(Ledger::new(connect(proxy.options.clone(), 2)), options).await
}

/// The money is enough for each payment once: one that happened twice would be refused as insufficient at the end.
async fn every_payment_happens_once(cut: Cut, options: PgConnectOptions) {
    let proxy = Proxy::before(&options).await;
    let world = behind(&proxy, options).await;
    let (payer, merchant) = (world.customer(2000).await, world.merchant().await);
    for n in 0..20 {
        proxy.cut_next(cut, 1);
        let answer = world.call(n, pay(payer, merchant, 100)).await.unwrap();
        assert_eq!(verdict(&Ok(answer.clone())), "applied");
        assert!(!answer.replayed);
        let replay = world.call(n, pay(payer, merchant, 100)).await.unwrap();
        assert_eq!(
            replay,
            Answer {
                replayed: true,
                ..answer
            }
        );
    }
    assert_eq!(proxy.made(), 20);
    assert_eq!(world.balance(payer).await, Decimal::ZERO);
    assert_eq!(world.balance(merchant).await, Decimal::from(2000));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_commit_that_never_arrived_is_done_again(_: PgPoolOptions, options: PgConnectOptions) {
    every_payment_happens_once(Cut::BeforeCommit, options).await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_commit_whose_reply_was_lost_is_found_and_not_done_again(_: PgPoolOptions, options: PgConnectOptions) {
    every_payment_happens_once(Cut::BeforeReply, options).await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_commit_that_is_answered_by_the_end_of_its_process_is_found(_: PgPoolOptions, options: PgConnectOptions) {
    every_payment_happens_once(Cut::Ended, options).await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_batch_whose_reply_was_lost_answers_everyone(_: PgPoolOptions, options: PgConnectOptions) {
    let proxy = Proxy::before(&options).await;
    let world = behind(&proxy, options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    for (round, cut) in [Cut::BeforeReply, Cut::BeforeCommit].into_iter().enumerate() {
        proxy.cut_next(cut, 1);
        let call = |n| {
            world.call(
                format!("{round}-{n}"),
                pay(payer, merchant, if n < 20 { 10 } else { 5000 }),
            )
        };
        let answers = together((0..30).map(call)).await;
        assert_eq!(tally(&answers), [("INSUFFICIENT", 10), ("applied", 20)]);
        assert!(answers.iter().flatten().all(|answer| !answer.replayed));
    }
    assert_eq!(proxy.made(), 2);
    assert_eq!(world.balance(payer).await, Decimal::from(600));
    world.finish().await;
}

/// While it can't be found out, the outcome is told to be unknown, never to be a failure; later the key knows.
#[sqlx::test(migrations = "../migrations")]
async fn an_outcome_that_stays_unknown_is_resolved_by_its_key(_: PgPoolOptions, options: PgConnectOptions) {
    let proxy = Proxy::before(&options).await;
    let world = behind(&proxy, options).await;
    let (payer, merchant) = (world.customer(200).await, world.merchant().await);
    for (name, cut) in [("lost", Cut::BeforeCommit), ("done", Cut::BeforeReply)] {
        proxy.cut_next(cut, 4);
        assert_eq!(world.call(name, pay(payer, merchant, 100)).await, Err(Failure::Unknown));
        proxy.cut_next(cut, 0);
        let operation = world.ledger.operation(world.tenant, ASKER, &key(name)).await.unwrap();
        assert_eq!(
            matches!(operation, Operation::Done(_)),
            cut == Cut::BeforeReply,
            "{operation:?}"
        );
        let answer = world.call(name, pay(payer, merchant, 100)).await;
        assert_eq!(verdict(&answer), "applied");
        assert_eq!(answer.unwrap().replayed, cut == Cut::BeforeReply);
    }
    assert_eq!(world.balance(merchant).await, Decimal::from(200));
    world.finish().await;
}

/// The marker that is found after the lost commit is that of an earlier request: it answers no other request.
#[sqlx::test(migrations = "../migrations")]
async fn a_reused_key_is_refused_even_if_the_commit_is_lost(_: PgPoolOptions, options: PgConnectOptions) {
    let proxy = Proxy::before(&options).await;
    let world = behind(&proxy, options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    world.call("one", pay(payer, merchant, 100)).await.unwrap();
    for cut in [Cut::BeforeReply, Cut::BeforeCommit] {
        proxy.cut_next(cut, 1);
        assert_eq!(
            world.call("one", pay(payer, merchant, 200)).await,
            Err(Failure::KeyReused)
        );
        proxy.cut_next(cut, 1);
        assert!(world.call("one", pay(payer, merchant, 100)).await.unwrap().replayed);
    }
    assert_eq!(proxy.made(), 4);
    world.finish().await;
}

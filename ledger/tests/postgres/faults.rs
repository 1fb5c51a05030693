//! Sessions that die, locks that others hold, rows that refuse: what is acknowledged is there once, what is not can be
//! tried again (T03, T11, C1, C2).

use ledger::{
    AccountId, Answer, Command, Failure,
    postgres::{Operation, counter},
};
use rust_decimal::Decimal;
use sqlx::{
    AssertSqlSafe, Executor, PgConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::time::Duration;
use uuid::Uuid;

use crate::world::{ASKER, Call, World, at, key, pay, tally, together, top_up_hana, verdict};

const CLIENTS: usize = 8;
const PAYMENTS: usize = 30;

/// Ends every session of the ledger that is at work, and says how many.
const KILL: &str = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                    where datname = current_database() and application_name = 'koban' and state <> 'idle'";

#[sqlx::test(migrations = "../migrations")]
async fn killed_backend_in_a_batch_loses_nothing(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(100_000).await, world.merchant().await);
    let clients = (0..CLIENTS).map(|client| {
        let calls: Vec<Call> = (0..PAYMENTS)
            .map(|n| world.call(client * PAYMENTS + n, pay(payer, merchant, 1)))
            .collect();
        tokio::spawn(async move {
            let mut answers = Vec::new();
            for call in calls {
                answers.push(call.await);
            }
            answers
        })
    });
    let clients: Vec<_> = clients.collect();
    let mut killer = world.session().await;
    let mut killed: i64 = 0;
    while !clients.iter().all(|client| client.is_finished()) {
        killed += sqlx::query_scalar::<_, i64>(KILL).fetch_one(&mut killer).await.unwrap();
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    let mut answers = Vec::new();
    for client in clients {
        answers.extend(client.await.unwrap());
    }
    let failed = answers.iter().filter(|answer| answer.is_err()).count();
    assert!(
        killed > 0 && failed > 0,
        "{killed} sessions were killed, {failed} calls failed"
    );
    for (name, answer) in answers.into_iter().enumerate() {
        let known = world.ledger.operation(world.tenant, ASKER, &key(name)).await.unwrap();
        let again = world.call(name, pay(payer, merchant, 1)).await.unwrap();
        match (answer, known) {
            (Ok(first), Operation::Done(saved)) => assert_eq!(first.body, saved.body),
            (Err(failure), Operation::Done(_)) => assert!(!failure.safe_new_key(), "{failure:?} was applied"),
            (Err(failure), Operation::NeverSeen) => assert!(failure.should_retry() && !again.replayed, "{failure:?}"),
            (answer, known) => panic!("{answer:?}, but {known:?}"),
        }
    }
    assert_eq!(world.balance(merchant).await, Decimal::from(CLIENTS * PAYMENTS));
    world.finish().await;
}

/// Another session that holds the balances of a town until it is told to let go.
async fn holding(world: &World) -> PgConnection {
    world.open_all().await;
    let mut session = world.session().await;
    session.execute("begin").await.unwrap();
    session.execute("select from ledger.balance for update").await.unwrap();
    session
}

/// Waits until so many sessions of the ledger wait for a lock.
async fn blocked(world: &World, sessions: i64) {
    let waiting = "select count(*) from pg_stat_activity where datname = current_database()
                   and application_name = 'koban' and wait_event_type = 'Lock'";
    while world.count(waiting).await < sessions {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn conflicts(world: &World) -> i64 {
    let totals = counter::totals(&mut world.session().await, world.tenant, at("2020-01-01T00:00:00Z")).await;
    totals.unwrap().get("conflict").copied().unwrap_or_default()
}

#[sqlx::test(migrations = "../migrations")]
async fn a_short_wait_is_no_conflict(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let mut holder = holding(&world).await;
    let call = tokio::spawn(world.call("one", pay(payer, merchant, 100)));
    blocked(&world, 1).await;
    assert_eq!(
        world.ledger.operation(world.tenant, ASKER, &key("one")).await,
        Ok(Operation::InFlight)
    );
    holder.execute("commit").await.unwrap();
    assert_eq!(verdict(&call.await.unwrap()), "applied");
    world.ledger.close().await;
    assert_eq!(conflicts(&world).await, 0);
    world.finish().await;
}

/// A queue has an end: what comes beyond it is told to come again, and nothing of what was accepted is lost.
#[sqlx::test(migrations = "../migrations")]
async fn what_comes_beyond_the_queue_is_throttled(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(10_000).await, world.merchant().await);
    let mut holder = holding(&world).await;
    let first = tokio::spawn(world.call("first", pay(payer, merchant, 1)));
    blocked(&world, 1).await;
    let calls = (0..5000).map(|n| tokio::spawn(world.call(n, pay(payer, merchant, 1))));
    let calls: Vec<_> = calls.collect();
    while calls.iter().filter(|call| call.is_finished()).count() < 5000 - 4096 {
        tokio::task::yield_now().await;
    }
    holder.execute("commit").await.unwrap();
    let mut answers = vec![first.await.unwrap()];
    for call in calls {
        answers.push(call.await.unwrap());
    }
    assert_eq!(tally(&answers), [("THROTTLED", 5000 - 4096), ("applied", 4097)]);
    assert_eq!(world.balance(merchant).await, Decimal::from(4097));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn conflicts_are_retried_and_counted(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let mut holder = holding(&world).await;
    let call = tokio::spawn(world.call("one", pay(payer, merchant, 100)));
    while conflicts(&world).await == 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    holder.execute("commit").await.unwrap();
    let Answer { replayed, .. } = call.await.unwrap().unwrap();
    assert!(!replayed);
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_lock_that_stays_is_a_conflict_that_leaves_nothing(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let mut holder = holding(&world).await;
    assert_eq!(
        world.call("one", pay(payer, merchant, 100)).await,
        Err(Failure::Conflict)
    );
    assert_eq!(
        world.ledger.operation(world.tenant, ASKER, &key("one")).await,
        Ok(Operation::NeverSeen)
    );
    holder.execute("rollback").await.unwrap();
    assert_eq!(verdict(&world.call("one", pay(payer, merchant, 100)).await), "applied");
    world.ledger.close().await;
    assert_eq!(conflicts(&world).await, 4);
    world.finish().await;
}

/// Two servers have both seen that a key is free when the first of them settles it (A2): the second undoes what it
/// planned and gives the answer of the first. That is no conflict: it takes nothing from the retries.
async fn second_of_one_key(world: &World, first: Command, second: Command) -> Result<Answer, Failure> {
    let other = world.other_server();
    let mut holder = holding(world).await;
    let first = tokio::spawn(world.call("one", first));
    blocked(world, 1).await;
    let second = tokio::spawn(other.call("one", second));
    blocked(world, 2).await;
    holder.execute("commit").await.unwrap();
    assert!(!first.await.unwrap().unwrap().replayed);
    let answer = second.await.unwrap();
    other.finish().await;
    assert_eq!(conflicts(world).await, 0);
    answer
}

#[sqlx::test(migrations = "../migrations")]
async fn a_key_that_another_server_settles_meanwhile_is_replayed(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let command = || pay(payer, merchant, 100);
    let second = second_of_one_key(&world, command(), command()).await.unwrap();
    assert!(second.replayed);
    assert_eq!(second.body, world.call("one", command()).await.unwrap().body);
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_key_that_another_server_settles_meanwhile_answers_no_other_request(
    _: PgPoolOptions,
    options: PgConnectOptions,
) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let second = second_of_one_key(&world, pay(payer, merchant, 100), pay(payer, merchant, 200)).await;
    assert_eq!(second, Err(Failure::KeyReused));
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    world.finish().await;
}

/// A failure leaves no marker of its own, so it must look for that of the first.
#[sqlx::test(migrations = "../migrations")]
async fn a_failure_does_not_hide_what_another_server_settles_meanwhile(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let nobody = AccountId(Uuid::nil());
    let second = second_of_one_key(&world, pay(payer, merchant, 100), pay(payer, nobody, 100)).await;
    assert_eq!(second, Err(Failure::KeyReused));
    world.finish().await;
}

/// Two batches over the same accounts are caught in the middle of their locks: if they took them in different orders,
/// each would hold what the other waits for.
#[sqlx::test(migrations = "../migrations")]
async fn batches_that_cross_take_their_locks_in_one_order(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let merchant = world.merchant().await;
    let mut payers = Vec::new();
    for _ in 0..12 {
        payers.push(world.customer(1000).await);
    }
    for round in 0..8 {
        let mut holder = world.session().await;
        holder.execute("begin").await.unwrap();
        let middle = format!(
            "select from ledger.balance where account_id = '{}' for update",
            payers[round + 2]
        );
        holder.execute(AssertSqlSafe(middle)).await.unwrap();
        let here = (0..12).map(|n| world.call(format!("{round}-{n}"), pay(payers[n], merchant, 1)));
        let there = (0..12)
            .rev()
            .map(|n| other.call(format!("other-{round}-{n}"), pay(payers[n], merchant, 1)));
        let calls = tokio::spawn(together(here.chain(there).collect::<Vec<_>>()));
        blocked(&world, 2).await;
        holder.execute("commit").await.unwrap();
        assert_eq!(tally(&calls.await.unwrap()), [("applied", 24)]);
    }
    other.finish().await;
    // A session reports its deadlocks when it ends.
    world.ledger.pool().close().await;
    let deadlocks = "select deadlocks from pg_stat_database where datname = current_database()";
    assert_eq!(world.count(deadlocks).await, 0);
    world.finish().await;
}

/// A row that refuses what the plan says stands for any guard that contradicts a plan.
#[sqlx::test(migrations = "../migrations")]
async fn a_poisoned_command_does_not_fail_its_neighbours(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant, poisoned) = (
        world.customer(1000).await,
        world.merchant().await,
        world.merchant().await,
    );
    world
        .run(format!(
            "alter table ledger.balance add constraint poison check (account_id <> '{poisoned}' or amount <= 20)"
        ))
        .await;
    let to = |n| if n % 3 == 0 { poisoned } else { merchant };
    let answers = together((0..30).map(|n| world.call(n, pay(payer, to(n), 10)))).await;
    assert_eq!(tally(&answers), [("INCONSISTENT", 8), ("applied", 22)]);
    assert_eq!(world.balance(payer).await, Decimal::from(780));
    world.run("alter table ledger.balance drop constraint poison").await;
    let answers = together((0..30).map(|n| world.call(n, pay(payer, to(n), 10)))).await;
    assert_eq!(tally(&answers), [("applied", 30)]);
    assert_eq!(world.balance(payer).await, Decimal::from(700));
    world.finish().await;
}

/// Between the lock and the write nobody can change a balance; a view that does so stands for a planner that is wrong.
#[sqlx::test(migrations = "../migrations")]
async fn a_guard_that_contradicts_the_plan_undoes_everything(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let account = world.customer(0).await;
    world.call("one", top_up_hana(account, 500)).await.unwrap();
    world
        .run(
            "create function ledger.raised() returns boolean language sql as
                 'update ledger.balance set amount = amount + 400; select true';
             alter table ledger.account rename to account_table;
             create view ledger.account as select * from ledger.account_table where ledger.raised()",
        )
        .await;
    // 550 and 400 are within the cap of 1000, but with the 400 that appeared they are not.
    assert_eq!(
        world.call("two", top_up_hana(account, 400)).await,
        Err(Failure::Inconsistent)
    );
    assert_eq!(
        world.ledger.operation(world.tenant, ASKER, &key("two")).await,
        Ok(Operation::NeverSeen)
    );
    world
        .run("drop view ledger.account; alter table ledger.account_table rename to account")
        .await;
    assert_eq!(verdict(&world.call("two", top_up_hana(account, 400)).await), "applied");
    world.finish().await;
}

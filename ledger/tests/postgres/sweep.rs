//! Expired markers are deleted, and no late repetition becomes a second operation (MISSION A4).

use chrono::TimeDelta;
use ledger::{
    AccountId, Answer, Failure,
    idempotency::{CLOCK_TOLERANCE, MARKER_TTL},
    money::Instant,
    postgres::marker,
};
use rust_decimal::Decimal;
use sqlx::{
    Connection, Executor, PgConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use uuid::Uuid;

use crate::world::{World, at, made_at, pay, tally, together};

const MARKERS: &str = "select count(*) from ledger.marker";

/// When the towns of these tests live.
fn then() -> Instant {
    at("2022-02-22T22:22:22Z")
}

/// When their markers may be swept.
fn later() -> Instant {
    then() + MARKER_TTL + CLOCK_TOLERANCE
}

/// A customer with 10,000 and a merchant of the town, without the marker of the charge.
async fn parties(town: &World) -> (AccountId, AccountId) {
    let parties = (town.customer(10_000).await, town.merchant().await);
    town.run("delete from ledger.marker").await;
    parties
}

async fn sweep(town: &World, at: Instant) -> u64 {
    let mut session = town.ledger.pool().acquire().await.unwrap();
    marker::sweep(&mut session, town.tenant, at).await.unwrap()
}

/// Declines that expired long ago.
async fn with_old_markers(world: &World, count: u32) {
    world
        .run(format!(
            "insert into ledger.marker
             select '{}', 'a', 'old ' || n, 'pay', sha256('old'), 'rejected', '{{}}',
                 '2021-01-01', '2021-04-01'
             from generate_series(1, {count}) n",
            world.tenant
        ))
        .await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_sweep_takes_what_expired_a_day_ago_of_its_tenant(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_clock(options, then).await;
    let neighbour = world.neighbour().await;
    let ((payer, merchant), _) = (parties(&world).await, neighbour.customer(1000).await);
    let answer = world.call("one", pay(payer, merchant, 100)).await.unwrap();
    let next_day = world.other_server_with_clock(|| then() + TimeDelta::days(1));
    next_day.call("two", pay(payer, merchant, 100)).await.unwrap();

    let a_day_ago = answer.key_expires_at + CLOCK_TOLERANCE;
    assert_eq!(sweep(&world, a_day_ago - TimeDelta::microseconds(1)).await, 0);
    assert_eq!(sweep(&world, a_day_ago).await, 1);
    assert_eq!(world.count(MARKERS).await, 2, "the next day's and the neighbour's");
    assert!(next_day.call("two", pay(payer, merchant, 100)).await.unwrap().replayed);
    next_day.finish().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_repetition_is_replayed_before_the_sweep_and_refused_after_it(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_clock(options, then).await;
    let (payer, merchant) = parties(&world).await;
    let command = || pay(payer, merchant, 100);
    let (key, decline) = (made_at(then()), made_at(then()));
    let first = world.call(key, command()).await.unwrap();
    world.call(decline, pay(payer, merchant, 50_000)).await.unwrap();

    let late = world.other_server_with_clock(later);
    let replayed = Answer {
        replayed: true,
        ..first
    };
    assert_eq!(late.call(key, command()).await, Ok(replayed));
    assert_eq!(sweep(&late, late.ledger.now()).await, 2);
    for _ in 0..2 {
        assert_eq!(late.call(key, command()).await, Err(Failure::KeyExpired));
        assert_eq!(late.call(decline, command()).await, Err(Failure::KeyExpired));
    }
    assert_eq!(world.count(MARKERS).await, 0);
    assert_eq!(world.balance(payer).await, Decimal::from(9900));
    late.finish().await;
    world.finish().await;
}

/// What no clock can tell from a new wish is one: such a key is free once its marker is gone, and the books agree.
#[sqlx::test(migrations = "../migrations")]
async fn a_key_that_is_no_uuid_v7_is_new_after_its_marker_was_swept(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_clock(options, then).await;
    let (payer, merchant) = parties(&world).await;
    let command = || pay(payer, merchant, 100);
    world.call("order-1", command()).await.unwrap();
    let late = world.other_server_with_clock(later);
    assert_eq!(sweep(&late, late.ledger.now()).await, 1);
    assert!(!late.call("order-1", command()).await.unwrap().replayed);
    assert!(late.call("order-1", command()).await.unwrap().replayed);
    assert_eq!(world.balance(payer).await, Decimal::from(9800));
    late.finish().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn repetitions_during_a_sweep_have_no_second_effect(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_clock(options, then).await;
    let (payer, merchant) = parties(&world).await;
    let keys: Vec<Uuid> = (0..1000).map(|_| made_at(then())).collect();
    let paid = together(keys.iter().map(|key| world.call(key, pay(payer, merchant, 10)))).await;
    assert_eq!(tally(&paid), [("applied", 1000)]);

    let late = world.other_server_with_clock(later);
    let swept = async {
        let (mut rounds, mut deleted) = (0, 0);
        while deleted < 1000 {
            deleted += sweep(&world, late.ledger.now()).await;
            rounds += 1;
        }
        rounds
    };
    let repeated = async {
        let mut tallies = Vec::new();
        for some in keys.chunks(50) {
            let answers = together(some.iter().map(|key| late.call(key, pay(payer, merchant, 10)))).await;
            assert!(answers.iter().flatten().all(|answer| answer.replayed));
            tallies.extend(tally(&answers));
        }
        tallies
    };
    let (rounds, tallies) = tokio::join!(swept, repeated);
    assert_eq!(rounds, 2);
    assert!(
        tallies
            .iter()
            .all(|(verdict, _)| ["applied", "KEY_EXPIRED"].contains(verdict)),
        "{tallies:?}"
    );
    assert_eq!(world.balance(payer).await, Decimal::ZERO);
    assert_eq!(world.count("select count(*) from ledger.payment").await, 1000);
    late.finish().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_sweep_that_was_interrupted_is_continued(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_clock(options, then).await;
    with_old_markers(&world, 1200).await;
    assert_eq!(sweep(&world, later()).await, 500);
    let mut session = world.session().await;
    let mut tx = session.begin().await.unwrap();
    assert_eq!(marker::sweep(&mut tx, world.tenant, later()).await, Ok(500));
    tx.rollback().await.unwrap();
    assert_eq!(world.count(MARKERS).await, 700);
    for expected in [500, 200, 0] {
        assert_eq!(sweep(&world, later()).await, expected);
    }
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn two_sweeps_at_once_delete_each_marker_once(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_clock(options, then).await;
    with_old_markers(&world, 3000).await;
    let all = async || {
        let mut deleted = 0;
        while world.count(MARKERS).await > 0 {
            deleted += sweep(&world, later()).await;
        }
        deleted
    };
    let (one, other) = tokio::join!(all(), all());
    assert_eq!(one + other, 3000);
    world.finish().await;
}

/// Whoever had to wait would give up with CONFLICT, for the transactions beside stay open until the answers are there.
#[sqlx::test(migrations = "../migrations")]
async fn a_payment_and_a_sweep_do_not_wait_for_each_other(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_clock(options, then).await;
    let (payer, merchant) = parties(&world).await;
    let command = || pay(payer, merchant, 100);
    let (known, new) = (made_at(then()), made_at(then()));
    world.call(known, command()).await.unwrap();

    let late = world.other_server_with_clock(later);
    let mut sweeper = world.session().await;
    let mut tx = sweeper.begin().await.unwrap();
    assert_eq!(marker::sweep(&mut tx, world.tenant, late.ledger.now()).await, Ok(1));
    assert!(late.call(known, command()).await.unwrap().replayed);
    assert!(!world.call(new, command()).await.unwrap().replayed);
    tx.commit().await.unwrap();

    let mut payment = in_the_middle_of_a_payment(&world).await;
    assert_eq!(sweep(&late, late.ledger.now()).await, 1, "the other payment's");
    payment.execute("rollback").await.unwrap();
    late.finish().await;
    world.finish().await;
}

/// A session that holds every lock that a payment takes, on all balances and totals, and has written a marker.
async fn in_the_middle_of_a_payment(world: &World) -> PgConnection {
    let mut session = world.session().await;
    for statement in [
        "begin",
        "select * from ledger.balance for update",
        "select * from ledger.payment for update",
        "insert into ledger.marker select tenant_id, actor, 'new', kind, fingerprint, verdict, body, created_at, expires_at
         from ledger.marker limit 1",
    ] {
        session.execute(statement).await.unwrap();
    }
    session
}

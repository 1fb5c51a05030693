//! One key, one effect, one answer (MISSION A2, A5, A6).

use chrono::TimeDelta;
use ledger::{
    Actor, ActorKind, Answer, Failure,
    idempotency::MARKER_TTL,
    money::Instant,
    postgres::{Counter, Operation, counter},
};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use uuid::Uuid;

use crate::world::{ASKER, World, at, key, made_at, pay, payment_of, refund, tally, together, top_up, verdict};

#[sqlx::test(migrations = "../migrations")]
async fn fifty_concurrent_calls_with_one_key_have_one_effect(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let answers = together((0..50).map(|_| world.call("one", pay(payer, merchant, 100)))).await;
    let answers: Vec<Answer> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(answers.iter().filter(|answer| answer.replayed).count(), 49);
    assert!(
        answers
            .iter()
            .all(|answer| answer.body == answers[0].body && answer.outcome == answers[0].outcome)
    );
    assert!(
        answers
            .iter()
            .all(|answer| answer.key_expires_at == answers[0].key_expires_at)
    );
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    assert_eq!(world.balance(merchant).await, Decimal::from(100));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_replay_on_another_server_is_byte_identical(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let first = world.call("one", pay(payer, merchant, 100)).await.unwrap();
    let declined = world.call("two", pay(payer, merchant, 5000)).await.unwrap();
    let other = world.other_server();
    for (name, units, expected) in [("one", 100, first), ("two", 5000, declined)] {
        let replay = other.call(name, pay(payer, merchant, units)).await.unwrap();
        assert_eq!(
            replay,
            Answer {
                replayed: true,
                ..expected.clone()
            }
        );
        let asked = other.ledger.operation(other.tenant, ASKER, &key(name)).await.unwrap();
        assert_eq!(
            asked,
            Operation::Done(Answer {
                replayed: true,
                ..expected
            })
        );
    }
    other.finish().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn same_key_other_command_is_refused(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let payment = payment_of(&world.call("one", pay(payer, merchant, 100)).await.unwrap());
    for other in [pay(payer, merchant, 101), top_up(payer, 100), refund(payment, 100)] {
        assert_eq!(world.call("one", other).await, Err(Failure::KeyReused));
    }
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn of_two_commands_that_share_a_key_in_one_batch_one_is_refused(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let calls = [100, 200, 100, 200].map(|units| world.call("one", pay(payer, merchant, units)));
    let answers = together(calls).await;
    assert_eq!(tally(&answers), [("KEY_REUSED", 2), ("applied", 2)]);
    assert_eq!(
        answers[0],
        answers[2].clone().map(|answer| Answer {
            replayed: false,
            ..answer
        })
    );
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn keys_of_two_tenants_are_independent(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let neighbour = world.neighbour().await;
    for town in [&world, &neighbour] {
        let (payer, merchant) = (town.customer(1000).await, town.merchant().await);
        let answer = town.call("one", pay(payer, merchant, 100)).await.unwrap();
        assert!(!answer.replayed);
        assert_eq!(town.balance(merchant).await, Decimal::from(100));
    }
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn keys_of_two_actors_are_independent(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let actors = [ActorKind::Customer, ActorKind::Terminal].map(|kind| Actor {
        kind,
        id: Uuid::from_u128(0xf2),
    });
    for actor in actors {
        assert!(
            !world
                .call_as(actor, "one", pay(payer, merchant, 100))
                .await
                .unwrap()
                .replayed
        );
    }
    assert_eq!(
        world.ledger.operation(world.tenant, ASKER, &key("one")).await,
        Ok(Operation::NeverSeen)
    );
    assert_eq!(world.balance(payer).await, Decimal::from(800));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn declined_command_never_charges_later(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(0).await, world.merchant().await);
    let declined = world.call("one", pay(payer, merchant, 100)).await;
    assert_eq!(verdict(&declined), "INSUFFICIENT");
    world.call("two", top_up(payer, 1000)).await.unwrap();
    let late = world.call("one", pay(payer, merchant, 100)).await.unwrap();
    assert_eq!(
        late,
        Answer {
            replayed: true,
            ..declined.unwrap()
        }
    );
    assert_eq!(world.balance(payer).await, Decimal::from(1000));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn unknown_account_leaves_no_marker(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let neighbour = world.neighbour().await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let (stranger, foreign) = (neighbour.customer(1000).await, neighbour.merchant().await);
    for (noun, command) in [
        ("merchant", pay(payer, payer, 100)),
        ("merchant", pay(payer, foreign, 100)),
        ("payer", pay(stranger, merchant, 100)),
        ("payer", pay(merchant, merchant, 100)),
        ("account", top_up(stranger, 100)),
        ("account", top_up(merchant, 100)),
    ] {
        assert_eq!(world.call("one", command).await, Err(Failure::NotFound(noun)));
        assert_eq!(
            world.ledger.operation(world.tenant, ASKER, &key("one")).await,
            Ok(Operation::NeverSeen)
        );
    }
    assert_eq!(verdict(&world.call("one", pay(payer, merchant, 100)).await), "applied");
    assert_eq!(neighbour.balance(stranger).await, Decimal::from(1000));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_failing_command_does_not_fail_its_batch(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let calls = (0..30).map(|n| match n % 3 {
        0 => world.call(n, pay(payer, payer, 10)),
        1 => world.call(n, pay(payer, merchant, 5000)),
        _ => world.call(n, pay(payer, merchant, 10)),
    });
    assert_eq!(
        tally(&together(calls).await),
        [("INSUFFICIENT", 10), ("NOT_FOUND", 10), ("applied", 10)]
    );
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_marker_holds_fingerprint_answer_and_ninety_days(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let command = pay(payer, merchant, 100);
    let fingerprint = command.fingerprint().0.to_vec();
    let answer = world.call("one", command).await.unwrap();
    type Row = (String, String, Vec<u8>, String, String, bool, bool);
    let row: Row = sqlx::query_as(
        "select actor, kind, fingerprint, verdict, body, expires_at = created_at + interval '90 days', expires_at = $1
         from ledger.marker where key = 'one'",
    )
    .bind(answer.key_expires_at)
    .fetch_one(&mut world.session().await)
    .await
    .unwrap();
    let (actor, kind, verdict) = (ASKER.to_string(), "pay".to_owned(), "applied".to_owned());
    assert_eq!(row, (actor, kind, fingerprint, verdict, answer.body, true, true));
    world.finish().await;
}

/// A fixed instant.
fn then() -> Instant {
    at("2022-02-22T22:22:22Z")
}

/// A UUIDv7 says when it was made. Once what came of it may be forgotten, it is refused: a late repetition never becomes
/// a new payment (A4). While it is remembered it is answered, however old it is.
#[sqlx::test(migrations = "../migrations")]
async fn a_key_that_may_be_forgotten_is_refused_unless_it_is_remembered(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_clock(options, then).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let command = || pay(payer, merchant, 100);
    let (known, unknown) = (made_at(then()), made_at(then()));
    let first = world.call(known, command()).await.unwrap();

    let later = world.other_server_with_clock(|| then() + MARKER_TTL);
    let again = later.call(known, command()).await.unwrap();
    assert_eq!((again.replayed, again.body), (true, first.body));
    for _ in 0..2 {
        assert_eq!(later.call(unknown, command()).await, Err(Failure::KeyExpired));
        let asked = later.ledger.operation(later.tenant, ASKER, &key(unknown)).await;
        assert_eq!(asked, Err(Failure::KeyExpired), "it may have happened");
    }
    assert_eq!(world.count("select count(*) from ledger.marker").await, 2);
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    later.finish().await;
    world.finish().await;
}

/// A client's clock may run ahead by a day: its key is remembered until it is refused by its own time. From further ahead
/// a key is refused, for its marker would outlive all others; when its time has come it may be used.
#[sqlx::test(migrations = "../migrations")]
async fn a_key_from_the_future_is_remembered_longer_or_refused(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_clock(options, then).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let command = || pay(payer, merchant, 100);
    let made_in = |hours| made_at(then() + TimeDelta::hours(hours));

    let ahead = made_in(23);
    let answer = world.call(ahead, command()).await.unwrap();
    let expires_at = then() + TimeDelta::hours(23) + MARKER_TTL;
    assert_eq!(answer.key_expires_at, expires_at);
    let stored = format!("select extract(epoch from expires_at)::bigint from ledger.marker where key = '{ahead}'");
    assert_eq!(world.count(stored).await, expires_at.timestamp());

    let far_ahead = made_in(25);
    let refused = world.call(far_ahead, command()).await;
    assert_eq!(verdict(&refused), "KEY_FROM_FUTURE");
    assert_eq!(world.balance(payer).await, Decimal::from(900));
    let later = world.other_server_with_clock(|| then() + TimeDelta::hours(2));
    assert!(!later.call(far_ahead, command()).await.unwrap().replayed);
    assert!(world.call(far_ahead, command()).await.unwrap().replayed);
    later.finish().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_closed_ledger_accepts_nothing(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    world.ledger.close().await;
    assert_eq!(
        world.call("one", pay(payer, merchant, 100)).await,
        Err(Failure::Unavailable)
    );
    assert_eq!(
        world.ledger.operation(world.tenant, ASKER, &key("one")).await,
        Ok(Operation::NeverSeen)
    );
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn what_closes_the_ledger_waits_for_what_was_accepted(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let calls: Vec<_> = (0..40)
        .map(|n| tokio::spawn(world.call(n, pay(payer, merchant, 10))))
        .collect();
    tokio::task::yield_now().await;
    world.ledger.close().await;
    for call in calls {
        assert_eq!(verdict(&call.await.unwrap()), "applied");
    }
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn replays_and_reused_keys_are_counted(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    together((0..4).map(|_| world.call("one", pay(payer, merchant, 100)))).await;
    assert_eq!(
        world.call("one", pay(payer, merchant, 7)).await,
        Err(Failure::KeyReused)
    );
    world.ledger.count(world.tenant, Counter::KeyMissing);
    world.ledger.close().await;
    let totals = counter::totals(world.ledger.pool(), world.tenant, at("2020-01-01T00:00:00Z"))
        .await
        .unwrap();
    for (name, count) in [
        ("key_missing", 1),
        ("key_reused", 1),
        ("replay", 3),
        // The charge, four at once, and the one that was refused: three batches of six.
        ("batch", 3),
        ("batched_command", 6),
    ] {
        assert_eq!(totals.get(name), Some(&count), "{name}: {totals:?}");
    }
    assert!(totals.contains_key("queue_wait_ms") && totals.contains_key("batch_ms"));
    world.finish().await;
}

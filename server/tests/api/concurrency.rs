//! Many callers at once.

use crate::world::World;
use futures::future::join_all;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

#[sqlx::test(migrations = "../migrations")]
async fn fifty_calls_with_one_key_have_one_effect(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let body = world.payment("100");
    let replies = join_all((0..50).map(|_| world.pay("k", &body))).await;
    let first: Vec<_> = replies
        .iter()
        .filter(|reply| reply.header("idempotent-replayed").is_none())
        .collect();
    assert_eq!(first.len(), 1);
    assert!(
        replies
            .iter()
            .all(|reply| reply.status == 201 && reply.bytes == first[0].bytes)
    );
    assert_eq!(world.balance(&world.town, world.town.customer).await, 900.into());
}

#[sqlx::test(migrations = "../migrations")]
async fn of_200_debits_of_10_on_1000_exactly_100_succeed(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let body = world.payment("10");
    let keys: Vec<String> = (0..200).map(|n| format!("k{n}")).collect();
    let replies = join_all(keys.iter().map(|key| world.pay(key, &body))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 100);
    let declined = replies
        .iter()
        .filter(|reply| reply.status == 400 && reply.problem().1 == "INSUFFICIENT");
    assert_eq!(declined.count(), 100);
    assert_eq!(world.balance(&world.town, world.town.customer).await, 0.into());
    assert_eq!(world.balance(&world.town, world.town.store).await, 1000.into());
}

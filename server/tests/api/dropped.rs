//! A03: requests that are dropped at any instant leave no pooled session inside a transaction, and nothing that was
//! acknowledged later is lost.

use std::{cell::Cell, time::Duration};

use crate::world::World;
use ledger::postgres::{balance, verify};
use sqlx::{
    ConnectOptions, Connection,
    postgres::{PgConnectOptions, PgPoolOptions},
};

#[sqlx::test(migrations = "../migrations")]
async fn a_dropped_request_harms_no_later_one(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options.clone()).await;
    let acknowledged = Cell::new(0);
    for dropped_after_us in (0..6_000).step_by(150) {
        let key = format!("dropped-{dropped_after_us}");
        let body = world.payment("1");
        let dropped = world.pay(&key, &body);
        let in_time = tokio::time::timeout(Duration::from_micros(dropped_after_us), dropped).await;
        let reply = world
            .pay(&format!("after-{dropped_after_us}"), &world.payment("1"))
            .await;
        assert_eq!(reply.status, 201);
        // What was dropped is finished by a retry with its key, once.
        assert_eq!(
            world.pay(&key, &world.payment("1")).await.status,
            201,
            "{:?}",
            in_time.map(|reply| reply.status)
        );
        acknowledged.set(acknowledged.get() + 2);
        let mut elsewhere = options.connect().await.unwrap();
        let seen = balance::of_account(&mut elsewhere, world.town.tenant, world.town.store)
            .await
            .unwrap();
        assert_eq!(
            seen.values().next().map(|amount| amount.normalize()),
            Some(acknowledged.get().into())
        );
        elsewhere.close().await.unwrap();
    }
    let checks = verify::run(world.state.ledger.pool()).await.unwrap();
    assert!(checks.iter().all(|check| check.broken == 0), "{checks:?}");
}

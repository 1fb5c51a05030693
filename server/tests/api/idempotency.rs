//! One key, one outcome: the same bytes, the same status, whoever asks again.

use crate::world::World;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

/// MISSION A5.
#[sqlx::test(migrations = "../migrations")]
async fn a_replay_is_the_same_answer_byte_for_byte(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let first = world.pay("k", &world.payment("250")).await;
    for _ in 0..3 {
        let again = world.pay("k", &world.payment("250.0")).await;
        assert_eq!((again.status, &again.bytes), (first.status, &first.bytes));
        for name in ["content-type", "idempotency-key", "idempotency-key-expires"] {
            assert_eq!(again.header(name), first.header(name), "{name}");
        }
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
    }
    assert_eq!(world.balance(&world.town, world.town.customer).await, 750.into());
}

/// MISSION A6: a late duplicate of a declined request never charges.
#[sqlx::test(migrations = "../migrations")]
async fn a_decline_stays_a_decline(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let first = world.pay("k", &world.payment("1001")).await;
    assert_eq!(first.problem(), (400, "INSUFFICIENT".to_owned(), String::new()));
    world.charge(&world.town, "5000").await;
    let again = world.pay("k", &world.payment("1001")).await;
    assert_eq!((again.status, &again.bytes), (first.status, &first.bytes));
    assert_eq!(world.balance(&world.town, world.town.customer).await, 6000.into());
}

/// MISSION A6: what never reached the ledger leaves nothing under its key.
#[sqlx::test(migrations = "../migrations")]
async fn a_refused_request_leaves_its_key_free(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let mut unknown = world.payment("10");
    unknown["merchant_account_id"] = serde_json::json!(uuid::Uuid::now_v7());
    assert_eq!(world.pay("k", &world.payment("1e1")).await.problem().0, 400);
    assert_eq!(world.pay("k", &unknown).await.problem().0, 404);
    assert_eq!(world.pay("k", &world.payment("10")).await.status, 201);
}

/// A05: a key belongs to its tenant and actor.
#[sqlx::test(migrations = "../migrations")]
async fn the_keys_of_two_callers_are_two_keys(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let mut by_code = world.payment("10");
    by_code["payer"] = serde_json::json!({ "code": world.town.customer_code });
    for token in [&world.town.integration, &world.town.terminal, &world.town.merchant] {
        let reply = world.post("/api/v1/payments", token, Some("same"), &by_code).await;
        assert_eq!(
            (reply.status.as_u16(), reply.header("idempotent-replayed")),
            (201, None)
        );
    }
    let other = &world.other_town;
    let body = serde_json::json!({
        "payer": { "account_id": other.customer }, "merchant_account_id": other.store, "asset": "ECOPAY", "amount": "10",
    });
    let reply = world
        .post("/api/v1/payments", &other.integration, Some("same"), &body)
        .await;
    assert_eq!(
        (reply.status.as_u16(), reply.header("idempotent-replayed")),
        (201, None)
    );
}

//! `POST /api/v1/top-ups`.

use crate::world::World;
use serde_json::json;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

#[sqlx::test(migrations = "../migrations")]
async fn a_charge_raises_the_balance(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let body = json!({ "account_id": world.town.customer, "asset": "ECOPAY", "amount": "500" });
    for (token, after) in [
        (&world.town.terminal, "1500"),
        (&world.town.admin, "2000"),
        (&world.town.integration, "2500"),
    ] {
        let reply = world.post("/api/v1/top-ups", token, Some("k"), &body).await;
        assert_eq!(reply.status, 201);
        let json = reply.json();
        assert_eq!(
            (&json["amount"], &json["bonus"], &json["balance_after"]),
            (&json!("500"), &json!("0"), &json!(after))
        );
        assert!(json["top_up_id"].is_string());
    }
    assert_eq!(
        world
            .post("/api/v1/top-ups", &world.town.merchant, Some("k"), &body)
            .await
            .problem()
            .0,
        403
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_charge_over_the_cap_is_declined_for_ever(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let body = json!({ "account_id": world.town.customer, "asset": "ECOPAY", "amount": "99001" });
    let first = world.post("/api/v1/top-ups", &world.town.admin, Some("k"), &body).await;
    assert_eq!(first.problem(), (400, "CAP_EXCEEDED".to_owned(), String::new()));
    assert_eq!(
        (&first.json()["should_retry"], &first.json()["safe_new_key"]),
        (&json!(false), &json!(true))
    );
    let again = world.post("/api/v1/top-ups", &world.town.admin, Some("k"), &body).await;
    assert_eq!(
        (again.status, again.header("idempotent-replayed")),
        (first.status, Some("true"))
    );
    assert_eq!(again.bytes, first.bytes);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_store_is_not_charged(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    for account in [world.town.store, world.other_town.customer] {
        let body = json!({ "account_id": account, "asset": "ECOPAY", "amount": "500" });
        assert_eq!(
            world
                .post("/api/v1/top-ups", &world.town.admin, None, &body)
                .await
                .problem()
                .0,
            404
        );
    }
}

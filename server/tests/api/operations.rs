//! `GET /api/v1/operations/{key}`.

use crate::world::World;
use serde_json::json;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

#[sqlx::test(migrations = "../migrations")]
async fn a_key_says_what_became_of_it(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let token = &world.town.integration;
    let paid = world
        .pay("a/b ?%".replace(' ', "+").as_str(), &world.payment("1"))
        .await;
    let declined = world.pay("declined", &world.payment("5000")).await;
    let asked = world.get("/api/v1/operations/a%2Fb%2B%3F%25", token).await;
    assert_eq!(
        asked.json(),
        json!({ "key": "a/b+?%", "state": "succeeded", "answer": paid.json() })
    );
    let bytes = String::from_utf8(asked.bytes).unwrap();
    assert!(
        bytes.contains(std::str::from_utf8(&paid.bytes).unwrap()),
        "the answer's bytes are those that were sent"
    );
    let asked = world.get("/api/v1/operations/declined", token).await;
    assert_eq!(
        asked.json(),
        json!({ "key": "declined", "state": "declined", "answer": declined.json() })
    );
    let asked = world.get("/api/v1/operations/unheard-of", token).await;
    assert_eq!(asked.json(), json!({ "key": "unheard-of", "state": "never_seen" }));
}

#[sqlx::test(migrations = "../migrations")]
async fn nobody_asks_about_the_keys_of_others(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    world.pay("k", &world.payment("1")).await;
    for token in [&world.town.merchant, &world.town.admin, &world.other_town.integration] {
        assert_eq!(
            world.get("/api/v1/operations/k", token).await.json()["state"],
            json!("never_seen")
        );
    }
}

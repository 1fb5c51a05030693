//! `POST /api/v1/payments/{id}/refunds`.

use crate::world::{Reply, World};
use serde_json::json;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

async fn paid(world: &World, amount: &str) -> String {
    world.pay("paid", &world.payment(amount)).await.json()["payment_id"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn refund(world: &World, token: &str, payment: &str, key: &str, amount: &str) -> Reply {
    let body = json!({ "amount": amount, "reason": "damaged" });
    world
        .post(&format!("/api/v1/payments/{payment}/refunds"), token, Some(key), &body)
        .await
}

#[sqlx::test(migrations = "../migrations")]
async fn parts_are_refunded_up_to_what_was_paid(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let payment = paid(&world, "300").await;
    let part = refund(&world, &world.town.merchant, &payment, "r1", "100").await;
    assert_eq!(
        (part.status.as_u16(), &part.json()["status"]),
        (201, &json!("partially_refunded"))
    );
    let too_much = refund(&world, &world.town.merchant, &payment, "r2", "201").await;
    assert_eq!(
        too_much.problem(),
        (400, "REFUND_EXCEEDS_CAPTURED".to_owned(), String::new())
    );
    let rest = refund(&world, &world.town.merchant, &payment, "r3", "200").await;
    assert_eq!(
        (rest.status.as_u16(), &rest.json()["status"]),
        (201, &json!("refunded"))
    );
    let after = refund(&world, &world.town.merchant, &payment, "r4", "1").await;
    assert_eq!(after.problem(), (409, "ILLEGAL_TRANSITION".to_owned(), String::new()));
    assert_eq!(world.balance(&world.town, world.town.customer).await, 1000.into());
}

#[sqlx::test(migrations = "../migrations")]
async fn nobody_refunds_the_payments_of_others(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let payment = paid(&world, "300").await;
    let (town, other) = (&world.town, &world.other_town);
    let cases = [
        (&town.terminal, 403),
        (&town.other_merchant, 404),
        (&other.merchant, 404),
        (&other.admin, 404),
        (&other.integration, 404),
    ];
    for (token, status) in cases {
        assert_eq!(refund(&world, token, &payment, "r", "1").await.problem().0, status);
    }
    for (n, token) in [&town.merchant, &town.admin, &town.integration].into_iter().enumerate() {
        assert_eq!(refund(&world, token, &payment, &format!("r{n}"), "1").await.status, 201);
    }
}

/// A17: twenty full refunds at once.
#[sqlx::test(migrations = "../migrations")]
async fn one_of_many_full_refunds_succeeds(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let payment = paid(&world, "300").await;
    let keys: Vec<String> = (0..20).map(|n| format!("r{n}")).collect();
    let calls = keys
        .iter()
        .map(|key| refund(&world, &world.town.merchant, &payment, key, "300"));
    let replies = futures::future::join_all(calls).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 1);
    assert_eq!(world.balance(&world.town, world.town.customer).await, 1000.into());
}

//! `POST /api/v1/payments`, `GET /api/v1/payments/{id}`, `GET /api/v1/accounts/{id}/balances`.

use crate::world::{CARD, PIN, World};
use serde_json::{Value, json};
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

#[sqlx::test(migrations = "../migrations")]
async fn a_payment_moves_money_and_says_what_it_earned(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let reply = world.pay("k1", &world.payment("250")).await;
    assert_eq!(reply.status, 201);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("idempotency-key"), Some("k1"));
    assert_eq!(reply.header("idempotent-replayed"), None);
    assert!(reply.header("idempotency-key-expires").is_some());
    let json = reply.json();
    let names: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "amount",
            "asset",
            "co2_saved_kg",
            "created_at",
            "payment_id",
            "points_earned",
            "status"
        ]
    );
    for (name, value) in [
        ("amount", "250"),
        ("asset", "ECOPAY"),
        ("co2_saved_kg", "2.500"),
        ("points_earned", "2"),
        ("status", "captured"),
    ] {
        assert_eq!(json[name], Value::from(value), "{name}");
    }
    assert_eq!(world.balance(&world.town, world.town.customer).await, 750.into());
    assert_eq!(world.balance(&world.town, world.town.store).await, 250.into());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_payer_is_named_by_code_or_card_or_account(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let payers = [
        json!({ "code": world.town.customer_code }),
        json!({ "card_number": CARD, "pin": PIN }),
        json!({ "account_id": world.town.customer }),
    ];
    for (n, payer) in payers.into_iter().enumerate() {
        let mut body = world.payment("10");
        body["payer"] = payer;
        assert_eq!(world.pay(&format!("k{n}"), &body).await.status, 201, "{body}");
    }
    assert_eq!(world.balance(&world.town, world.town.store).await, 30.into());
}

#[sqlx::test(migrations = "../migrations")]
async fn only_an_integration_debits_by_account(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    for token in [&world.town.terminal, &world.town.merchant, &world.town.admin] {
        let reply = world
            .post("/api/v1/payments", token, Some("k"), &world.payment("10"))
            .await;
        assert_eq!(reply.problem().0, 403);
    }
    assert_eq!(world.balance(&world.town, world.town.customer).await, 1000.into());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_terminal_takes_payments_for_its_own_store_only(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let mut body = world.payment("10");
    body["payer"] = json!({ "code": world.town.customer_code });
    for token in [&world.town.terminal, &world.town.merchant] {
        assert_eq!(world.post("/api/v1/payments", token, None, &body).await.status, 201);
    }
    body["merchant_account_id"] = json!(world.town.other_store);
    for token in [&world.town.terminal, &world.town.merchant] {
        assert_eq!(
            world.post("/api/v1/payments", token, None, &body).await.problem().0,
            403
        );
    }
    assert_eq!(world.balance(&world.town, world.town.other_store).await, 0.into());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_payment_is_shown_to_those_it_concerns(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let mut body = world.payment("100");
    body["memo"] = json!("お弁当");
    let payment = world.pay("k", &body).await.json()["payment_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/v1/payments/{payment}");
    let (town, other) = (&world.town, &world.other_town);
    for token in [&town.integration, &town.admin, &town.merchant, &town.terminal] {
        let reply = world.get(&path, token).await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.json()["amount"], json!("100"));
        assert_eq!(reply.json()["refunded"], json!("0"));
        assert_eq!(reply.json()["memo"], json!("お弁当"));
    }
    for token in [&town.other_merchant, &other.integration, &other.admin, &other.merchant] {
        assert_eq!(world.get(&path, token).await.problem().0, 404);
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn balances_are_shown_to_their_holder_and_the_tenant(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let path = format!("/api/v1/accounts/{}/balances", world.town.customer);
    for token in [&world.town.integration, &world.town.admin] {
        let reply = world.get(&path, token).await;
        assert_eq!(reply.status, 200);
        let expected = json!({ "ECOPAY": "1000", "POINT": "0", "JCREDIT": "0.000" });
        assert_eq!(
            reply.json(),
            json!({ "account_id": world.town.customer, "balances": expected })
        );
    }
    for token in [&world.town.terminal, &world.town.merchant, &world.other_town.admin] {
        assert_eq!(world.get(&path, token).await.problem().0, 404);
    }
    let own = format!("/api/v1/accounts/{}/balances", world.town.store);
    assert_eq!(world.get(&own, &world.town.merchant).await.status, 200);
}

#[sqlx::test(migrations = "../migrations")]
async fn whoever_has_no_key_gets_401(pool: PgPool) {
    let world = World::new((*pool.connect_options()).clone()).await;
    for token in ["", "koban_wrong", "null"] {
        let reply = world
            .post("/api/v1/payments", token, Some("k"), &world.payment("1"))
            .await;
        assert_eq!(reply.problem(), (401, "UNAUTHENTICATED".to_owned(), String::new()));
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
    }
}

//! Every kind of bad input has its answer, and the answer names the field.

use crate::world::World;
use axum::http::Method;
use ledger::{
    AccountStatus,
    postgres::{counter, key_stage, key_stage::Stage},
};
use serde_json::{Value, json};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use uuid::Uuid;

#[sqlx::test(migrations = "../migrations")]
async fn an_amount_is_a_text_of_plain_digits(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let texts = [
        "1e3", "1_000", "+5", ".5", "5.", "-0", "-5", "0", "0.0", "NaN", "Infinity", "1.5", "0x10", "01", " 5", "5 ",
        "1,000", "",
    ];
    let forty_digits = "9".repeat(40);
    let texts = texts
        .into_iter()
        .chain(["１０００", "５", &forty_digits])
        .map(Value::from);
    let others = [
        json!(5),
        json!(5.0),
        json!(1e3),
        json!(-5),
        json!(null),
        json!(true),
        json!(["5"]),
        json!({ "value": "5" }),
    ];
    for (n, amount) in texts.chain(others).enumerate() {
        let (status, code, field) = world
            .pay(&format!("k{n}"), &world.payment(amount.clone()))
            .await
            .problem();
        assert_eq!((status, field.as_str()), (400, "amount"), "{amount}: {code}");
    }
    assert_eq!(world.balance(&world.town, world.town.customer).await, 1000.into());
}

#[sqlx::test(migrations = "../migrations")]
async fn ten_and_ten_point_zero_are_one_request(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    assert_eq!(world.pay("k", &world.payment("10")).await.status, 201);
    assert_eq!(
        world
            .pay("k", &world.payment("10.0"))
            .await
            .header("idempotent-replayed"),
        Some("true")
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_missing_or_wrong_field_is_named(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let changes: [(&str, Value, &str); 14] = [
        ("payer", Value::Null, "payer"),
        ("payer", json!("x"), "payer"),
        ("payer", json!({}), "payer"),
        (
            "payer",
            json!({ "code": "X", "account_id": world.town.customer }),
            "payer",
        ),
        ("payer", json!({ "card_number": "9000000000000001" }), "payer"),
        ("payer", json!({ "code": 5 }), "payer.code"),
        ("payer", json!({ "code": "X", "name": "Y" }), "payer.name"),
        ("payer", json!({ "account_id": "not-an-id" }), "payer.account_id"),
        ("merchant_account_id", Value::Null, "merchant_account_id"),
        ("merchant_account_id", json!("not-an-id"), "merchant_account_id"),
        ("asset", json!(""), "asset"),
        ("asset", json!("YEN"), "asset"),
        ("memo", json!("x".repeat(141)), "memo"),
        ("role", json!("admin"), "role"),
    ];
    for (name, value, field) in changes {
        let mut body = world.payment("10");
        body[name] = value;
        let (status, code, named) = world.pay("k", &body).await.problem();
        assert_eq!((status, named.as_str()), (400, field), "{body}: {code}");
    }
    for name in ["payer", "merchant_account_id", "asset", "amount"] {
        let mut body = world.payment("10");
        body.as_object_mut().unwrap().remove(name);
        let (status, _, field) = world.pay("k", &body).await.problem();
        assert_eq!((status, field.as_str()), (400, name));
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_no_json_is_refused(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let twice = r#"{"amount":"1","amount":"1000"}"#;
    let bodies = ["", "{", "nonsense", "[]", "null", "{} {}", twice, "{\"amount\":\"1\",}"];
    for body in bodies {
        let reply = world
            .send(
                Method::POST,
                "/api/v1/payments",
                &world.town.integration,
                Some("k"),
                body.to_owned(),
            )
            .await;
        let (status, _, field) = reply.problem();
        assert_eq!(status, 400, "{body}");
        assert!(!field.is_empty(), "{body}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_body_over_64_kib_is_too_large(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let fits = format!("{}{}", world.payment("1"), " ".repeat(60 * 1024));
    let send = async |body| {
        world
            .send(
                Method::POST,
                "/api/v1/payments",
                &world.town.integration,
                Some("k"),
                body,
            )
            .await
    };
    assert_eq!(send(fits).await.status, 201);
    let over = format!("{}{}", world.payment("1"), " ".repeat(64 * 1024));
    assert_eq!(send(over).await.problem().0, 413);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_key_has_1_to_255_visible_characters(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (longest, too_long) = ("k".repeat(255), "k".repeat(256));
    for key in ["", "\"\"", " ", "a b", "\"a\tb\"", "a\tb", "\"a\"b\"", &too_long] {
        let (status, _, field) = world.pay(key, &world.payment("1")).await.problem();
        assert_eq!((status, field.as_str()), (400, "Idempotency-Key"), "{key:?}");
    }
    assert_eq!(world.pay(&longest, &world.payment("1")).await.status, 201);
    assert_eq!(
        world
            .pay("\"quoted\"", &world.payment("1"))
            .await
            .header("idempotency-key"),
        Some("quoted")
    );
    assert_eq!(
        world
            .pay("quoted", &world.payment("1"))
            .await
            .header("idempotent-replayed"),
        Some("true")
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_key_for_another_request_is_refused(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    assert_eq!(world.pay("k", &world.payment("10")).await.status, 201);
    let reply = world.pay("k", &world.payment("11")).await;
    assert_eq!(reply.problem(), (422, "KEY_REUSED".to_owned(), String::new()));
    assert_eq!(
        (&reply.json()["should_retry"], &reply.json()["safe_new_key"]),
        (&json!(false), &json!(false))
    );
}

/// MISSION A4: a UUIDv7 is refused when it is so old that what came of it may be forgotten, and when it lies in the future.
#[sqlx::test(migrations = "../migrations")]
async fn a_key_of_another_time_is_refused(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (old, future) = (
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "ffffffff-ffff-7fff-bfff-ffffffffffff",
    );
    let reply = world.pay(old, &world.payment("10")).await;
    assert_eq!(reply.problem(), (400, "KEY_EXPIRED".to_owned(), String::new()));
    // What it was for may have happened.
    assert_eq!(
        (&reply.json()["should_retry"], &reply.json()["safe_new_key"]),
        (&json!(false), &json!(false))
    );
    let asked = world
        .get(&format!("/api/v1/operations/{old}"), &world.town.integration)
        .await;
    assert_eq!(asked.problem(), (400, "KEY_EXPIRED".to_owned(), String::new()));

    let reply = world.pay(future, &world.payment("10")).await;
    let field = "idempotency_key".to_owned();
    assert_eq!(reply.problem(), (400, "KEY_FROM_FUTURE".to_owned(), field));
    assert_eq!(
        (&reply.json()["should_retry"], &reply.json()["safe_new_key"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(world.balance(&world.town, world.town.customer).await, 1000.into());
}

/// MISSION A8.
#[sqlx::test(migrations = "../migrations")]
async fn a_missing_key_is_let_through_by_stage(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (pool, tenant) = (world.state.ledger.pool(), world.town.tenant);
    let pay = async || {
        world
            .post("/api/v1/payments", &world.town.integration, None, &world.payment("10"))
            .await
    };
    for stage in [Stage::Optional, Stage::Observed] {
        key_stage::set(pool, tenant, "api", stage).await.unwrap();
        let reply = pay().await;
        assert_eq!(reply.status, 201);
        assert!(reply.header("idempotency-key").is_some());
    }
    key_stage::set(pool, tenant, "api", Stage::Required).await.unwrap();
    assert_eq!(
        pay().await.problem(),
        (400, "KEY_REQUIRED".to_owned(), "Idempotency-Key".to_owned())
    );
    world.state.ledger.close().await;
    let counts = counter::totals(pool, tenant, world.state.ledger.now() - chrono::TimeDelta::hours(1))
        .await
        .unwrap();
    assert_eq!(counts.get("key_missing"), Some(&3));
    assert_eq!(world.balance(&world.town, world.town.customer).await, 980.into());
}

#[sqlx::test(migrations = "../migrations")]
async fn unknown_and_foreign_things_are_not_found(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let customer = world.town.customer.0;
    for merchant in [Uuid::now_v7(), world.other_town.store.0, customer] {
        let mut body = world.payment("10");
        body["merchant_account_id"] = json!(merchant);
        assert_eq!(world.pay("k", &body).await.problem().0, 404, "{merchant}");
    }
    for payer in [
        json!({ "code": "NOBODY0000" }),
        json!({ "account_id": Uuid::now_v7() }),
        json!({ "account_id": world.other_town.customer }),
    ] {
        let mut body = world.payment("10");
        body["payer"] = payer;
        assert_eq!(world.pay("k", &body).await.problem().0, 404);
    }
    let mut body = world.payment("10");
    body["asset"] = json!("REGIONAL#nowhere");
    assert_eq!(world.pay("k", &body).await.problem().0, 404);
    assert_eq!(
        world
            .get("/api/v1/payments/not-an-id", &world.town.admin)
            .await
            .problem(),
        (400, "FIELD_INVALID".to_owned(), "payment_id".to_owned())
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_frozen_account_neither_pays_nor_is_paid(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    for account in [world.town.store, world.town.customer] {
        world.set_status(account, AccountStatus::Frozen).await;
        let reply = world.pay(&account.to_string(), &world.payment("10")).await;
        assert_eq!(reply.problem(), (400, "ACCOUNT_FROZEN".to_owned(), String::new()));
        world.set_status(account, AccountStatus::Active).await;
    }
    assert_eq!(world.pay("k", &world.payment("10")).await.status, 201);
}

#[sqlx::test(migrations = "../migrations")]
async fn addresses_that_are_not_there_answer_with_problems(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let token = &world.town.admin;
    for path in [
        "/api",
        "/api/",
        "/api/v1",
        "/api/v1/nothing",
        "/api/v2/payments",
        "/api/v1/payments/",
    ] {
        assert_eq!(world.get(path, token).await.problem().0, 404, "{path}");
    }
    for path in ["/api/v1/payments", "/api/v1/top-ups"] {
        assert_eq!(world.get(path, token).await.problem().0, 405, "{path}");
    }
    assert_eq!(
        world
            .send(Method::DELETE, "/api/v1/operations/k", token, None, String::new())
            .await
            .problem()
            .0,
        405
    );
}

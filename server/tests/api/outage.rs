//! The database is not there, or goes away.

use crate::world::World;
use axum::{body::Body, http::Request};
use ledger::postgres::connect;
use serde_json::json;
use server::{config::Site, router::router, state};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tower::ServiceExt;

#[sqlx::test(migrations = "../migrations")]
async fn without_a_database_the_answer_is_503_and_try_again(_: PgPoolOptions, options: PgConnectOptions) {
    let nowhere = options.socket("/nowhere");
    let surroundings = state::Surroundings {
        demo: false,
        https: false,
    };
    let state = state::new(connect(nowhere, 2), &[7; 32], &Site { folder: None }, surroundings).unwrap();
    let ask = async |path: &str| {
        let request = Request::get(path)
            .header("authorization", "Bearer koban_x")
            .body(Body::empty())
            .unwrap();
        router(state.clone()).oneshot(request).await.unwrap()
    };
    assert_eq!(ask("/healthz").await.status(), 200);
    for path in ["/readyz", "/api/v1/operations/k"] {
        let response = ask(path).await;
        assert_eq!(response.status(), 503, "{path}");
        assert!(response.headers().contains_key("retry-after"), "{path}");
    }
    // An earlier sending of the key may be done: only the same key is safe.
    let body = axum::body::to_bytes(ask("/api/v1/operations/k").await.into_body(), 4096);
    let problem: serde_json::Value = serde_json::from_slice(&body.await.unwrap()).unwrap();
    assert_eq!(
        (&problem["should_retry"], &problem["safe_new_key"]),
        (&json!(true), &json!(false))
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn sessions_that_the_database_ended_are_replaced(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let mut paid = 0;
    for n in 0..5 {
        let end = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
        let ended = sqlx::query(end).execute(world.state.ledger.pool()).await;
        let key = format!("k{n}");
        let mut reply = world.pay(&key, &world.payment("1")).await;
        for _ in 0..10 {
            if reply.status == 201 {
                break;
            }
            assert_eq!(reply.problem().0, 503, "{ended:?}");
            reply = world.pay(&key, &world.payment("1")).await;
        }
        assert_eq!(reply.status, 201);
        paid += 1;
    }
    assert_eq!(world.balance(&world.town, world.town.store).await, paid.into());
}

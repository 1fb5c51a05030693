//! What browsers are told, and which of their requests are believed (SECURITY S10, S46, S47).

use crate::world::World;
use app::context::AppState;
use axum::http::Method;
use server::router::router;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

#[sqlx::test(migrations = "../migrations")]
async fn a_form_of_another_site_is_not_carried_out(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let send = async |headers: &[(&str, &str)]| {
        let headers = [headers, &[FORM]].concat();
        world
            .ask(Method::POST, "/fn/sign_out", &headers, "role=customer".to_owned())
            .await
            .status
            .as_u16()
    };
    for origin in [
        "http://evil.test",
        "https://koban.test",
        "http://sub.koban.test",
        "null",
        "http://koban.test.evil.test",
    ] {
        assert_eq!(send(&[("origin", origin)]).await, 403, "{origin}");
    }
    assert_eq!(send(&[]).await, 403);
    assert_eq!(send(&[("sec-fetch-site", "cross-site")]).await, 403);
    assert_eq!(
        send(&[("origin", "http://evil.test"), ("sec-fetch-site", "same-origin")]).await,
        403
    );
    assert_ne!(send(&[("origin", "http://koban.test")]).await, 403);
    assert_ne!(send(&[("sec-fetch-site", "same-origin")]).await, 403);
}

#[sqlx::test(migrations = "../migrations")]
async fn nothing_changes_by_get(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    for path in ["/fn/sign_out", "/fn/sign_in?role=customer"] {
        assert_eq!(
            world.ask(Method::GET, path, &[], String::new()).await.status,
            405,
            "{path}"
        );
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn every_answer_tells_the_browser_to_be_careful(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    for path in ["/healthz", "/readyz", "/api/v1/nothing"] {
        let reply = world.ask(Method::GET, path, &[], String::new()).await;
        let expected = [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
            ("cache-control", "no-store"),
        ];
        for (name, value) in expected {
            assert_eq!(reply.header(name), Some(value), "{path} {name}");
        }
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_form_over_64_kib_is_too_large(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let body = format!("role=customer&next={}", "x".repeat(64 * 1024));
    let length = body.len().to_string();
    let headers = [
        FORM,
        ("origin", "http://koban.test"),
        ("content-length", length.as_str()),
    ];
    assert_eq!(
        world.ask(Method::POST, "/fn/sign_out", &headers, body).await.status,
        413
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn the_showcase_belongs_to_the_demo(_: PgPoolOptions, options: PgConnectOptions) {
    let mut world = World::new(options).await;
    for (demo, status) in [(false, 404), (true, 200)] {
        world.router = router(AppState {
            demo,
            ..world.state.clone()
        });
        let headers = [FORM, ("sec-fetch-site", "same-origin")];
        let reply = world.ask(Method::POST, "/fn/showcase", &headers, String::new()).await;
        assert_eq!(reply.status, status, "demo: {demo}");
    }
}

//! Every way into the process: pages, server functions, the JSON API, files, and what all of them have in common.

use std::{any::Any, time::Duration};

use app::{App, context::AppState, identity::seats, shell};
use axum::{
    Router,
    extract::Request,
    http::{Response, StatusCode},
    middleware::{self, Next},
    response::IntoResponse,
    routing::{any, get, post},
};
use leptos::prelude::provide_context;
use leptos_axum::{LeptosRoutes, generate_route_list, handle_server_fns_with_context};
use tower_http::{catch_panic::CatchPanicLayer, limit::RequestBodyLimitLayer};

use crate::{api, health, problem::Problem, security, session::Sessions, site, telemetry};

/// The most bytes of a request's body: no form of ours and no call of the API needs more.
pub(crate) const BODY_LIMIT: usize = 64 * 1024;
/// Longer than everything that a request may wait for: a connection, a lock, a statement.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The whole process as one service.
pub fn router(state: AppState) -> Router {
    let https = state.https;
    let sessions = Sessions::new(state.ledger.pool().clone());
    let router = Router::new()
        .merge(seats::with_sessions(pages(&state), &sessions, https))
        .nest("/api", api::router())
        // The one address under /api that the nested routes leave out.
        .route("/api/", any(api::no_such_address))
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready))
        // The innermost layer: a handler that takes too long is dropped, and what it submitted goes on (A03).
        .layer(middleware::from_fn(in_time))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(https, security::own_pages_only))
        .layer(middleware::from_fn_with_state(https, security::headers));
    telemetry::traced(router).with_state(state)
}

fn pages(state: &AppState) -> Router<AppState> {
    let options = state.leptos_options.clone();
    let context = page_context(state);
    let functions = {
        let context = context.clone();
        post(move |request: Request| handle_server_fns_with_context(context.clone(), request))
    };
    Router::new()
        .route("/fn/{*name}", functions)
        .leptos_routes_with_context(state, generate_route_list(App), context, move || shell(options.clone()))
        .fallback(site::file_or_not_found)
        .layer(RequestBodyLimitLayer::new(BODY_LIMIT))
}

/// What every page and server function finds in its context.
pub(crate) fn page_context(state: &AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    let state = state.clone();
    move || {
        provide_context(state.clone());
        security::provide_page_policy();
    }
}

async fn in_time(request: Request, next: Next) -> axum::response::Response {
    match tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::from(ledger::Failure::Unknown).into_response(),
    }
}

/// A panic is a bug: it is logged by the panic hook and told to nobody. What it interrupted is not known.
fn panicked(_panic: Box<dyn Any + Send + 'static>) -> Response<axum::body::Body> {
    let detail = "something went wrong on our side; ask for the outcome before trying again";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", detail).into_response()
}

//! Logs: one line an event, with no secret in it. Requests are logged by method, path and status; never by query,
//! header or body.

use anyhow::{Context, Result};
use axum::{Router, body::Body, extract::Request, http::Response};
use std::{io::IsTerminal, time::Duration};
use tower_http::trace::TraceLayer;
use tracing::Span;
use tracing_subscriber::EnvFilter;

/// Starts logging to the standard error stream.
///
/// # Errors
/// If the filter can't be read.
pub fn start(filter: &str, json: bool) -> Result<()> {
    let filter = EnvFilter::try_new(filter).with_context(|| format!("can't read the log filter `{filter}`"))?;
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(colours)
        .with_writer(std::io::stderr);
    if json {
        log.json().init()
    } else {
        log.init()
    }
    Ok(())
}

/// Logs every request when it is answered. Paths hold ids but no personal data; queries are left out, for people put
/// anything there.
pub(crate) fn traced<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    let layer = TraceLayer::new_for_http()
        .make_span_with(span)
        .on_request(())
        .on_response(answered)
        .on_failure(());
    router.layer(layer)
}

fn span(request: &Request) -> Span {
    tracing::info_span!("request", method = %request.method(), path = request.uri().path())
}

fn answered(response: &Response<Body>, latency: Duration, _span: &Span) {
    let status = response.status().as_u16();
    let millis = latency.as_millis();
    if response.status().is_server_error() {
        tracing::error!(status, millis, "answered");
    } else {
        tracing::debug!(status, millis, "answered");
    }
}

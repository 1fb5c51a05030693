//! The files of the site (style sheet, browser code, icons) as the build compressed them, and the page for every
//! address that has nothing.

use app::{context::AppState, shell};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use tower::ServiceExt;
use tower_http::services::ServeDir;

use crate::router::page_context;

/// Files under `/pkg` are named by their content, so a browser may keep them for ever.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Other files change with a release.
const FOR_AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// The site's file of that name, or the page that says that there is nothing, with status 404.
pub(crate) async fn file_or_not_found(State(state): State<AppState>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    match file(
        &state.leptos_options.site_root,
        Request::from_parts(parts.clone(), Body::empty()),
    )
    .await
    {
        Some(file) => file,
        None => not_found(state, Request::from_parts(parts, body)).await,
    }
}

async fn file(root: &str, request: Request) -> Option<Response> {
    let is_hashed = request.uri().path().starts_with("/pkg/");
    let files = ServeDir::new(root)
        .precompressed_br()
        .precompressed_gzip()
        .append_index_html_on_directories(false);
    let Ok(mut response) = files.oneshot(request).await;
    if response.status() == StatusCode::NOT_FOUND {
        return None;
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, if is_hashed { FOR_EVER } else { FOR_AN_HOUR });
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    Some(response.into_response())
}

async fn not_found(state: AppState, request: Request) -> Response {
    let options = state.leptos_options.clone();
    let render = leptos_axum::render_app_to_stream_with_context(page_context(&state), move || shell(options.clone()));
    let mut page = render(request).await;
    if page.status() == StatusCode::OK {
        *page.status_mut() = StatusCode::NOT_FOUND;
    }
    page
}

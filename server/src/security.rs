//! What every answer says to the browser, and which requests of a browser are believed.
//!
//! A request that changes something must come from one of our own pages: its `Origin` is the host that it asks, or
//! the browser says `Sec-Fetch-Site: same-origin`. The JSON API is exempt, for it takes bearer keys and no cookies.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use leptos::{nonce::use_nonce, prelude::use_context};
use leptos_axum::ResponseOptions;

/// For answers that are no page: nothing may be loaded or framed.
const NO_CONTENT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Not no-referrer: a form without JavaScript finds its way back by it.
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(self), microphone=(), geolocation=(), payment=()",
    ),
    (header::CONTENT_SECURITY_POLICY, NO_CONTENT_POLICY),
];

/// A year, as browsers ask for.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");

/// Adds what every answer says, where the answer does not say it itself. Pages and answers are kept by nobody; the
/// files of the site say themselves how long.
pub(crate) async fn headers(State(https): State<bool>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    if https {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
    }
    response
}

/// Sets the page's content policy: scripts carry this response's nonce, everything else comes from us.
pub(crate) fn provide_page_policy() {
    let (Some(response), Some(nonce)) = (use_context::<ResponseOptions>(), use_nonce()) else {
        return;
    };
    let policy = format!(
        "default-src 'self'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// Refuses a change that another site's page asks for (SECURITY S10).
pub(crate) async fn own_pages_only(State(https): State<bool>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if reads || is_api(request.uri()) || comes_from_us(request.headers(), request.uri(), https) {
        return next.run(request).await;
    }
    (
        StatusCode::FORBIDDEN,
        "This form was sent from another site, so it was not carried out.",
    )
        .into_response()
}

fn is_api(uri: &Uri) -> bool {
    uri.path().starts_with("/api/")
}

fn comes_from_us(headers: &HeaderMap, uri: &Uri, https: bool) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = text(header::ORIGIN) else {
        return text(HeaderName::from_static("sec-fetch-site")) == Some("same-origin");
    };
    let host = text(header::HOST).or_else(|| uri.authority().map(|authority| authority.as_str()));
    let scheme = if https { "https://" } else { "http://" };
    origin
        .strip_prefix(scheme)
        .is_some_and(|from| host.is_some_and(|host| host.eq_ignore_ascii_case(from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn believed(headers: &[(&str, &str)], https: bool) -> bool {
        let headers = headers.iter().map(|(name, value)| {
            (
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            )
        });
        comes_from_us(&headers.collect(), &Uri::from_static("/fn/pay"), https)
    }

    #[test]
    fn only_our_own_origin_is_believed() {
        let host = ("host", "koban.test:3000");
        let cases = [
            (vec![host, ("origin", "http://koban.test:3000")], true),
            (vec![host, ("origin", "http://KOBAN.test:3000")], true),
            (vec![host, ("origin", "https://koban.test:3000")], false),
            (vec![host, ("origin", "http://koban.test")], false),
            (vec![host, ("origin", "http://evil.koban.test:3000")], false),
            (vec![host, ("origin", "http://koban.test:3000.evil.test")], false),
            (vec![host, ("origin", "null")], false),
            (vec![host, ("origin", "null"), ("sec-fetch-site", "same-origin")], false),
            (vec![host, ("sec-fetch-site", "same-origin")], true),
            (vec![host, ("sec-fetch-site", "same-site")], false),
            (vec![host, ("sec-fetch-site", "cross-site")], false),
            (vec![host, ("sec-fetch-site", "none")], false),
            (vec![host], false),
            (vec![("origin", "http://koban.test:3000")], false),
        ];
        for (headers, expected) in cases {
            assert_eq!(believed(&headers, false), expected, "{headers:?}");
        }
        assert!(believed(
            &[("host", "koban.test"), ("origin", "https://koban.test")],
            true
        ));
        assert!(!believed(
            &[("host", "koban.test"), ("origin", "http://koban.test")],
            true
        ));
    }
}

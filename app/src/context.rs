//! What the server gives to pages and server functions: the state, the tenant, who asks, and how an answer goes out.

use axum::extract::FromRef;
use axum::http::header::{ACCEPT, COOKIE, HOST, LOCATION, REFERER, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use chrono::NaiveDate;
use ledger::money::Instant;
use ledger::postgres::tenant::{self, Tenant};
use ledger::{Ledger, calendar};
use leptos::prelude::{LeptosOptions, expect_context, use_context};
use leptos_axum::ResponseOptions;
use tower_sessions::cookie::Cookie;

use crate::identity::secrets::Secrets;
use crate::identity::{Caller, Role, next, seats, terminals};
use crate::problem::{self, Problem};

/// What every request may use; cloning is cheap.
#[derive(Clone)]
pub struct AppState {
    pub ledger: Ledger,
    pub leptos_options: LeptosOptions,
    pub secrets: Secrets,
    /// Whether the server shows its demo tenant and the components' showcase.
    pub demo: bool,
    /// Whether browsers reach the server over HTTPS, so that cookies can be bound to it.
    pub https: bool,
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos_options.clone()
    }
}

/// The server's state.
#[must_use]
pub fn state() -> AppState {
    expect_context::<AppState>()
}

/// Refuses what only the demo shows.
///
/// # Errors
/// `NOT_FOUND` outside the demo.
pub fn in_demo() -> Result<(), Problem> {
    if state().demo {
        return Ok(());
    }
    Err(Problem::new(problem::NOT_FOUND))
}

/// The tenant whose pages the request's host name serves.
///
/// # Errors
/// [`Problem`] if there is none, or the database can't be asked.
pub async fn tenant() -> Result<Tenant, Problem> {
    told(tenant_of(&state(), host().as_deref()).await)
}

/// The host name that the request asks for, with its port.
fn host() -> Option<String> {
    let read = |parts: &Parts| {
        let named = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
        named
            .or(parts.uri.authority().map(|authority| authority.as_str()))
            .map(str::to_owned)
    };
    with_parts(read).flatten()
}

/// The server's address as the browser sees it, such as `https://pay.example`.
#[must_use]
pub fn origin() -> String {
    let scheme = if state().https { "https" } else { "http" };
    format!("{scheme}://{}", host().unwrap_or_default())
}

/// The tenant of a host name, else the one that has no name of its own.
///
/// # Errors
/// [`Problem`] if there is none, or the database can't be asked.
pub async fn tenant_of(state: &AppState, host: Option<&str>) -> Result<Tenant, Problem> {
    let tenants = tenant::all(state.ledger.pool()).await?;
    served(tenants, host).ok_or_else(|| Problem::at("tenant", problem::NOT_FOUND))
}

fn served(mut tenants: Vec<Tenant>, host: Option<&str>) -> Option<Tenant> {
    let without_port = |host: &str| {
        host.rsplit_once(':')
            .map_or(host, |(name, _)| name)
            .to_ascii_lowercase()
    };
    let name = host.map(without_port);
    let named = tenants
        .iter()
        .position(|tenant| tenant.host.is_some() && tenant.host == name);
    if let Some(named) = named {
        return Some(tenants.swap_remove(named));
    }
    tenants.retain(|tenant| tenant.host.is_none());
    tenants.pop().filter(|_| tenants.is_empty())
}

/// Who asks through the face of `role`.
///
/// # Errors
/// [`Problem`]; `SIGN_IN_REQUIRED` if nobody is signed in there, in this tenant.
pub async fn caller(role: Role) -> Result<Caller, Problem> {
    let (state, tenant) = (state(), tenant().await?);
    let caller = match role {
        Role::Terminal => {
            terminals::of_device(&state, tenant.tenant_id, cookie(terminals::cookie_name(state.https))).await
        }
        _ => {
            seats::caller(
                &state,
                tenant.tenant_id,
                role,
                with_parts(|parts| seats::of(parts, role)).flatten(),
            )
            .await
        }
    };
    let caller = told(caller);
    if caller
        .as_ref()
        .is_err_and(|problem| problem.is(problem::SIGN_IN_REQUIRED))
    {
        sign_in_first(role);
    }
    caller
}

/// Sends a plain form whose person is not signed in any more to the sign-in, and from there back to the form's page.
fn sign_in_first(role: Role) {
    let form = with_parts(|parts| {
        let page: Uri = parts
            .headers
            .get(REFERER)
            .filter(|_| parts.method == Method::POST)?
            .to_str()
            .ok()?
            .parse()
            .ok()?;
        Some(page.path_and_query()?.to_string())
    });
    if let Some(page) = form.flatten() {
        see_other(&next::with_next(
            role.sign_in(),
            next::own_path(&page).unwrap_or_default(),
        ));
    }
}

/// The signed-in customer.
///
/// # Errors
/// As [`caller`].
pub async fn customer() -> Result<Caller, Problem> {
    caller(Role::Customer).await
}

/// The signed-in merchant.
///
/// # Errors
/// As [`caller`].
pub async fn merchant() -> Result<Caller, Problem> {
    caller(Role::Merchant).await
}

/// The signed-in admin.
///
/// # Errors
/// As [`caller`].
pub async fn admin() -> Result<Caller, Problem> {
    caller(Role::Admin).await
}

/// The paired terminal.
///
/// # Errors
/// As [`caller`].
pub async fn terminal() -> Result<Caller, Problem> {
    caller(Role::Terminal).await
}

/// Reads the request; `None` outside of one.
pub fn with_parts<T>(read: impl FnOnce(&Parts) -> T) -> Option<T> {
    use_context::<Parts>().map(|parts| read(&parts))
}

/// Gives the answer the status of its problem, if it has one.
///
/// # Errors
/// The one that is passed in.
pub fn told<T, E: Into<Problem>>(result: Result<T, E>) -> Result<T, Problem> {
    let result = result.map_err(Into::into);
    if let (Err(problem), Some(response)) = (&result, use_context::<ResponseOptions>())
        && let Ok(status) = StatusCode::from_u16(problem.status())
    {
        response.set_status(status);
    }
    result
}

/// Sends a plain form to `path` (303). A script gets the function's answer instead, and goes on by itself.
pub fn see_other(path: &str) {
    let is_form = with_parts(|parts| parts.headers.get(ACCEPT).is_some_and(accepts_html)).unwrap_or(false);
    let (true, Some(response), Ok(location)) = (is_form, use_context::<ResponseOptions>(), HeaderValue::from_str(path))
    else {
        return;
    };
    response.set_status(StatusCode::SEE_OTHER);
    response.insert_header(LOCATION, location);
}

/// Ends a plain form: goes on to `there`, or back to the page of the form with the problem and what was typed.
///
/// # Errors
/// The one that is passed in.
pub fn finish<T, E: Into<Problem>>(
    result: Result<T, E>,
    there: &str,
    form: &str,
    kept: &[(&str, &str)],
) -> Result<T, Problem> {
    let result = told(result);
    match &result {
        Ok(_) => see_other(there),
        Err(problem) => see_other(&problem::with_problem(form, kept, problem)),
    }
    result
}

fn accepts_html(accept: &HeaderValue) -> bool {
    accept.to_str().is_ok_and(|accept| accept.contains("text/html"))
}

/// The value of the request's cookie `name`.
#[must_use]
pub fn cookie(name: &str) -> Option<String> {
    with_parts(|parts| {
        let headers = parts
            .headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|header| header.to_str().ok());
        let mut cookies = headers.flat_map(Cookie::split_parse).filter_map(Result::ok);
        cookies
            .find(|cookie| cookie.name() == name)
            .map(|cookie| cookie.value().to_owned())
    })
    .flatten()
}

/// Has the browser keep `cookie`.
pub fn set_cookie(cookie: &Cookie<'_>) {
    if let (Some(response), Ok(value)) = (
        use_context::<ResponseOptions>(),
        HeaderValue::from_str(&cookie.to_string()),
    ) {
        response.append_header(SET_COOKIE, value);
    }
}

/// `at` on the tenant's clock, as a page shows it: `2026/05/01 12:03`.
#[must_use]
pub fn local_time(tenant: &Tenant, at: Instant) -> String {
    at.with_timezone(&calendar::zone(&tenant.time_zone))
        .format("%Y/%m/%d %H:%M")
        .to_string()
}

/// The date of `at` on the tenant's calendar, and the instants at which that day begins and ends.
#[must_use]
pub fn local_day(tenant: &Tenant, at: Instant) -> (NaiveDate, Instant, Instant) {
    let zone = calendar::zone(&tenant.time_zone);
    let date = calendar::day_of(zone, at);
    let next = date.succ_opt().unwrap_or(date);
    (
        date,
        calendar::beginning_of(zone, date),
        calendar::beginning_of(zone, next),
    )
}

#[cfg(test)]
mod tests {
    use super::{local_day, served};
    use ledger::TenantId;
    use ledger::postgres::tenant::Tenant;
    use uuid::Uuid;

    fn tenant(slug: &str, host: Option<&str>) -> Tenant {
        let (slug, name, host) = (slug.to_owned(), slug.to_owned(), host.map(str::to_owned));
        Tenant {
            tenant_id: TenantId(Uuid::nil()),
            slug,
            name,
            host,
            time_zone: "UTC".to_owned(),
        }
    }

    #[test]
    fn a_host_name_serves_one_tenant_and_no_other() {
        let tenants = vec![tenant("first", None), tenant("second", Some("second.example"))];
        let slug = |host| served(tenants.clone(), host).map(|tenant| tenant.slug);
        assert_eq!(slug(Some("Second.example:3000")).as_deref(), Some("second"));
        assert_eq!(slug(Some("127.0.0.1:3000")).as_deref(), Some("first"));
        assert_eq!(slug(None).as_deref(), Some("first"));
        let both = vec![tenant("first", None), tenant("second", None)];
        assert_eq!(served(both, Some("any.example")), None);
    }

    fn day(zone: &str, at: &str) -> (String, String, String) {
        let tenant = Tenant {
            time_zone: zone.to_owned(),
            ..tenant("town", None)
        };
        let (date, from, to) = local_day(&tenant, at.parse().unwrap());
        (date.to_string(), from.to_rfc3339(), to.to_rfc3339())
    }

    #[test]
    fn a_day_is_the_tenants_own() {
        let (date, from, to) = day("Asia/Tokyo", "2026-04-30T15:30:00Z");
        assert_eq!(date, "2026-05-01");
        assert_eq!(
            (from.as_str(), to.as_str()),
            ("2026-04-30T15:00:00+00:00", "2026-05-01T15:00:00+00:00")
        );
    }

    #[test]
    fn a_day_without_a_midnight_begins_an_hour_later() {
        let (_, from, to) = day("America/Sao_Paulo", "2018-11-04T12:00:00Z");
        assert_eq!(
            (from.as_str(), to.as_str()),
            ("2018-11-04T03:00:00+00:00", "2018-11-05T02:00:00+00:00")
        );
    }
}

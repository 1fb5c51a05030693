//! Sessions: one for each face, each with a cookie of its own, so that signing in as a merchant never mixes with being a
//! customer in the same browser.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::middleware::{self, Next};
use axum::response::Response;
use chrono::TimeDelta;
use ledger::money::Instant;
use ledger::{AccountId, Actor, ActorKind, TenantId};
use serde::{Deserialize, Serialize};
use tower_sessions::cookie::{SameSite, time::Duration};
use tower_sessions::{Expiry, Session, SessionManagerLayer, SessionStore};
use uuid::Uuid;

use super::people;
use crate::context::AppState;
use crate::identity::{Caller, Role};
use crate::problem::{self, Problem};

const SEAT: &str = "seat";
const FACES: [Role; 3] = [Role::Customer, Role::Merchant, Role::Admin];

/// What a session says: who sits there, since when.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Seat {
    tenant: TenantId,
    person: Uuid,
    signed_in_at: Instant,
    seen_at: Instant,
}

/// How long a session lives without being used, and at most.
struct Lifetime {
    idle: TimeDelta,
    total: TimeDelta,
}

fn lifetime(role: Role) -> Lifetime {
    match role {
        Role::Customer => Lifetime {
            idle: TimeDelta::days(30),
            total: TimeDelta::days(90),
        },
        Role::Merchant => Lifetime {
            idle: TimeDelta::hours(12),
            total: TimeDelta::hours(12),
        },
        _ => Lifetime {
            idle: TimeDelta::minutes(15),
            total: TimeDelta::hours(8),
        },
    }
}

/// The sessions of a request.
#[derive(Clone, Default)]
struct Sessions(BTreeMap<Role, Session>);

/// Adds the sessions of the three faces that people sign in to; routes that are added later have none.
pub fn with_sessions<T, S>(router: Router<T>, store: &S, https: bool) -> Router<T>
where
    T: Clone + Send + Sync + 'static,
    S: SessionStore + Clone,
{
    FACES.into_iter().fold(router, |router, role| {
        let layer = SessionManagerLayer::new(store.clone())
            .with_name(cookie_name(role, https))
            .with_secure(https)
            // A payment link in a message or a QR code is a first hop from elsewhere; the session must be there.
            .with_same_site(SameSite::Lax)
            .with_expiry(Expiry::OnInactivity(Duration::seconds(
                lifetime(role).idle.num_seconds(),
            )));
        router
            .layer(middleware::from_fn(move |request: Request, next: Next| {
                keep(role, request, next)
            }))
            .layer(layer)
    })
}

fn cookie_name(role: Role, https: bool) -> String {
    let prefix = if https { "__Host-" } else { "" };
    format!("{prefix}koban-{}", role.as_str())
}

/// Puts the session of one face beside those of the others.
async fn keep(role: Role, mut request: Request, next: Next) -> Response {
    if let Some(session) = request.extensions().get::<Session>().cloned() {
        let mut sessions = request.extensions().get::<Sessions>().cloned().unwrap_or_default();
        sessions.0.insert(role, session);
        request.extensions_mut().insert(sessions);
    }
    next.run(request).await
}

/// The request's session on the face of `role`.
#[must_use]
pub fn of(parts: &Parts, role: Role) -> Option<Session> {
    parts
        .extensions
        .get::<Sessions>()
        .and_then(|sessions| sessions.0.get(&role).cloned())
}

/// Seats a person in the session, under a new id.
///
/// # Errors
/// [`Problem`] if the session can't be kept; nobody is signed in then.
pub async fn take(state: &AppState, session: Option<Session>, tenant: TenantId, person: Uuid) -> Result<(), Problem> {
    let session = session.ok_or_else(unavailable)?;
    let now = state.ledger.now();
    session.cycle_id().await.map_err(|_| unavailable())?;
    session
        .insert(
            SEAT,
            Seat {
                tenant,
                person,
                signed_in_at: now,
                seen_at: now,
            },
        )
        .await
        .map_err(|_| unavailable())
}

/// Ends the session: its row is deleted, its cookie removed.
///
/// # Errors
/// [`Problem`] if the session can't be deleted.
pub async fn leave(session: Option<Session>) -> Result<(), Problem> {
    match session {
        Some(session) => session.flush().await.map_err(|_| unavailable()),
        None => Ok(()),
    }
}

/// Who sits in the session. The person is read each time, so a change of rights counts from the next request on.
///
/// # Errors
/// [`Problem`] `SIGN_IN_REQUIRED` if nobody does, in this tenant and role, or sat there too long.
pub async fn caller(
    state: &AppState,
    tenant: TenantId,
    role: Role,
    session: Option<Session>,
) -> Result<Caller, Problem> {
    let nobody = || Problem::new(problem::SIGN_IN_REQUIRED);
    let session = session.ok_or_else(nobody)?;
    let seat: Option<Seat> = session.get(SEAT).await.map_err(|_| unavailable())?;
    let seat = seat
        .filter(|seat| seat.tenant == tenant && is_fresh(seat, role, state.ledger.now()))
        .ok_or_else(nobody)?;
    let person = people::find(state.ledger.pool(), tenant, seat.person).await?;
    let person = person
        .filter(|person| person.role == role.as_str() && person.disabled_at.is_none())
        .ok_or_else(nobody)?;
    touch(&session, seat, state.ledger.now()).await?;
    let kind = match role {
        Role::Merchant => ActorKind::Merchant,
        Role::Admin => ActorKind::Admin,
        _ => ActorKind::Customer,
    };
    let actor = Actor {
        kind,
        id: person.person_id,
    };
    Ok(Caller {
        tenant,
        actor,
        role,
        account: person.account_id.map(AccountId),
        name: person.name,
    })
}

fn is_fresh(seat: &Seat, role: Role, now: Instant) -> bool {
    let Lifetime { idle, total } = lifetime(role);
    now - seat.signed_in_at < total && now - seat.seen_at < idle
}

/// Notes, at most once a minute, that the session is in use.
async fn touch(session: &Session, seat: Seat, now: Instant) -> Result<(), Problem> {
    if now - seat.seen_at < TimeDelta::minutes(1) {
        return Ok(());
    }
    session
        .insert(SEAT, Seat { seen_at: now, ..seat })
        .await
        .map_err(|_| unavailable())
}

fn unavailable() -> Problem {
    Problem::new("UNAVAILABLE")
}

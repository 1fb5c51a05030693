//! Markers: one row per idempotency key, written once, in the database transaction of its operation, and swept after its
//! key can do no harm (MISSION A2, A4).

use sqlx::{PgConnection, PgExecutor};
use std::collections::HashMap;

use super::execute::Request;
use crate::{
    account::Actor,
    command::Command,
    failure::Failure,
    id::TenantId,
    idempotency::{CLOCK_TOLERANCE, Fingerprint, IdempotencyKey},
    money::Instant,
    outcome::{Answer, Outcome},
};

/// The most markers that one [`sweep`] deletes.
const SWEEP_BATCH: i64 = 500;

/// Who used which key.
pub(super) type MarkerKey = (String, String);

pub(super) fn marker_key(request: &Request) -> MarkerKey {
    (request.actor.clone(), request.key.to_string())
}

/// A fence has a marker of its own beside that of its key: its actor with this at the end.
const FENCE: &str = "/fence";

/// Under whose name the marker of a command of `actor` stands.
pub(super) fn scope(actor: Actor, command: &Command) -> String {
    match command {
        Command::Fence => format!("{actor}{FENCE}"),
        _ => actor.to_string(),
    }
}

/// The marker that a fence is about.
pub(super) fn fenced_key(request: &Request) -> Option<MarkerKey> {
    let actor = request.actor.strip_suffix(FENCE)?;
    Some((actor.to_owned(), request.key.to_string()))
}

/// A stored outcome.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    /// `None` for a key that was fenced before anything came under it: whatever comes is answered alike.
    pub(super) fingerprint: Option<Fingerprint>,
    pub(super) kind: String,
    verdict: String,
    body: String,
    expires_at: Instant,
}

/// A marker to write.
pub(super) struct Row {
    pub(super) of: MarkerKey,
    pub(super) kind: &'static str,
    pub(super) fingerprint: Fingerprint,
    pub(super) verdict: &'static str,
    pub(super) body: String,
    pub(super) expires_at: Instant,
}

impl Saved {
    pub(super) fn answer(&self, replayed: bool) -> Result<Answer, Failure> {
        Ok(Answer {
            outcome: Outcome::parse(&self.kind, &self.verdict, &self.body)?,
            body: self.body.clone(),
            replayed,
            key_expires_at: self.expires_at,
        })
    }
}

/// The outcomes of `markers` that are there. The limit keeps it a look-up for each of them: a plain join may be planned
/// as a walk through all markers of the tenant, when there are few, and the plan stays when they are many.
pub(super) async fn saved(
    db: &mut PgConnection,
    tenant: TenantId,
    markers: impl Iterator<Item = MarkerKey>,
) -> Result<HashMap<MarkerKey, Saved>, sqlx::Error> {
    let (actors, keys): (Vec<String>, Vec<String>) = markers.unzip();
    let rows = sqlx::query!(
        r#"
        select m.actor, m.key, m.kind, m.fingerprint, m.verdict, m.body, m.expires_at
        from unnest($2::text[], $3::text[]) as d (actor, key)
        cross join lateral (
            select * from ledger.marker m
            where m.tenant_id = $1 and m.actor = d.actor and m.key = d.key
            limit 1
        ) m
        "#,
        tenant.0,
        &actors,
        &keys,
    )
    .fetch_all(db)
    .await?;
    let saved = rows.into_iter().map(|row| {
        let fingerprint = fingerprint(&row.verdict, &row.fingerprint);
        let saved = Saved {
            fingerprint,
            kind: row.kind,
            verdict: row.verdict,
            body: row.body,
            expires_at: row.expires_at,
        };
        ((row.actor, row.key), saved)
    });
    Ok(saved.collect())
}

pub(super) async fn find(
    db: impl PgExecutor<'_>,
    tenant: TenantId,
    actor: &str,
    key: &IdempotencyKey,
) -> Result<Option<Saved>, sqlx::Error> {
    let row = sqlx::query!(
        r#"
        select kind, fingerprint, verdict, body, expires_at
        from ledger.marker
        where tenant_id = $1 and actor = $2 and key = $3
        "#,
        tenant.0,
        actor,
        key.as_str(),
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Saved {
        fingerprint: fingerprint(&row.verdict, &row.fingerprint),
        kind: row.kind,
        verdict: row.verdict,
        body: row.body,
        expires_at: row.expires_at,
    }))
}

/// Writes the outcomes of operations, in the order of their keys, so that two batches that share keys wait in one order;
/// waits for others that are writing the same. Returns whether all were absent and are written; if not, the database
/// transaction can only be undone.
pub(super) async fn insert(
    db: &mut PgConnection,
    tenant: TenantId,
    rows: &[Row],
    at: Instant,
) -> Result<bool, sqlx::Error> {
    let (actors, keys): (Vec<String>, Vec<String>) = rows.iter().map(|row| row.of.clone()).unzip();
    let kinds: Vec<String> = rows.iter().map(|row| row.kind.to_owned()).collect();
    let fingerprints: Vec<Vec<u8>> = rows.iter().map(|row| row.fingerprint.0.to_vec()).collect();
    let verdicts: Vec<String> = rows.iter().map(|row| row.verdict.to_owned()).collect();
    let bodies: Vec<String> = rows.iter().map(|row| row.body.clone()).collect();
    let expire_at: Vec<Instant> = rows.iter().map(|row| row.expires_at).collect();
    let inserted = sqlx::query!(
        r#"
        insert into ledger.marker (tenant_id, actor, key, kind, fingerprint, verdict, body, created_at, expires_at)
        select $1, d.actor, d.key, d.kind, d.fingerprint, d.verdict, d.body, $9, d.expires_at
        from unnest($2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::text[], $8::timestamptz[])
            as d (actor, key, kind, fingerprint, verdict, body, expires_at)
        "#,
        tenant.0,
        &actors,
        &keys,
        &kinds,
        &fingerprints,
        &verdicts,
        &bodies,
        &expire_at,
        at,
    )
    .execute(db)
    .await;
    match inserted {
        Ok(_) => Ok(true),
        Err(sqlx::Error::Database(refused)) if refused.is_unique_violation() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Deletes markers of a tenant that expired [`CLOCK_TOLERANCE`] or longer before `at`, the oldest first, and few enough for
/// a short statement. Returns how many; it is called until that is none.
///
/// Whoever finds a marker gone judges its key by another clock, or by an instant that was read before the sweep: for that
/// the tolerance. By then every UUIDv7 that could have been used under the marker is refused as too old.
///
/// It locks the rows that it deletes and nothing else. A payment reads markers and inserts new ones, so neither waits for
/// the other; one that reads a marker while it is being deleted still replays its answer.
///
/// # Errors
/// [`Failure`] if the database can't be asked; what was deleted by earlier calls stays deleted.
pub async fn sweep(db: &mut PgConnection, tenant: TenantId, at: Instant) -> Result<u64, Failure> {
    let expired_by = at - CLOCK_TOLERANCE;
    let expired = sqlx::query!(
        r#"
        select actor, key
        from ledger.marker
        where tenant_id = $1 and expires_at <= $2
        order by expires_at
        limit $3
        "#,
        tenant.0,
        expired_by,
        SWEEP_BATCH,
    )
    .fetch_all(&mut *db)
    .await?;
    if expired.is_empty() {
        return Ok(0);
    }
    // In the order in which every writer takes its locks.
    let mut keys: Vec<MarkerKey> = expired.into_iter().map(|row| (row.actor, row.key)).collect();
    keys.sort_unstable();
    let (actors, keys): (Vec<String>, Vec<String>) = keys.into_iter().unzip();
    // The expiry is asked again: a key that is no UUIDv7 may have been swept by another and used anew meanwhile.
    let deleted = sqlx::query!(
        r#"
        delete from ledger.marker m
        using unnest($2::text[], $3::text[]) as d (actor, key)
        where m.tenant_id = $1 and m.actor = d.actor and m.key = d.key and m.expires_at <= $4
        "#,
        tenant.0,
        &actors,
        &keys,
        expired_by,
    )
    .execute(&mut *db)
    .await?;
    Ok(deleted.rows_affected())
}

/// A stored fingerprint; the table's constraint keeps its length, so another length matches nothing.
fn fingerprint(verdict: &str, bytes: &[u8]) -> Option<Fingerprint> {
    (verdict != "fenced").then(|| Fingerprint(bytes.try_into().unwrap_or_default()))
}

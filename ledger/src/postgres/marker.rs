//! Markers: one row per idempotency key, written in the database transaction of its operation (MISSION A2).

use sqlx::{PgConnection, PgExecutor};
use std::collections::{HashMap, HashSet};

use super::execute::Request;
use crate::{
    failure::Failure,
    id::TenantId,
    idempotency::{Fingerprint, IdempotencyKey, MARKER_TTL},
    money::Instant,
    outcome::{Answer, Outcome},
};

/// Who used which key.
pub(super) type MarkerKey = (String, String);

/// A stored outcome.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    pub(super) fingerprint: Fingerprint,
    kind: String,
    verdict: String,
    body: String,
    expires_at: Instant,
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

/// Inserts the markers that are absent and returns which they were; waits for others that are inserting the same.
///
/// `requests` are sorted by key, so two batches that share keys wait in one order.
pub(super) async fn claim(
    db: &mut PgConnection,
    tenant: TenantId,
    requests: &[Request],
    at: Instant,
) -> Result<HashSet<MarkerKey>, sqlx::Error> {
    let actors: Vec<String> = requests.iter().map(|request| request.actor.clone()).collect();
    let keys: Vec<String> = requests.iter().map(|request| request.key.to_string()).collect();
    let kinds: Vec<String> = requests
        .iter()
        .map(|request| request.command.kind().to_owned())
        .collect();
    let fingerprints: Vec<Vec<u8>> = requests.iter().map(|request| request.fingerprint.0.to_vec()).collect();
    let claimed = sqlx::query!(
        r#"
        insert into ledger.marker (tenant_id, actor, key, kind, fingerprint, created_at, expires_at)
        select $1, d.actor, d.key, d.kind, d.fingerprint, $6, $7
        from unnest($2::text[], $3::text[], $4::text[], $5::bytea[]) as d (actor, key, kind, fingerprint)
        on conflict do nothing
        returning actor, key
        "#,
        tenant.0,
        &actors,
        &keys,
        &kinds,
        &fingerprints,
        at,
        at + MARKER_TTL,
    )
    .fetch_all(db)
    .await?;
    Ok(claimed.into_iter().map(|row| (row.actor, row.key)).collect())
}

/// The outcomes of markers that were there already.
pub(super) async fn saved(
    db: &mut PgConnection,
    tenant: TenantId,
    wanted: &[&Request],
) -> Result<HashMap<MarkerKey, Saved>, sqlx::Error> {
    let actors: Vec<String> = wanted.iter().map(|request| request.actor.clone()).collect();
    let keys: Vec<String> = wanted.iter().map(|request| request.key.to_string()).collect();
    let rows = sqlx::query!(
        r#"
        select m.actor, m.key, m.kind, m.fingerprint, m.verdict as "verdict!", m.body as "body!", m.expires_at
        from ledger.marker m
        join unnest($2::text[], $3::text[]) as d (actor, key) on m.actor = d.actor and m.key = d.key
        where m.tenant_id = $1
        "#,
        tenant.0,
        &actors,
        &keys,
    )
    .fetch_all(db)
    .await?;
    let saved = rows.into_iter().map(|row| {
        let fingerprint = fingerprint(&row.fingerprint);
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
        select kind, fingerprint, verdict as "verdict!", body as "body!", expires_at
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
        fingerprint: fingerprint(&row.fingerprint),
        kind: row.kind,
        verdict: row.verdict,
        body: row.body,
        expires_at: row.expires_at,
    }))
}

/// Writes the outcomes of claimed markers; returns how many were written.
pub(super) async fn settle(
    db: &mut PgConnection,
    tenant: TenantId,
    settled: &[(&Request, &'static str, String)],
) -> Result<u64, sqlx::Error> {
    let actors: Vec<String> = settled.iter().map(|(request, ..)| request.actor.clone()).collect();
    let keys: Vec<String> = settled.iter().map(|(request, ..)| request.key.to_string()).collect();
    let verdicts: Vec<String> = settled.iter().map(|(_, verdict, _)| (*verdict).to_owned()).collect();
    let bodies: Vec<String> = settled.iter().map(|(.., body)| body.clone()).collect();
    let written = sqlx::query!(
        r#"
        update ledger.marker m
        set verdict = d.verdict, body = d.body
        from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as d (actor, key, verdict, body)
        where m.tenant_id = $1 and m.actor = d.actor and m.key = d.key
        "#,
        tenant.0,
        &actors,
        &keys,
        &verdicts,
        &bodies,
    )
    .execute(db)
    .await?;
    Ok(written.rows_affected())
}

/// Removes claimed markers whose operation failed: a failure leaves nothing (A6).
pub(super) async fn release(db: &mut PgConnection, tenant: TenantId, released: &[&Request]) -> Result<(), sqlx::Error> {
    let actors: Vec<String> = released.iter().map(|request| request.actor.clone()).collect();
    let keys: Vec<String> = released.iter().map(|request| request.key.to_string()).collect();
    sqlx::query!(
        r#"
        delete from ledger.marker m
        using unnest($2::text[], $3::text[]) as d (actor, key)
        where m.tenant_id = $1 and m.actor = d.actor and m.key = d.key
        "#,
        tenant.0,
        &actors,
        &keys,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A stored fingerprint; the table's constraint keeps its length, so another length matches nothing.
fn fingerprint(bytes: &[u8]) -> Fingerprint {
    Fingerprint(bytes.try_into().unwrap_or_default())
}

//! Browser sessions in PostgreSQL; whose they are and how long they live is the app's business.
//!
//! The table holds the SHA-256 of a session's id, so reading it does not let anybody in. A session that was deleted
//! stays deleted: saving writes over a row and never makes one.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use ledger::money::Instant;
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use tower_sessions::{
    cookie::time::OffsetDateTime,
    session::{Id, Record},
    session_store::{Error, Result, SessionStore},
};

#[derive(Clone, Debug)]
pub(crate) struct Sessions {
    pool: PgPool,
}

impl Sessions {
    pub(crate) fn new(pool: PgPool) -> Self {
        Self { pool }
    }
}

/// Deletes the sessions that expired before `at`; returns how many.
pub(crate) async fn sweep(db: &PgPool, at: Instant) -> sqlx::Result<u64> {
    let deleted = sqlx::query!("delete from identity.session where expires_at <= $1", at);
    Ok(deleted.execute(db).await?.rows_affected())
}

#[async_trait]
impl SessionStore for Sessions {
    async fn create(&self, record: &mut Record) -> Result<()> {
        loop {
            let created = sqlx::query!(
                "insert into identity.session (session_id, data, expires_at) values ($1, $2, $3) on conflict do nothing",
                hash(&record.id),
                encode(record)?,
                instant(record.expiry_date)?,
            );
            if created.execute(&self.pool).await.map_err(backend)?.rows_affected() == 1 {
                return Ok(());
            }
            record.id = Id::default();
        }
    }

    async fn save(&self, record: &Record) -> Result<()> {
        let saved = sqlx::query!(
            "update identity.session set data = $2, expires_at = $3 where session_id = $1",
            hash(&record.id),
            encode(record)?,
            instant(record.expiry_date)?,
        );
        saved.execute(&self.pool).await.map_err(backend)?;
        Ok(())
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let found = sqlx::query!(
            "select data, expires_at from identity.session where session_id = $1 and expires_at > now()",
            hash(id),
        );
        let Some(row) = found.fetch_optional(&self.pool).await.map_err(backend)? else {
            return Ok(None);
        };
        let data = serde_json::from_value(row.data).map_err(|error| Error::Decode(error.to_string()))?;
        let expiry_date = OffsetDateTime::from_unix_timestamp(row.expires_at.timestamp());
        let expiry_date = expiry_date.map_err(|error| Error::Decode(error.to_string()))?;
        Ok(Some(Record {
            id: *id,
            data,
            expiry_date,
        }))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        let deleted = sqlx::query!("delete from identity.session where session_id = $1", hash(id));
        deleted.execute(&self.pool).await.map_err(backend)?;
        Ok(())
    }
}

fn hash(id: &Id) -> Vec<u8> {
    Sha256::digest(id.0.to_be_bytes()).to_vec()
}

fn encode(record: &Record) -> Result<serde_json::Value> {
    serde_json::to_value(&record.data).map_err(|error| Error::Encode(error.to_string()))
}

fn instant(at: OffsetDateTime) -> Result<Instant> {
    let instant = DateTime::<Utc>::from_timestamp(at.unix_timestamp(), 0);
    instant.ok_or_else(|| Error::Encode("the session ends beyond the calendar".to_owned()))
}

fn backend(error: sqlx::Error) -> Error {
    Error::Backend(error.to_string())
}

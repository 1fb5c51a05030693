//! Idempotency keys, the fingerprints of requests, and how long markers live (MISSION A1, A4, A5).

use chrono::{DateTime, TimeDelta};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use thiserror::Error;
use uuid::{Uuid, Variant, fmt::Hyphenated};

use crate::{failure::Failure, money::Instant};

/// How long a client's key is remembered (A4).
pub const MARKER_TTL: TimeDelta = TimeDelta::days(90);
/// How far apart two clocks may be, a server's and another's or a client's, without an operation happening twice.
pub const CLOCK_TOLERANCE: TimeDelta = TimeDelta::days(1);

const MAX_LENGTH: usize = 255;

/// A client's name for one thing that it wants to happen once: 1 to 255 visible ASCII characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct IdempotencyKey(String);

/// Why a text is no idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    #[error("an idempotency key must not be empty")]
    Empty,
    #[error("an idempotency key has at most 255 characters")]
    TooLong,
    #[error("an idempotency key has visible ASCII characters only")]
    NotVisibleAscii,
}

impl IdempotencyKey {
    /// Reads a key as a form carries it.
    ///
    /// # Errors
    /// [`KeyError`], by what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        if text.is_empty() {
            return Err(KeyError::Empty);
        }
        if text.len() > MAX_LENGTH {
            return Err(KeyError::TooLong);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::NotVisibleAscii);
        }
        Ok(Self(text.to_owned()))
    }

    /// Reads a key as the `Idempotency-Key` header carries it: raw, or quoted as a structured field's string (RFC 8941).
    ///
    /// # Errors
    /// [`KeyError`], by what is wrong with the text.
    pub fn parse_header(value: &str) -> Result<Self, KeyError> {
        let value = value.trim_matches([' ', '\t']);
        let quoted = value.len() >= 2 && value.starts_with('"') && value.ends_with('"');
        if !quoted {
            return Self::parse(value);
        }
        let mut text = String::with_capacity(value.len());
        let mut characters = value[1..value.len() - 1].chars();
        while let Some(c) = characters.next() {
            match c {
                '\\' => text.push(
                    characters
                        .next()
                        .filter(|c| matches!(c, '"' | '\\'))
                        .ok_or(KeyError::NotVisibleAscii)?,
                ),
                '"' => return Err(KeyError::NotVisibleAscii),
                c => text.push(c),
            }
        }
        Self::parse(&text)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// When the key was made, to the millisecond, if it is a UUIDv7 as RFC 9562 writes it. Other keys do not say; among them
    /// are 32 digits without hyphens, which are as likely somebody's hash.
    #[must_use]
    pub fn made_at(&self) -> Option<Instant> {
        let uuid = Uuid::try_parse(&self.0).ok()?;
        let is_v7 = uuid.get_variant() == Variant::RFC4122 && uuid.get_version_num() == 7;
        if self.0.len() != Hyphenated::LENGTH || !is_v7 {
            return None;
        }
        let (seconds, nanoseconds) = uuid.get_timestamp()?.to_unix();
        DateTime::from_timestamp(seconds.try_into().ok()?, nanoseconds)
    }

    /// Whether the key may be used for the first time at `at`: a UUIDv7 from [`CLOCK_TOLERANCE`] before its own time until
    /// [`MARKER_TTL`] after it. What came of an older one may be forgotten, so using it could make happen again what
    /// happened then; what came of one from further ahead would have to be remembered for as long as it is ahead.
    ///
    /// A key that is no UUIDv7 does not say when it was made, so it may always be used, and has no such protection: when its
    /// marker is gone, a repetition is a new operation.
    ///
    /// # Errors
    /// [`Failure::KeyExpired`], or [`Failure::Invalid`] with `KEY_FROM_FUTURE`.
    pub fn may_be_new(&self, at: Instant) -> Result<(), Failure> {
        match self.made_at() {
            Some(made_at) if made_at + MARKER_TTL <= at => Err(Failure::KeyExpired),
            Some(made_at) if made_at - CLOCK_TOLERANCE > at => Err(Failure::Invalid {
                field: "idempotency_key",
                code: "KEY_FROM_FUTURE",
                detail: "it was made by a clock that is more than a day ahead".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Until when what came of the key at `at` is remembered at least: [`MARKER_TTL`] from then, or from the key's own time
    /// where its maker's clock runs ahead. So a UUIDv7 is not forgotten while it [may be new](Self::may_be_new).
    #[must_use]
    pub fn expires_at(&self, at: Instant) -> Instant {
        self.made_at().map_or(at, |made_at| made_at.max(at)) + MARKER_TTL
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Keys appear in logs by their first eight characters only (H3).
impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdempotencyKey({}..)", &self.0[..self.0.len().min(8)])
    }
}

impl From<IdempotencyKey> for String {
    fn from(key: IdempotencyKey) -> Self {
        key.0
    }
}

impl TryFrom<String> for IdempotencyKey {
    type Error = KeyError;
    fn try_from(text: String) -> Result<Self, KeyError> {
        Self::parse(&text)
    }
}

/// What a key was first used for: SHA-256 of the command's canonical text. Two requests with one fingerprint ask for
/// the same thing; the same key with another fingerprint is a client's mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    #[must_use]
    pub fn of(canonical: &str) -> Self {
        Self(Sha256::digest(canonical.as_bytes()).into())
    }
}

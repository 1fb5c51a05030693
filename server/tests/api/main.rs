//! The JSON API and what surrounds it, on the real router and a real PostgreSQL (DATABASE_URL).
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop at what it did not expect")]

mod world;

mod payments;
mod top_ups;
mod refunds;
mod operations;
mod bad_input;
mod idempotency;
mod tenancy;
mod cards;
mod concurrency;
mod dropped;
mod outage;
mod web;

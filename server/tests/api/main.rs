//! The JSON API and what surrounds it, on the real router and a real PostgreSQL (DATABASE_URL).
#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod world;

mod bad_input;
mod cards;
mod concurrency;
mod dropped;
mod forms;
mod idempotency;
mod job_commands;
mod jobs;
mod operations;
mod outage;
mod payments;
mod refunds;
mod tenancy;
mod top_ups;
mod web;

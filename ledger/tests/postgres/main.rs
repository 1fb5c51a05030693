//! The ledger on PostgreSQL: its laws under concurrency, lost connections and broken rows.
//!
//! Every test founds a town in a database of its own and ends with all checks of `verify`, from a fresh connection.
#![expect(clippy::unwrap_used, reason = "a test that can't go on panics")]

mod accounts;
mod asks;
mod cancellation;
mod checks;
mod commit_unknown;
mod concurrency;
mod corrections;
#[path = "../laws/facts.rs"]
mod facts;
mod faults;
mod fences;
mod guards;
mod history;
mod holds;
mod idempotency;
mod interleavings;
mod lanes;
mod limits;
mod lots;
mod pairs;
mod proxy;
#[path = "../laws/world.rs"]
#[expect(dead_code, reason = "the laws use all of it")]
mod random;
mod sweep;
mod world;

//! Laws of the pure ledger, tried on random amounts, snapshots and sequences of commands.
#![expect(clippy::unwrap_used, reason = "a test that can't go on panics")]

mod agreement;
mod facts;
mod merged_guards;
mod model;
mod money;
mod names;
mod plans;
mod world;

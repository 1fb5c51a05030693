//! Laws of the pure ledger, tried on random amounts, snapshots and sequences of commands.
#![expect(clippy::unwrap_used, reason = "a test that can't go on panics")]

mod merged_guards;
mod money;
mod names;
mod plans;
mod world;

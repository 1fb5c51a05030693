//! Koban's process: the command line, HTTP, sessions, the JSON API and the private PostgreSQL of the demo.

#![warn(clippy::print_stdout)]

#[macro_use]
mod say;

mod api;
pub mod config;
pub mod database;
pub mod demo;
mod health;
pub mod jobs;
mod problem;
pub mod router;
mod security;
pub mod serve;
mod session;
pub mod shutdown;
mod site;
pub mod state;
pub mod telemetry;
pub mod verify;

//! Koban's process: the command line, HTTP, sessions, the JSON API and the private PostgreSQL of the demo.

pub mod config;
pub mod telemetry;
pub mod database;
pub mod serve;
pub mod demo;
pub mod verify;
pub mod router;
pub mod state;
mod site;
mod security;
mod session;
mod problem;
mod api;
mod health;
mod shutdown;

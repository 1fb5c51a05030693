//! Payments that a shop's till takes.

#[cfg(feature = "ssr")]
pub mod server;

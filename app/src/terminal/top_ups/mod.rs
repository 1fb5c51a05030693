//! Charges of a customer's balance with cash.

#[cfg(feature = "ssr")]
pub mod server;

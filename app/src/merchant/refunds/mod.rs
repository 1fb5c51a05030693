//! Returns of a payment's money.

#[cfg(feature = "ssr")]
pub mod server;

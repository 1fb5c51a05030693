//! Charges of a customer's balance with cash.

mod api;
mod page;
#[cfg(feature = "ssr")]
pub mod server;

pub use page::{TopUpPage, ToppedUpPage};

//! Payments that a shop's till takes.

mod api;
mod page;
#[cfg(feature = "ssr")]
pub mod server;

pub use page::{TakePage, TakenPage};

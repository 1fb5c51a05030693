//! Payments that a customer makes, and their receipts.

mod api;
mod page;
#[cfg(feature = "ssr")]
pub mod server;

pub use page::{PayPage, ReceiptPage, ShopPage};

//! Returns of a payment's money.

mod api;
mod page;
#[cfg(feature = "ssr")]
pub mod server;

pub use page::RefundForm;

//! The payments that a shop received.

mod api;
mod page;
#[cfg(feature = "ssr")]
pub(super) mod server;

pub use api::PaymentLine;
pub use page::{PaymentLines, PaymentPage, PaymentsPage};

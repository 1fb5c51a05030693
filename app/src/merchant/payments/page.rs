//! The list of the store's payments, and one of them.

mod detail;
mod list;

pub use detail::PaymentPage;
pub use list::{PaymentLines, PaymentsPage};

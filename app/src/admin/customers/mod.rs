//! The tenant's customers.

mod api;
mod page;
#[cfg(feature = "ssr")]
mod server;

pub use page::CustomersPage;

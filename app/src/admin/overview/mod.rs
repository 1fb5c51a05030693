//! The tenant at a glance.

mod api;
mod page;
#[cfg(feature = "ssr")]
mod server;

pub use page::OverviewPage;

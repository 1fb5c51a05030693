//! The till's first page: pair the device, or choose what to do.

mod api;
mod page;
#[cfg(feature = "ssr")]
mod server;

pub use page::TillPage;

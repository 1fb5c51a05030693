//! The store's QR code.

mod api;
mod page;
#[cfg(feature = "ssr")]
mod server;

pub use page::StorePage;

//! The customer's code, for a terminal to scan.

mod api;
mod page;
#[cfg(feature = "ssr")]
mod server;

pub use page::CodePage;

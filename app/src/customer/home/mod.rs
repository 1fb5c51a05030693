//! The wallet's first page.

mod api;
mod page;
#[cfg(feature = "ssr")]
mod server;

pub use page::HomePage;

//! The store's terminals: paired by a code, seen, revoked.

mod api;
mod page;
#[cfg(feature = "ssr")]
mod server;

pub use page::TerminalsPage;

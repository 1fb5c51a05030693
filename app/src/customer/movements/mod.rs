//! The wallet's history.

mod api;
mod page;
#[cfg(feature = "ssr")]
pub(super) mod server;

pub use api::MovementLine;
pub use page::{MovementLines, MovementsPage};

//! The merchant's face: what a shop sells, returns and shows its customers.

mod frame;
pub mod payments;
pub mod refunds;
#[cfg(feature = "ssr")]
mod server;
pub mod store;
pub mod terminals;
pub mod today;

pub use frame::ShopFrame;

//! The administration's face: what is in circulation, whether it is safe, and who takes part.

pub mod customers;
mod frame;
pub mod overview;
#[cfg(feature = "ssr")]
mod server;

pub use frame::AdminFrame;

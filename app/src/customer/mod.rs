//! The customer's face: a wallet for the phone.

pub mod code;
mod frame;
pub mod home;
pub mod movements;
pub mod payments;
#[cfg(feature = "ssr")]
mod server;

pub use frame::WalletFrame;

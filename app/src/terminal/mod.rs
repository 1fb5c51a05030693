//! The terminal's face: a till that takes payments and charges balances.
//!
//! It runs in a kiosk browser: no page links out of `/terminal`, and every outcome fills the screen.

mod frame;
mod next;
pub mod pairing;
pub mod payments;
mod screen;
#[cfg(feature = "ssr")]
mod server;
pub mod top_ups;

pub use frame::KioskFrame;

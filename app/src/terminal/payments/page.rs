//! The form that takes a payment, and the screen that says it is done.

mod take;
mod taken;

pub use take::TakePage;
pub use taken::TakenPage;

//! The form that charges a balance with cash, and the screen that says it is done.

mod top_up;
mod topped_up;

pub use top_up::TopUpPage;
pub use topped_up::ToppedUpPage;

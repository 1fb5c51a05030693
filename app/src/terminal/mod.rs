//! The terminal's face: a till that takes payments and charges balances.

pub mod payments;
pub mod top_ups;

//! The merchant's face.

pub mod refunds;

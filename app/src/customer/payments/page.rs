//! Naming a shop, paying it, and the receipt.

mod pay;
mod receipt;
mod shop;

pub use pay::PayPage;
pub use receipt::ReceiptPage;
pub use shop::ShopPage;

//! The product: pages and server functions of the four faces.
pub mod admin;
pub mod components;
#[cfg(feature = "ssr")]
pub mod context;
pub mod customer;
pub mod i18n;
pub mod identity;
mod load;
pub mod merchant;
pub mod money;
pub mod money_form;
pub mod problem;
#[cfg(feature = "ssr")]
pub mod qr;
mod routes;
mod shell;
mod showcase;
mod start;
pub mod terminal;

pub use load::{Instead, Load};
pub use routes::App;
pub use shell::shell;

//! The product: pages and server functions of the four faces.
pub mod components;
pub mod i18n;
mod routes;
mod shell;

pub use routes::App;
pub use shell::shell;

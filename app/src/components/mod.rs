//! The parts every page is made of, one file each; `/_components` shows them in all their states.
//!
//! They take plain values: texts already translated, amounts already formatted ([`MoneyText`]), children. They ask no server.
//! Texts that may change while the page is open (`error`, `busy`) are signals, so a closure, a signal or a plain value fits.
//! Where a text may be missing (`hint`, `note`, `href`, `back`), an empty one is none; other options take a value or an `Option`.
//! Attributes and listeners of a component's outermost element are spread: `<Button attr:name="step" on:click=..>`.
//!
//! Layout classes for pages: `stack` (children below each other), `tiles` (a grid of cards), `actions` (buttons in a row),
//! `form` (fields and actions), `section` (a titled part of a page), `note` (small print).
mod amount;
mod amount_field;
mod badge;
mod balance_card;
mod brand;
mod button;
mod confirm_panel;
mod connection_light;
#[cfg(test)]
mod contrast;
mod data_table;
mod empty_state;
mod facts;
mod field;
mod frame;
mod icon;
mod language_switch;
mod list;
mod money_text;
mod nav;
mod notice;
mod page_header;
mod qr_frame;
mod receipt;
mod select_field;
mod showcase;
mod skeleton;
mod stat_tile;
mod text_field;
mod top_bar;

pub use amount::{Amount, AmountSize, Flow};
pub use amount_field::AmountField;
pub use badge::{Badge, StatusBadge, Tone, status_text};
pub use balance_card::BalanceCard;
pub use brand::Brand;
pub use button::{Button, ButtonKind, ButtonLink};
pub use confirm_panel::ConfirmPanel;
pub use connection_light::{Connection, ConnectionLight};
pub use data_table::{Column, DataTable};
pub use empty_state::EmptyState;
pub use facts::{Fact, Facts};
pub use frame::{CustomerFrame, DeskFrame, EntryFrame, TerminalFrame};
pub use icon::Icon;
pub use language_switch::LanguageSwitch;
pub use list::{List, ListRow, MovementRow};
pub use money_text::MoneyText;
pub use nav::NavItem;
pub use notice::{Notice, NoticeKind};
pub use page_header::PageHeader;
pub use qr_frame::QrFrame;
pub use receipt::Receipt;
pub use select_field::SelectField;
pub use showcase::Showcase;
pub use skeleton::Skeleton;
pub use stat_tile::StatTile;
pub use text_field::{InputKind, TextField};

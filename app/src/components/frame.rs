//! What stands around the pages of each face.
use leptos::prelude::*;

use super::nav::Nav;
use super::top_bar::TopBar;
use super::{Connection, ConnectionLight, NavItem};
use crate::i18n::{t, use_i18n};

const MAIN: &str = "main";

#[component]
fn SkipLink() -> impl IntoView {
    let i18n = use_i18n();
    view! { <a class="skip" href=format!("#{MAIN}")>{t!(i18n, components.skip)}</a> }
}

/// The customer's pages: one column, tabs at the bottom of a phone and at the top of a desktop. `tools` stands in the bar.
/// ```text
/// <CustomerFrame face="Wallet" home="/customer" items=vec![NavItem::start("/customer", "Home", Icon::Home)]>..</CustomerFrame>
/// ```
#[component]
pub fn CustomerFrame(
    #[prop(into)] face: String,
    #[prop(into)] home: String,
    items: Vec<NavItem>,
    #[prop(optional)] tools: Option<Children>,
    children: Children,
) -> impl IntoView {
    view! {
        <SkipLink />
        <div class="frame frame--customer">
            <TopBar home face children=tools />
            <main class="frame__main" id=MAIN tabindex="-1">{children()}</main>
            <Nav items class="tabs" />
        </div>
    }
    .into_any()
}

/// The merchant's and the admin's pages: links at the side, above the page on a phone. `tools` stands in the bar
/// (who is signed in, sign out).
#[component]
pub fn DeskFrame(
    #[prop(into)] face: String,
    #[prop(into)] home: String,
    items: Vec<NavItem>,
    #[prop(optional)] tools: Option<Children>,
    children: Children,
) -> impl IntoView {
    view! {
        <SkipLink />
        <div class="frame frame--desk">
            <TopBar home face children=tools />
            <Nav items class="side" />
            <main class="frame__main" id=MAIN tabindex="-1">{children()}</main>
        </div>
    }
    .into_any()
}

/// The terminal's pages: no links that could leave the kiosk, only its name and the connection light.
#[component]
pub fn TerminalFrame(
    #[prop(into)] name: String,
    #[prop(into)] connection: Signal<Connection>,
    children: Children,
) -> impl IntoView {
    view! {
        <div class="frame frame--terminal">
            <KioskBar name connection />
            <main class="frame__main" id=MAIN tabindex="-1">{children()}</main>
        </div>
    }
    .into_any()
}

#[component]
pub(super) fn KioskBar(#[prop(into)] name: String, #[prop(into)] connection: Signal<Connection>) -> impl IntoView {
    view! {
        <header class="kiosk-bar">
            <span class="kiosk-bar__name">{name}</span>
            <ConnectionLight connection />
        </header>
    }
}

/// Pages before one is signed in: a narrow column.
#[component]
pub fn EntryFrame(#[prop(optional, into)] face: String, children: Children) -> impl IntoView {
    view! {
        <SkipLink />
        <div class="frame frame--entry">
            <TopBar home="/".to_owned() face children=None />
            <main class="frame__main" id=MAIN tabindex="-1">{children()}</main>
        </div>
    }
    .into_any()
}

//! The bars of the customer and the terminal; the desk's stand around this page.
use leptos::prelude::*;

use super::{Part, say};
use crate::components::frame::KioskBar;
use crate::components::nav::Nav;
use crate::components::{Connection, Icon, NavItem};
use crate::i18n::{tu_string, use_i18n};

pub(super) fn bars() -> impl IntoView {
    let i18n = use_i18n();
    let items = vec![
        NavItem::new("/_components", tu_string!(i18n, customer.nav.home), Icon::Home),
        NavItem::start("/customer/pay", tu_string!(i18n, customer.nav.pay), Icon::Pay),
        NavItem::start("/customer/code", tu_string!(i18n, customer.nav.code), Icon::Code),
        NavItem::start("/customer/history", tu_string!(i18n, customer.nav.history), Icon::Clock),
        NavItem::start(
            "/customer/profile",
            tu_string!(i18n, customer.nav.profile),
            Icon::Person,
        ),
    ];
    view! {
        <Part title=say("Tabs and terminal bar", "タブと端末のバー")>
            <div class="showcase__window">
                <Nav items class="tabs" />
            </div>
            <div class="showcase__window">
                <KioskBar name=say("Till 1, Sakura Shop (demo)", "レジ 1 さくら商店 (demo)") connection=Connection::Online />
            </div>
            <p class="icons">{Icon::ALL.map(|icon| icon.draw()).collect_view()}</p>
        </Part>
    }
}

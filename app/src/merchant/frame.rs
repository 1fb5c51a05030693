//! What stands around every page of the shop.

use leptos::prelude::*;

use crate::components::{DeskFrame, Icon, NavItem};
use crate::i18n::{tu_string, use_i18n};
use crate::identity::{Role, SignOutForm};

#[component]
pub fn ShopFrame(children: Children) -> impl IntoView {
    let i18n = use_i18n();
    let items = vec![
        NavItem::start("/merchant", tu_string!(i18n, merchant.nav.today), Icon::Chart),
        NavItem::new(
            "/merchant/payments",
            tu_string!(i18n, merchant.nav.payments),
            Icon::Receipt,
        ),
        NavItem::new("/merchant/store", tu_string!(i18n, merchant.nav.qr), Icon::Code),
        NavItem::new(
            "/merchant/terminals",
            tu_string!(i18n, merchant.nav.terminals),
            Icon::Terminal,
        ),
    ];
    let tools = Box::new(|| view! { <SignOutForm role=Role::Merchant /> }.into_any());
    view! {
        <DeskFrame face=tu_string!(i18n, merchant.face) home="/merchant" items tools>
            {children()}
        </DeskFrame>
    }
}

//! What stands around every page of the wallet.

use leptos::prelude::*;

use crate::components::{CustomerFrame, Icon, NavItem};
use crate::i18n::{tu_string, use_i18n};
use crate::identity::{Role, SignOutForm};

#[component]
pub fn WalletFrame(children: Children) -> impl IntoView {
    let i18n = use_i18n();
    let items = vec![
        NavItem::start("/customer", tu_string!(i18n, customer.nav.home), Icon::Home),
        NavItem::new("/customer/pay", tu_string!(i18n, customer.nav.pay), Icon::Pay),
        NavItem::new("/customer/code", tu_string!(i18n, customer.nav.code), Icon::Code),
        NavItem::new(
            "/customer/movements",
            tu_string!(i18n, customer.nav.history),
            Icon::Clock,
        ),
    ];
    let tools = Box::new(|| view! { <SignOutForm role=Role::Customer /> }.into_any());
    view! {
        <CustomerFrame face=tu_string!(i18n, customer.face) home="/customer" items tools>
            {children()}
        </CustomerFrame>
    }
}

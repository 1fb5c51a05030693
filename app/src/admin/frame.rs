//! What stands around every page of the administration.

use leptos::prelude::*;

use crate::components::{DeskFrame, Icon, NavItem};
use crate::i18n::{tu_string, use_i18n};
use crate::identity::{Role, SignOutForm};

#[component]
pub fn AdminFrame(children: Children) -> impl IntoView {
    let i18n = use_i18n();
    let items = vec![
        NavItem::start("/admin", tu_string!(i18n, admin.nav.overview), Icon::Chart),
        NavItem::new("/admin/customers", tu_string!(i18n, admin.nav.customers), Icon::People),
    ];
    let tools = Box::new(|| view! { <SignOutForm role=Role::Admin /> }.into_any());
    view! {
        <DeskFrame face=tu_string!(i18n, admin.face) home="/admin" items tools>
            {children()}
        </DeskFrame>
    }
}

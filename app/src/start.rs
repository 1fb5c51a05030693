//! The start page, which leads to the four faces, and the page for addresses that lead nowhere.
use leptos::prelude::*;

use crate::components::{ButtonLink, EmptyState, EntryFrame, Icon, List, ListRow, PageHeader};
use crate::i18n::{t, tu_string, use_i18n};

#[component]
pub(crate) fn Start() -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <EntryFrame>
            <PageHeader title=tu_string!(i18n, common.home_title) lead=tu_string!(i18n, common.tagline) />
            <List>
                <ListRow
                    href="/customer"
                    icon=Icon::Pay
                    title=tu_string!(i18n, customer.face)
                    note=tu_string!(i18n, customer.face_text)
                />
                <ListRow
                    href="/merchant"
                    icon=Icon::Shop
                    title=tu_string!(i18n, merchant.face)
                    note=tu_string!(i18n, merchant.face_text)
                />
                <ListRow
                    href="/terminal"
                    icon=Icon::Terminal
                    title=tu_string!(i18n, terminal.face)
                    note=tu_string!(i18n, terminal.face_text)
                />
                <ListRow
                    href="/admin"
                    icon=Icon::Shield
                    title=tu_string!(i18n, admin.face)
                    note=tu_string!(i18n, admin.face_text)
                />
            </List>
        </EntryFrame>
    }
}

#[component]
pub(crate) fn NotFound() -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <EntryFrame>
            <EmptyState icon=Icon::Search title=tu_string!(i18n, common.not_found_title)>
                <p>{t!(i18n, common.not_found_text)}</p>
                <ButtonLink href="/">{t!(i18n, common.go_home)}</ButtonLink>
            </EmptyState>
        </EntryFrame>
    }
}

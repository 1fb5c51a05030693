//! `/_components`: every component in every state, with plainly fictional contents.
mod bars;
mod figures;
mod inputs;
mod messages;
mod records;

use leptos::prelude::*;

use super::{ButtonKind, ButtonLink, DeskFrame, Icon, MoneyText, NavItem, PageHeader};
use crate::i18n::{Locale, use_i18n};

#[component]
pub fn Showcase() -> impl IntoView {
    let items = vec![
        NavItem::start("/_components", say("Components", "部品"), Icon::Scale),
        NavItem::start("/", say("Start page", "トップページ"), Icon::Home),
    ];
    view! {
        <DeskFrame face=say("Components", "部品") home="/" items>
            <PageHeader
                title=say("Components", "部品")
                lead=say("Every part of Koban's pages, in every state.", "Koban の画面をつくるすべての部品と状態。")
            >
                <ButtonLink href="/" kind=ButtonKind::Secondary>
                    {say("Start page", "トップページ")}
                </ButtonLink>
            </PageHeader>
            {figures::figures().into_any()}
            {inputs::buttons().into_any()}
            {inputs::fields().into_any()}
            {messages::messages().into_any()}
            {records::records().into_any()}
            {bars::bars().into_any()}
        </DeskFrame>
    }
}

/// Sample text in the page's language; samples stay out of the product's translations.
fn say(english: &'static str, japanese: &'static str) -> &'static str {
    match use_i18n().get_locale_untracked() {
        Locale::en => english,
        Locale::ja => japanese,
    }
}

fn yen(decimal: &str) -> MoneyText {
    MoneyText::new(decimal, "¥")
}

fn points(decimal: &str) -> MoneyText {
    MoneyText::new(decimal, "pt")
}

/// A titled part of the page.
#[component]
fn Part(title: &'static str, children: Children) -> impl IntoView {
    view! {
        <section class="showcase__part">
            <h2>{title}</h2>
            {children()}
        </section>
    }
}

//! Every page's URL on one screen.
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{Route, Router, Routes};
use leptos_router::path;

use crate::components::{ButtonLink, EmptyState, EntryFrame, Icon, PageHeader, Showcase};
use crate::i18n::{LanguageProvider, t, tu_string, use_i18n};

#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <LanguageProvider>
            <Title formatter=|title: String| if title.is_empty() { "Koban".to_owned() } else { format!("{title} · Koban") } />
            <Router>
                <Routes fallback=NotFound>
                    <Route path=path!("/") view=Start />
                    <Route path=path!("/_components") view=Showcase />
                </Routes>
            </Router>
        </LanguageProvider>
    }
}

#[component]
fn Start() -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <EntryFrame>
            <PageHeader title=tu_string!(i18n, common.home_title) lead=tu_string!(i18n, common.tagline) />
        </EntryFrame>
    }
}

#[component]
fn NotFound() -> impl IntoView {
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

//! Every page's URL on one screen.
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{Route, Router, Routes};
use leptos_router::path;

use crate::components::Showcase;
use crate::i18n::LanguageProvider;
use crate::start::{NotFound, Start};

#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <LanguageProvider>
            <Title text="" formatter=window_title />
            <Router>
                <Routes fallback=NotFound>
                    <Route path=path!("/") view=Start />
                    <Route path=path!("/_components") view=Showcase />
                </Routes>
            </Router>
        </LanguageProvider>
    }
}

fn window_title(page: String) -> String {
    if page.is_empty() {
        "Koban".to_owned()
    } else {
        format!("{page} · Koban")
    }
}

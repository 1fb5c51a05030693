//! The bar above every page: the coin, which face this is, tools at its end.
use leptos::prelude::*;

use super::{Brand, LanguageSwitch};

#[component]
pub(super) fn TopBar(home: String, face: String, children: Option<Children>) -> impl IntoView {
    view! {
        <header class="top-bar">
            <div class="top-bar__inside">
                <Brand href=home face />
                <div class="top-bar__tools">{children.map(|children| children())} <LanguageSwitch /></div>
            </div>
        </header>
    }
    .into_any()
}

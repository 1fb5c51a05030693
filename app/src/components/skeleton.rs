//! What stands where something is still loading: its shape, and the word for screen readers.
use leptos::prelude::*;

use crate::i18n::{t, use_i18n};

/// `<Suspense fallback=|| view! { <Skeleton lines=4 /> }>`
#[component]
pub fn Skeleton(#[prop(default = 3)] lines: usize) -> impl IntoView {
    let i18n = use_i18n();
    let lines = (0..lines)
        .map(|_| view! { <span class="skeleton__line"></span> })
        .collect_view();
    view! {
        <div class="skeleton" role="status">
            <span class="visually-hidden">{t!(i18n, components.loading)}</span>
            {lines}
        </div>
    }
}

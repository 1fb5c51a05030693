//! A page or list with nothing in it yet: says why, and what to do.
use leptos::prelude::*;

use super::Icon;

/// ```text
/// <EmptyState icon=Icon::Clock title="No payments yet"><p>"Your first one will appear here."</p></EmptyState>
/// ```
#[component]
pub fn EmptyState(
    icon: Icon,
    #[prop(into)] title: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty">
            <span class="empty__icon">{icon.draw()}</span>
            <p class="empty__title">{title}</p>
            {children.map(|children| view! { <div class="empty__text">{children()}</div> })}
        </div>
    }
    .into_any()
}

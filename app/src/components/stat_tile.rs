//! One number and what it counts.
use leptos::prelude::*;

/// ```text
/// <StatTile label="Sales today" note="Last Monday ¥98,400"><Amount money size=AmountSize::Large /></StatTile>
/// <StatTile label="Payments">"42"</StatTile>
/// ```
#[component]
pub fn StatTile(
    #[prop(into)] label: String,
    #[prop(optional, into)] note: String,
    children: Children,
) -> impl IntoView {
    view! {
        <div class="stat">
            <p class="stat__label">{label}</p>
            <p class="stat__value">{children()}</p>
            {(!note.is_empty()).then(|| view! { <p class="stat__note">{note}</p> })}
        </div>
    }
}

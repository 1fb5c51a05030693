//! `/_components`: every component in every state.
use leptos::prelude::*;

use super::EntryFrame;

#[component]
pub fn Showcase() -> impl IntoView {
    view! { <EntryFrame><h1>"Components"</h1></EntryFrame> }
}

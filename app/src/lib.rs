//! The product: pages and server functions of the four faces.
use leptos::prelude::*;

#[component]
pub fn App() -> impl IntoView {
    view! { <p>"Koban"</p> }
}

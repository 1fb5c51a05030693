//! Whether the server can be reached, in a light and in words.
use leptos::prelude::*;

use crate::i18n::{tu_string, use_i18n};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    #[default]
    Online,
    /// Answers come late or not always.
    Unsteady,
    Offline,
}

/// `<ConnectionLight connection=connection />` with a signal or a plain value.
#[component]
pub fn ConnectionLight(#[prop(into)] connection: Signal<Connection>) -> impl IntoView {
    let i18n = use_i18n();
    let name = move || match connection.get() {
        Connection::Online => "online",
        Connection::Unsteady => "unsteady",
        Connection::Offline => "offline",
    };
    let text = move || match connection.get() {
        Connection::Online => tu_string!(i18n, components.connection.online),
        Connection::Unsteady => tu_string!(i18n, components.connection.unsteady),
        Connection::Offline => tu_string!(i18n, components.connection.offline),
    };
    view! { <span class="light" role="status" data-connection=name><span class="light__lamp"></span>{text}</span> }
}

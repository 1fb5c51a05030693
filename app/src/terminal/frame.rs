//! What stands around every page of the till: its name, and whether the server can be reached.

use leptos::prelude::*;

use crate::components::{Connection, TerminalFrame};
use crate::i18n::{tu_string, use_i18n};

#[component]
pub fn KioskFrame(children: Children) -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <TerminalFrame name=tu_string!(i18n, terminal.face) connection=connection()>
            {children()}
        </TerminalFrame>
    }
}

/// What the browser knows of its connection; without JavaScript, that the page has just come over it.
fn connection() -> Signal<Connection> {
    let connection = RwSignal::new(Connection::Online);
    Effect::new(move |_| {
        let read = move || match window().navigator().on_line() {
            true => connection.set(Connection::Online),
            false => connection.set(Connection::Offline),
        };
        read();
        let online = window_event_listener_untyped("online", move |_| read());
        let offline = window_event_listener_untyped("offline", move |_| read());
        on_cleanup(move || {
            online.remove();
            offline.remove();
        });
    });
    connection.into()
}

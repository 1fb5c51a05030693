//! An attempt, stored by the browser before its first send: a reload, a second tab or a crash finds it and goes on.

use leptos::prelude::window;
use serde::{Deserialize, Serialize};

use crate::identity::Role;

/// One press of the button.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Attempt {
    pub(super) key: String,
    /// The form's fields as JSON, to send the same again; `None` where one of them is a secret, which is never stored.
    pub(super) fields: Option<String>,
    /// Milliseconds since 1970, by the browser's clock.
    pub(super) at_ms: f64,
}

/// An attempt that is older than this is not sent again by itself: its person has gone on.
const RESEND_MS: f64 = 10.0 * 60.0 * 1000.0;

impl Attempt {
    pub(super) fn new(key: String, fields: Option<String>) -> Self {
        Self {
            key,
            fields,
            at_ms: js_sys::Date::now(),
        }
    }

    /// Whether the attempt may be sent again without asking.
    pub(super) fn is_recent(&self) -> bool {
        js_sys::Date::now() - self.at_ms < RESEND_MS
    }
}

/// Where the attempt at a purpose is stored. A browser that refuses to store loses only the memory of a reload: the
/// server keeps the same key for the form.
#[derive(Clone)]
pub(super) struct Place(String);

impl Place {
    pub(super) fn new(role: Role, purpose: &str) -> Self {
        Self(format!("koban:{}:{purpose}", role.as_str()))
    }

    pub(super) fn store(&self, attempt: &Attempt) {
        if let (Some(storage), Ok(text)) = (storage(), serde_json::to_string(attempt)) {
            // A full storage is no reason to refuse a payment.
            let _stored = storage.set_item(&self.0, &text);
        }
    }

    /// The attempt at the form with `key`. One with another key is forgotten: it had its outcome, or is another person's.
    pub(super) fn find(&self, key: &str) -> Option<Attempt> {
        let text = storage()?.get_item(&self.0).ok()??;
        let attempt = serde_json::from_str(&text)
            .ok()
            .filter(|attempt: &Attempt| attempt.key == key);
        if attempt.is_none() {
            self.forget();
        }
        attempt
    }

    pub(super) fn forget(&self) {
        if let Some(storage) = storage() {
            let _removed = storage.remove_item(&self.0);
        }
    }
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

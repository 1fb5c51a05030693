//! The form that changes the language.
use leptos::prelude::*;

/// Remembers the visitor's language. Posted by a plain form, it answers with a redirect to the page it came from.
#[server(prefix = "/fn", endpoint = "language")]
pub async fn set_language(language: String) -> Result<(), ServerFnError> {
    super::server::remember(&language);
    Ok(())
}

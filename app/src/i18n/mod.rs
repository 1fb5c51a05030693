//! Languages: the translations of `locales/`, and which one a visitor sees.
//!
//! The visitor's choice lives in the cookie `language`; without it `Accept-Language` decides. Only the server writes the
//! cookie (a plain form, see [`SetLanguage`]), so choosing works the same with and without JavaScript.
//!
//! ```text
//! let i18n = use_i18n();
//! view! { <h1>{t!(i18n, customer.nav.home)}</h1> }          // in the body of a page
//! view! { <p>{t!(i18n, customer.hello, name = "A")}</p> }   // `Hello {{ name }}`: values only in views
//! <TextField label=tu_string!(i18n, customer.email) .. />   // where a component asks for a String
//! ```
mod api;
#[cfg(feature = "ssr")]
mod server;

use leptos::children::TypedChildren;
use leptos::prelude::*;
use leptos_i18n::context::CookieOptions;

#[expect(
    deprecated,
    reason = "the build-script form that replaces it adds 80 crates to the browser's half of the build"
)]
mod translations {
    leptos_i18n::load_locales!();

    /// The macro reads the texts behind the compiler's back; this makes it look at them again when they change.
    const _: [&[u8]; 2] = [
        include_bytes!("../../locales/en.json"),
        include_bytes!("../../locales/ja.json"),
    ];
}

pub use api::SetLanguage;
pub use leptos_i18n::{t, td_string, tu_string};
pub use translations::i18n::{Locale, use_i18n};

use translations::i18n::I18nContextProvider;

pub(crate) const LANGUAGE_COOKIE: &str = "language";

/// Gives the pages inside it their language, and the document its `lang`.
#[component]
pub fn LanguageProvider<C: IntoView + 'static>(children: TypedChildren<C>) -> impl IntoView {
    let children = children.into_inner();
    let read_only = CookieOptions::<Locale>::default().readonly(true);
    view! { <I18nContextProvider cookie_name=LANGUAGE_COOKIE cookie_options=read_only>{children()}</I18nContextProvider> }
}

/// `text` with `value` in the place of its `{}`: for texts that a component takes as a String.
#[must_use]
pub fn filled(text: &str, value: &str) -> String {
    text.replacen("{}", value, 1)
}

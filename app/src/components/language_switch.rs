//! The switch between the languages: a plain form, the same with and without JavaScript.
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

use super::Icon;
use crate::i18n::{Locale, SetLanguage, t, use_i18n};

/// `<LanguageSwitch />`: one button for each language other than the page's, named in that language.
#[component]
pub fn LanguageSwitch() -> impl IntoView {
    let i18n = use_i18n();
    let (language, name) = match i18n.get_locale_untracked() {
        Locale::en => ("ja", "日本語"),
        Locale::ja => ("en", "English"),
    };
    view! {
        <form class="language" method="post" action=SetLanguage::PATH>
            <button class="language__button" name="language" value=language lang=language>
                {Icon::Globe.draw()}
                <span class="visually-hidden">{t!(i18n, components.language)} ": "</span>
                <span>{name}</span>
            </button>
        </form>
    }
    .into_any()
}

//! Writes the language cookie; a language the product does not speak changes nothing.
use std::str::FromStr;

use axum::http::{HeaderValue, header::SET_COOKIE};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use leptos_i18n::Locale as _;

use super::{LANGUAGE_COOKIE, Locale};

const YEAR_SECONDS: u32 = 365 * 24 * 60 * 60;

pub(super) fn remember(language: &str) {
    let (Some(response), Ok(locale)) = (use_context::<ResponseOptions>(), Locale::from_str(language)) else {
        return;
    };
    if let Ok(cookie) = HeaderValue::from_str(&cookie(locale)) {
        response.append_header(SET_COOKIE, cookie);
    }
}

fn cookie(locale: Locale) -> String {
    let language = locale.as_str();
    format!("{LANGUAGE_COOKIE}={language}; Path=/; Max-Age={YEAR_SECONDS}; SameSite=Lax; HttpOnly")
}

//! The entry point of the WASM half: attaches the app to the HTML that the server rendered.

use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, prelude::wasm_bindgen};
use web_sys::PerformanceEntry;

#[wasm_bindgen]
pub fn hydrate() {
    if has_moved_on() {
        let _asked = window().location().reload();
        return;
    }
    leptos::mount::hydrate_body(app::App);
    // Says to whoever looks from outside, such as a test, that the page reacts now.
    if let Some(page) = document().document_element() {
        let _marked = page.set_attribute("data-hydrated", "");
    }
}

/// Whether the browser's address is no longer that of the HTML: somebody went back or forward before this half arrived,
/// between entries of one document, for which no page is loaded. Attached to the HTML of another page, the app would break.
fn has_moved_on() -> bool {
    match (address_of_html(), window().location().href()) {
        (Some(loaded), Ok(shown)) => without_fragment(&loaded) != without_fragment(&shown),
        _ => false,
    }
}

/// The address that the browser loaded, after redirects.
fn address_of_html() -> Option<String> {
    let navigation = window().performance()?.get_entries_by_type("navigation").get(0);
    Some(navigation.dyn_into::<PerformanceEntry>().ok()?.name())
}

fn without_fragment(address: &str) -> &str {
    address.split_once('#').map_or(address, |(page, _)| page)
}

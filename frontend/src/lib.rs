//! The entry point of the WASM half: attaches the app to the HTML that the server rendered.

#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_body(app::App);
    // Says to whoever looks from outside, such as a test, that the page reacts now.
    if let Some(page) = leptos::prelude::document().document_element() {
        let _marked = page.set_attribute("data-hydrated", "");
    }
}

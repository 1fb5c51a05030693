//! The entry point of the WASM half: attaches the app to the HTML that the server rendered.

#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_body(app::App);
}

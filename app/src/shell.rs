//! The HTML document around every page.
use leptos::prelude::*;
use leptos_meta::{HashedStylesheet, MetaTags};

use crate::App;

/// The document. `lang` and `dir` are set on `<html>` by the language provider inside [`App`].
pub fn shell(options: LeptosOptions) -> impl IntoView {
    view! {
        <!DOCTYPE html>
        <html>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
                <meta name="color-scheme" content="light dark" />
                <meta name="theme-color" content="#faf7f0" media="(prefers-color-scheme: light)" />
                <meta name="theme-color" content="#15130f" media="(prefers-color-scheme: dark)" />
                <meta name="format-detection" content="telephone=no" />
                <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
                <HashedStylesheet options=options.clone() id="style" />
                <AutoReload options=options.clone() />
                <HydrationScripts options />
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

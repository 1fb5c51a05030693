//! The button that ends one business at the till and begins the next: it gives the form a new key.

use leptos::prelude::*;
use leptos::server_fn::ServerFn;

use crate::components::{Button, ButtonKind};
use crate::identity::Role;
use crate::money_form::StartAgain;

/// Goes to the page `url`. `key` is the one that the form of `purpose` had; a second press changes nothing.
#[component]
pub(super) fn Next(
    purpose: &'static str,
    #[prop(into)] key: String,
    url: &'static str,
    #[prop(optional)] kind: ButtonKind,
    children: Children,
) -> impl IntoView {
    view! {
        <form method="post" action=StartAgain::PATH>
            <input type="hidden" name="role" value=Role::Terminal.as_str() />
            <input type="hidden" name="purpose" value=purpose />
            <input type="hidden" name="key" value=key />
            <input type="hidden" name="url" value=url />
            <Button kind wide=true>{children()}</Button>
        </form>
    }
}

//! Buttons, and links that look like them.
use leptos::prelude::*;

use super::Icon;
use crate::i18n::{tu_string, use_i18n};

/// A page has one primary action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ButtonKind {
    #[default]
    Primary,
    Secondary,
    /// For what is rarely wanted: no box until it is touched.
    Quiet,
}

/// A button; it submits its form unless `button_type` says otherwise.
///
/// While `busy`, it is disabled and says so (`busy_label`, or "Sending…").
/// ```text
/// <Button busy=action.pending() wide=true>"Pay"</Button>
/// <Button kind=ButtonKind::Quiet button_type="button" icon=Icon::Print on:click=print>"Print"</Button>
/// ```
#[component]
pub fn Button(
    #[prop(optional)] kind: ButtonKind,
    #[prop(default = "submit")] button_type: &'static str,
    #[prop(optional, into)] busy: Signal<bool>,
    #[prop(optional, into)] busy_label: MaybeProp<String>,
    #[prop(optional, into)] disabled: Signal<bool>,
    #[prop(default = None, into)] icon: Option<Icon>,
    /// As wide as its column.
    #[prop(optional)]
    wide: bool,
    children: Children,
) -> impl IntoView {
    let sending = tu_string!(use_i18n(), components.sending);
    view! {
        <button
            type=button_type
            class=class(kind, wide)
            disabled=move || busy.get() || disabled.get()
            aria-busy=move || busy.get().then_some("true")
        >
            <span class="button__label">{icon.map(Icon::draw)} {children()}</span>
            <span class="button__busy">{move || busy_label.get().unwrap_or_else(|| sending.to_owned())}</span>
        </button>
    }
}

/// `<ButtonLink href="/pay" icon=Icon::Pay>"Pay"</ButtonLink>`: goes somewhere, changes nothing.
#[component]
pub fn ButtonLink(
    #[prop(into)] href: String,
    #[prop(optional)] kind: ButtonKind,
    #[prop(default = None, into)] icon: Option<Icon>,
    #[prop(optional)] wide: bool,
    children: Children,
) -> impl IntoView {
    view! {
        <a href=href class=class(kind, wide)>
            <span class="button__label">{icon.map(Icon::draw)} {children()}</span>
        </a>
    }
}

fn class(kind: ButtonKind, wide: bool) -> String {
    let kind = match kind {
        ButtonKind::Primary => "primary",
        ButtonKind::Secondary => "secondary",
        ButtonKind::Quiet => "quiet",
    };
    let wide = if wide { " button--wide" } else { "" };
    format!("button button--{kind}{wide}")
}

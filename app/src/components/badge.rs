//! Badges: a state in a word, with a sign of its own so that colour is never alone.
use leptos::prelude::*;

use super::Icon;
use crate::i18n::{tu_string, use_i18n};

/// What a badge means. `Bad` is kept for what went wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Neutral,
    Waiting,
    Good,
    Bad,
}

/// `<Badge tone=Tone::Waiting icon=Icon::Clock>"Not paired"</Badge>`
#[component]
pub fn Badge(#[prop(optional)] tone: Tone, #[prop(optional)] icon: Option<Icon>, children: Children) -> impl IntoView {
    let class = match tone {
        Tone::Neutral => "badge",
        Tone::Waiting => "badge badge--waiting",
        Tone::Good => "badge badge--good",
        Tone::Bad => "badge badge--bad",
    };
    view! { <span class=class>{icon.map(Icon::draw)} <span>{children()}</span></span> }
}

/// A payment's status by its name on the wire (`captured`, `partially_refunded`, ..); an unknown name is shown as it is.
///
/// `<StatusBadge status="captured" />`
#[component]
pub fn StatusBadge(#[prop(into)] status: String) -> impl IntoView {
    let i18n = use_i18n();
    let (tone, icon, text) = match status.as_str() {
        "processing" => (
            Tone::Waiting,
            Icon::Clock,
            tu_string!(i18n, components.status.processing),
        ),
        "authorized" => (
            Tone::Waiting,
            Icon::Lock,
            tu_string!(i18n, components.status.authorized),
        ),
        "captured" => (Tone::Good, Icon::Check, tu_string!(i18n, components.status.captured)),
        "partially_refunded" => (
            Tone::Neutral,
            Icon::Refund,
            tu_string!(i18n, components.status.partially_refunded),
        ),
        "refunded" => (
            Tone::Neutral,
            Icon::Refund,
            tu_string!(i18n, components.status.refunded),
        ),
        "voided" => (Tone::Neutral, Icon::Back, tu_string!(i18n, components.status.voided)),
        "expired" => (Tone::Neutral, Icon::Clock, tu_string!(i18n, components.status.expired)),
        "failed" => (Tone::Bad, Icon::Error, tu_string!(i18n, components.status.failed)),
        _ => (Tone::Neutral, Icon::Info, ""),
    };
    let text = if text.is_empty() { status } else { text.to_owned() };
    view! { <Badge tone icon>{text}</Badge> }
}

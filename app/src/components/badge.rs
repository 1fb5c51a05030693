//! Badges: a state in a word, with a sign of its own so that colour is never alone.
use ledger::PaymentStatus;
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
pub fn Badge(
    #[prop(optional)] tone: Tone,
    #[prop(default = None, into)] icon: Option<Icon>,
    children: Children,
) -> impl IntoView {
    let class = match tone {
        Tone::Neutral => "badge",
        Tone::Waiting => "badge badge--waiting",
        Tone::Good => "badge badge--good",
        Tone::Bad => "badge badge--bad",
    };
    view! { <span class=class>{icon.map(Icon::draw)} <span>{children()}</span></span> }
}

/// `<StatusBadge status=PaymentStatus::Captured />`
#[component]
pub fn StatusBadge(status: PaymentStatus) -> impl IntoView {
    let (tone, icon) = match status {
        PaymentStatus::Processing => (Tone::Waiting, Icon::Clock),
        PaymentStatus::Authorized => (Tone::Waiting, Icon::Lock),
        PaymentStatus::Captured => (Tone::Good, Icon::Check),
        PaymentStatus::PartiallyRefunded | PaymentStatus::Refunded => (Tone::Neutral, Icon::Refund),
        PaymentStatus::Voided => (Tone::Neutral, Icon::Back),
        PaymentStatus::Expired => (Tone::Neutral, Icon::Clock),
        PaymentStatus::Failed => (Tone::Bad, Icon::Error),
    };
    view! { <Badge tone icon>{status_text(status)}</Badge> }
}

/// The status in the page's language, for places that take a text.
pub fn status_text(status: PaymentStatus) -> &'static str {
    let i18n = use_i18n();
    match status {
        PaymentStatus::Processing => tu_string!(i18n, components.status.processing),
        PaymentStatus::Authorized => tu_string!(i18n, components.status.authorized),
        PaymentStatus::Captured => tu_string!(i18n, components.status.captured),
        PaymentStatus::PartiallyRefunded => tu_string!(i18n, components.status.partially_refunded),
        PaymentStatus::Refunded => tu_string!(i18n, components.status.refunded),
        PaymentStatus::Voided => tu_string!(i18n, components.status.voided),
        PaymentStatus::Expired => tu_string!(i18n, components.status.expired),
        PaymentStatus::Failed => tu_string!(i18n, components.status.failed),
    }
}

//! What the page has to say about what just happened.
use leptos::prelude::*;

use super::Icon;
use crate::i18n::{tu_string, use_i18n};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoticeKind {
    #[default]
    Info,
    Success,
    Warning,
    /// Only for an outcome that is known to have failed.
    Error,
    /// Sent, outcome unknown: the page is asking.
    Checking,
}

/// A message with a title in words; without `title` the kind's own word stands there. Screen readers hear it at once.
/// ```text
/// <Notice kind=NoticeKind::Error title="Not enough balance"><p>"Top up ¥500 and try again."</p></Notice>
/// ```
#[component]
pub fn Notice(
    #[prop(optional)] kind: NoticeKind,
    #[prop(optional, into)] title: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let (class, icon, word) = look(kind);
    let title = if title.is_empty() { word.to_owned() } else { title };
    let role = if kind == NoticeKind::Error { "alert" } else { "status" };
    view! {
        <div class=class role=role>
            <span class="notice__icon">{icon.draw()}</span>
            <div class="notice__text">
                <p class="notice__title">{title}</p>
                {children.map(|children| children())}
            </div>
        </div>
    }
    .into_any()
}

fn look(kind: NoticeKind) -> (&'static str, Icon, &'static str) {
    let i18n = use_i18n();
    match kind {
        NoticeKind::Info => ("notice", Icon::Info, tu_string!(i18n, components.notice.info)),
        NoticeKind::Success => (
            "notice notice--success",
            Icon::Check,
            tu_string!(i18n, components.notice.success),
        ),
        NoticeKind::Warning => (
            "notice notice--warning",
            Icon::Warning,
            tu_string!(i18n, components.notice.warning),
        ),
        NoticeKind::Error => (
            "notice notice--error",
            Icon::Error,
            tu_string!(i18n, components.notice.error),
        ),
        NoticeKind::Checking => (
            "notice notice--checking",
            Icon::Clock,
            tu_string!(i18n, components.notice.checking),
        ),
    }
}

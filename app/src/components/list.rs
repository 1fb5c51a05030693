//! Lists of things to open, parted by hairlines.
use ledger::PaymentStatus;
use leptos::either::Either;
use leptos::prelude::*;

use super::{Amount, Flow, Icon, MoneyText, StatusBadge};

/// `<List><ListRow title=".." /></List>`
#[component]
pub fn List(children: Children) -> impl IntoView {
    view! { <ul class="list">{children()}</ul> }
}

/// A row with a title, small print and a payment's status below it, and `children` at its end; with `href` the whole
/// row opens it. A note without text, or an `href` without one, is none.
/// ```text
/// <ListRow title="Till 1" note="Last seen 12:03" href="/merchant/terminals/1" icon=Icon::Terminal>
///     <Badge>"Paired"</Badge>
/// </ListRow>
/// ```
#[component]
pub fn ListRow(
    #[prop(into)] title: String,
    #[prop(optional, into)] note: String,
    #[prop(optional, into)] href: String,
    #[prop(default = None, into)] icon: Option<Icon>,
    #[prop(default = None, into)] status: Option<PaymentStatus>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let inside = view! {
        {icon.map(|icon| view! { <span class="row__icon">{icon.draw()}</span> })}
        <span class="row__text">
            <span class="row__title">{title}</span>
            <span class="row__note">{note} {status.map(|status| view! { <StatusBadge status /> })}</span>
        </span>
        {children.map(|children| view! { <span class="row__end">{children()}</span> })}
    };
    if href.is_empty() {
        return Either::Left(view! { <li><div class="row">{inside}</div></li> });
    }
    let next = view! { <span class="row__next">{Icon::Next.draw()}</span> };
    Either::Right(view! { <li><a class="row row--link" href=href>{inside} {next}</a></li> })
}

/// Money in or out: with whom, when, how much; the status only where it is not the usual one.
/// ```text
/// <MovementRow title="Sakura Shop (demo)" note="12:03" money=MoneyText::new("850", "¥") flow=Flow::Out
///     icon=Icon::Shop href="/history/01" status=PaymentStatus::Refunded />
/// ```
#[component]
pub fn MovementRow(
    #[prop(into)] title: String,
    #[prop(into)] note: String,
    money: MoneyText,
    #[prop(optional)] flow: Flow,
    #[prop(default = Icon::Pay)] icon: Icon,
    #[prop(optional, into)] href: String,
    #[prop(default = None, into)] status: Option<PaymentStatus>,
) -> impl IntoView {
    view! {
        <ListRow title note href icon status>
            <Amount money flow />
        </ListRow>
    }
}

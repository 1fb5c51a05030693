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

/// A row with a title, small print below it, and `children` at its end; with `href` the whole row opens it.
/// ```text
/// <ListRow title="Till 1" note="Last seen 12:03" href="/merchant/terminals/1" icon=Icon::Terminal>
///     <Badge>"Paired"</Badge>
/// </ListRow>
/// ```
#[component]
pub fn ListRow(
    #[prop(into)] title: String,
    #[prop(optional, into)] note: String,
    #[prop(optional, into)] href: Option<String>,
    #[prop(optional)] icon: Option<Icon>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let inside = view! {
        {icon.map(|icon| view! { <span class="row__icon">{icon.draw()}</span> })}
        <span class="row__text">
            <span class="row__title">{title}</span>
            {(!note.is_empty()).then(|| view! { <span class="row__note">{note}</span> })}
        </span>
        {children.map(|children| view! { <span class="row__end">{children()}</span> })}
    };
    match href {
        Some(href) => Either::Left(
            view! { <li><a class="row row--link" href=href>{inside} <span class="row__next">{Icon::Next.draw()}</span></a></li> },
        ),
        None => Either::Right(view! { <li><div class="row">{inside}</div></li> }),
    }
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
    #[prop(optional)] icon: Option<Icon>,
    #[prop(optional, into)] href: Option<String>,
    #[prop(optional)] status: Option<PaymentStatus>,
) -> impl IntoView {
    let icon = icon.unwrap_or(Icon::Pay);
    let end = view! {
        <Amount money flow />
        {status.map(|status| view! { <StatusBadge status /> })}
    };
    match href {
        Some(href) => Either::Left(view! { <ListRow title note href icon>{end}</ListRow> }),
        None => Either::Right(view! { <ListRow title note icon>{end}</ListRow> }),
    }
}

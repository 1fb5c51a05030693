//! Everything that came in and went out, newest first.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::api::{MovementLine, MovementPage, load_movements};
use crate::components::{ButtonKind, ButtonLink, EmptyState, Flow, Icon, List, MovementRow, PageHeader};
use crate::customer::WalletFrame;
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;

#[component]
pub fn MovementsPage() -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map();
    let movements = Resource::new(move || query.with(|query| query.get("before")), load_movements);
    view! {
        <WalletFrame>
            <PageHeader title=tu_string!(i18n, customer.movements.title) />
            <Load role=Role::Customer data=movements view=move |page| {
                let is_first = query.with_untracked(|query| query.get("before").is_none());
                view! { <History page is_first /> }.into_any()
            } />
        </WalletFrame>
    }
}

#[component]
fn History(page: MovementPage, is_first: bool) -> impl IntoView {
    let i18n = use_i18n();
    if page.lines.is_empty() && is_first {
        return view! {
            <EmptyState icon=Icon::Clock title=tu_string!(i18n, customer.movements.empty_title)>
                <p>{t!(i18n, customer.movements.empty_text)}</p>
            </EmptyState>
        }
        .into_any();
    }
    let earlier = page.next.map(|next| format!("/customer/movements?before={next}"));
    view! {
        <List><MovementLines lines=page.lines /></List>
        <div class="actions">
            {earlier.map(|href| view! { <ButtonLink href kind=ButtonKind::Secondary>{t!(i18n, customer.movements.earlier)}</ButtonLink> })}
            {(!is_first).then(|| view! { <ButtonLink href="/customer/movements" kind=ButtonKind::Quiet>{t!(i18n, customer.movements.newest)}</ButtonLink> })}
        </div>
    }
    .into_any()
}

/// The rows of a list of movements.
#[component]
pub fn MovementLines(lines: Vec<MovementLine>) -> impl IntoView {
    let i18n = use_i18n();
    let row = move |line: MovementLine| {
        let (what, icon) = match line.kind.as_str() {
            "top_up" => (tu_string!(i18n, customer.movements.top_up), Icon::Plus),
            _ if line.is_points => (tu_string!(i18n, customer.movements.points), Icon::Plus),
            "refund" => (tu_string!(i18n, customer.movements.refund), Icon::Refund),
            "transfer" => (tu_string!(i18n, customer.movements.transfer), Icon::Person),
            "grant" => (tu_string!(i18n, customer.movements.grant), Icon::Plus),
            "expire" => (tu_string!(i18n, customer.movements.expired), Icon::Clock),
            "cancel_top_up" | "reverse" => (tu_string!(i18n, customer.movements.undone), Icon::Refund),
            "apply_adjustment" => (tu_string!(i18n, customer.movements.correction), Icon::Check),
            _ => (tu_string!(i18n, customer.movements.pay), Icon::Shop),
        };
        let flow = if line.money.amount.is_sign_negative() {
            Flow::Out
        } else {
            Flow::In
        };
        let (title, note) = match line.counterparty {
            Some(shop) => (shop, format!("{what} · {}", line.at)),
            None => (what.to_owned(), line.at),
        };
        let money = line.money.text();
        match line.path {
            Some(href) => view! { <MovementRow title note money flow icon href /> }.into_any(),
            None => view! { <MovementRow title note money flow icon /> }.into_any(),
        }
    };
    lines.into_iter().map(row).collect_view()
}

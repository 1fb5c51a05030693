//! The store's payments, newest first, a page at a time.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::super::api::{PaymentLine, PaymentList, load_payments};
use crate::components::{ButtonKind, ButtonLink, EmptyState, Icon, List, MovementRow, PageHeader};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::merchant::ShopFrame;

#[component]
pub fn PaymentsPage() -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map();
    let payments = Resource::new(move || query.with(|query| query.get("before")), load_payments);
    view! {
        <ShopFrame>
            <PageHeader title=tu_string!(i18n, merchant.payments.title) />
            <Load role=Role::Merchant data=payments view=move |page| {
                let is_first = query.with_untracked(|query| query.get("before").is_none());
                view! { <Payments page is_first /> }.into_any()
            } />
        </ShopFrame>
    }
}

#[component]
fn Payments(page: PaymentList, is_first: bool) -> impl IntoView {
    let i18n = use_i18n();
    if page.lines.is_empty() && is_first {
        return view! {
            <EmptyState icon=Icon::Receipt title=tu_string!(i18n, merchant.payments.empty_title)>
                <p>{t!(i18n, merchant.payments.empty_text)}</p>
            </EmptyState>
        }
        .into_any();
    }
    let earlier = page.next.map(|next| format!("/merchant/payments?before={next}"));
    view! {
        <List><PaymentLines lines=page.lines /></List>
        <div class="actions">
            {earlier.map(|href| view! { <ButtonLink href kind=ButtonKind::Secondary>{t!(i18n, merchant.payments.earlier)}</ButtonLink> })}
            {(!is_first).then(|| view! { <ButtonLink href="/merchant/payments" kind=ButtonKind::Quiet>{t!(i18n, merchant.payments.newest)}</ButtonLink> })}
        </div>
    }
    .into_any()
}

/// The rows of a list of payments.
#[component]
pub fn PaymentLines(lines: Vec<PaymentLine>) -> impl IntoView {
    lines
        .into_iter()
        .map(
            |PaymentLine {
                 id,
                 customer,
                 money,
                 status,
                 at,
             }| {
                let href = format!("/merchant/payments/{id}");
                view! { <MovementRow title=customer note=at money=money.text() icon=Icon::Person href status /> }
            },
        )
        .collect_view()
}

//! One payment: what was paid, what happened to it since, and the form that returns it.

use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::super::api::{EventLine, PaymentView, RefundLine, load_payment};
use crate::components::{
    Fact, Flow, Icon, List, ListRow, MovementRow, Notice, NoticeKind, PageHeader, Receipt, status_text,
};
use crate::i18n::{filled, t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::merchant::ShopFrame;
use crate::merchant::refunds::RefundForm;
use crate::money::asset_name;

#[component]
pub fn PaymentPage() -> impl IntoView {
    let i18n = use_i18n();
    let (params, query) = (use_params_map(), use_query_map());
    let id = move || params.with(|params| params.get("id")).unwrap_or_default();
    let refund = move || query.with(|query| query.get("refund"));
    // A refund that was just made is named in the URL: the payment is read again.
    let payment = Resource::new(move || (id(), refund()), |(id, _)| load_payment(id));
    view! {
        <ShopFrame>
            <PageHeader title=tu_string!(i18n, merchant.payment.title) back="/merchant/payments" />
            <Load role=Role::Merchant data=payment view=move |payment| {
                view! { <Detail payment made=query.with_untracked(|query| query.get("refund")) /> }.into_any()
            } />
        </ShopFrame>
    }
}

#[component]
fn Detail(payment: PaymentView, made: Option<String>) -> impl IntoView {
    let i18n = use_i18n();
    let facts = facts(&payment);
    let PaymentView {
        payment: paid,
        refundable,
        events,
        refunds,
        form,
        ..
    } = payment;
    let made = refunds
        .iter()
        .find(|refund| Some(&refund.id) == made.as_ref())
        .map(|refund| refund.money.text());
    let done = made.map(|money| filled(tu_string!(i18n, merchant.refund.done), &money.to_string()));
    view! {
        {done.map(|title| view! { <Notice kind=NoticeKind::Success title /> })}
        <Receipt title=paid.customer money=paid.money.text() status=paid.status facts />
        <Refunds refunds />
        {form.map(|form| view! { <RefundForm payment=paid.id refundable form /> })}
        <History events />
    }
}

fn facts(payment: &PaymentView) -> Vec<Fact> {
    let i18n = use_i18n();
    let mut facts = vec![
        Fact::new(tu_string!(i18n, merchant.payment.at), payment.payment.at.clone()),
        Fact::new(
            tu_string!(i18n, merchant.payment.asset),
            asset_name(i18n, &payment.payment.money.asset),
        ),
    ];
    if let Some(memo) = &payment.memo {
        facts.push(Fact::new(tu_string!(i18n, merchant.payment.memo), memo.clone()));
    }
    if !payment.refunded.amount.is_zero() {
        facts.push(Fact::new(
            tu_string!(i18n, merchant.payment.refunded),
            payment.refunded.text().to_string(),
        ));
    }
    if let Some(points) = &payment.points_earned {
        facts.push(Fact::new(
            tu_string!(i18n, merchant.payment.points),
            points.text().to_string(),
        ));
    }
    facts.push(Fact::new(
        tu_string!(i18n, merchant.payment.id),
        payment.payment.id.clone(),
    ));
    facts
}

#[component]
fn Refunds(refunds: Vec<RefundLine>) -> impl IntoView {
    let i18n = use_i18n();
    if refunds.is_empty() {
        return ().into_any();
    }
    let rows = refunds
        .into_iter()
        .map(
            |RefundLine {
                 money, reason, by, at, ..
             }| {
                let note = format!("{at} · {}", actor(&by));
                view! { <MovementRow title=reason note money=money.text() flow=Flow::Out icon=Icon::Refund /> }
            },
        )
        .collect_view();
    view! {
        <section class="section">
            <h2>{t!(i18n, merchant.payment.refunds)}</h2>
            <List>{rows}</List>
        </section>
    }
    .into_any()
}

#[component]
fn History(events: Vec<EventLine>) -> impl IntoView {
    let i18n = use_i18n();
    let rows = events
        .into_iter()
        .map(|EventLine { to, reason, by, at }| {
            let reason = reason.map(|reason| format!(" · {reason}")).unwrap_or_default();
            let note = format!("{at} · {}{reason}", actor(&by));
            view! { <ListRow title=status_text(to) note icon=Icon::Clock /> }
        })
        .collect_view();
    view! {
        <section class="section">
            <h2>{t!(i18n, merchant.payment.history)}</h2>
            <List>{rows}</List>
        </section>
    }
}

/// The word for a kind of actor.
fn actor(kind: &str) -> &'static str {
    let i18n = use_i18n();
    match kind {
        "customer" => tu_string!(i18n, merchant.actor.customer),
        "merchant" => tu_string!(i18n, merchant.actor.merchant),
        "terminal" => tu_string!(i18n, merchant.actor.terminal),
        "admin" => tu_string!(i18n, merchant.actor.admin),
        "api_key" => tu_string!(i18n, merchant.actor.api_key),
        _ => tu_string!(i18n, merchant.actor.system),
    }
}

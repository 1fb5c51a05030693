//! The receipt of a payment: what was paid, what it earned, and what came back.

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::super::api::{ReceiptView, RefundLine, load_receipt};
use crate::components::{ButtonKind, ButtonLink, Fact, Flow, Icon, List, MovementRow, PageHeader, Receipt};
use crate::customer::WalletFrame;
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::asset_name;

#[component]
pub fn ReceiptPage() -> impl IntoView {
    let i18n = use_i18n();
    let params = use_params_map();
    let receipt = Resource::new(
        move || params.with(|params| params.get("id")).unwrap_or_default(),
        load_receipt,
    );
    view! {
        <WalletFrame>
            <PageHeader title=tu_string!(i18n, customer.receipt.title) back="/customer" />
            <Load role=Role::Customer data=receipt view=|receipt| view! { <Paid receipt /> }.into_any() />
        </WalletFrame>
    }
}

#[component]
fn Paid(receipt: ReceiptView) -> impl IntoView {
    let i18n = use_i18n();
    let facts = facts(&receipt);
    let ReceiptView {
        shop,
        money,
        status,
        refunds,
        ..
    } = receipt;
    view! {
        <Receipt title=shop money=money.text() status facts>
            <Refunds refunds />
            <ButtonLink href="/customer" kind=ButtonKind::Secondary>{t!(i18n, customer.receipt.back)}</ButtonLink>
        </Receipt>
    }
}

fn facts(receipt: &ReceiptView) -> Vec<Fact> {
    let i18n = use_i18n();
    let mut facts = vec![
        Fact::new(tu_string!(i18n, customer.receipt.at), receipt.at.clone()),
        Fact::new(
            tu_string!(i18n, customer.receipt.asset),
            asset_name(i18n, &receipt.money.asset),
        ),
    ];
    if let Some(memo) = &receipt.memo {
        facts.push(Fact::new(tu_string!(i18n, customer.receipt.memo), memo.clone()));
    }
    if let Some(points) = &receipt.points_earned {
        facts.push(Fact::new(
            tu_string!(i18n, customer.receipt.points),
            points.text().to_string(),
        ));
    }
    if let Some(points) = &receipt.points_returned {
        facts.push(Fact::new(
            tu_string!(i18n, customer.receipt.points_returned),
            points.text().to_string(),
        ));
    }
    facts.push(Fact::new(
        tu_string!(i18n, customer.receipt.co2),
        format!("{} kg", receipt.co2_saved_kg),
    ));
    facts.push(Fact::new(tu_string!(i18n, customer.receipt.id), receipt.id.clone()));
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
        .map(|RefundLine { money, reason, at }| {
            view! { <MovementRow title=reason note=at money=money.text() flow=Flow::In icon=Icon::Refund /> }
        })
        .collect_view();
    view! {
        <section class="section">
            <h3>{t!(i18n, customer.receipt.refunds)}</h3>
            <List>{rows}</List>
        </section>
    }
    .into_any()
}

//! Taking a payment: the shop types the amount, the customer's code is scanned or the card is typed with its PIN.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::super::api::{PURPOSE, TakeForm, TakePayment, URL, load_take_form};
use crate::components::{ButtonKind, ButtonLink, InputKind, PageHeader, TextField};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::asset_options;
use crate::money_form::{MoneyForm, Sum, SumAmount, SumAsset};
use crate::problem::{self, Problem};
use crate::terminal::KioskFrame;
use crate::terminal::screen::OrDeclined;

#[component]
pub fn TakePage() -> impl IntoView {
    let form = Resource::new(|| (), |()| load_take_form());
    view! {
        <KioskFrame>
            <Load role=Role::Terminal data=form view=|page| view! { <Take page /> }.into_any() />
        </KioskFrame>
    }
}

#[component]
fn Take(page: TakeForm) -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map().get_untracked();
    let TakeForm { assets, form } = page;
    let problem = RwSignal::new(problem::of_query(&query));
    let options = asset_options(i18n, &assets);
    let sum = Sum::of_query(&query, assets);
    let label = sum.label(
        tu_string!(i18n, terminal.pay.submit_amount),
        tu_string!(i18n, terminal.pay.submit),
    );
    view! {
        <OrDeclined url=URL problem>
            <PageHeader title=tu_string!(i18n, terminal.pay.title) back="/terminal" />
            <MoneyForm<TakePayment> role=Role::Terminal purpose=PURPOSE url=URL open=form problem fields=&["amount", "pin", "payer"] label secret=true>
                <SumAmount sum label=tu_string!(i18n, terminal.pay.amount) problem autofocus=true />
                <SumAsset sum label=tu_string!(i18n, terminal.pay.asset) options />
                <PayerFields problem />
            </MoneyForm<TakePayment>>
        </OrDeclined>
    }
}

/// Who pays: a code, or a card with its PIN. The choice is a link, so it needs no script; no field keeps what was typed.
#[component]
fn PayerFields(problem: RwSignal<Option<Problem>>) -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map();
    let by_card = Memo::new(move |_| query.with(|query| query.get("by").as_deref() == Some("card")));
    move || {
        if by_card.get() {
            view! {
                <TextField name="card_number" kind=InputKind::Code label=tu_string!(i18n, terminal.payer.card_number) required=true max_length=24 />
                <TextField
                    name="pin" kind=InputKind::Pin label=tu_string!(i18n, terminal.payer.pin) hint=tu_string!(i18n, terminal.payer.pin_hint)
                    required=true max_length=8 error=problem::at_field(problem, "pin")
                />
                <ButtonLink href="/terminal/payments/new" kind=ButtonKind::Quiet>{t!(i18n, terminal.payer.use_code)}</ButtonLink>
            }
            .into_any()
        } else {
            view! {
                <TextField
                    name="code" kind=InputKind::Code label=tu_string!(i18n, terminal.payer.code) hint=tu_string!(i18n, terminal.payer.code_hint)
                    required=true max_length=20 error=problem::at_field(problem, "payer")
                />
                <ButtonLink href="/terminal/payments/new?by=card" kind=ButtonKind::Quiet>{t!(i18n, terminal.payer.use_card)}</ButtonLink>
            }
            .into_any()
        }
    }
}

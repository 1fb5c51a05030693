//! Taking a payment: the shop types the amount, the customer's code is scanned or the card is typed with its PIN.

use ledger::{Amount, Asset};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::super::api::{PURPOSE, TakeForm, TakePayment, URL, load_take_form};
use crate::components::{AmountField, ButtonKind, ButtonLink, InputKind, PageHeader, SelectField, TextField};
use crate::i18n::{filled, t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::{Money, asset_options};
use crate::money_form::MoneyForm;
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
    let amount = RwSignal::new(query.get("amount").unwrap_or_default());
    let options = asset_options(i18n, &assets);
    let wanted = query
        .get("asset")
        .filter(|wanted| assets.iter().any(|asset| asset.code.as_str() == wanted));
    let first = assets.first().map(|asset| asset.code.to_string());
    let chosen = RwSignal::new(wanted.or(first).unwrap_or_default());
    let asset = Memo::new(move |_| {
        assets
            .iter()
            .find(|asset| chosen.with(|chosen| asset.code.as_str() == chosen))
            .cloned()
    });
    view! {
        <OrDeclined url=URL problem>
            <PageHeader title=tu_string!(i18n, terminal.pay.title) back="/terminal" />
            <MoneyForm<TakePayment> role=Role::Terminal purpose=PURPOSE url=URL open=form problem fields=&["amount", "pin", "payer"] label=label(asset, amount) secret=true>
                {move || asset.get().map(|asset| view! {
                    <AmountField
                        name="amount" label=tu_string!(i18n, terminal.pay.amount) unit=asset.sign decimals={asset.scale > 0}
                        value=amount.get_untracked() error=problem::at_field(problem, "amount") autofocus=true
                        on_input=Callback::new(move |text| amount.set(text))
                    />
                })}
                <SelectField
                    name="asset" label=tu_string!(i18n, terminal.pay.asset) options value=chosen.get_untracked()
                    on_change=Callback::new(move |asset| chosen.set(asset))
                />
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

/// `Take ¥500`, as soon as it is known how much.
fn label(asset: Memo<Option<Asset>>, amount: RwSignal<String>) -> Signal<String> {
    let i18n = use_i18n();
    Signal::derive(move || {
        let typed = amount.with(|text| Amount::parse_typed(text).ok());
        let money = asset
            .get()
            .zip(typed)
            .and_then(|(asset, amount)| Money::typed(asset, amount));
        match money {
            Some(money) => filled(tu_string!(i18n, terminal.pay.submit_amount), &money.text().to_string()),
            None => tu_string!(i18n, terminal.pay.submit).to_owned(),
        }
    })
}

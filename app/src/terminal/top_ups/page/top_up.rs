//! A cash top-up: whose balance, and how much cash was received.

use ledger::{Amount, Asset};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::super::api::{PURPOSE, SendTopUp, TopUpForm, URL, load_top_up_form};
use crate::components::{AmountField, InputKind, PageHeader, SelectField, TextField};
use crate::i18n::{filled, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::{Money, asset_options};
use crate::money_form::MoneyForm;
use crate::problem;
use crate::terminal::KioskFrame;
use crate::terminal::screen::OrDeclined;

#[component]
pub fn TopUpPage() -> impl IntoView {
    let form = Resource::new(|| (), |()| load_top_up_form());
    view! {
        <KioskFrame>
            <Load role=Role::Terminal data=form view=|page| view! { <Charge page /> }.into_any() />
        </KioskFrame>
    }
}

#[component]
fn Charge(page: TopUpForm) -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map().get_untracked();
    let TopUpForm { assets, form } = page;
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
            <PageHeader title=tu_string!(i18n, terminal.top_up.title) back="/terminal" />
            <MoneyForm<SendTopUp> role=Role::Terminal purpose=PURPOSE url=URL open=form problem fields=&["amount", "customer"] label=label(asset, amount) secret=true>
                <TextField
                    name="holder" kind=InputKind::Code label=tu_string!(i18n, terminal.payer.code_or_card)
                    hint=tu_string!(i18n, terminal.payer.code_hint) required=true autofocus=true max_length=24 error=problem::at_field(problem, "customer")
                />
                {move || asset.get().map(|asset| view! {
                    <AmountField
                        name="amount" label=tu_string!(i18n, terminal.top_up.amount) unit=asset.sign decimals={asset.scale > 0}
                        value=amount.get_untracked() error=problem::at_field(problem, "amount")
                        on_input=Callback::new(move |text| amount.set(text))
                    />
                })}
                <SelectField
                    name="asset" label=tu_string!(i18n, terminal.top_up.asset) options value=chosen.get_untracked()
                    on_change=Callback::new(move |asset| chosen.set(asset))
                />
            </MoneyForm<SendTopUp>>
        </OrDeclined>
    }
}

/// `Top up ¥500`, as soon as it is known how much.
fn label(asset: Memo<Option<Asset>>, amount: RwSignal<String>) -> Signal<String> {
    let i18n = use_i18n();
    Signal::derive(move || {
        let typed = amount.with(|text| Amount::parse_typed(text).ok());
        let money = asset
            .get()
            .zip(typed)
            .and_then(|(asset, amount)| Money::typed(asset, amount));
        match money {
            Some(money) => filled(
                tu_string!(i18n, terminal.top_up.submit_amount),
                &money.text().to_string(),
            ),
            None => tu_string!(i18n, terminal.top_up.submit).to_owned(),
        }
    })
}

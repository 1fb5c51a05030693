//! Paying a shop: which balance, how much, and one button that says what it will do.

use ledger::{Amount, Asset};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::super::api::{PayForm, SendPayment, load_pay_form};
use crate::components::{AmountField, ButtonKind, ButtonLink, Notice, NoticeKind, PageHeader, SelectField};
use crate::customer::WalletFrame;
use crate::i18n::{filled, t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::{Money, asset_name};
use crate::money_form::MoneyForm;
use crate::problem::{self, Problem};

#[component]
pub fn PayPage() -> impl IntoView {
    let params = use_params_map();
    let form = Resource::new(
        move || params.with(|params| params.get("code")).unwrap_or_default(),
        load_pay_form,
    );
    view! {
        <WalletFrame>
            <Load role=Role::Customer data=form view=|page| view! { <Pay page /> }.into_any() />
        </WalletFrame>
    }
}

#[component]
fn Pay(page: PayForm) -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map().get_untracked();
    let PayForm {
        shop,
        code,
        balances,
        form,
    } = page;
    let amount = query.get("amount").unwrap_or_default();
    let problem = RwSignal::new(problem::of_query(&query).or_else(|| misread(&amount)));
    let amount = RwSignal::new(amount);
    let wanted = query
        .get("asset")
        .filter(|wanted| balances.iter().any(|money| money.asset.code.as_str() == wanted));
    let first = balances.first().map(|money| money.asset.code.to_string());
    let chosen = RwSignal::new(wanted.or(first).unwrap_or_default());
    let is_empty = balances.iter().all(|money| money.amount.is_zero());
    let assets: Vec<Asset> = balances.iter().map(|money| money.asset.clone()).collect();
    let asset = Memo::new(move |_| {
        assets
            .iter()
            .find(|asset| chosen.with(|chosen| asset.code.as_str() == chosen))
            .cloned()
    });
    let url = format!("/pay/{code}");
    view! {
        <PageHeader title=filled(tu_string!(i18n, customer.pay.to), &shop) />
        {is_empty.then(|| view! { <Notice kind=NoticeKind::Info title=tu_string!(i18n, customer.pay.no_balance) /> })}
        <MoneyForm<SendPayment> role=Role::Customer purpose=format!("pay:{code}") url open=form problem label=label(asset, amount)>
            <input type="hidden" name="code" value=code />
            <BalanceChoice balances chosen />
            {move || asset.get().map(|asset| view! {
                <AmountField
                    name="amount" label=tu_string!(i18n, customer.pay.amount) unit=asset.sign decimals={asset.scale > 0}
                    value=amount.get_untracked() error=problem::at_field(problem, "amount")
                    on_input=Callback::new(move |text| amount.set(text))
                />
            })}
        </MoneyForm<SendPayment>>
        <ButtonLink href="/customer/pay" kind=ButtonKind::Quiet>{t!(i18n, customer.pay.another)}</ButtonLink>
    }
}

/// A link may hold any text as its amount; one that is no amount is said to be none before anything is pressed.
fn misread(amount: &str) -> Option<Problem> {
    let error = Amount::parse_typed(amount).err().filter(|_| !amount.is_empty())?;
    Some(Problem::at("amount", error.code()))
}

/// Which balance pays; nothing to choose where there is one.
#[component]
fn BalanceChoice(balances: Vec<Money>, chosen: RwSignal<String>) -> impl IntoView {
    let i18n = use_i18n();
    let named = |money: &Money| format!("{} ({})", asset_name(i18n, &money.asset), money.text());
    let options: Vec<_> = balances
        .iter()
        .map(|money| (money.asset.code.to_string(), named(money)))
        .collect();
    view! {
        <SelectField
            name="asset" label=tu_string!(i18n, customer.pay.with) options value=chosen.get_untracked()
            on_change=Callback::new(move |asset| chosen.set(asset))
        />
    }
}

/// `Pay ¥500`, as soon as it is known how much.
fn label(asset: Memo<Option<Asset>>, amount: RwSignal<String>) -> Signal<String> {
    let i18n = use_i18n();
    Signal::derive(move || {
        let asset = asset.get();
        let typed = amount.with(|text| Amount::parse_typed(text).ok());
        let shown = asset.zip(typed).and_then(|(asset, amount)| Money::typed(asset, amount));
        match shown {
            Some(money) => filled(tu_string!(i18n, customer.pay.submit_amount), &money.text().to_string()),
            None => tu_string!(i18n, customer.pay.submit).to_owned(),
        }
    })
}

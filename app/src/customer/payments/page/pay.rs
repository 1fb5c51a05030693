//! Paying a shop: which balance, how much, and one button that says what it will do.

use leptos::prelude::*;
use leptos_i18n::I18nContext;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::super::api::{PayForm, SendPayment, load_pay_form};
use crate::components::{ButtonKind, ButtonLink, Notice, NoticeKind, PageHeader};
use crate::customer::WalletFrame;
use crate::i18n::{Locale, filled, t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::{Money, asset_name};
use crate::money_form::{MoneyForm, Sum, SumAmount, SumAsset};
use crate::problem;

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
    let assets = balances.iter().map(|money| money.asset.clone()).collect();
    let sum = Sum::of_query(&query, assets);
    let problem = RwSignal::new(problem::of_query(&query).or_else(|| sum.misread()));
    let is_empty = balances.iter().all(|money| money.amount.is_zero());
    let options = balances.iter().map(|money| balance_option(i18n, money)).collect();
    let label = sum.label(
        tu_string!(i18n, customer.pay.submit_amount),
        tu_string!(i18n, customer.pay.submit),
    );
    let url = format!("/pay/{code}");
    view! {
        <PageHeader title=filled(tu_string!(i18n, customer.pay.to), &shop) />
        {is_empty.then(|| view! { <Notice kind=NoticeKind::Info title=tu_string!(i18n, customer.pay.no_balance) /> })}
        <MoneyForm<SendPayment> role=Role::Customer purpose=format!("pay:{code}") url open=form problem label>
            <input type="hidden" name="code" value=code />
            <SumAsset sum label=tu_string!(i18n, customer.pay.with) options />
            <SumAmount sum label=tu_string!(i18n, customer.pay.amount) problem />
        </MoneyForm<SendPayment>>
        <ButtonLink href="/customer/pay" kind=ButtonKind::Quiet>{t!(i18n, customer.pay.another)}</ButtonLink>
    }
}

/// A balance as an option of the choice which one pays.
fn balance_option(i18n: I18nContext<Locale>, money: &Money) -> (String, String) {
    let text = format!("{} ({})", asset_name(i18n, &money.asset), money.text());
    (money.asset.code.to_string(), text)
}

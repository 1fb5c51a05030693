//! A cash top-up: whose balance, and how much cash was received.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::super::api::{PURPOSE, SendTopUp, TopUpForm, URL, load_top_up_form};
use crate::components::{InputKind, PageHeader, TextField};
use crate::i18n::{tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::asset_options;
use crate::money_form::{MoneyForm, Sum, SumAmount, SumAsset};
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
    let options = asset_options(i18n, &assets);
    let sum = Sum::of_query(&query, assets);
    let label = sum.label(
        tu_string!(i18n, terminal.top_up.submit_amount),
        tu_string!(i18n, terminal.top_up.submit),
    );
    view! {
        <OrDeclined url=URL problem>
            <PageHeader title=tu_string!(i18n, terminal.top_up.title) back="/terminal" />
            <MoneyForm<SendTopUp> role=Role::Terminal purpose=PURPOSE url=URL open=form problem fields=&["amount", "customer"] label secret=true>
                <TextField
                    name="holder" kind=InputKind::Code label=tu_string!(i18n, terminal.payer.code_or_card)
                    hint=tu_string!(i18n, terminal.payer.code_hint) required=true autofocus=true max_length=24 error=problem::at_field(problem, "customer")
                />
                <SumAmount sum label=tu_string!(i18n, terminal.top_up.amount) problem />
                <SumAsset sum label=tu_string!(i18n, terminal.top_up.asset) options />
            </MoneyForm<SendTopUp>>
        </OrDeclined>
    }
}

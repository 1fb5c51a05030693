//! Naming the shop to pay: by its code, typed or scanned with the phone's own camera.

use leptos::prelude::*;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_query_map;

use super::super::api::find_shop;
use crate::components::{Button, InputKind, PageHeader, TextField};
use crate::customer::WalletFrame;
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::problem::{self, Problem};

#[component]
pub fn ShopPage() -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map();
    let typed = move || query.with(|query| query.get("code")).filter(|code| !code.is_empty());
    let shop = Resource::new(typed, |code| async move {
        match find_shop(code).await {
            Err(problem) if problem.is(problem::NOT_FOUND) => Ok(Err(problem)),
            found => found.map(Ok),
        }
    });
    view! {
        <WalletFrame>
            <PageHeader title=tu_string!(i18n, customer.pay.title) lead=tu_string!(i18n, customer.pay.lead) />
            <Load role=Role::Customer data=shop view=move |found| match found {
                Ok(Some(path)) => view! { <Redirect path /> }.into_any(),
                Ok(None) => view! { <CodeForm typed=String::new() problem=None /> }.into_any(),
                Err(problem) => view! {
                    <CodeForm typed=query.with_untracked(|query| query.get("code")).unwrap_or_default() problem=Some(problem) />
                }.into_any(),
            } />
        </WalletFrame>
    }
}

/// A form that only asks: it changes nothing, so it is a GET and its answer can be gone back to.
#[component]
fn CodeForm(typed: String, problem: Option<Problem>) -> impl IntoView {
    let i18n = use_i18n();
    let error = problem.map(|problem| problem::text(i18n, &problem));
    view! {
        <form class="form" method="get" action="/customer/pay">
            <TextField
                name="code" kind=InputKind::Code required=true value=typed error=Signal::stored(error) max_length=20
                label=tu_string!(i18n, customer.pay.code) hint=tu_string!(i18n, customer.pay.code_hint)
            />
            <Button wide=true>{t!(i18n, customer.pay.next)}</Button>
        </form>
    }
}

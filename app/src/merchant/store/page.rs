//! The store's QR code to print, for any amount or for a fixed one.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::api::{StoreCode, load_store_code};
use crate::components::{AmountField, Button, ButtonKind, ButtonLink, Icon, PageHeader, QrFrame, SelectField};
use crate::i18n::{filled, t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::merchant::ShopFrame;
use crate::money::asset_options;
use crate::problem;

#[component]
pub fn StorePage() -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map();
    let asked = move || query.with(|query| (query.get("amount"), query.get("asset")));
    let code = Resource::new(asked, |(amount, asset)| load_store_code(amount, asset));
    view! {
        <ShopFrame>
            <PageHeader title=tu_string!(i18n, merchant.store.title) lead=tu_string!(i18n, merchant.store.lead)>
                <Button kind=ButtonKind::Secondary button_type="button" icon=Icon::Print on:click=|_| print()>
                    {t!(i18n, merchant.store.print)}
                </Button>
            </PageHeader>
            <Load role=Role::Merchant data=code view=move |store| {
                let (amount, asset) = query.with_untracked(|query| (query.get("amount"), query.get("asset")));
                view! { <Store store amount=amount.unwrap_or_default() asset=asset.unwrap_or_default() /> }.into_any()
            } />
        </ShopFrame>
    }
}

#[component]
fn Store(store: StoreCode, amount: String, asset: String) -> impl IntoView {
    let i18n = use_i18n();
    let StoreCode {
        name,
        code,
        link,
        svg,
        money,
        problem,
        assets,
    } = store;
    let label = filled(tu_string!(i18n, merchant.store.label), &name);
    let unit = assets.first().map(|asset| asset.sign.clone()).unwrap_or_default();
    let error = problem.map(|problem| problem::text(i18n, &problem));
    let has_amount = money.is_some();
    view! {
        <QrFrame svg label code money=money.map(|money| money.text()) />
        <p class="note">{t!(i18n, merchant.store.link)} ": " <a href=link.clone()>{link.clone()}</a></p>
        // It only asks, so it is a GET and its answer can be kept as a bookmark.
        <form class="form" method="get" action="/merchant/store">
            <AmountField name="amount" label=tu_string!(i18n, merchant.store.amount) unit decimals=true value=amount error=Signal::stored(error) />
            <SelectField name="asset" label=tu_string!(i18n, merchant.store.asset) value=asset options=asset_options(i18n, &assets) />
            <div class="actions">
                <Button>{t!(i18n, merchant.store.show)}</Button>
                {has_amount.then(|| view! { <ButtonLink href="/merchant/store" kind=ButtonKind::Quiet>{t!(i18n, merchant.store.clear)}</ButtonLink> })}
            </div>
            <p class="note">{t!(i18n, merchant.store.print_hint)}</p>
        </form>
    }
}

/// Opens the browser's own printing; where there is none, nothing happens.
fn print() {
    let _printed = window().print();
}

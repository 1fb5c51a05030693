//! The customers, with what each of them holds.

use ledger::AccountStatus;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::api::{CustomerLine, CustomerList, load_customers};
use crate::admin::AdminFrame;
use crate::components::{Badge, ButtonKind, ButtonLink, Column, DataTable, EmptyState, Icon, PageHeader, Tone};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::asset_name;

#[component]
pub fn CustomersPage() -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map();
    let customers = Resource::new(move || query.with(|query| query.get("after")), load_customers);
    view! {
        <AdminFrame>
            <PageHeader title=tu_string!(i18n, admin.customers.title) />
            <Load role=Role::Admin data=customers view=move |list| {
                let is_first = query.with_untracked(|query| query.get("after").is_none());
                view! { <Customers list is_first /> }.into_any()
            } />
        </AdminFrame>
    }
}

#[component]
fn Customers(list: CustomerList, is_first: bool) -> impl IntoView {
    let i18n = use_i18n();
    let CustomerList { assets, lines, next } = list;
    if lines.is_empty() && is_first {
        return view! {
            <EmptyState icon=Icon::People title=tu_string!(i18n, admin.customers.empty_title)>
                <p>{t!(i18n, admin.customers.empty_text)}</p>
            </EmptyState>
        }
        .into_any();
    }
    let mut columns = vec![
        Column::text(tu_string!(i18n, admin.customers.name)),
        Column::text(tu_string!(i18n, admin.customers.code)),
        Column::text(tu_string!(i18n, admin.customers.status)),
    ];
    columns.extend(assets.iter().map(|asset| Column::number(asset_name(i18n, asset))));
    let rows = lines
        .into_iter()
        .map(|customer| view! { <Customer customer /> })
        .collect_view();
    let next = next.map(|next| format!("/admin/customers?after={next}"));
    view! {
        <DataTable caption=tu_string!(i18n, admin.customers.caption) columns>{rows}</DataTable>
        <div class="actions">
            {next.map(|href| view! { <ButtonLink href kind=ButtonKind::Secondary>{t!(i18n, admin.customers.next)}</ButtonLink> })}
            {(!is_first).then(|| view! { <ButtonLink href="/admin/customers" kind=ButtonKind::Quiet>{t!(i18n, admin.customers.first)}</ButtonLink> })}
        </div>
    }
    .into_any()
}

#[component]
fn Customer(customer: CustomerLine) -> impl IntoView {
    let CustomerLine {
        name,
        code,
        status,
        balances,
    } = customer;
    let balances = balances
        .into_iter()
        .map(|money| view! { <td class="number">{money.text().to_string()}</td> })
        .collect_view();
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td>{code}</td>
            <td><Status status /></td>
            {balances}
        </tr>
    }
}

#[component]
fn Status(status: AccountStatus) -> impl IntoView {
    let i18n = use_i18n();
    let (tone, icon, word) = match status {
        AccountStatus::Active => (Tone::Good, Icon::Check, tu_string!(i18n, admin.customers.active)),
        AccountStatus::Frozen => (Tone::Waiting, Icon::Lock, tu_string!(i18n, admin.customers.frozen)),
        AccountStatus::Closed => (Tone::Neutral, Icon::Error, tu_string!(i18n, admin.customers.closed)),
    };
    view! { <Badge tone icon>{word}</Badge> }
}

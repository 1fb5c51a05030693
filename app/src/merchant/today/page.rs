//! Today's sales in large figures, the other balances in a table, and the latest payments.

use leptos::prelude::*;

use super::api::{SalesLine, Today, load_today};
use crate::components::{
    Amount, AmountSize, ButtonKind, ButtonLink, Column, DataTable, EmptyState, Icon, List, PageHeader, StatTile,
};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::merchant::ShopFrame;
use crate::merchant::payments::{PaymentLine, PaymentLines};
use crate::money::{Money, asset_name};

#[component]
pub fn TodayPage() -> impl IntoView {
    let today = Resource::new(|| (), |()| load_today());
    view! {
        <ShopFrame>
            <Load role=Role::Merchant data=today view=|today| view! { <Day today /> }.into_any() />
        </ShopFrame>
    }
}

#[component]
fn Day(today: Today) -> impl IntoView {
    let i18n = use_i18n();
    let Today {
        store,
        date,
        sales,
        latest,
    } = today;
    let mut sales = sales.into_iter();
    let main = sales.next();
    let others: Vec<SalesLine> = sales.collect();
    view! {
        <PageHeader title=tu_string!(i18n, merchant.today.title) lead=format!("{store} · {date}") />
        <div class="stack">
            {main.map(|sales| view! { <Figures sales /> })}
            <Others sales=others />
            <Latest payments=latest />
        </div>
    }
}

/// The main balance's day.
#[component]
fn Figures(sales: SalesLine) -> impl IntoView {
    let i18n = use_i18n();
    let SalesLine {
        captured,
        refunded,
        net,
        count,
        average,
    } = sales;
    let average = match average {
        Some(average) => view! { <Amount money=average.text() size=AmountSize::Large /> }.into_any(),
        None => "–".into_any(),
    };
    view! {
        <div class="tiles">
            <StatTile label=tu_string!(i18n, merchant.today.sales)>
                <Amount money=captured.text() size=AmountSize::Large />
            </StatTile>
            <StatTile label=tu_string!(i18n, merchant.today.count)>{count.to_string()}</StatTile>
            <StatTile label=tu_string!(i18n, merchant.today.average)>{average}</StatTile>
            <StatTile label=tu_string!(i18n, merchant.today.refunds)>
                <Amount money=refunded.text() size=AmountSize::Large />
            </StatTile>
            <StatTile label=tu_string!(i18n, merchant.today.net)>
                <Amount money=net.signed_text() size=AmountSize::Large />
            </StatTile>
        </div>
    }
    .into_any()
}

/// The day in every other asset that moved.
#[component]
fn Others(sales: Vec<SalesLine>) -> impl IntoView {
    let i18n = use_i18n();
    if sales.is_empty() {
        return ().into_any();
    }
    let columns = vec![
        Column::text(tu_string!(i18n, merchant.today.asset)),
        Column::number(tu_string!(i18n, merchant.today.sales)),
        Column::number(tu_string!(i18n, merchant.today.count)),
        Column::number(tu_string!(i18n, merchant.today.average)),
        Column::number(tu_string!(i18n, merchant.today.refunds)),
        Column::number(tu_string!(i18n, merchant.today.net)),
    ];
    let text = |money: &Money| money.text().to_string();
    let rows = sales
        .into_iter()
        .map(|line| {
            view! {
                <tr>
                    <th scope="row">{asset_name(i18n, &line.captured.asset)}</th>
                    <td class="number">{text(&line.captured)}</td>
                    <td class="number">{line.count}</td>
                    <td class="number">{line.average.as_ref().map_or_else(|| "–".to_owned(), text)}</td>
                    <td class="number">{text(&line.refunded)}</td>
                    <td class="number">{line.net.signed_text().to_string()}</td>
                </tr>
            }
        })
        .collect_view();
    view! { <DataTable caption=tu_string!(i18n, merchant.today.others) columns>{rows}</DataTable> }.into_any()
}

#[component]
fn Latest(payments: Vec<PaymentLine>) -> impl IntoView {
    let i18n = use_i18n();
    if payments.is_empty() {
        return view! {
            <EmptyState icon=Icon::Receipt title=tu_string!(i18n, merchant.today.empty_title)>
                <p>{t!(i18n, merchant.today.empty_text)}</p>
                <ButtonLink href="/merchant/store" icon=Icon::Code>{t!(i18n, merchant.today.show_qr)}</ButtonLink>
            </EmptyState>
        }
        .into_any();
    }
    view! {
        <section class="section">
            <h2>{t!(i18n, merchant.today.latest)}</h2>
            <List><PaymentLines lines=payments /></List>
            <ButtonLink href="/merchant/payments" kind=ButtonKind::Quiet>{t!(i18n, merchant.today.all)}</ButtonLink>
        </section>
    }
    .into_any()
}

//! Money in circulation, who takes part, and what the safety of today counted.

use leptos::prelude::*;

use super::api::{Counts, Overview, load_overview};
use crate::admin::AdminFrame;
use crate::components::{Amount, AmountSize, PageHeader, StatTile};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::{Money, asset_name};

#[component]
pub fn OverviewPage() -> impl IntoView {
    let overview = Resource::new(|| (), |()| load_overview());
    view! {
        <AdminFrame>
            <Load role=Role::Admin data=overview view=|overview| view! { <Glance overview /> }.into_any() />
        </AdminFrame>
    }
}

#[component]
fn Glance(overview: Overview) -> impl IntoView {
    let i18n = use_i18n();
    let Overview {
        tenant,
        date,
        in_circulation,
        customers,
        merchants,
        today,
    } = overview;
    view! {
        <PageHeader title=tu_string!(i18n, admin.overview.title) lead=format!("{tenant} · {date}") />
        <Circulation sums=in_circulation />
        <section class="section">
            <h2>{t!(i18n, admin.overview.people)}</h2>
            <div class="tiles">
                <StatTile label=tu_string!(i18n, admin.overview.customers)>{customers.to_string()}</StatTile>
                <StatTile label=tu_string!(i18n, admin.overview.merchants)>{merchants.to_string()}</StatTile>
            </div>
        </section>
        <Safety counts=today />
    }
}

#[component]
fn Circulation(sums: Vec<Money>) -> impl IntoView {
    let i18n = use_i18n();
    let tiles = sums
        .into_iter()
        .map(|money| {
            view! {
                <StatTile label=asset_name(i18n, &money.asset)>
                    <Amount money=money.signed_text() size=AmountSize::Large />
                </StatTile>
            }
        })
        .collect_view();
    view! {
        <section class="section">
            <h2>{t!(i18n, admin.overview.circulation)}</h2>
            <p class="note">{t!(i18n, admin.overview.circulation_note)}</p>
            <div class="tiles">{tiles}</div>
        </section>
    }
}

#[component]
fn Safety(counts: Counts) -> impl IntoView {
    let i18n = use_i18n();
    let tiles = [
        (
            tu_string!(i18n, admin.overview.conflict),
            tu_string!(i18n, admin.overview.conflict_note),
            counts.conflict,
        ),
        (
            tu_string!(i18n, admin.overview.replay),
            tu_string!(i18n, admin.overview.replay_note),
            counts.replay,
        ),
        (
            tu_string!(i18n, admin.overview.key_missing),
            tu_string!(i18n, admin.overview.key_missing_note),
            counts.key_missing,
        ),
        (
            tu_string!(i18n, admin.overview.key_reused),
            tu_string!(i18n, admin.overview.key_reused_note),
            counts.key_reused,
        ),
        (
            tu_string!(i18n, admin.overview.in_flight),
            tu_string!(i18n, admin.overview.in_flight_note),
            counts.in_flight,
        ),
    ];
    let tiles = tiles
        .map(|(label, note, count)| view! { <StatTile label note>{count.to_string()}</StatTile> })
        .collect_view();
    view! {
        <section class="section">
            <h2>{t!(i18n, admin.overview.today)}</h2>
            <p class="note">{t!(i18n, admin.overview.today_note)}</p>
            <div class="tiles">{tiles}</div>
        </section>
    }
}

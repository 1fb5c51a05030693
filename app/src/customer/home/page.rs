//! Balances, the CO2 they saved, the last movements, and the two things a wallet is for.

use leptos::prelude::*;

use super::api::{Home, load_home};
use crate::components::{BalanceCard, ButtonKind, ButtonLink, EmptyState, Icon, List, MoneyText, PageHeader, StatTile};
use crate::customer::WalletFrame;
use crate::customer::movements::MovementLines;
use crate::i18n::{filled, t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::money::{Money, asset_name};

#[component]
pub fn HomePage() -> impl IntoView {
    let home = Resource::new(|| (), |()| load_home());
    view! {
        <WalletFrame>
            <Load role=Role::Customer data=home view=|home| view! { <Wallet home /> }.into_any() />
        </WalletFrame>
    }
}

#[component]
fn Wallet(home: Home) -> impl IntoView {
    let i18n = use_i18n();
    let Home {
        name,
        balances,
        co2_saved_kg,
        recent,
    } = home;
    let hello = filled(tu_string!(i18n, customer.home.hello), &name);
    let co2 = MoneyText::new(&co2_saved_kg.round_dp(3).normalize().to_string(), "kg").to_string();
    view! {
        <PageHeader title=tu_string!(i18n, customer.home.title) lead=hello />
        <div class="stack">
            <Balances balances />
            <div class="tiles">
                <StatTile label=tu_string!(i18n, customer.home.co2)>{co2}</StatTile>
            </div>
            <Recent recent />
        </div>
    }
}

#[component]
fn Balances(balances: Vec<Money>) -> impl IntoView {
    let i18n = use_i18n();
    let mut balances = balances.into_iter();
    let main = balances.next().map(|money| {
        view! {
            <BalanceCard name=asset_name(i18n, &money.asset) money=money.text() featured=true>
                <ButtonLink href="/customer/pay" icon=Icon::Pay>{t!(i18n, customer.home.pay)}</ButtonLink>
                <ButtonLink href="/customer/code" icon=Icon::Code kind=ButtonKind::Secondary>{t!(i18n, customer.home.code)}</ButtonLink>
            </BalanceCard>
        }
    });
    let others = balances
        .map(|money| view! { <BalanceCard name=asset_name(i18n, &money.asset) money=money.text() /> })
        .collect_view();
    view! { {main} <div class="tiles">{others}</div> }
}

#[component]
fn Recent(recent: Vec<crate::customer::movements::MovementLine>) -> impl IntoView {
    let i18n = use_i18n();
    if recent.is_empty() {
        return view! {
            <EmptyState icon=Icon::Clock title=tu_string!(i18n, customer.home.empty_title)>
                <p>{t!(i18n, customer.home.empty_text)}</p>
            </EmptyState>
        }
        .into_any();
    }
    view! {
        <section class="section">
            <h2>{t!(i18n, customer.home.recent)}</h2>
            <List><MovementLines lines=recent /></List>
            <ButtonLink href="/customer/movements" kind=ButtonKind::Quiet>{t!(i18n, customer.home.all)}</ButtonLink>
        </section>
    }
    .into_any()
}

//! Outcomes that fill the screen and are read from a metre away. *Done* and *declined* stand here; *checking* is the
//! money form's own notice, which the kiosk's style spreads over the whole screen.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use crate::components::{Amount, AmountSize, ButtonKind, ButtonLink, Fact, Facts, Icon, MoneyText};
use crate::i18n::{t, tu_string, use_i18n};
use crate::problem::{self, Problem};

/// It happened: how much, and what follows from it. Children are what comes next.
#[component]
pub(super) fn DoneScreen(
    #[prop(into)] title: String,
    money: MoneyText,
    facts: Vec<Fact>,
    children: Children,
) -> impl IntoView {
    view! {
        <leptos_meta::Title text=title.clone() />
        <section class="screen screen--done" role="status">
            <span class="screen__sign">{Icon::Check.draw()}</span>
            <h1 class="screen__title">{title}</h1>
            <p><Amount money size=AmountSize::Hero /></p>
            <Facts facts />
            <div class="screen__next">{children()}</div>
        </section>
    }
    .into_any()
}

/// The form at `url`, or, while `problem` is a definite no of the ledger, the screen that says so and why.
#[component]
pub(super) fn OrDeclined(url: &'static str, problem: RwSignal<Option<Problem>>, children: Children) -> impl IntoView {
    let declined = Memo::new(move |_| problem.get().filter(Problem::ends_key));
    view! {
        {move || declined.get().map(|reason| view! { <Declined url problem reason /> })}
        <div class="stack" hidden=move || declined.with(Option::is_some)>{children()}</div>
    }
    .into_any()
}

#[component]
fn Declined(url: &'static str, problem: RwSignal<Option<Problem>>, reason: Problem) -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <section class="screen screen--declined" role="alert">
            <span class="screen__sign">{Icon::Error.draw()}</span>
            <h2 class="screen__title">{t!(i18n, terminal.declined.title)}</h2>
            <p class="screen__text">{problem::text(i18n, &reason)}</p>
            <p>{t!(i18n, terminal.declined.text)}</p>
            <div class="screen__next">
                <ButtonLink href=again(url) wide=true on:click=move |_| problem.set(None)>
                    {tu_string!(i18n, terminal.declined.again)}
                </ButtonLink>
                <ButtonLink href="/terminal" kind=ButtonKind::Secondary wide=true>{t!(i18n, terminal.to_menu)}</ButtonLink>
            </div>
        </section>
    }
}

/// The form with what was typed, without the problem.
fn again(url: &str) -> String {
    let query = use_query_map().get_untracked();
    let kept = ["amount", "asset", "by"]
        .into_iter()
        .filter_map(|name| Some((name, query.get(name)?)));
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(kept)
        .finish();
    format!("{url}?{query}")
}

//! The balance was charged: how much, the bonus, and what it holds now.

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::super::api::{PURPOSE, ToppedUpView, URL, load_topped_up};
use crate::components::{ButtonKind, Fact};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::terminal::KioskFrame;
use crate::terminal::next::Next;
use crate::terminal::screen::DoneScreen;

#[component]
pub fn ToppedUpPage() -> impl IntoView {
    let params = use_params_map();
    let done = Resource::new(
        move || params.with(|params| params.get("id")).unwrap_or_default(),
        load_topped_up,
    );
    view! {
        <KioskFrame>
            <Load role=Role::Terminal data=done view=|done| view! { <ToppedUp done /> }.into_any() />
        </KioskFrame>
    }
}

#[component]
fn ToppedUp(done: ToppedUpView) -> impl IntoView {
    let i18n = use_i18n();
    let ToppedUpView {
        money,
        bonus,
        balance_after,
        at,
        key,
    } = done;
    let mut facts = Vec::new();
    if let Some(bonus) = bonus {
        facts.push(Fact::new(
            tu_string!(i18n, terminal.top_up.bonus),
            bonus.text().to_string(),
        ));
    }
    facts.push(Fact::new(
        tu_string!(i18n, terminal.top_up.balance),
        balance_after.text().to_string(),
    ));
    facts.push(Fact::new(tu_string!(i18n, terminal.top_up.at), at));
    view! {
        <DoneScreen title=tu_string!(i18n, terminal.top_up.done) money=money.text() facts>
            <Next purpose=PURPOSE key=key.clone() url=URL>{t!(i18n, terminal.top_up.next)}</Next>
            <Next purpose=PURPOSE key url="/terminal" kind=ButtonKind::Secondary>{t!(i18n, terminal.to_menu)}</Next>
        </DoneScreen>
    }
}

//! The payment was taken: how much, large and green, and the next sale.

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::super::api::{PURPOSE, TakenView, URL, load_taken};
use crate::components::{ButtonKind, Fact, StatusBadge};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::terminal::KioskFrame;
use crate::terminal::next::Next;
use crate::terminal::screen::DoneScreen;
use ledger::PaymentStatus;

#[component]
pub fn TakenPage() -> impl IntoView {
    let params = use_params_map();
    let taken = Resource::new(
        move || params.with(|params| params.get("id")).unwrap_or_default(),
        load_taken,
    );
    view! {
        <KioskFrame>
            <Load role=Role::Terminal data=taken view=|taken| view! { <Taken taken /> }.into_any() />
        </KioskFrame>
    }
}

#[component]
fn Taken(taken: TakenView) -> impl IntoView {
    let i18n = use_i18n();
    let TakenView {
        money,
        status,
        at,
        points_earned,
        key,
    } = taken;
    let mut facts = vec![Fact::new(tu_string!(i18n, terminal.pay.at), at)];
    if let Some(points) = points_earned {
        facts.push(Fact::new(
            tu_string!(i18n, terminal.pay.points),
            points.text().to_string(),
        ));
    }
    // Seen again later, the payment may have been refunded.
    let changed = (status != PaymentStatus::Captured).then(|| view! { <StatusBadge status /> });
    view! {
        <DoneScreen title=tu_string!(i18n, terminal.pay.done) money=money.text() facts>
            {changed}
            <Next purpose=PURPOSE key=key.clone() url=URL>{t!(i18n, terminal.pay.next)}</Next>
            <Next purpose=PURPOSE key url="/terminal" kind=ButtonKind::Secondary>{t!(i18n, terminal.to_menu)}</Next>
        </DoneScreen>
    }
}

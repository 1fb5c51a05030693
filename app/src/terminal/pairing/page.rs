//! A code to type while the device is not paired; then two large buttons.

use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::hooks::use_query_map;

use super::api::{PairTerminal, Till, load_till};
use crate::components::{
    Button, ButtonKind, ButtonLink, Icon, InputKind, LanguageSwitch, Notice, NoticeKind, PageHeader, TextField,
};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::problem;
use crate::terminal::KioskFrame;

#[component]
pub fn TillPage() -> impl IntoView {
    let till = Resource::new(|| (), |()| load_till());
    view! {
        <KioskFrame>
            <Load role=Role::Terminal data=till view=|till| match till {
                Some(till) => view! { <Menu till /> }.into_any(),
                None => view! { <Pairing /> }.into_any(),
            } />
            <LanguageSwitch />
        </KioskFrame>
    }
}

#[component]
fn Menu(till: Till) -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <PageHeader title=till.shop lead=till.name />
        <div class="kiosk-menu">
            <ButtonLink href="/terminal/payments/new" icon=Icon::Pay wide=true>{t!(i18n, terminal.menu.pay)}</ButtonLink>
            <ButtonLink href="/terminal/top-ups/new" icon=Icon::Plus kind=ButtonKind::Secondary wide=true>
                {t!(i18n, terminal.menu.top_up)}
            </ButtonLink>
        </div>
    }
}

#[component]
fn Pairing() -> impl IntoView {
    let i18n = use_i18n();
    let problem = RwSignal::new(problem::of_query(&use_query_map().get_untracked()));
    let elsewhere = problem.get_untracked().filter(|problem| problem.field.is_none());
    view! {
        <PageHeader title=tu_string!(i18n, terminal.pairing.title) lead=tu_string!(i18n, terminal.pairing.lead) />
        {elsewhere.map(|problem| view! { <Notice kind=NoticeKind::Error title=problem::text(i18n, &problem) /> })}
        <form class="form" method="post" action=PairTerminal::PATH>
            <TextField
                name="code" kind=InputKind::Code label=tu_string!(i18n, terminal.pairing.code)
                hint=tu_string!(i18n, terminal.pairing.code_hint) required=true autofocus=true max_length=20
                error=problem::at_field(problem, "code")
            />
            <Button wide=true>{t!(i18n, terminal.pairing.submit)}</Button>
        </form>
    }
}

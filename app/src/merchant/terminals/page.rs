//! The store's tills: those there are, and a code for the next.

use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::hooks::use_query_map;

use super::api::{IssuePairingCode, PairingCode, RevokeTerminal, TerminalLine, TerminalList, load_terminals};
use crate::components::{
    Badge, Button, ButtonKind, ButtonLink, EmptyState, Icon, List, ListRow, Notice, NoticeKind, PageHeader, StatTile,
    TextField, Tone,
};
use crate::i18n::{filled, t, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;
use crate::merchant::ShopFrame;
use crate::problem;

#[component]
pub fn TerminalsPage() -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map();
    let terminals = Resource::new(|| (), |()| load_terminals());
    view! {
        <ShopFrame>
            <PageHeader title=tu_string!(i18n, merchant.terminals.title) lead=tu_string!(i18n, merchant.terminals.lead) />
            <Load role=Role::Merchant data=terminals view=move |TerminalList { terminals, code }| {
                let asked = terminals.clone();
                let asked = move || query.with(|query| query.get("revoke")).and_then(|id| asked.iter().find(|line| line.id == id && !line.is_revoked).cloned());
                view! {
                    {move || asked().map(|terminal| view! { <Revoking terminal /> })}
                    {code.map(|code| view! { <CodeToType code /> })}
                    <Terminals terminals />
                    <NewCode />
                }.into_any()
            } />
        </ShopFrame>
    }
}

/// The code, large enough to be read out.
#[component]
fn CodeToType(code: PairingCode) -> impl IntoView {
    let i18n = use_i18n();
    let PairingCode {
        code,
        expires_at,
        address,
    } = code;
    let until = filled(tu_string!(i18n, merchant.terminals.code_until), &expires_at);
    let note = filled(tu_string!(i18n, merchant.terminals.code_note), &address);
    view! {
        <StatTile label=tu_string!(i18n, merchant.terminals.code) note=format!("{note} {until}")>
            <strong class="read-out">{code}</strong>
        </StatTile>
    }
}

#[component]
fn NewCode() -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map().get_untracked();
    let problem = RwSignal::new(problem::of_query(&query));
    view! {
        <section class="section">
            <h2>{t!(i18n, merchant.terminals.new)}</h2>
            <form class="form" method="post" action=IssuePairingCode::PATH>
                <TextField
                    name="name" label=tu_string!(i18n, merchant.terminals.name) hint=tu_string!(i18n, merchant.terminals.name_hint)
                    required=true max_length=60 value=query.get("name").unwrap_or_default() error=problem::at_field(problem, "name")
                />
                <Button>{t!(i18n, merchant.terminals.make_code)}</Button>
            </form>
        </section>
    }
}

#[component]
fn Terminals(terminals: Vec<TerminalLine>) -> impl IntoView {
    let i18n = use_i18n();
    if terminals.is_empty() {
        return view! {
            <EmptyState icon=Icon::Terminal title=tu_string!(i18n, merchant.terminals.empty_title)>
                <p>{t!(i18n, merchant.terminals.empty_text)}</p>
            </EmptyState>
        }
        .into_any();
    }
    let rows = terminals
        .into_iter()
        .map(|terminal| view! { <Terminal terminal /> })
        .collect_view();
    view! {
        <section class="section">
            <h2>{t!(i18n, merchant.terminals.list)}</h2>
            <List>{rows}</List>
        </section>
    }
    .into_any()
}

#[component]
fn Terminal(terminal: TerminalLine) -> impl IntoView {
    let i18n = use_i18n();
    let TerminalLine {
        id,
        name,
        last_seen_at,
        is_revoked,
    } = terminal;
    let note = filled(tu_string!(i18n, merchant.terminals.seen), &last_seen_at);
    let href = format!("/merchant/terminals?revoke={id}");
    let end = if is_revoked {
        view! { <Badge icon=Icon::Lock>{t!(i18n, merchant.terminals.revoked)}</Badge> }.into_any()
    } else {
        view! {
            <Badge tone=Tone::Good icon=Icon::Check>{t!(i18n, merchant.terminals.active)}</Badge>
            <ButtonLink href kind=ButtonKind::Quiet>{t!(i18n, merchant.terminals.revoke)}</ButtonLink>
        }
        .into_any()
    };
    view! { <ListRow title=name note icon=Icon::Terminal>{end}</ListRow> }
}

/// The question before a terminal is ended.
#[component]
fn Revoking(terminal: TerminalLine) -> impl IntoView {
    let i18n = use_i18n();
    let title = filled(tu_string!(i18n, merchant.terminals.revoke_title), &terminal.name);
    view! {
        <Notice kind=NoticeKind::Warning title>
            <p>{t!(i18n, merchant.terminals.revoke_text)}</p>
            <form class="actions" method="post" action=RevokeTerminal::PATH>
                <input type="hidden" name="terminal" value=terminal.id />
                <Button>{t!(i18n, merchant.terminals.revoke)}</Button>
                <ButtonLink href="/merchant/terminals" kind=ButtonKind::Quiet>{t!(i18n, merchant.terminals.keep)}</ButtonLink>
            </form>
        </Notice>
    }
}

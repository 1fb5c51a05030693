//! The pages of signing up and in, for every face that people sign in to.

use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::hooks::use_query_map;

use super::{Role, SignIn, SignOut, SignUp, next};
use crate::components::{Button, ButtonKind, EntryFrame, Icon, InputKind, Notice, NoticeKind, PageHeader, TextField};
use crate::i18n::{t, tu_string, use_i18n};
use crate::problem::{self, Problem};

/// Sign in on the face of `role`.
#[component]
pub fn SignInPage(role: Role) -> impl IntoView {
    let i18n = use_i18n();
    let (next, problem) = asked();
    let sign_up = (role == Role::Customer).then(|| next::with_next("/customer/sign-up", &next));
    view! {
        <EntryFrame face=face_name(role)>
            <PageHeader title=tu_string!(i18n, identity.sign_in_title) lead=face_name(role) />
            <FormProblem problem />
            <form class="form" method="post" action=SignIn::PATH>
                <input type="hidden" name="role" value=role.as_str() />
                <input type="hidden" name="next" value=next />
                <TextField name="address" label=tu_string!(i18n, identity.address) autocomplete="username" required=true />
                <TextField name="password" label=tu_string!(i18n, identity.password) kind=InputKind::Password required=true />
                <Button wide=true>{t!(i18n, identity.sign_in)}</Button>
            </form>
            {sign_up.map(|href| view! { <p class="note">{t!(i18n, identity.no_account)} " " <a href=href>{t!(i18n, identity.sign_up)}</a></p> })}
        </EntryFrame>
    }
}

/// Sign up as a customer.
#[component]
pub fn SignUpPage() -> impl IntoView {
    let i18n = use_i18n();
    let (next, problem) = asked();
    let sign_in = next::with_next(Role::Customer.sign_in(), &next);
    view! {
        <EntryFrame face=face_name(Role::Customer)>
            <PageHeader title=tu_string!(i18n, identity.sign_up_title) lead=tu_string!(i18n, identity.sign_up_lead) />
            <FormProblem problem />
            <form class="form" method="post" action=SignUp::PATH>
                <input type="hidden" name="next" value=next />
                <TextField
                    name="name" label=tu_string!(i18n, identity.name) hint=tu_string!(i18n, identity.name_hint)
                    autocomplete="name" required=true max_length=100 error=problem::at_field(problem, "name")
                />
                <TextField
                    name="address" label=tu_string!(i18n, identity.address) autocomplete="username" required=true
                    error=problem::at_field(problem, "address")
                />
                <TextField
                    name="password" label=tu_string!(i18n, identity.password) hint=tu_string!(i18n, identity.password_hint)
                    kind=InputKind::NewPassword required=true error=problem::at_field(problem, "password")
                />
                <Button wide=true>{t!(i18n, identity.sign_up)}</Button>
            </form>
            <p class="note">{t!(i18n, identity.have_account)} " " <a href=sign_in>{t!(i18n, identity.sign_in)}</a></p>
        </EntryFrame>
    }
}

/// A button that ends the session.
#[component]
pub fn SignOutForm(role: Role) -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <form method="post" action=SignOut::PATH>
            <input type="hidden" name="role" value=role.as_str() />
            <Button kind=ButtonKind::Quiet icon=Icon::SignOut>{t!(i18n, identity.sign_out)}</Button>
        </form>
    }
}

/// A problem that is about no single field of the form.
#[component]
fn FormProblem(problem: RwSignal<Option<Problem>>) -> impl IntoView {
    let i18n = use_i18n();
    let text = problem.get_untracked().filter(|problem| problem.field.is_none());
    text.map(|problem| view! { <Notice kind=NoticeKind::Error title=problem::text(i18n, &problem) /> })
}

/// What the URL of the page asks for: where to go next, and what went wrong before.
fn asked() -> (String, RwSignal<Option<Problem>>) {
    let query = use_query_map().get_untracked();
    let next = query
        .get("next")
        .filter(|next| next::own_path(next).is_some())
        .unwrap_or_default();
    (next, RwSignal::new(problem::of_query(&query)))
}

fn face_name(role: Role) -> &'static str {
    let i18n = use_i18n();
    match role {
        Role::Customer | Role::Integration => tu_string!(i18n, customer.face),
        Role::Merchant => tu_string!(i18n, merchant.face),
        Role::Admin => tu_string!(i18n, admin.face),
        Role::Terminal => tu_string!(i18n, terminal.face),
    }
}

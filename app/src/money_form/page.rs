//! The form itself: its states, and what the browser stores and asks.

use leptos::ev::SubmitEvent;
use leptos::form::FromFormData;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos_router::hooks::use_navigate;

use super::api::StartAgain;
use super::attempt::{Attempt, Place};
use super::drive::{self, Phase};
use super::{MoneyFn, OpenForm, Settled, api};
use crate::components::{Button, ButtonKind, ButtonLink, Notice, NoticeKind};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::{Role, next};
use crate::problem::{self, Problem};

/// What a money form's parts share.
#[derive(Clone, Copy)]
struct Form {
    role: Role,
    purpose: StoredValue<String>,
    url: StoredValue<String>,
    key: RwSignal<String>,
    done: RwSignal<Option<String>>,
    phase: RwSignal<Phase>,
    problem: RwSignal<Option<Problem>>,
}

/// A form that moves money, once. Its fields are the children. A problem with one of `fields` is shown there by the page
/// (see [`problem::at_field`]), any other above the button.
/// ```text
/// <MoneyForm<SendPayment> role=Role::Customer purpose="pay:K7M24Q9X" url="/pay/K7M24Q9X" open=page.form problem label>
///     <AmountField name="amount" error=problem::at_field(problem, "amount") .. />
/// </MoneyForm<SendPayment>>
/// ```
#[component]
pub fn MoneyForm<F>(
    role: Role,
    #[prop(into)] purpose: String,
    /// The page on which the form stands, without what was typed.
    #[prop(into)]
    url: String,
    open: OpenForm,
    problem: RwSignal<Option<Problem>>,
    /// What pressing the button does, in words.
    #[prop(into)]
    label: Signal<String>,
    #[prop(default = &["amount"])] fields: &'static [&'static str],
    /// Whether a field is a secret (a PIN): then the browser stores the attempt without its fields.
    #[prop(optional)]
    secret: bool,
    children: Children,
    #[prop(optional)] marker: std::marker::PhantomData<fn() -> F>,
) -> impl IntoView
where
    F: MoneyFn,
{
    let _ = marker;
    let form = Form {
        role,
        purpose: StoredValue::new(purpose),
        url: StoredValue::new(url),
        key: RwSignal::new(open.key),
        done: RwSignal::new(open.done),
        phase: RwSignal::new(Phase::Ready),
        problem,
    };
    let go = use_navigate();
    let go = Callback::new(move |path: String| go(&path, Default::default()));
    Effect::new(move |_| resume::<F>(form, go));
    let on_submit = move |event: SubmitEvent| press::<F>(form, secret, go, &event);
    let is_done = move || form.done.with(Option::is_some);
    let is_busy = move || form.phase.get() != Phase::Ready;
    let checking = tu_string!(use_i18n(), money_form.checking);
    let busy_label = move || (form.phase.get() == Phase::Checking).then(|| checking.to_owned());
    view! {
        <Show when=is_done>
            <Done form />
        </Show>
        <form
            class="form"
            method="post"
            action=F::PATH
            hidden=is_done
            on:submit=on_submit
        >
            <input type="hidden" name="idempotency_key" autocomplete="off" value=move || form.key.get() />
            {children()}
            <Outcome form fields />
            <Button wide=true busy=Signal::derive(is_busy) busy_label=Signal::derive(busy_label)>{move || label.get()}</Button>
        </form>
    }
}

/// The key was used a short while ago: the result, or once more on purpose.
#[component]
fn Done(form: Form) -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <Notice kind=NoticeKind::Success title=tu_string!(i18n, money_form.done_title)>
            <p>{t!(i18n, money_form.done_text)}</p>
        </Notice>
        <div class="actions">
            {move || form.done.get().map(|path| view! { <ButtonLink href=path>{t!(i18n, money_form.show_result)}</ButtonLink> })}
            <form method="post" action=StartAgain::PATH>
                <input type="hidden" name="role" value=form.role.as_str() />
                <input type="hidden" name="purpose" value=form.purpose.get_value() />
                <input type="hidden" name="key" value=move || form.key.get() />
                <input type="hidden" name="url" value=form.url.get_value() />
                <Button kind=ButtonKind::Secondary>{t!(i18n, money_form.again)}</Button>
            </form>
        </div>
    }
}

/// What the form has to say: that it is asking, or what went wrong. Screen readers hear every change.
#[component]
fn Outcome(form: Form, fields: &'static [&'static str]) -> impl IntoView {
    let i18n = use_i18n();
    let is_elsewhere = |problem: &Problem| problem.field.as_deref().is_none_or(|field| !fields.contains(&field));
    let problem = move || form.problem.get().filter(is_elsewhere);
    view! {
        <div aria-live="polite">
            {move || match form.phase.get() {
                Phase::Checking => view! {
                    <Notice kind=NoticeKind::Checking title=tu_string!(i18n, money_form.checking_title)>
                        <p>{t!(i18n, money_form.checking_text)}</p>
                    </Notice>
                }.into_any(),
                Phase::Sending => ().into_any(),
                Phase::Ready => problem().map(|problem| view! {
                    <Notice kind=NoticeKind::Error title=problem::text(i18n, &problem) />
                }).into_any(),
            }}
        </div>
    }
}

/// The button was pressed: the attempt is stored, then sent.
fn press<F: MoneyFn>(form: Form, secret: bool, go: Callback<String>, event: &SubmitEvent) {
    event.prevent_default();
    if form.phase.get_untracked() != Phase::Ready {
        return;
    }
    let Ok(fields) = F::from_event(event) else {
        form.problem.set(Some(Problem::new(problem::MALFORMED)));
        return;
    };
    form.problem.set(None);
    form.phase.set(Phase::Sending);
    let stored = if secret {
        forget_secret(event);
        None
    } else {
        serde_json::to_string(&fields).ok()
    };
    let attempt = Attempt::new(form.key.get_untracked(), stored);
    place(form).store(&attempt);
    spawn_local(async move {
        let outcome = drive::send(fields, form.role, &attempt.key, form.phase).await;
        settle(form, outcome, go).await;
    });
}

/// The secret that was typed does not stay on the page once it is read.
fn forget_secret(event: &SubmitEvent) {
    let form: web_sys::HtmlFormElement = event_target(event);
    let input = form.query_selector("input[type=password]").ok().flatten();
    if let Some(input) = input.and_then(|input| input.dyn_into::<web_sys::HtmlInputElement>().ok()) {
        input.set_value("");
    }
}

/// An attempt at this form was stored and its outcome never seen: go on from there.
fn resume<F: MoneyFn>(form: Form, go: Callback<String>) {
    let Some(attempt) = place(form).find(&form.key.get_untracked()) else {
        return;
    };
    if form.done.get_untracked().is_some() {
        return place(form).forget();
    }
    let again = attempt.fields.as_deref().filter(|_| attempt.is_recent());
    let fields: Option<F> = again.and_then(|fields| serde_json::from_str(fields).ok());
    spawn_local(async move {
        let outcome = drive::check(fields, form.role, &attempt.key, form.phase).await;
        settle(form, outcome, go).await;
    });
}

/// The outcome is known: show the result, or the problem with a key that can still be used.
async fn settle(form: Form, outcome: Result<Settled, Problem>, go: Callback<String>) {
    match outcome {
        Ok(Settled { path }) => {
            place(form).forget();
            form.done.set(Some(path.clone()));
            form.phase.set(Phase::Ready);
            go.run(path);
        }
        Err(problem) if problem.is(problem::SIGN_IN_REQUIRED) => {
            go.run(next::with_next(form.role.sign_in(), &form.url.get_value()));
        }
        Err(problem) => {
            place(form).forget();
            if problem.ends_key()
                && let Ok(open) = api::open_again(form.role, form.purpose.get_value()).await
            {
                form.key.set(open.key);
                form.done.set(open.done);
            }
            form.problem.set(Some(problem));
            form.phase.set(Phase::Ready);
        }
    }
}

fn place(form: Form) -> Place {
    form.purpose.with_value(|purpose| Place::new(form.role, purpose))
}

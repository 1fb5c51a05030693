//! What every input has around it: its label, a hint, and the error next to it.
use leptos::prelude::*;

use super::Icon;
use crate::i18n::{t, use_i18n};

/// The ids that tie an input to its texts.
#[derive(Clone)]
pub(super) struct FieldIds {
    pub(super) input: String,
    hint: String,
    error: String,
    pub(super) described_by: String,
}

impl FieldIds {
    pub(super) fn new(id: String, name: &str, hint: &str) -> Self {
        let input = if id.is_empty() { format!("field-{name}") } else { id };
        let (hint_id, error) = (format!("{input}-hint"), format!("{input}-error"));
        let described_by = if hint.is_empty() {
            error.clone()
        } else {
            format!("{hint_id} {error}")
        };
        Self {
            input,
            hint: hint_id,
            error,
            described_by,
        }
    }
}

#[component]
pub(super) fn Field(
    ids: FieldIds,
    label: String,
    hint: String,
    error: Signal<Option<String>>,
    children: Children,
) -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <div class="field" class:field--invalid=move || error.with(Option::is_some)>
            <label class="field__label" for=ids.input>{label}</label>
            {(!hint.is_empty()).then(|| view! { <p class="field__hint" id=ids.hint>{hint}</p> })}
            {children()}
            <p class="field__error" id=ids.error aria-live="polite">
                {move || {
                    error.get().map(|text| view! {
                        {Icon::Error.draw()}
                        <span><span class="visually-hidden">{t!(i18n, components.error)} ": "</span>{text}</span>
                    })
                }}
            </p>
        </div>
    }
    .into_any()
}

/// `true` for `aria-invalid` while there is an error, else no attribute.
pub(super) fn invalid(error: Signal<Option<String>>) -> impl Fn() -> Option<&'static str> + Clone + Send + 'static {
    move || error.with(Option::is_some).then_some("true")
}

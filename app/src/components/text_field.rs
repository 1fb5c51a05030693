//! One line of text: names, addresses, passwords, PINs, codes, dates.
use leptos::prelude::*;

use super::field::{Field, FieldIds, invalid};

/// What is typed; it decides the keyboard of a phone and what the browser offers to fill in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputKind {
    #[default]
    Text,
    Email,
    Phone,
    Password,
    NewPassword,
    Pin,
    /// A shop's, a card's or a pairing code.
    Code,
    Search,
    Date,
}

impl InputKind {
    /// `type`, `inputmode`, `autocomplete`.
    fn attributes(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Text => ("text", "text", "off"),
            Self::Email => ("email", "email", "email"),
            Self::Phone => ("tel", "tel", "tel"),
            Self::Password => ("password", "text", "current-password"),
            Self::NewPassword => ("password", "text", "new-password"),
            Self::Pin => ("password", "numeric", "off"),
            Self::Code => ("text", "text", "off"),
            Self::Search => ("search", "search", "off"),
            Self::Date => ("date", "text", "off"),
        }
    }
}

/// A labelled input. `value` is what was typed before, kept when the form comes back with an error.
/// ```text
/// <TextField name="email" label="E-mail" kind=InputKind::Email required=true
///     value=typed.email error=move || errors.with(|e| e.email.clone()) />
/// ```
#[component]
pub fn TextField(
    #[prop(into)] name: String,
    #[prop(into)] label: String,
    #[prop(optional)] kind: InputKind,
    #[prop(optional, into)] hint: String,
    #[prop(optional, into)] error: Signal<Option<String>>,
    #[prop(optional, into)] value: String,
    /// Replaces what `kind` says, such as `username` or `one-time-code`.
    #[prop(optional, into)]
    autocomplete: Option<String>,
    #[prop(optional)] required: bool,
    #[prop(optional)] autofocus: bool,
    #[prop(optional)] disabled: bool,
    #[prop(optional)] max_length: Option<u16>,
    /// Only needed where one page holds the same name twice.
    #[prop(optional, into)]
    id: String,
    #[prop(optional)] on_input: Option<Callback<String>>,
) -> impl IntoView {
    let ids = FieldIds::new(id, &name, &hint);
    let (input_type, input_mode, known) = kind.attributes();
    view! {
        <Field ids=ids.clone() label hint error>
            <input
                class="field__input"
                class:field__input--code=matches!(kind, InputKind::Code | InputKind::Pin)
                id=ids.input
                name=name
                type=input_type
                inputmode=input_mode
                autocomplete=autocomplete.unwrap_or_else(|| known.to_owned())
                value=value
                required=required
                autofocus=autofocus
                disabled=disabled
                maxlength=max_length.map(|length| length.to_string())
                aria-describedby=ids.described_by
                aria-invalid=invalid(error)
                on:input=move |event| if let Some(on_input) = on_input { on_input.run(event_target_value(&event)) }
            />
        </Field>
    }
}

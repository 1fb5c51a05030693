//! A choice out of a few, by the browser's own list.
use leptos::prelude::*;

use super::field::{Field, FieldIds, invalid};

/// `options` are pairs of value and text.
/// ```text
/// <SelectField name="asset" label="Pay with" value="jpy" options=vec![("jpy".into(), "Yen".into())] />
/// ```
#[component]
pub fn SelectField(
    #[prop(into)] name: String,
    #[prop(into)] label: String,
    options: Vec<(String, String)>,
    #[prop(optional, into)] value: String,
    #[prop(optional, into)] hint: String,
    #[prop(optional, into)] error: Signal<Option<String>>,
    #[prop(optional)] disabled: bool,
    #[prop(optional, into)] id: String,
    #[prop(optional)] on_change: Option<Callback<String>>,
) -> impl IntoView {
    let ids = FieldIds::new(id, &name, &hint);
    let options = options
        .into_iter()
        .map(|(option, text)| {
            let selected = option == value;
            view! { <option value=option selected=selected>{text}</option> }
        })
        .collect_view();
    view! {
        <Field ids=ids.clone() label hint error>
            <select
                class="field__input field__input--select"
                id=ids.input
                name=name
                disabled=disabled
                aria-describedby=ids.described_by
                aria-invalid=invalid(error)
                on:change=move |event| if let Some(on_change) = on_change { on_change.run(event_target_value(&event)) }
            >
                {options}
            </select>
        </Field>
    }
}

//! Where a person types money: large figures, the unit inside the box.
use leptos::prelude::*;

use super::field::{Field, FieldIds, invalid};
use super::money_text::unit_first;

/// An amount. The text stays what was typed; the form's reader takes full-width digits, commas and units.
/// ```text
/// <AmountField name="amount" label="Amount" unit="¥" error=move || amount_error.get() />
/// <AmountField name="amount" label="Weight" unit="kg" decimals=true value="1.250" />
/// ```
#[component]
pub fn AmountField(
    #[prop(into)] name: String,
    #[prop(into)] label: String,
    #[prop(into)] unit: String,
    #[prop(optional)] decimals: bool,
    #[prop(optional, into)] hint: String,
    #[prop(optional, into)] error: Signal<Option<String>>,
    #[prop(optional, into)] value: String,
    #[prop(optional)] autofocus: bool,
    #[prop(optional)] disabled: bool,
    #[prop(optional, into)] id: String,
    #[prop(optional)] on_input: Option<Callback<String>>,
) -> impl IntoView {
    let ids = FieldIds::new(id, &name, &hint);
    let described_by = format!("{}-unit {}", ids.input, ids.described_by);
    let class = if unit_first(&unit) {
        "amount-field amount-field--unit-first"
    } else {
        "amount-field"
    };
    view! {
        <Field ids=ids.clone() label hint error>
            <div class=class>
                <input
                    class="amount-field__input"
                    id=ids.input.clone()
                    name=name
                    type="text"
                    inputmode=if decimals { "decimal" } else { "numeric" }
                    autocomplete="off"
                    placeholder="0"
                    value=value
                    required=true
                    autofocus=autofocus
                    disabled=disabled
                    aria-describedby=described_by
                    aria-invalid=invalid(error)
                    on:input=move |event| if let Some(on_input) = on_input { on_input.run(event_target_value(&event)) }
                />
                <span class="amount-field__unit" id=format!("{}-unit", ids.input)>{unit}</span>
            </div>
        </Field>
    }
}

//! The form that refunds a payment: how much, and why.

use ledger::Amount;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::api::SendRefund;
use crate::components::{AmountField, TextField};
use crate::i18n::{filled, t, tu_string, use_i18n};
use crate::identity::Role;
use crate::money::Money;
use crate::money_form::{MoneyForm, OpenForm};
use crate::problem;

#[component]
pub fn RefundForm(payment: String, refundable: Money, form: OpenForm) -> impl IntoView {
    let i18n = use_i18n();
    let query = use_query_map().get_untracked();
    let problem = RwSignal::new(problem::of_query(&query));
    let amount = RwSignal::new(query.get("amount").unwrap_or_default());
    let hint = filled(
        tu_string!(i18n, merchant.refund.amount_hint),
        &refundable.text().to_string(),
    );
    let (unit, decimals) = (refundable.asset.sign.clone(), refundable.asset.scale > 0);
    let (purpose, url) = (format!("refund:{payment}"), format!("/merchant/payments/{payment}"));
    view! {
        <section class="section">
            <h2>{t!(i18n, merchant.refund.title)}</h2>
            <p>{t!(i18n, merchant.refund.lead)}</p>
            <MoneyForm<SendRefund> role=Role::Merchant purpose url open=form problem fields=&["amount", "reason"] label=label(refundable, amount)>
                <input type="hidden" name="payment" value=payment />
                <AmountField
                    name="amount" label=tu_string!(i18n, merchant.refund.amount) hint unit decimals
                    value=amount.get_untracked() error=problem::at_field(problem, "amount")
                    on_input=Callback::new(move |text| amount.set(text))
                />
                <TextField
                    name="reason" label=tu_string!(i18n, merchant.refund.reason) hint=tu_string!(i18n, merchant.refund.reason_hint)
                    required=true max_length=200 error=problem::at_field(problem, "reason")
                />
            </MoneyForm<SendRefund>>
        </section>
    }
    .into_any()
}

/// `Refund ¥500`, as soon as it is known how much.
fn label(refundable: Money, amount: RwSignal<String>) -> Signal<String> {
    let i18n = use_i18n();
    Signal::derive(move || {
        let typed = amount.with(|text| Amount::parse_typed(text).ok());
        match typed.and_then(|amount| Money::typed(refundable.asset.clone(), amount)) {
            Some(money) => filled(
                tu_string!(i18n, merchant.refund.submit_amount),
                &money.text().to_string(),
            ),
            None => tu_string!(i18n, merchant.refund.submit).to_owned(),
        }
    })
}

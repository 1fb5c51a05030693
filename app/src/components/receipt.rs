//! A receipt: the amount, its status, and every fact about it; made to be printed too.
use ledger::PaymentStatus;
use leptos::prelude::*;

use super::{Amount, AmountSize, Fact, Facts, MoneyText, StatusBadge};

/// Children stand below the facts (refunds, actions) and are not printed.
/// ```text
/// <Receipt title="Sakura Shop (demo)" money=MoneyText::new("850", "¥") status=PaymentStatus::Captured
///     facts=vec![Fact::new("Time", "1 May 2026, 12:03")] />
/// ```
#[component]
pub fn Receipt(
    #[prop(into)] title: String,
    money: MoneyText,
    #[prop(default = None, into)] status: Option<PaymentStatus>,
    facts: Vec<Fact>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <article class="receipt">
            <header class="receipt__head">
                <h2 class="receipt__title">{title}</h2>
                <p class="receipt__money"><Amount money size=AmountSize::Hero /></p>
                {status.map(|status| view! { <StatusBadge status /> })}
            </header>
            <Facts facts />
            {children.map(|children| view! { <div class="receipt__more">{children()}</div> })}
        </article>
    }
    .into_any()
}

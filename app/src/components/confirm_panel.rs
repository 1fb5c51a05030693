//! What is about to happen, before it does: a page of its own, never a dialog.
use leptos::prelude::*;

use super::{Amount, AmountSize, Fact, Facts, MoneyText};

/// Children are the form that goes ahead, and the link that does not.
/// ```text
/// <ConfirmPanel title="Pay Sakura Shop (demo)" money=MoneyText::new("850", "¥") facts=vec![Fact::new("Balance after", "¥150")]>
///     <Button wide=true>"Pay ¥850"</Button>
/// </ConfirmPanel>
/// ```
#[component]
pub fn ConfirmPanel(
    #[prop(into)] title: String,
    money: MoneyText,
    #[prop(optional)] facts: Vec<Fact>,
    children: Children,
) -> impl IntoView {
    view! {
        <section class="confirm">
            <h2 class="confirm__title">{title}</h2>
            <p class="confirm__money"><Amount money size=AmountSize::Hero /></p>
            {(!facts.is_empty()).then(|| view! { <Facts facts /> })}
            <div class="confirm__actions">{children()}</div>
        </section>
    }
    .into_any()
}

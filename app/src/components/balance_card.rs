//! One balance of a customer, as a card.
use leptos::prelude::*;

use super::{Amount, AmountSize, MoneyText};

/// The first balance of a page is `featured`; children are what can be done with it.
/// ```text
/// <BalanceCard name="Yen" money=MoneyText::new("12400", "¥") featured=true note="Updated 12:03">
///     <ButtonLink href="/top-up">"Top up"</ButtonLink>
/// </BalanceCard>
/// ```
#[component]
pub fn BalanceCard(
    #[prop(into)] name: String,
    money: MoneyText,
    #[prop(optional, into)] note: String,
    #[prop(optional)] featured: bool,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let size = if featured { AmountSize::Hero } else { AmountSize::Large };
    view! {
        <section class="balance" class:balance--featured=featured>
            <h2 class="balance__name">{name}</h2>
            <p class="balance__money"><Amount money size /></p>
            {(!note.is_empty()).then(|| view! { <p class="balance__note">{note}</p> })}
            {children.map(|children| view! { <div class="actions">{children()}</div> })}
        </section>
    }
}

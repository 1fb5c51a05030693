//! Money on a page: the number large, its unit small beside it.
use leptos::prelude::*;

use super::MoneyText;

/// How much weight the number has on its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AmountSize {
    #[default]
    Text,
    Large,
    /// The one number the page is about.
    Hero,
}

/// Which way the money went, shown as a sign in front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    #[default]
    None,
    In,
    Out,
}

/// `<Amount money=MoneyText::new("1000", "¥") size=AmountSize::Hero />`
#[component]
pub fn Amount(money: MoneyText, #[prop(optional)] size: AmountSize, #[prop(optional)] flow: Flow) -> impl IntoView {
    let sign = sign(&money, flow);
    let digits = view! { <span class="amount__digits">{money.digits().to_owned()}</span> };
    let unit = view! { <span class="amount__unit">{money.unit().to_owned()}</span> };
    let number = if money.unit_first() {
        (unit, digits).into_any()
    } else {
        (digits, " ", unit).into_any()
    };
    view! { <span class=class(size, flow)>{sign.map(|sign| view! { <span class="amount__sign">{sign}</span> })} {number}</span> }
}

fn sign(money: &MoneyText, flow: Flow) -> Option<&'static str> {
    match flow {
        Flow::In => Some("+"),
        Flow::Out => Some("−"),
        Flow::None => money.negative().then_some("−"),
    }
}

fn class(size: AmountSize, flow: Flow) -> &'static str {
    match (size, flow) {
        (AmountSize::Text, Flow::In) => "amount amount--in",
        (AmountSize::Text, _) => "amount",
        (AmountSize::Large, _) => "amount amount--large",
        (AmountSize::Hero, _) => "amount amount--hero",
    }
}

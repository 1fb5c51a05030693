//! Names and their values below each other, as on a receipt.
use leptos::prelude::*;

/// One line: `Fact::new("Shop", "Sakura Shop (demo)")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    name: String,
    value: String,
}

impl Fact {
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
        }
    }
}

/// `<Facts facts=vec![Fact::new("Time", "12:03")] />`
#[component]
pub fn Facts(facts: Vec<Fact>) -> impl IntoView {
    let facts = facts
        .into_iter()
        .map(|fact| view! { <div class="facts__line"><dt>{fact.name}</dt><dd>{fact.value}</dd></div> })
        .collect_view();
    view! { <dl class="facts">{facts}</dl> }
}

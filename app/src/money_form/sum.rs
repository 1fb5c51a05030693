//! How much of which asset: what stands in a money form's fields `amount` and `asset` while somebody types.

use ledger::{Amount, Asset};
use leptos::prelude::*;
use leptos_router::params::ParamsMap;

use crate::components::{AmountField, SelectField};
use crate::i18n::filled;
use crate::money::Money;
use crate::problem::{self, Problem};

/// The two fields' contents.
#[derive(Clone, Copy)]
pub struct Sum {
    assets: StoredValue<Vec<Asset>>,
    chosen: RwSignal<String>,
    amount: RwSignal<String>,
}

impl Sum {
    /// What the page's address says, which is a link's or a form's that came back; else nothing of the first asset.
    #[must_use]
    pub fn of_query(query: &ParamsMap, assets: Vec<Asset>) -> Self {
        let wanted = query
            .get("asset")
            .filter(|wanted| assets.iter().any(|asset| asset.code.as_str() == wanted));
        let first = assets.first().map(|asset| asset.code.to_string());
        Self {
            assets: StoredValue::new(assets),
            chosen: RwSignal::new(wanted.or(first).unwrap_or_default()),
            amount: RwSignal::new(query.get("amount").unwrap_or_default()),
        }
    }

    /// What is wrong with an amount that the page came with: a link may hold any text, and one that is no amount is said
    /// to be none before anything is pressed.
    #[must_use]
    pub fn misread(self) -> Option<Problem> {
        let amount = self.amount.get_untracked();
        let error = Amount::parse_typed(&amount).err().filter(|_| !amount.is_empty())?;
        Some(Problem::at("amount", error.code()))
    }

    /// `Pay ¥500`: `of_amount` with the sum in it, as soon as it is known; `plain` until then.
    #[must_use]
    pub fn label(self, of_amount: &'static str, plain: &'static str) -> Signal<String> {
        Signal::derive(move || match self.money() {
            Some(money) => filled(of_amount, &money.text().to_string()),
            None => plain.to_owned(),
        })
    }

    fn money(self) -> Option<Money> {
        let amount = self.amount.with(|text| Amount::parse_typed(text).ok())?;
        Money::typed(self.asset()?, amount)
    }

    fn asset(self) -> Option<Asset> {
        let chosen = self.chosen.get();
        self.assets
            .with_value(|assets| assets.iter().find(|asset| asset.code.as_str() == chosen).cloned())
    }
}

/// The field for the amount, in the unit of the asset that is chosen.
#[component]
pub fn SumAmount(
    sum: Sum,
    label: &'static str,
    problem: RwSignal<Option<Problem>>,
    #[prop(optional)] autofocus: bool,
) -> impl IntoView {
    move || {
        let asset = sum.asset()?;
        Some(view! {
            <AmountField
                name="amount" label unit=asset.sign decimals={asset.scale > 0} value=sum.amount.get_untracked()
                error=problem::at_field(problem, "amount") autofocus on_input=Callback::new(move |text| sum.amount.set(text))
            />
        })
    }
}

/// The choice of the asset; `options` are pairs of code and text.
#[component]
pub fn SumAsset(sum: Sum, label: &'static str, options: Vec<(String, String)>) -> impl IntoView {
    view! {
        <SelectField
            name="asset" label options value=sum.chosen.get_untracked()
            on_change=Callback::new(move |asset| sum.chosen.set(asset))
        />
    }
}

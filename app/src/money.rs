//! Money as a page gets it: an amount, and the asset that says how it is written.

use ledger::Asset;
use leptos_i18n::I18nContext;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::components::MoneyText;
use crate::i18n::Locale;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Money {
    pub asset: Asset,
    pub amount: Decimal,
}

impl Money {
    #[must_use]
    pub fn new(asset: Asset, amount: Decimal) -> Self {
        Self { asset, amount }
    }

    /// The amount at the asset's scale; which way it went is for the page to show.
    #[must_use]
    pub fn text(&self) -> MoneyText {
        MoneyText::new(&self.asset.round_down(self.amount.abs()).to_string(), self.asset.sign.clone())
    }
}

/// The asset's name in the page's language.
#[must_use]
pub fn asset_name(i18n: I18nContext<Locale>, asset: &Asset) -> String {
    match i18n.get_locale_untracked() {
        Locale::ja => asset.name_ja.clone(),
        Locale::en => asset.name_en.clone(),
    }
}

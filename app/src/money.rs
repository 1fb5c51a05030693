//! Money as a page gets it: an amount, and the asset that says how it is written.

use std::collections::BTreeMap;

use ledger::{Amount, Asset, AssetCode};
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

    /// What somebody typed, if the asset has so small a unit.
    #[must_use]
    pub fn typed(asset: Asset, amount: Amount) -> Option<Self> {
        let amount = asset.checked(amount).ok()?;
        Some(Self { asset, amount })
    }

    /// The amount at the asset's scale; which way it went is for the page to show.
    #[must_use]
    pub fn text(&self) -> MoneyText {
        Self::new(self.asset.clone(), self.amount.abs()).signed_text()
    }

    /// The same for a sum that may be below zero, and says so.
    #[must_use]
    pub fn signed_text(&self) -> MoneyText {
        MoneyText::new(&self.asset.round_down(self.amount).to_string(), self.asset.sign.clone())
    }
}

/// A tenant's assets as pages list them: the main one first.
#[must_use]
pub fn in_order(assets: BTreeMap<AssetCode, Asset>) -> Vec<Asset> {
    let mut assets: Vec<Asset> = assets.into_values().collect();
    assets.sort_by_key(|asset| asset.code != AssetCode::main());
    assets
}

/// Assets as the options of a choice, by their names.
#[must_use]
pub fn asset_options(i18n: I18nContext<Locale>, assets: &[Asset]) -> Vec<(String, String)> {
    assets
        .iter()
        .map(|asset| (asset.code.to_string(), asset_name(i18n, asset)))
        .collect()
}

/// The asset's name in the page's language.
#[must_use]
pub fn asset_name(i18n: I18nContext<Locale>, asset: &Asset) -> String {
    match i18n.get_locale_untracked() {
        Locale::ja => asset.name_ja.clone(),
        Locale::en => asset.name_en.clone(),
    }
}

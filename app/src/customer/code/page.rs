//! The code, large, on white.

use leptos::prelude::*;

use super::api::{OwnCode, load_code};
use crate::components::{PageHeader, QrFrame};
use crate::customer::WalletFrame;
use crate::i18n::{filled, tu_string, use_i18n};
use crate::identity::Role;
use crate::load::Load;

#[component]
pub fn CodePage() -> impl IntoView {
    let i18n = use_i18n();
    let code = Resource::new(|| (), |()| load_code());
    view! {
        <WalletFrame>
            <PageHeader title=tu_string!(i18n, customer.code.title) lead=tu_string!(i18n, customer.code.lead) />
            <Load role=Role::Customer data=code view=move |OwnCode { name, code, svg }| {
                let label = filled(tu_string!(i18n, customer.code.label), &name);
                view! { <QrFrame svg label code /> }.into_any()
            } />
        </WalletFrame>
    }
}

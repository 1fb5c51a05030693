//! The top of a page: its one `<h1>`, the way back, its actions.
use leptos::prelude::*;

use super::Icon;
use crate::i18n::{t, use_i18n};

/// Sets the browser's title too.
/// ```text
/// <PageHeader title="Payments" lead="All tills" back="/merchant">
///     <ButtonLink href="/merchant/payments.csv" kind=ButtonKind::Secondary>"CSV"</ButtonLink>
/// </PageHeader>
/// ```
#[component]
pub fn PageHeader(
    #[prop(into)] title: String,
    #[prop(optional, into)] lead: String,
    #[prop(optional, into)] back: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <leptos_meta::Title text=title.clone() />
        <header class="page-header">
            {(!back.is_empty()).then(|| view! {
                <a class="page-header__back" href=back>{Icon::Back.draw()} <span>{t!(i18n, components.back)}</span></a>
            })}
            <div class="page-header__line">
                <div>
                    <h1>{title}</h1>
                    {(!lead.is_empty()).then(|| view! { <p class="page-header__lead">{lead}</p> })}
                </div>
                {children.map(|children| view! { <div class="actions">{children()}</div> })}
            </div>
        </header>
    }
    .into_any()
}

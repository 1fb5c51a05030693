//! A QR code with what it is for, on white in every theme so that cameras read it.
use leptos::prelude::*;

use super::{Amount, AmountSize, MoneyText};

/// `svg` is the drawing, made by the server; `label` says what scanning it does, `code` is the same to type.
/// ```text
/// <QrFrame svg=qr label="Sakura Shop (demo)" code="K7M2-4Q9X" money=MoneyText::new("850", "¥") />
/// ```
#[component]
pub fn QrFrame(
    #[prop(into)] svg: String,
    #[prop(into)] label: String,
    #[prop(optional, into)] code: String,
    #[prop(default = None, into)] money: Option<MoneyText>,
) -> impl IntoView {
    view! {
        <figure class="qr">
            <div class="qr__code" role="img" aria-label=label.clone() inner_html=svg></div>
            <figcaption class="qr__caption">
                <span class="qr__label">{label}</span>
                {money.map(|money| view! { <Amount money size=AmountSize::Large /> })}
                {(!code.is_empty()).then(|| view! { <span class="qr__text">{code}</span> })}
            </figcaption>
        </figure>
    }
}

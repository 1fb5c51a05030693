//! The mark: an oval gold coin and the product's name.
use leptos::prelude::*;

/// `<Brand face="Wallet" href="/" />`: the coin, the name, and which face this is.
#[component]
pub fn Brand(#[prop(default = "/".into(), into)] href: String, #[prop(optional, into)] face: String) -> impl IntoView {
    view! {
        <a class="brand" href=href>
            <svg class="brand__coin" viewBox="0 0 20 30" aria-hidden="true" focusable="false">
                <rect class="brand__gold" x="0" y="0" width="20" height="30" rx="10" />
                <path class="brand__ridge" d="M4 7h12M3 11h4M13 11h4M2.5 15H6M14 15h3.5M3 19h4M13 19h4M4 23h12" />
                <circle class="brand__stamp" cx="10" cy="15" r="3.5" />
            </svg>
            <span class="brand__name">"Koban"</span>
            {(!face.is_empty()).then(|| view! { <span class="brand__face">{face}</span> })}
        </a>
    }
}

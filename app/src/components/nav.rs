//! The pages of a face, as links that know which one is open.
use leptos::prelude::*;
use leptos_router::components::A;

use super::Icon;
use crate::i18n::{tu_string, use_i18n};

/// One entry. `exact` keeps a face's start page from being marked on all its other pages.
#[derive(Clone, Debug)]
pub struct NavItem {
    href: &'static str,
    label: String,
    icon: Icon,
    exact: bool,
}

impl NavItem {
    pub fn new(href: &'static str, label: impl Into<String>, icon: Icon) -> Self {
        Self {
            href,
            label: label.into(),
            icon,
            exact: false,
        }
    }

    /// For a face's start page.
    pub fn start(href: &'static str, label: impl Into<String>, icon: Icon) -> Self {
        Self {
            href,
            label: label.into(),
            icon,
            exact: true,
        }
    }
}

/// `class` is `tabs` (bottom of a phone) or `side` (beside a desk's pages).
#[component]
pub(super) fn Nav(items: Vec<NavItem>, class: &'static str) -> impl IntoView {
    let label = tu_string!(use_i18n(), components.navigation);
    let items = items
        .into_iter()
        .map(
            |NavItem {
                 href,
                 label,
                 icon,
                 exact,
             }| {
                view! {
                    <li>
                        <A href exact attr:class="nav__link">{icon.draw()} <span>{label}</span></A>
                    </li>
                }
            },
        )
        .collect_view();
    view! { <nav class=format!("nav nav--{class}") aria-label=label><ul>{items}</ul></nav> }.into_any()
}

//! Every page's URL on one screen.
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{Route, Router, Routes};
use leptos_router::{SsrMode, path};

use crate::admin::customers::CustomersPage;
use crate::admin::overview::OverviewPage;
use crate::customer::code::CodePage;
use crate::customer::home::HomePage;
use crate::customer::movements::MovementsPage;
use crate::customer::payments::{PayPage, ReceiptPage, ShopPage};
use crate::i18n::LanguageProvider;
use crate::identity::{Role, SignInPage, SignUpPage};
use crate::merchant::payments::{PaymentPage, PaymentsPage};
use crate::merchant::store::StorePage;
use crate::merchant::terminals::TerminalsPage;
use crate::merchant::today::TodayPage;
use crate::showcase::ShowcasePage;
use crate::start::{NotFound, Start};
use crate::terminal::pairing::TillPage;
use crate::terminal::payments::{TakePage, TakenPage};
use crate::terminal::top_ups::{TopUpPage, ToppedUpPage};

#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <LanguageProvider>
            <Title text="" formatter=window_title />
            <Router>
                <Routes fallback=NotFound>
                    <Route path=path!("/") view=Start />
                    <Route path=path!("/customer") view=HomePage ssr=SsrMode::Async />
                    <Route path=path!("/customer/sign-in") view=|| view! { <SignInPage role=Role::Customer /> } ssr=SsrMode::Async />
                    <Route path=path!("/customer/sign-up") view=SignUpPage ssr=SsrMode::Async />
                    <Route path=path!("/customer/pay") view=ShopPage ssr=SsrMode::Async />
                    <Route path=path!("/customer/payments/:id") view=ReceiptPage ssr=SsrMode::Async />
                    <Route path=path!("/customer/movements") view=MovementsPage ssr=SsrMode::Async />
                    <Route path=path!("/customer/code") view=CodePage ssr=SsrMode::Async />
                    <Route path=path!("/pay/:code") view=PayPage ssr=SsrMode::Async />
                    <Route path=path!("/merchant") view=TodayPage ssr=SsrMode::Async />
                    <Route path=path!("/merchant/sign-in") view=|| view! { <SignInPage role=Role::Merchant /> } ssr=SsrMode::Async />
                    <Route path=path!("/merchant/payments") view=PaymentsPage ssr=SsrMode::Async />
                    <Route path=path!("/merchant/payments/:id") view=PaymentPage ssr=SsrMode::Async />
                    <Route path=path!("/merchant/store") view=StorePage ssr=SsrMode::Async />
                    <Route path=path!("/merchant/terminals") view=TerminalsPage ssr=SsrMode::Async />
                    <Route path=path!("/terminal") view=TillPage ssr=SsrMode::Async />
                    <Route path=path!("/terminal/payments/new") view=TakePage ssr=SsrMode::Async />
                    <Route path=path!("/terminal/payments/:id") view=TakenPage ssr=SsrMode::Async />
                    <Route path=path!("/terminal/top-ups/new") view=TopUpPage ssr=SsrMode::Async />
                    <Route path=path!("/terminal/top-ups/:id") view=ToppedUpPage ssr=SsrMode::Async />
                    <Route path=path!("/admin") view=OverviewPage ssr=SsrMode::Async />
                    <Route path=path!("/admin/sign-in") view=|| view! { <SignInPage role=Role::Admin /> } ssr=SsrMode::Async />
                    <Route path=path!("/admin/customers") view=CustomersPage ssr=SsrMode::Async />
                    <Route path=path!("/_components") view=ShowcasePage ssr=SsrMode::Async />
                </Routes>
            </Router>
        </LanguageProvider>
    }
}

fn window_title(page: String) -> String {
    if page.is_empty() {
        "Koban".to_owned()
    } else {
        format!("{page} · Koban")
    }
}

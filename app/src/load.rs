//! What a page shows while its data is on the way, when it has come, and when it has not.

use leptos::prelude::*;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_location;

use crate::components::{ButtonLink, EmptyState, Icon, Notice, NoticeKind, Skeleton};
use crate::i18n::{t, tu_string, use_i18n};
use crate::identity::{Role, next};
use crate::problem::{self, Problem};

/// Waits for `data` and draws `view` with it. Who is not signed in is sent to the face's sign-in and comes back here.
/// ```text
/// <Load role=Role::Customer data=home view=|home| view! { <Home home /> }.into_any() />
/// ```
#[component]
pub fn Load<T>(
    role: Role,
    data: Resource<Result<T, Problem>>,
    view: impl Fn(T) -> AnyView + Send + Sync + Clone + 'static,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
{
    view! {
        <Suspense fallback=|| view! { <Skeleton lines=4 /> }>
            {move || {
                let view = view.clone();
                Suspend::new(async move {
                    match data.await {
                        Ok(data) => view(data),
                        Err(problem) => view! { <Instead role problem /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

/// What stands on a page whose data did not come.
#[component]
pub fn Instead(role: Role, problem: Problem) -> impl IntoView {
    let i18n = use_i18n();
    if problem.is(problem::SIGN_IN_REQUIRED) {
        return view! { <Redirect path=sign_in_and_return(role) /> }.into_any();
    }
    let text = problem::text(i18n, &problem);
    if problem.is(problem::NOT_FOUND) {
        return view! {
            <EmptyState icon=Icon::Search title=text>
                <ButtonLink href=role.home()>{t!(i18n, common.go_home)}</ButtonLink>
            </EmptyState>
        }
        .into_any();
    }
    let title = tu_string!(i18n, common.load_failed);
    view! { <Notice kind=NoticeKind::Error title><p>{text}</p></Notice> }.into_any()
}

fn sign_in_and_return(role: Role) -> String {
    let location = use_location();
    let (path, query) = (location.pathname.get_untracked(), location.search.get_untracked());
    let query = query.trim_start_matches('?');
    let here = if query.is_empty() {
        path
    } else {
        format!("{path}?{query}")
    };
    next::with_next(role.sign_in(), &here)
}

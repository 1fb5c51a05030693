//! `/_components`: the showcase of the components. It belongs to the demo; elsewhere its address leads nowhere.
use leptos::prelude::*;

use crate::components::Showcase;
use crate::problem::Problem;
use crate::start::NotFound;

#[server(prefix = "/fn", endpoint = "showcase")]
async fn ask_for_showcase() -> Result<(), Problem> {
    crate::context::told(crate::context::in_demo())
}

#[component]
pub(crate) fn ShowcasePage() -> impl IntoView {
    let shown = Resource::new(|| (), |()| ask_for_showcase());
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                match shown.await {
                    Ok(()) => view! { <Showcase /> }.into_any(),
                    Err(_) => view! { <NotFound /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

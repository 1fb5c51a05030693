//! What the browser does from the press of the button to a definite outcome (MISSION C3, D1, D2).

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures::future::{Either, select};
use gloo_timers::future::sleep;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

use super::Settled;
use super::api::{CheckProgress, Progress};
use crate::identity::Role;
use crate::problem::{self, Problem};

/// No answer within this is no answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest wait between two questions is 2^5 seconds.
const MAX_DOUBLINGS: u32 = 5;

/// Where the form stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not sent, or answered.
    Ready,
    Sending,
    /// Sent, outcome not known: the browser asks.
    Checking,
}

/// Sends `form` until its outcome is known. `form` is `None` where what was sent is not known any more: then the outcome
/// is only asked for.
pub(super) async fn send<F>(form: Option<F>, role: Role, key: &str, phase: RwSignal<Phase>) -> Result<Settled, Problem>
where
    F: ServerFn<Output = Settled, Error = Problem> + Clone,
{
    if let Some(form) = &form {
        phase.set(Phase::Sending);
        let answer = in_time(form.clone().run_on_client()).await;
        if !is_open(&answer) {
            return answer;
        }
    }
    check(form, role, key, phase).await
}

/// Asks what became of `key`; sends `form` again where nothing did.
pub(super) async fn check<F>(form: Option<F>, role: Role, key: &str, phase: RwSignal<Phase>) -> Result<Settled, Problem>
where
    F: ServerFn<Output = Settled, Error = Problem> + Clone,
{
    phase.set(Phase::Checking);
    for asked in 0.. {
        match in_time(
            CheckProgress {
                role,
                key: key.to_owned(),
            }
            .run_on_client(),
        )
        .await
        {
            Ok(Progress::Applied { path }) => return Ok(Settled { path }),
            Ok(Progress::Rejected(problem)) => return Err(problem),
            Ok(Progress::NeverSeen) => {
                let Some(form) = &form else {
                    return Err(Problem::new(problem::NOT_SENT));
                };
                let answer = in_time(form.clone().run_on_client()).await;
                if !is_open(&answer) {
                    return answer;
                }
            }
            Ok(Progress::InFlight) => {}
            Err(problem) if problem.leaves_outcome_open() => {}
            Err(problem) => return Err(problem),
        }
        sleep(pause(asked)).await;
    }
    Err(Problem::new(problem::NO_ANSWER))
}

fn is_open<T>(answer: &Result<T, Problem>) -> bool {
    answer.as_ref().is_err_and(Problem::leaves_outcome_open)
}

/// 1 s x 2^asked, plus up to a second, so that a crowd of browsers does not ask in step.
fn pause(asked: u32) -> Duration {
    Duration::from_secs(1 << asked.min(MAX_DOUBLINGS)) + Duration::from_secs(1).mul_f64(js_sys::Math::random())
}

async fn in_time<T>(answer: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
    match select(pin!(answer), pin!(sleep(ANSWER_TIMEOUT))).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(Problem::new(problem::NO_ANSWER)),
    }
}

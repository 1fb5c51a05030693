//! What the browser does from the press of the button to a definite outcome (MISSION C3, D1, D2).

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures::future::{Either, select};
use gloo_timers::future::sleep;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

use super::api::{CheckProgress, Progress};
use super::{MoneyFn, Settled};
use crate::identity::Role;
use crate::problem::{self, Problem};

/// No answer within this is no answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest wait between two questions is 2^5 seconds.
const MAX_DOUBLINGS: u32 = 5;

/// What was sent and is not seen after this many questions (some seven seconds) was lost.
const LOST_AFTER: u32 = 3;

/// Where the form stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not sent, or answered.
    Ready,
    Sending,
    /// Sent, outcome not known: the browser asks.
    Checking,
}

/// Sends `form` until its outcome is known.
pub(super) async fn send<F: MoneyFn>(
    form: F,
    role: Role,
    key: &str,
    phase: RwSignal<Phase>,
) -> Result<Settled, Problem> {
    let answer = in_time(form.clone().run_on_client()).await;
    if is_open(&answer) {
        check(Some(form), role, key, phase).await
    } else {
        answer
    }
}

/// Asks what became of `key`; sends `form` again where nothing did. `form` is `None` where what was sent is not known any
/// more: then it is only asked for, a few times, because it may still be on the way.
pub(super) async fn check<F: MoneyFn>(
    form: Option<F>,
    role: Role,
    key: &str,
    phase: RwSignal<Phase>,
) -> Result<Settled, Problem> {
    phase.set(Phase::Checking);
    for asked in 0.. {
        let answer = match (progress(role, key).await, &form) {
            (Ok(Progress::Applied { path }), _) => return Ok(Settled { path }),
            (Ok(Progress::Rejected(problem)), _) => return Err(problem),
            (Ok(Progress::NeverSeen), Some(form)) => in_time(form.clone().run_on_client()).await,
            (Ok(Progress::NeverSeen), None) if asked >= LOST_AFTER => return Err(Problem::new(problem::NOT_SENT)),
            (Ok(Progress::NeverSeen | Progress::InFlight), _) => Err(Problem::new(problem::NO_ANSWER)),
            (Err(problem), _) => Err(problem),
        };
        if !is_open(&answer) {
            return answer;
        }
        sleep(pause(asked)).await;
    }
    Err(Problem::new(problem::NO_ANSWER))
}

async fn progress(role: Role, key: &str) -> Result<Progress, Problem> {
    let key = key.to_owned();
    in_time(CheckProgress { role, key }.run_on_client()).await
}

/// Whether the outcome is still open.
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

//! A batch: commands of a tenant that share one database transaction.
//!
//! # Invariants
//! - One bad command never fails its neighbours: a batch that the database refuses is undone and run one by one.
//! - Every caller is answered, whatever becomes of the batch, and callers of one key are answered alike.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};
use tokio::sync::oneshot;

use super::{
    Clock,
    counter::{Counter, Counters},
    execute::{Batch, Interruption, Request, Settled, execute},
    in_flight::InFlight,
    lane::Lane,
    pool::Lease,
};
use crate::{
    command::Command,
    failure::Failure,
    id::TenantId,
    idempotency::{Fingerprint, IdempotencyKey},
    outcome::Answer,
    retry,
};

/// How long a caller waits for its answer before it is told where to ask for it.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

type Reply = oneshot::Sender<Result<Answer, Failure>>;

/// A command of a caller that waits for its answer.
pub(super) struct Job {
    pub(super) request: Request,
    pub(super) reply: Reply,
    pub(super) queued_at: tokio::time::Instant,
    /// Says that the key is in flight for as long as the job lives.
    pub(super) in_flight: InFlight,
}

/// Executes batches of one tenant, one after another.
pub(super) struct Worker {
    pub(super) lease: Lease,
    pub(super) lane: Lane,
    pub(super) counters: Counters,
    pub(super) clock: Clock,
    pub(super) tenant: TenantId,
}

impl Worker {
    /// Executes `jobs` and answers their callers. A fence comes after what it is about, so that it finds it.
    pub(super) async fn work(&mut self, jobs: Vec<Job>) {
        let (fences, others): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| job.request.command == Command::Fence);
        for jobs in [others, fences] {
            self.work_through(jobs).await;
        }
    }

    async fn work_through(&mut self, jobs: Vec<Job>) {
        if jobs.is_empty() {
            return;
        }
        let (commands, begun_at) = (jobs.len() as u128, tokio::time::Instant::now());
        let waited_ms = jobs.iter().map(|job| (begun_at - job.queued_at).as_millis()).sum();
        let (requests, waiters) = grouped(jobs.into_iter());
        let settled = self.settle(&requests).await;
        let counts = [
            (Counter::Batch, 1),
            (Counter::BatchedCommand, commands),
            (Counter::QueueWaitMs, waited_ms),
            (Counter::BatchMs, begun_at.elapsed().as_millis()),
        ];
        self.counters.add_all(self.tenant, counts);
        for (waiters, settled) in waiters.into_iter().zip(settled) {
            answer(waiters, settled);
        }
    }

    /// One result per request, in order.
    async fn settle(&mut self, requests: &[Request]) -> Vec<Result<Settled, Failure>> {
        match self.attempt(requests, retry::RETRIES).await {
            Ok(settled) => settled.into_iter().map(Ok).collect(),
            Err(Failure::Inconsistent | Failure::Conflict) if requests.len() > 1 => self.one_by_one(requests).await,
            Err(failure) => requests.iter().map(|_| Err(failure.clone())).collect(),
        }
    }

    /// Tries each command by itself. Where something holds a row for long, those that need it would keep the queue
    /// waiting one after another: past a budget the rest is told to come again.
    async fn one_by_one(&mut self, requests: &[Request]) -> Vec<Result<Settled, Failure>> {
        let mut settled = Vec::with_capacity(requests.len());
        let give_up_at = tokio::time::Instant::now() + ANSWER_TIMEOUT;
        for request in requests.chunks(1) {
            if tokio::time::Instant::now() > give_up_at {
                settled.push(Err(Failure::Conflict));
                continue;
            }
            let alone = self.attempt(request, 0).await;
            settled.push(alone.and_then(|settled| settled.into_iter().next().ok_or(Failure::Inconsistent)));
        }
        settled
    }

    /// Executes the requests in one database transaction, again after a conflict (C1), and again after a commit whose
    /// outcome is unknown: its markers then say what became of it.
    async fn attempt(&mut self, requests: &[Request], retries: u32) -> Result<Vec<Settled>, Failure> {
        let mut attempt = 0;
        // The requests whose markers a commit of unknown outcome may have written.
        let mut sent = BTreeSet::new();
        loop {
            let batch = Batch {
                tenant: self.tenant,
                lane: self.lane.current(),
                at: (self.clock)(),
                opened: false,
            };
            let failure = match execute(&mut self.lease, batch, requests).await {
                Ok(settled) => return Ok(own(settled, &sent)),
                // It ends: every turn finds one more of the keys settled.
                Err(Interruption::Overtaken | Interruption::Unopened(_)) => continue,
                Err(Interruption::CommitUnknown(settled)) => {
                    sent.extend(positions_of_fresh(&settled));
                    Failure::Unknown
                }
                Err(Interruption::RolledBack(Failure::Conflict)) => {
                    self.counters.add(self.tenant, Counter::Conflict);
                    Failure::Conflict
                }
                Err(Interruption::RolledBack(failure)) if !sent.is_empty() => {
                    tracing::warn!(%failure, "what became of a commit can't be asked yet");
                    Failure::Unknown
                }
                Err(Interruption::RolledBack(failure)) => return Err(failure),
            };
            if attempt == retries {
                return Err(if sent.is_empty() { failure } else { Failure::Unknown });
            }
            tokio::time::sleep(retry::backoff(attempt, rand::random())).await;
            attempt += 1;
        }
    }
}

/// A marker that was absent when a commit of unknown outcome was sent, and is found after it, was written by that commit:
/// its answer is a first answer.
fn own(settled: Vec<Settled>, sent: &BTreeSet<usize>) -> Vec<Settled> {
    let own = |(position, settled)| match settled {
        Settled::Saved(saved) if sent.contains(&position) => Settled::Own(saved),
        other => other,
    };
    settled.into_iter().enumerate().map(own).collect()
}

fn positions_of_fresh(settled: &[Settled]) -> impl Iterator<Item = usize> {
    settled
        .iter()
        .enumerate()
        .filter(|(_, settled)| matches!(settled, Settled::Fresh(_)))
        .map(|(position, _)| position)
}

/// Callers that wait for the outcome of one key, in the order in which they came, with what each asked for.
type Waiters = Vec<(Fingerprint, Reply, InFlight)>;

/// The distinct keys of `jobs`, sorted; a key's first job is executed, the others share its outcome.
fn grouped(jobs: impl Iterator<Item = Job>) -> (Vec<Request>, Vec<Waiters>) {
    let mut groups: BTreeMap<(String, IdempotencyKey), (Request, Waiters)> = BTreeMap::new();
    for Job {
        request,
        reply,
        in_flight,
        ..
    } in jobs
    {
        let waiter = (request.fingerprint, reply, in_flight);
        let key = (request.actor.clone(), request.key.clone());
        groups
            .entry(key)
            .or_insert_with(|| (request, Vec::with_capacity(1)))
            .1
            .push(waiter);
    }
    groups.into_values().unzip()
}

fn answer(waiters: Waiters, settled: Result<Settled, Failure>) {
    let Some(executed) = waiters.first().map(|(fingerprint, ..)| *fingerprint) else {
        return;
    };
    let (first, fingerprint) = match settled {
        Ok(Settled::Fresh(answer)) => (answer, Some(executed)),
        Ok(Settled::Saved(saved)) => (saved.answer(true), saved.fingerprint),
        Ok(Settled::Own(saved)) => (saved.answer(false), saved.fingerprint),
        Err(failure) => (Err(failure), Some(executed)),
    };
    let is_other = |asked: Fingerprint| fingerprint.is_some_and(|fingerprint| asked != fingerprint);
    for (position, (asked, reply, _)) in waiters.into_iter().enumerate() {
        let answer = match &first {
            Ok(_) if is_other(asked) => Err(Failure::KeyReused),
            Ok(answer) => Ok(Answer {
                replayed: answer.replayed || position > 0,
                ..answer.clone()
            }),
            // Nothing was recorded under the key, so another request with it is free to try.
            Err(_) if is_other(asked) => Err(Failure::Conflict),
            Err(failure) => Err(failure.clone()),
        };
        // A caller that is gone asks again with the same key.
        let _ = reply.send(answer);
    }
}

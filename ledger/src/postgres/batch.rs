//! The queue: callers of a tenant that wait at the same time share one database transaction (DESIGN "The one path of
//! data"). Measured against one transaction a payment it is several times faster, on a hot merchant many times.
//!
//! # Invariants
//! - A tenant has one batch in flight per server; it takes whatever queued while the one before it ran. No timer.
//! - A task of the tenant owns the database transaction. A caller that goes away cancels nothing.
//! - One bad command never fails its neighbours: a batch that the database refuses is undone and run one by one.

use sqlx::PgPool;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use super::{
    Clock,
    counter::{Counter, Counters},
    execute::{Batch, Interruption, Request, Settled, execute},
    lane::Lane,
    marker::scope,
    pool::Lease,
};
use crate::{
    account::Actor,
    command::Command,
    failure::Failure,
    id::TenantId,
    idempotency::{Fingerprint, IdempotencyKey},
    outcome::Answer,
    retry,
};

/// Commands that wait per tenant; one more is [`Failure::Throttled`].
const QUEUE_LENGTH: usize = 4096;
/// The most commands of one database transaction.
const MAX_BATCH: usize = 512;
/// How long a caller waits for its answer before it is told where to ask for it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

type Reply = oneshot::Sender<Result<Answer, Failure>>;
/// A marker's name within a tenant.
type KeyOfActor = (String, IdempotencyKey);

struct Job {
    request: Request,
    reply: Reply,
    queued_at: tokio::time::Instant,
    /// Says that the key is in flight for as long as the job lives.
    _in_flight: InFlight,
}

/// The queues of all tenants of this server.
#[derive(Clone)]
pub(super) struct Queues(Arc<Inner>);

struct Inner {
    pool: PgPool,
    lane: Lane,
    counters: Counters,
    clock: Clock,
    /// `None` once closed.
    tenants: Mutex<Option<HashMap<TenantId, Queue>>>,
    in_flight: Arc<Mutex<HashMap<(TenantId, KeyOfActor), usize>>>,
}

struct Queue {
    jobs: mpsc::Sender<Job>,
    worker: JoinHandle<()>,
}

impl Queues {
    pub(super) fn new(pool: PgPool, lane: Lane, counters: Counters, clock: Clock) -> Self {
        let (tenants, in_flight) = (Mutex::new(Some(HashMap::new())), Arc::default());
        Self(Arc::new(Inner {
            pool,
            lane,
            counters,
            clock,
            tenants,
            in_flight,
        }))
    }

    pub(super) async fn submit(
        &self,
        tenant: TenantId,
        actor: Actor,
        key: &IdempotencyKey,
        command: Command,
    ) -> Result<Answer, Failure> {
        let (reply, answer) = oneshot::channel();
        let request = Request {
            actor: scope(actor, &command),
            key: key.clone(),
            fingerprint: command.fingerprint(),
            command,
        };
        let _in_flight = InFlight::enter(&self.0.in_flight, (tenant, (request.actor.clone(), key.clone())));
        self.queue(tenant)?
            .try_send(Job {
                request,
                reply,
                queued_at: tokio::time::Instant::now(),
                _in_flight,
            })
            .map_err(|_| Failure::Throttled)?;
        match tokio::time::timeout(ANSWER_TIMEOUT, answer).await {
            Ok(Ok(answer)) => answer,
            // The worker died with the job: what became of it is in the database.
            Ok(Err(_)) => Err(Failure::Unknown),
            Err(_) => Err(Failure::InFlight),
        }
    }

    /// Whether an operation of this key is queued or being executed here.
    pub(super) fn holds(&self, tenant: TenantId, actor: &str, key: &IdempotencyKey) -> bool {
        locked(&self.0.in_flight).contains_key(&(tenant, (actor.to_owned(), key.clone())))
    }

    /// Finishes what was accepted; accepts nothing more.
    pub(super) async fn close(&self) {
        let tenants = locked(&self.0.tenants).take().unwrap_or_default();
        for (_, Queue { jobs, worker }) in tenants {
            drop(jobs);
            if let Err(error) = worker.await {
                tracing::error!(%error, "a tenant's queue ended badly");
            }
        }
    }

    /// The tenant's queue; its worker is started when it is first used, and again if it died.
    fn queue(&self, tenant: TenantId) -> Result<mpsc::Sender<Job>, Failure> {
        if self.0.pool.is_closed() {
            return Err(Failure::Unavailable);
        }
        let mut tenants = locked(&self.0.tenants);
        let tenants = tenants.as_mut().ok_or(Failure::Unavailable)?;
        if let Some(queue) = tenants.get(&tenant).filter(|queue| !queue.jobs.is_closed()) {
            return Ok(queue.jobs.clone());
        }
        let (jobs, waiting) = mpsc::channel(QUEUE_LENGTH);
        let worker = Worker {
            lease: Lease::new(self.0.pool.clone()),
            lane: self.0.lane.clone(),
            counters: self.0.counters.clone(),
            clock: self.0.clock,
            tenant,
        };
        tenants.insert(
            tenant,
            Queue {
                jobs: jobs.clone(),
                worker: tokio::spawn(worker.work(waiting)),
            },
        );
        Ok(jobs)
    }
}

/// A key's presence in the queue, counted because the same key may wait twice.
struct InFlight {
    keys: Arc<Mutex<HashMap<(TenantId, KeyOfActor), usize>>>,
    key: (TenantId, KeyOfActor),
}

impl InFlight {
    fn enter(keys: &Arc<Mutex<HashMap<(TenantId, KeyOfActor), usize>>>, key: (TenantId, KeyOfActor)) -> Self {
        *locked(keys).entry(key.clone()).or_default() += 1;
        Self {
            keys: keys.clone(),
            key,
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut keys = locked(&self.keys);
        if let Some(count) = keys.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                keys.remove(&self.key);
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Executes the batches of one tenant, one after another.
struct Worker {
    lease: Lease,
    lane: Lane,
    counters: Counters,
    clock: Clock,
    tenant: TenantId,
}

impl Worker {
    async fn work(mut self, mut waiting: mpsc::Receiver<Job>) {
        let mut jobs = Vec::with_capacity(MAX_BATCH);
        while waiting.recv_many(&mut jobs, MAX_BATCH).await > 0 {
            // A fence comes after what it is about, so that it finds it.
            let (fences, others): (Vec<Job>, Vec<Job>) =
                jobs.drain(..).partition(|job| job.request.command == Command::Fence);
            for jobs in [others, fences] {
                self.work_through(jobs).await;
            }
            gather(&waiting).await;
            if waiting.is_empty() {
                self.lease.end();
            }
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

/// Callers that were just answered often ask for the next thing at once. While they do, the next batch lets them join;
/// nobody waits for a clock, and a lone payment waits for nobody.
async fn gather(waiting: &mpsc::Receiver<Job>) {
    let mut joined = waiting.len();
    loop {
        tokio::task::yield_now().await;
        if waiting.len() == joined || waiting.len() >= MAX_BATCH {
            return;
        }
        joined = waiting.len();
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
        _in_flight,
        ..
    } in jobs
    {
        let waiter = (request.fingerprint, reply, _in_flight);
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

//! The queue: callers of a tenant that wait at the same time share a database transaction (DESIGN "The one path of
//! data"). Measured against one transaction a payment it is several times faster, on a hot merchant many times.
//!
//! # Invariants
//! - A tenant has at most [`IN_FLIGHT`] batches in flight per server; what queued meanwhile is shared out evenly among
//!   them. No timer: when none is in flight, a payment waits for nobody.
//! - A task of its own executes each batch. A caller that goes away cancels nothing.

use sqlx::PgPool;
use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::{
    sync::{mpsc, oneshot},
    task::{JoinHandle, JoinSet},
};

use super::{
    Clock,
    batch::{ANSWER_TIMEOUT, Job, Worker},
    counter::Counters,
    execute::Request,
    in_flight::KeysInFlight,
    lane::Lanes,
    marker::scope,
    pool::Lease,
};
use crate::{
    account::Actor, command::Command, failure::Failure, id::TenantId, idempotency::IdempotencyKey, outcome::Answer,
};

/// Commands that wait per tenant; one more is [`Failure::Throttled`].
const QUEUE_LENGTH: usize = 4096;
/// Batches of a tenant that are executed at a time: while one is planned and answered here, the database works on the
/// other. Measured with one, two and three.
pub(super) const IN_FLIGHT: usize = 2;
/// The least commands that are a batch's share; fewer wait for the batch in flight, since two small ones cost more than one.
const MIN_SHARE: usize = 8;
/// The most commands of one database transaction.
const MAX_BATCH: usize = 512;

/// The queues of all tenants of this server.
#[derive(Clone)]
pub(super) struct Queues(Arc<Inner>);

struct Inner {
    pool: PgPool,
    lanes: Lanes,
    counters: Counters,
    clock: Clock,
    /// `None` once closed.
    tenants: Mutex<Option<HashMap<TenantId, Queue>>>,
    in_flight: KeysInFlight,
}

struct Queue {
    jobs: mpsc::Sender<Job>,
    dispatcher: JoinHandle<()>,
}

impl Queues {
    pub(super) fn new(pool: PgPool, lanes: Lanes, counters: Counters, clock: Clock) -> Self {
        Self(Arc::new(Inner {
            pool,
            lanes,
            counters,
            clock,
            tenants: Mutex::new(Some(HashMap::new())),
            in_flight: KeysInFlight::default(),
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
        let in_flight = self.0.in_flight.enter(tenant, &request.actor, key);
        self.queue(tenant)?
            .try_send(Job {
                request,
                reply,
                queued_at: tokio::time::Instant::now(),
                in_flight,
            })
            .map_err(|_| Failure::Throttled)?;
        match tokio::time::timeout(ANSWER_TIMEOUT, answer).await {
            Ok(Ok(answer)) => answer,
            // The batch ended badly: what became of it is in the database.
            Ok(Err(_)) => Err(Failure::Unknown),
            Err(_) => Err(Failure::InFlight),
        }
    }

    /// Whether an operation of this key is queued or being executed here.
    pub(super) fn holds(&self, tenant: TenantId, actor: &str, key: &IdempotencyKey) -> bool {
        self.0.in_flight.contain(tenant, actor, key)
    }

    /// Finishes what was accepted; accepts nothing more.
    pub(super) async fn close(&self) {
        let tenants = self.tenants().take().unwrap_or_default();
        for (_, Queue { jobs, dispatcher }) in tenants {
            drop(jobs);
            if let Err(error) = dispatcher.await {
                tracing::error!(%error, "a tenant's queue ended badly");
            }
        }
    }

    /// The tenant's queue; it is opened when it is first used, and again after a batch ended badly.
    fn queue(&self, tenant: TenantId) -> Result<mpsc::Sender<Job>, Failure> {
        if self.0.pool.is_closed() {
            return Err(Failure::Unavailable);
        }
        let mut tenants = self.tenants();
        let tenants = tenants.as_mut().ok_or(Failure::Unavailable)?;
        if let Some(queue) = tenants.get(&tenant).filter(|queue| !queue.jobs.is_closed()) {
            return Ok(queue.jobs.clone());
        }
        let (jobs, waiting) = mpsc::channel(QUEUE_LENGTH);
        let dispatcher = tokio::spawn(dispatch(waiting, self.workers(tenant)));
        let queue = Queue {
            jobs: jobs.clone(),
            dispatcher,
        };
        tenants.insert(tenant, queue);
        Ok(jobs)
    }

    /// The first lane's comes last, and is taken first.
    fn workers(&self, tenant: TenantId) -> Vec<Worker> {
        let worker = |lane| Worker {
            lease: Lease::new(self.0.pool.clone()),
            lane,
            counters: self.0.counters.clone(),
            clock: self.0.clock,
            tenant,
        };
        self.0.lanes.each().rev().map(worker).collect()
    }

    fn tenants(&self) -> MutexGuard<'_, Option<HashMap<TenantId, Queue>>> {
        self.0.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hands what waits to workers that are idle, for as long as there are senders, and lets all finish. After a batch that
/// ended badly it hands out nothing more.
async fn dispatch(mut waiting: mpsc::Receiver<Job>, mut idle: Vec<Worker>) {
    let mut busy = JoinSet::new();
    let mut in_flight = 0;
    let mut jobs = Vec::new();
    loop {
        let (begins, most) = (can_begin(waiting.len(), idle.len()), share(waiting.len() + in_flight));
        tokio::select! {
            biased;
            Some(ended) = busy.join_next() => match ended {
                Ok((worker, commands)) => {
                    idle.push(worker);
                    in_flight -= commands;
                }
                Err(error) => {
                    tracing::error!(%error, "a batch ended badly");
                    break;
                }
            },
            commands = waiting.recv_many(&mut jobs, most), if begins => {
                let Some(mut worker) = idle.pop().filter(|_| commands > 0) else { break };
                let batch = mem::take(&mut jobs);
                busy.spawn(async move {
                    worker.work(batch).await;
                    (worker, commands)
                });
                in_flight += commands;
                continue;
            }
        }
        gather(&waiting).await;
        if waiting.is_empty() {
            idle.iter_mut().for_each(|worker| worker.lease.end());
        }
    }
    drop(waiting);
    while busy.join_next().await.is_some() {}
}

/// Whether what waits is a batch, where so many of the workers are idle.
fn can_begin(waiting: usize, idle: usize) -> bool {
    idle == IN_FLIGHT || idle > 0 && waiting >= MIN_SHARE
}

/// The commands of the next batch where so many wait or are in flight: as many as of the other.
fn share(commands: usize) -> usize {
    commands.div_ceil(IN_FLIGHT).clamp(MIN_SHARE, MAX_BATCH)
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

//! Concurrent callers, each waiting for its answer before it asks for the next payment.

use ledger::AccountId;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{report::Measured, town::Town};

/// Lets `callers` pay by `pay` for as long as `run`.
pub async fn measure<P, F>(town: &Arc<Town>, callers: usize, run: Duration, pay: P) -> Measured
where
    P: Fn(AccountId, AccountId) -> F + Clone + Send + 'static,
    F: Future<Output = ()> + Send,
{
    let next = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..callers {
        let (town, next, pay) = (town.clone(), next.clone(), pay.clone());
        tasks.spawn(async move {
            let mut latencies = Vec::new();
            while started.elapsed() < run {
                let (payer, merchant) = town.parties(next.fetch_add(1, Ordering::Relaxed));
                let asked = Instant::now();
                pay(payer, merchant).await;
                latencies.push(asked.elapsed());
            }
            latencies
        });
    }
    let latencies = tasks.join_all().await.concat();
    Measured::new(started, latencies)
}

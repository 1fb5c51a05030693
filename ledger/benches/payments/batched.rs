//! The ledger: concurrent callers, each waiting for its answer before it asks for the next payment.

use ledger::{AssetCode, Command, IdempotencyKey, Ledger, Pay, money::Amount};
use sqlx::PgPool;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{
    report::Measured,
    town::{Town, actor},
};

pub async fn measure(
    pool: &PgPool,
    town: &Town,
    callers: usize,
    run: Duration,
) -> Result<Measured, Box<dyn std::error::Error>> {
    let ledger = Ledger::new(pool.clone());
    let next = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..callers {
        let (ledger, next, tenant) = (ledger.clone(), next.clone(), town.tenant);
        let (customers, merchants) = (town.customers.clone(), town.merchants.clone());
        tasks.spawn(async move {
            let town = Town {
                tenant,
                customers,
                merchants,
            };
            let mut latencies = Vec::new();
            while started.elapsed() < run {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let asked = Instant::now();
                pay(&ledger, &town, n).await;
                latencies.push(asked.elapsed());
            }
            latencies
        });
    }
    let latencies = tasks.join_all().await.concat();
    let measured = Measured::new(started, latencies);
    ledger.close().await;
    Ok(measured)
}

async fn pay(ledger: &Ledger, town: &Town, n: usize) {
    let (payer, merchant) = town.parties(n);
    let amount = Amount::parse("10").expect("an amount");
    let key = IdempotencyKey::parse(&uuid::Uuid::now_v7().to_string()).expect("a key");
    let command = Command::Pay(Pay {
        payer,
        merchant,
        asset: AssetCode::main(),
        amount,
        memo: None,
    });
    let answer = ledger
        .submit(town.tenant, actor(), &key, command)
        .await
        .expect("an answer");
    assert!(
        matches!(answer.outcome, ledger::Outcome::Applied(_)),
        "every payment of the bench is covered"
    );
}

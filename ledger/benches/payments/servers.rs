//! Two servers on one database that collect for the same merchant: each in a lane of its own, or both in one row.

use ledger::{Ledger, postgres::connect};
use sqlx::postgres::PgConnectOptions;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use crate::{batched::pay, callers, report::Measured, town::Town};

/// Where two servers write what a merchant collects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    One,
    LaneEach,
}

/// Lets the callers pay by turns on two servers, each with connections of its own.
pub async fn measure(
    options: &PgConnectOptions,
    town: &Arc<Town>,
    callers: usize,
    run: Duration,
    rows: Rows,
) -> Measured {
    let servers = [(); 2].map(|()| Ledger::new(connect(options.clone(), 16)));
    let mut lanes = tokio::task::JoinSet::new();
    if rows == Rows::LaneEach {
        for server in servers.clone() {
            lanes.spawn(async move { server.keep_lane().await });
        }
    }
    while rows == Rows::LaneEach && servers[0].lane() == servers[1].lane() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let (tenant, turn) = (town.tenant, Arc::new(AtomicUsize::new(0)));
    let measured = callers::measure(town, callers, run, {
        let servers = servers.clone();
        move |payer, merchant| {
            let server = &servers[turn.fetch_add(1, Ordering::Relaxed) % 2];
            pay(server.clone(), tenant, payer, merchant)
        }
    })
    .await;
    lanes.abort_all();
    for server in &servers {
        server.close().await;
        server.pool().close().await;
    }
    measured
}

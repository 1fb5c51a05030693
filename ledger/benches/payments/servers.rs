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

use crate::{
    batched::{Serving, pay},
    callers,
    report::Measured,
    town::Town,
};

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
    let mut servers = Vec::new();
    let mut serving = Vec::new();
    for _ in 0..2 {
        let pool = connect(options.clone(), 16);
        if rows == Rows::LaneEach {
            let server = Serving::in_own_lanes(pool).await;
            servers.push(server.ledger.clone());
            serving.push(server);
        } else {
            servers.push(Ledger::new(pool));
        }
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
    for server in serving {
        server.end().await;
    }
    for server in &servers {
        server.close().await;
        server.pool().close().await;
    }
    measured
}

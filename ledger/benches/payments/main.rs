//! Payments per second of three ways to write one payment, on one PostgreSQL, interleaved in several rounds:
//! the ledger's batches, an ordinary transaction of seven statements over the same pool, and the bare set-based batch
//! in SQL as the limit; and two servers that share a merchant, in a lane each and in one row. Every way writes the same rows to the same tables, each for a tenant of its own.
//!
//! Run by `make bench`, never by the tests: it measures, it does not judge.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a measurement reads clocks, makes ids as clients do, and stops at the first failure"
)]

mod bare;
mod batched;
mod callers;
mod filled;
mod ordinary;
mod report;
mod servers;
mod town;

use ledger::postgres::{MIGRATOR, connect};
use sqlx::postgres::PgConnectOptions;
use std::{str::FromStr, time::Duration};

use report::{Figures, Run};
use servers::Rows;
use town::Town;

const ROUNDS: usize = 3;
const RUN: Duration = Duration::from_secs(4);
const CONNECTIONS: u32 = 32;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("DATABASE_URL").map_err(|_| "DATABASE_URL names the database to measure on")?;
    let options = PgConnectOptions::from_str(&url)?;
    let pool = connect(options.clone(), CONNECTIONS);
    MIGRATOR.run(&pool).await?;
    let mut figures = Figures::default();
    if std::env::args().any(|argument| argument == "filled") {
        compare_with_filled(&pool, &mut figures).await?;
        figures.print();
        return Ok(());
    }
    for round in 1..=ROUNDS {
        for (merchants, callers) in [(100, 32), (1, 32), (100, 256), (1, 256)] {
            let run = Run { merchants, callers };
            let towns = Town::found_three(&pool, merchants).await?;
            figures.add(run, "batched", batched::measure(&pool, &towns[0], callers, RUN).await);
            figures.add(run, "ordinary", ordinary::measure(&pool, &towns[1], callers, RUN).await);
            figures.add(run, "bare", bare::measure(&pool, &towns[2], callers, RUN).await?);
            println!("round {round}: {run} done");
        }
        for callers in [32, 256] {
            let run = Run { merchants: 1, callers };
            let towns = Town::found_three(&pool, 1).await?;
            for (town, way, rows) in [
                (&towns[0], "2 servers", Rows::LaneEach),
                (&towns[1], "one row", Rows::One),
            ] {
                figures.add(run, way, servers::measure(&options, town, callers, RUN, rows).await);
            }
            println!("round {round}: two servers, {run} done");
        }
    }
    figures.print();
    Ok(())
}

/// A town without a past beside one whose tables are full.
async fn compare_with_filled(pool: &sqlx::PgPool, figures: &mut Figures) -> Result<(), Box<dyn std::error::Error>> {
    let [empty, full, _] = Town::found_three(pool, 100).await?;
    filled::fill(pool, &full).await?;
    for round in 1..=ROUNDS {
        for callers in [32, 256] {
            let run = Run {
                merchants: 100,
                callers,
            };
            figures.add(run, "batched", batched::measure(pool, &empty, callers, RUN).await);
            figures.add(run, "full", batched::measure(pool, &full, callers, RUN).await);
        }
        println!("round {round} done");
    }
    Ok(())
}

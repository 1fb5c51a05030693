//! What people see of jobs: the command line, and what the jobs do to their money.

use std::process::Output;

use chrono::TimeDelta;
use ledger::{Ledger, money::Instant, postgres::connect};
use server::jobs::{
    attempt,
    lease::{self, Ended, Lease, Outcome, When},
    named, register,
};
use sqlx::{
    ConnectOptions,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::process::Command;

use crate::{
    jobs::{at, going_on, server},
    world::World,
};

async fn koban(options: &PgConnectOptions, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_koban"))
        .args(arguments)
        .env("DATABASE_URL", options.to_url_lossy().as_str())
        .output()
        .await
        .unwrap()
}

fn said(output: &Output) -> (Option<i32>, String) {
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

#[sqlx::test(migrations = "../migrations")]
async fn the_command_line_lists_the_jobs_and_runs_one_unless_another_does(_: PgPoolOptions, options: PgConnectOptions) {
    let output = koban(&options, &["job", "run", "sweep"]).await;
    let unknown = "koban: there is no job sweep; there are expire-holds, expire-lots, sweep-markers, sweep-sessions\n";
    assert_eq!(said(&output), (Some(1), unknown.to_owned()));

    let output = koban(&options, &["job", "run", "sweep-sessions"]).await;
    assert_eq!(
        said(&output),
        (Some(0), "sweep-sessions: 0 sessions deleted\n".to_owned())
    );

    let other = Ledger::new(connect(options.clone(), 1));
    let job = named("sweep-sessions").unwrap();
    let lease: Lease = lease::take(other.pool(), job.name, other.now(), When::Now)
        .await
        .unwrap()
        .unwrap();
    let output = koban(&options, &["job", "run", "sweep-sessions"]).await;
    assert_eq!(
        said(&output),
        (Some(1), "koban: another server is running sweep-sessions\n".to_owned())
    );
    let ended = Ended {
        outcome: Outcome::Failed("the disk is full\nand more".to_owned()),
        count: 0,
        note: String::new(),
    };
    lease
        .end(other.pool(), other.now(), &ended, Some(at("10:10:00")))
        .await
        .unwrap();

    let (code, table) = said(&koban(&options, &["job", "list"]).await);
    let mut lines = table.lines();
    assert_eq!(code, Some(0));
    assert_eq!(
        lines.next(),
        Some("JOB             SCHEDULE (UTC)   NEXT RUN          LAST RUN          OUTCOME  WHAT IT DID")
    );
    let line = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap();
    assert_eq!(
        line("sweep-markers"),
        "sweep-markers   */10 * * * *     -                 -                 -        -"
    );
    let today = other.now().format("%Y-%m-%d");
    let line = line("sweep-sessions");
    assert!(line.starts_with("sweep-sessions  5-59/10 * * * *"), "{table}");
    assert!(line.contains(&format!("2026-03-01 10:10  {today}")), "{table}");
    assert!(line.ends_with("failed   the disk is full"), "{table}");
}

/// A server whose clock runs ahead, by which holds of an hour and value of a month are past their time.
fn in_forty_days() -> Instant {
    chrono::Utc::now() + TimeDelta::days(40)
}

async fn run_now(job: &str, server: &Ledger) -> (i64, String) {
    let job = named(job).unwrap();
    register(job, server).await.unwrap();
    let ended = attempt(job, server, &going_on(), When::Now).await.unwrap().unwrap();
    assert_eq!(ended.outcome, Outcome::Succeeded);
    (ended.count, ended.note)
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_held_or_kept_past_its_time_ends_by_itself_and_once(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options.clone()).await;
    world.hold("400").await;
    world.give_expiring("25").await;
    let now = &world.state.ledger;
    assert_eq!(run_now("expire-holds", now).await, (0, "holds released".to_owned()));
    assert_eq!(
        run_now("expire-lots", now).await,
        (0, "balances with expired value".to_owned())
    );
    assert_eq!(world.pay("too-much", &world.payment("601")).await.status, 400);

    let later = server(&options, in_forty_days);
    for count in [1, 0] {
        assert_eq!(
            run_now("expire-holds", &later).await,
            (count, "holds released".to_owned())
        );
        let expired = (count, "balances with expired value".to_owned());
        assert_eq!(run_now("expire-lots", &later).await, expired);
    }
    let lots: i64 = sqlx::query_scalar("select count(*) from ledger.lot")
        .fetch_one(now.pool())
        .await
        .unwrap();
    assert_eq!(lots, 0);
    assert_eq!(world.pay("all", &world.payment("1000")).await.status, 201);
}

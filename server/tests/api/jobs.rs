//! Jobs run once for all servers, whatever becomes of one of them. A server here is a ledger whose clock stands still.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::world::World;
use anyhow::{Result, bail};
use chrono::TimeDelta;
use ledger::{Ledger, money::Instant, postgres::connect};
use server::{
    jobs::{
        JOBS, Job, Run, attempt, keep_running,
        lease::{self, Ended, KEPT_RUNS, LENGTH, Outcome, Status, When},
        named, register,
        schedule::next_tick,
    },
    shutdown::Ending,
};
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::{sync::watch, task::JoinSet};

static PROBE: Job = Job {
    name: "probe",
    schedule: "*/10 * * * *",
    work: |run| {
        run.did(3, "things probed");
        Box::pin(async { Ok(()) })
    },
};

pub(crate) fn at(text: &str) -> Instant {
    format!("2026-03-01T{text}Z").parse().unwrap()
}

/// A server whose clock stands at an instant.
pub(crate) fn server(options: &PgConnectOptions, clock: fn() -> Instant) -> Ledger {
    Ledger::with_clock(connect(options.clone(), 3), clock)
}

/// What nobody asks to end.
pub(crate) fn going_on() -> Ending {
    Ending::when(watch::Sender::new(false).subscribe())
}

async fn run_if_due(job: &'static Job, server: &Ledger) -> Result<Option<Ended>> {
    attempt(job, server, &going_on(), When::Due).await
}

async fn status(server: &Ledger, job: &Job) -> Status {
    let known = lease::statuses(server.pool()).await.unwrap();
    known.into_iter().find(|status| status.name == job.name).unwrap()
}

fn probed() -> Ended {
    Ended {
        outcome: Outcome::Succeeded,
        count: 3,
        note: "things probed".to_owned(),
    }
}

/// The probe is known since 10:07, so it is due at 10:10.
async fn with_probe(options: &PgConnectOptions) -> Ledger {
    let server = server(options, || at("10:07:00"));
    register(&PROBE, &server).await.unwrap();
    server
}

#[sqlx::test(migrations = "../migrations")]
async fn of_many_servers_one_runs_a_due_job(_: PgPoolOptions, options: PgConnectOptions) {
    let first = with_probe(&options).await;
    assert_eq!(run_if_due(&PROBE, &first).await.unwrap(), None, "it is not due yet");
    let mut servers = JoinSet::new();
    for _ in 0..8 {
        let server = server(&options, || at("10:10:00"));
        servers.spawn(async move { run_if_due(&PROBE, &server).await.unwrap() });
    }
    let ran: Vec<Ended> = servers.join_all().await.into_iter().flatten().collect();
    assert_eq!(ran, [probed()]);
    assert_eq!(status(&first, &PROBE).await.next_run_at, at("10:20:00"));
}

#[sqlx::test(migrations = "../migrations")]
async fn missed_ticks_are_made_up_for_by_one_run(_: PgPoolOptions, options: PgConnectOptions) {
    with_probe(&options).await;
    let late = server(&options, || at("14:33:00"));
    assert_eq!(run_if_due(&PROBE, &late).await.unwrap(), Some(probed()));
    assert_eq!(run_if_due(&PROBE, &late).await.unwrap(), None);
    assert_eq!(status(&late, &PROBE).await.next_run_at, at("14:40:00"));
}

/// Whoever was paused past its lease finds that another has it, and records nothing.
#[sqlx::test(migrations = "../migrations")]
async fn a_lease_that_ran_out_goes_to_a_successor_and_its_late_end_is_refused(
    _: PgPoolOptions,
    options: PgConnectOptions,
) {
    let server = with_probe(&options).await;
    let (db, name) = (server.pool(), PROBE.name);
    let take = async |at| lease::take(db, name, at, When::Due).await.unwrap();
    let first = take(at("10:10:00")).await.unwrap();
    assert!(first.renew(db, at("10:10:50")).await.unwrap());
    assert_eq!(take(at("10:11:49")).await, None);
    assert_eq!(status(&server, &PROBE).await.word(at("10:11:49")), Some("running"));
    assert_eq!(status(&server, &PROBE).await.word(at("10:11:50")), Some("lost"));

    let second = take(at("10:11:50")).await.unwrap();
    assert_eq!((first.fence, second.fence), (1, 2));
    let tick = Some(at("10:20:00"));
    assert!(!first.renew(db, at("10:12:00")).await.unwrap());
    assert!(!first.end(db, at("10:12:00"), &probed(), tick).await.unwrap());
    assert_eq!(status(&server, &PROBE).await.next_run_at, at("10:10:00"));
    assert_eq!(status(&server, &PROBE).await.word(at("10:12:00")), Some("running"));

    assert!(second.end(db, at("10:12:30"), &probed(), tick).await.unwrap());
    assert!(!second.renew(db, at("10:12:31")).await.unwrap(), "it has ended");
    assert!(!second.end(db, at("10:12:31"), &probed(), None).await.unwrap());
    let ended = status(&server, &PROBE).await;
    assert_eq!(
        (ended.word(at("10:12:31")), ended.next_run_at),
        (Some("succeeded"), at("10:20:00"))
    );
    assert_eq!(outcomes(db).await, [(1, None), (2, Some("succeeded".to_owned()))]);
}

/// Fence and outcome of every run.
async fn outcomes(db: &PgPool) -> Vec<(i64, Option<String>)> {
    sqlx::query_as("select fence, outcome from job.run order by fence")
        .fetch_all(db)
        .await
        .unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn a_job_that_was_overtaken_stops_at_its_next_step(_: PgPoolOptions, options: PgConnectOptions) {
    static WENT_ON: AtomicBool = AtomicBool::new(true);
    static OVERTAKEN: Job = Job {
        name: "overtaken",
        schedule: "*/10 * * * *",
        work: |run| Box::pin(work(run)),
    };
    async fn work(run: &mut Run) -> Result<()> {
        assert!(run.may_go_on().await?);
        let meanwhile = run.ledger.now() + LENGTH;
        lease::take(run.ledger.pool(), OVERTAKEN.name, meanwhile, When::Due)
            .await?
            .unwrap();
        WENT_ON.store(run.may_go_on().await?, Ordering::Relaxed);
        Ok(())
    }
    register(&OVERTAKEN, &server(&options, || at("10:07:00")))
        .await
        .unwrap();
    let server = server(&options, || at("10:10:00"));
    let error = run_if_due(&OVERTAKEN, &server).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "another server took over overtaken before it had ended"
    );
    assert!(!WENT_ON.load(Ordering::Relaxed));
    assert_eq!(outcomes(server.pool()).await, [(1, None), (2, None)]);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_failed_job_is_recorded_and_due_at_its_next_tick(_: PgPoolOptions, options: PgConnectOptions) {
    static FAILS: Job = Job {
        name: "fails",
        schedule: "*/10 * * * *",
        work: |run| {
            run.did(7, "things done before");
            Box::pin(async { bail!("the disk is full") })
        },
    };
    static PANICS: Job = Job {
        name: "panics",
        schedule: "*/10 * * * *",
        work: |_| Box::pin(async { panic!("there is no {}", "seven") }),
    };
    for (job, error, count) in [
        (&FAILS, "the disk is full", 7),
        (&PANICS, "it panicked: there is no seven", 0),
    ] {
        register(job, &server(&options, || at("10:07:00"))).await.unwrap();
        let at_the_tick = server(&options, || at("10:10:00"));
        let ended = run_if_due(job, &at_the_tick).await.unwrap().unwrap();
        assert_eq!((ended.outcome, ended.count), (Outcome::Failed(error.to_owned()), count));
        let recorded = status(&at_the_tick, job).await;
        assert_eq!((recorded.next_run_at, recorded.leased_until), (at("10:20:00"), None));
        let run = recorded.last_run.unwrap();
        assert_eq!((run.error.as_deref(), run.count), (Some(error), count));
        assert_eq!(run_if_due(job, &at_the_tick).await.unwrap(), None);
        let next = server(&options, || at("10:20:00"));
        assert!(run_if_due(job, &next).await.unwrap().is_some());
    }
}

/// Its work is left to whichever server looks next.
#[sqlx::test(migrations = "../migrations")]
async fn a_job_that_was_asked_to_end_stops_and_stays_due(_: PgPoolOptions, options: PgConnectOptions) {
    static STEPS: Job = Job {
        name: "steps",
        schedule: "*/10 * * * *",
        work: |run| Box::pin(work(run)),
    };
    async fn work(run: &mut Run) -> Result<()> {
        while run.may_go_on().await? {
            run.did(1, "steps");
        }
        Ok(())
    }
    register(&STEPS, &server(&options, || at("10:07:00"))).await.unwrap();
    let server = server(&options, || at("10:10:00"));
    let asked_to_end = Ending::when(watch::Sender::new(true).subscribe());
    let ended = attempt(&STEPS, &server, &asked_to_end, When::Due)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((ended.outcome, ended.count), (Outcome::Stopped, 0));
    let status = status(&server, &STEPS).await;
    assert_eq!(
        (status.next_run_at, status.word(at("10:10:00"))),
        (at("10:10:00"), Some("stopped"))
    );
    assert!(
        lease::take(server.pool(), STEPS.name, at("10:10:01"), When::Due)
            .await
            .unwrap()
            .is_some()
    );
}

/// A tick that passes while the job runs is not lost: the next run is the first tick after this one's start.
#[sqlx::test(migrations = "../migrations")]
async fn a_tick_during_a_run_is_not_lost(_: PgPoolOptions, options: PgConnectOptions) {
    static IS_LATER: AtomicBool = AtomicBool::new(false);
    static SLOW: Job = Job {
        name: "slow",
        schedule: "*/10 * * * *",
        work: |_| {
            IS_LATER.store(true, Ordering::Relaxed);
            Box::pin(async { Ok(()) })
        },
    };
    fn clock() -> Instant {
        at(if IS_LATER.load(Ordering::Relaxed) {
            "10:34:00"
        } else {
            "10:15:00"
        })
    }
    let server = server(&options, clock);
    register(&SLOW, &server).await.unwrap();
    attempt(&SLOW, &server, &going_on(), When::Now).await.unwrap().unwrap();
    assert_eq!(status(&server, &SLOW).await.next_run_at, at("10:20:00"));
    run_if_due(&SLOW, &server).await.unwrap().unwrap();
    assert_eq!(status(&server, &SLOW).await.next_run_at, at("10:40:00"));
}

#[sqlx::test(migrations = "../migrations")]
async fn a_start_puts_nothing_off(_: PgPoolOptions, options: PgConnectOptions) {
    let server = with_probe(&options).await;
    for (schedule, started_at, next_run_at) in [
        ("*/10 * * * *", "10:50:00", "10:10:00"),
        ("0 15 * * *", "10:50:00", "10:10:00"),
        ("*/10 * * * *", "10:08:00", "10:10:00"),
        ("* * * * *", "10:08:00", "10:09:00"),
        // As if a server whose clock runs ahead had run it at 10:08.
        ("* * * * *", "10:04:00", "10:05:00"),
    ] {
        let tick = next_tick(schedule, at(started_at)).unwrap();
        let job = Job { schedule, ..PROBE };
        lease::register(server.pool(), &job, tick).await.unwrap();
        assert_eq!(status(&server, &PROBE).await.next_run_at, at(next_run_at), "{schedule}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn the_last_runs_are_kept(_: PgPoolOptions, options: PgConnectOptions) {
    let server = with_probe(&options).await;
    for _ in 0..KEPT_RUNS + 5 {
        attempt(&PROBE, &server, &going_on(), When::Now).await.unwrap().unwrap();
    }
    let kept = outcomes(server.pool()).await;
    assert_eq!((kept.len() as i64, kept[0].0), (KEPT_RUNS, 6));
}

#[test]
fn a_schedule_ticks_in_utc_after_the_instant() {
    for (schedule, after, next) in [
        ("*/10 * * * *", "2026-03-01T10:07:00Z", "2026-03-01T10:10:00Z"),
        ("*/10 * * * *", "2026-03-01T10:10:00Z", "2026-03-01T10:20:00Z"),
        ("*/10 * * * *", "2026-03-01T10:09:59.999999Z", "2026-03-01T10:10:00Z"),
        ("0 15 * * *", "2026-03-01T15:00:00.000001Z", "2026-03-02T15:00:00Z"),
        ("30 2 * * *", "2026-03-29T00:00:00Z", "2026-03-29T02:30:00Z"),
        ("0 0 29 2 *", "2026-03-01T00:00:00Z", "2028-02-29T00:00:00Z"),
    ] {
        assert_eq!(
            next_tick(schedule, after.parse().unwrap()).unwrap(),
            next.parse::<Instant>().unwrap(),
            "{schedule} {after}"
        );
    }
    for schedule in ["", "every day", "61 * * * *", "0 0 31 2 *"] {
        assert!(next_tick(schedule, at("10:00:00")).is_err(), "{schedule}");
    }
}

#[test]
fn every_job_has_a_name_of_its_own_and_a_schedule() {
    for job in &JOBS {
        assert!(std::ptr::eq(named(job.name).unwrap(), job), "{}", job.name);
        assert!(next_tick(job.schedule, at("10:00:00")).is_ok(), "{}", job.name);
    }
    let error = named("sweep").err().unwrap();
    assert_eq!(
        error.to_string(),
        "there is no job sweep; there are expire-holds, expire-lots, sweep-markers, sweep-sessions"
    );
}

/// The runner runs what is due, and ends when it is asked to.
#[sqlx::test(migrations = "../migrations")]
async fn the_runner_sweeps_what_has_expired_of_every_tenant_until_asked_to_end(
    _: PgPoolOptions,
    options: PgConnectOptions,
) {
    let world = World::new(options.clone()).await;
    let db = world.state.ledger.pool();
    let statement =
        "insert into identity.session values ('old', '{}', now()), ('new', '{}', now() + interval '1 year')";
    sqlx::query(statement).execute(db).await.unwrap();
    // Marked as of then, so that what is due is swept: the markers of the charges of two towns, and a session.
    sqlx::query("update ledger.marker set expires_at = expires_at - interval '92 days'")
        .execute(db)
        .await
        .unwrap();
    world.pay("recent", &world.payment("1")).await;
    for job in &JOBS {
        lease::register(db, job, world.state.ledger.now() - TimeDelta::hours(1))
            .await
            .unwrap();
    }
    let (asked_to_end, ending) = watch::channel(false);
    let runner = tokio::spawn(keep_running(world.state.ledger.clone(), Ending::when(ending)));
    let swept = loop {
        let known = lease::statuses(db).await.unwrap();
        let runs: Vec<_> = known.into_iter().filter_map(|status| status.last_run).collect();
        if runs.iter().filter(|run| run.ended_at.is_some()).count() == JOBS.len() {
            break runs;
        }
        tokio::task::yield_now().await;
    };
    asked_to_end.send_replace(true);
    runner.await.unwrap();
    let did: Vec<String> = swept.iter().map(|run| format!("{} {}", run.count, run.note)).collect();
    assert_eq!(
        did,
        [
            "0 holds released",
            "0 balances with expired value",
            "2 markers deleted",
            "1 sessions deleted"
        ]
    );
    let left: (i64, i64) =
        sqlx::query_as("select (select count(*) from ledger.marker), (select count(*) from identity.session)")
            .fetch_one(db)
            .await
            .unwrap();
    assert_eq!(left, (1, 1));
}

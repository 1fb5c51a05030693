//! Repetitions of a key beside the sweep of its marker: what happened under a key that says its own time never happens
//! again, and a marker that has not expired is never swept (A4).
//!
//! Time is a script. It moves by less than the sweep's tolerance, for no operation lasts as long as that.

use sqlx::{
    ConnectOptions, Executor,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::{
    Law, Stage, Subject,
    script::{Facts, Script, ask, write},
    statements,
    town::{self, PAYER, TENANT},
};
use crate::world::ASKER;

/// The clock of all servers.
const CLOCK: &str = "create table clock (at timestamptz not null); insert into clock values (now())";

/// The key has expired by its own time, and its marker too.
const END: &str = "timestamptz '2026-07-01Z'";
const BEFORE_THE_END: &str = "timestamptz '2026-06-30 23:59:59Z'";
/// A marker is swept a day after its end, so that whoever misses it judges the key's time by a clock beyond the end, even
/// if he asked that clock a while ago.
const TOLERANCE: &str = " - interval '1 day'";
const AND_HAS_EXPIRED: &str = "and m.expires_at <= expired_by";
const AFTER_THE_TOLERANCE: &str = "timestamptz '2026-07-02Z'";

const NOTHING_IS_SWEPT: Law = &[("REPLAYED: 1 effects, 1 markers", 105)];

/// In a third of the orders the sweep comes in time; in four of them it ends before the repetition looks for the marker.
const NO_SECOND_EFFECT: Law = &[
    ("KEY_EXPIRED: 1 effects, 0 markers", 4),
    ("REPLAYED: 1 effects, 0 markers", 31),
    ("REPLAYED: 1 effects, 1 markers", 70),
];

/// A key without a time may be used anew after its marker was swept; then its new marker stays.
const THE_NEW_MARKER_STAYS: Law = &[
    ("REPLAYED: 1 effects, 0 markers", 174),
    ("applied: 2 effects, 1 markers", 36),
];

/// A key is repeated, and its marker swept, while time passes.
fn repeated_between(from: &str, to: &'static str) -> Subject {
    Subject {
        fresh: used(from),
        scripts: vec![time(to), repetition(), sweep()],
        outcome: town::effects(1000),
    }
}

/// A key without a time is used once more, and two servers sweep.
fn used_anew() -> Subject {
    Subject {
        fresh: used(AFTER_THE_TOLERANCE),
        scripts: vec![sweep(), sweep(), repetition().skipping("read clock")],
        outcome: town::effects(1000),
    }
}

/// What is left of the key's first use.
fn used(at: &str) -> String {
    format!(
        "update clock set at = {at}; {}; {}; update ledger.marker set expires_at = {END}",
        town::fresh(990, 10),
        statements::record("one", "pay", "applied"),
    )
}

fn time(to: &'static str) -> Script {
    Script::statements(vec![write("pass", move |_| format!("update clock set at = {to}"))])
}

/// The same payment under the same key. An operation knows its instant before it looks for its marker.
fn repetition() -> Script {
    Script::transaction(vec![
        ask("read clock", |_| {
            format!("select at >= {END} as has_expired from clock")
        }),
        ask("read marker", |_| statements::marker("one")),
        write("write", pay),
        write("commit", |facts| match facts.written {
            2 => facts.end("applied", "commit"),
            _ => facts.end("OVERTAKEN", "rollback"),
        }),
    ])
}

fn pay(facts: &mut Facts) -> String {
    if facts.value("verdict").is_some() {
        return facts.end("REPLAYED", "commit");
    }
    if facts.value("has_expired") == Some("t") {
        return facts.end("KEY_EXPIRED", "commit");
    }
    format!(
        "update ledger.balance set amount = amount - 10
         where tenant_id = '{TENANT}' and account_id = '{PAYER}' and asset_code = 'ECOPAY' and amount >= 10;
         {}",
        statements::record("one", "pay", "applied")
    )
}

fn sweep() -> Script {
    Script::statements(vec![ask("select", |_| select()), write("delete", delete)])
}

fn select() -> String {
    format!(
        "select m.key as swept, expired_by
         from ledger.marker m, (select at{TOLERANCE} as expired_by from clock) as asked
         where m.tenant_id = '{TENANT}' {AND_HAS_EXPIRED}
         order by m.expires_at
         limit 500"
    )
}

/// Nothing, if nothing was selected; by the instant of the selection, whatever the clock says by now.
fn delete(facts: &mut Facts) -> String {
    let Some(expired_by) = facts.value("expired_by") else {
        return String::new();
    };
    format!(
        "delete from ledger.marker m
         using unnest({}::text[]) as d (key), (select timestamptz '{expired_by}' as expired_by) as asked
         where m.tenant_id = '{TENANT}' and m.actor = '{ASKER}' and m.key = d.key {AND_HAS_EXPIRED}",
        statements::array(facts.rows("swept").map(|row| &row["swept"]))
    )
}

async fn stage(options: PgConnectOptions) -> Stage {
    let stage = Stage::new(options.clone(), 3).await;
    let mut beside = options.connect().await.unwrap();
    beside.execute(sqlx::raw_sql(CLOCK)).await.unwrap();
    stage
}

#[sqlx::test(migrations = "../migrations")]
async fn a_repetition_finds_its_marker_or_is_too_old(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = stage(options).await;
    let (early, late) = (
        repeated_between(BEFORE_THE_END, END),
        repeated_between(END, AFTER_THE_TOLERANCE),
    );
    stage.run(&early).await.assert(105, 105, NOTHING_IS_SWEPT);
    stage.run(&late).await.assert(105, 105, NO_SECOND_EFFECT);
}

/// Without the tolerance a repetition may have found its key young just before the end, and its marker gone just after it.
#[sqlx::test(migrations = "../migrations")]
async fn a_sweep_without_tolerance_is_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = stage(options).await;
    let mutated = repeated_between(BEFORE_THE_END, END).mutated(|script| script.without(TOLERANCE));
    stage.finds(&mutated, NOTHING_IS_SWEPT, "2 effects").await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_repetition_whatever_its_time_is_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = stage(options).await;
    let mut mutated = repeated_between(END, AFTER_THE_TOLERANCE);
    mutated.scripts[1] = repetition().skipping("read clock");
    stage.finds(&mutated, NO_SECOND_EFFECT, "2 effects").await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_sweep_never_takes_a_marker_that_has_not_expired(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = stage(options).await;
    stage.run(&used_anew()).await.assert(210, 210, THE_NEW_MARKER_STAYS);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_sweep_that_deletes_by_key_alone_is_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = stage(options).await;
    let mutated = used_anew().mutated(|script| script.without(AND_HAS_EXPIRED));
    stage
        .finds(&mutated, THE_NEW_MARKER_STAYS, "2 effects, 0 markers")
        .await;
}

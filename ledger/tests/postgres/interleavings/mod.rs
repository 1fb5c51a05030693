//! Every order in which the steps of two or three database sessions can meet (T12).
//!
//! A [`Subject`] is a fresh little state, a few [`Script`]s, each the steps of a session of its own, and a question about
//! what came of it. The [`Stage`] runs every order in which the steps can be merged and counts the outcomes, so that a
//! law is a table a reader can check by eye, and an order that was not run is missing in it.
//!
//! # Locks
//! A step that waits for a lock stays pending while the others go on; the turns that its script has meanwhile are taken
//! when it goes on. So some orders come to the same schedule, and the report says how many differ. A deadlock and a wait
//! that took too long are outcomes like any other, and stand in no law.
//!
//! # Mutations
//! A script that lacks a lock, a guard or a step must break its law in some order: the stage can see what it looks for.
//!
//! The scripts write no entries, so these tests do not end with the checks of `verify`.

mod attempt;
mod charge;
mod claim;
mod crossing;
mod debit;
mod hold;
mod merge;
mod opening;
mod operation;
mod refund;
mod script;
mod session;
mod statements;
mod sweep;
mod town;

use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection, postgres::PgConnectOptions};
use std::collections::{BTreeMap, BTreeSet};

use crate::world::World;
use script::Script;
use session::{Session, Watch};

/// A deadlock is found within moments. An order takes a hundredth of the time that the ledger waits for a lock.
const LIMITS: [(&str, &str); 2] = [("deadlock_timeout", "10ms"), ("lock_timeout", "2s")];

/// deadlock_detected
const DEADLOCK: &str = "40P01";

/// What is run in all orders.
struct Subject {
    /// Makes the state anew, whatever the order before has left.
    fresh: String,
    scripts: Vec<Script>,
    /// Asks for one text that says what the state has become.
    outcome: String,
}

impl Subject {
    fn lengths(&self) -> Vec<usize> {
        self.scripts.iter().map(Script::len).collect()
    }

    /// The subject with each of its scripts changed.
    fn mutated(mut self, mutation: impl FnMut(Script) -> Script) -> Self {
        self.scripts = self.scripts.into_iter().map(mutation).collect();
        self
    }
}

/// An outcome (the verdicts of the scripts, and the state) and in how many orders it came.
type Law<'a> = &'a [(&'a str, usize)];

/// What came of all orders of a subject.
struct Report {
    orders: usize,
    /// Those that the locks leave different.
    schedules: usize,
    outcomes: BTreeMap<String, usize>,
}

impl Report {
    /// Asserts how many orders were run, how many of them differ, and what came of them.
    fn assert(&self, orders: usize, schedules: usize, law: Law) {
        let outcomes: Vec<(&str, usize)> = self.outcomes.iter().map(|(text, count)| (&**text, *count)).collect();
        assert_eq!(outcomes, law);
        assert_eq!((self.orders, self.schedules), (orders, schedules));
    }
}

/// A session for each script, one that sees who of them waits, and one for the state.
struct Stage {
    sessions: Vec<Session>,
    watch: Watch,
    beside: PgConnection,
}

impl Stage {
    async fn new(options: PgConnectOptions, sessions: usize) -> Self {
        let world = World::new(options.clone()).await;
        world.run(town::ACCOUNTS).await;
        let mut stage = Self {
            sessions: Vec::with_capacity(sessions),
            watch: Watch::new(world.session().await),
            beside: world.session().await,
        };
        for _ in 0..sessions {
            let db = options.clone().options(LIMITS).connect().await.unwrap();
            stage.sessions.push(Session::new(db).await);
        }
        stage
    }

    /// Plays all orders of `subject`.
    async fn run(&mut self, subject: &Subject) -> Report {
        let lengths = subject.lengths();
        let (mut orders, mut schedules, mut outcomes) = (0, BTreeSet::new(), BTreeMap::new());
        for order in merge::orders(&lengths) {
            let (schedule, outcome) = self.play(subject, order).await;
            orders += 1;
            schedules.insert(schedule);
            *outcomes.entry(outcome).or_default() += 1;
        }
        assert_eq!(orders, merge::count(&lengths));
        let schedules = schedules.len();
        println!("{orders} orders, {schedules} schedules, {outcomes:?}");
        Report {
            orders,
            schedules,
            outcomes,
        }
    }

    /// Asserts that some order of `mutated` ends in `breach`, which is part of no outcome of `law`.
    async fn finds(&mut self, mutated: &Subject, law: Law<'_>, breach: &str) {
        assert!(!law.iter().any(|(allowed, _)| allowed.contains(breach)));
        for (index, order) in merge::orders(&mutated.lengths()).into_iter().enumerate() {
            let (schedule, outcome) = self.play(mutated, order).await;
            if outcome.contains(breach) {
                println!("order {}: {schedule}; {outcome}", index + 1);
                return;
            }
        }
        panic!("no order of the mutated scripts ends in {breach}");
    }

    /// Plays one order on a fresh state: who did what when, and what came of it.
    async fn play(&mut self, subject: &Subject, mut order: Vec<usize>) -> (String, String) {
        self.prepare(&subject.fresh).await;
        let mut schedule = Vec::with_capacity(order.len());
        while let Some(turn) = order.iter().position(|script| !self.sessions[*script].is_pending()) {
            schedule.push(self.turn(order.remove(turn), &subject.scripts).await);
        }
        (schedule.join(", "), self.outcome(&subject.outcome).await)
    }

    async fn prepare(&mut self, fresh: &str) {
        self.beside.execute(sqlx::raw_sql(AssertSqlSafe(fresh))).await.unwrap();
        for session in &mut self.sessions {
            session.start_again();
        }
    }

    /// Starts the next step of a script, and lets all go on until they are done or wait for each other.
    async fn turn(&mut self, script: usize, scripts: &[Script]) -> String {
        let name = self.sessions[script].start(&scripts[script]);
        while !self.settle().await || self.is_stuck(scripts) {}
        let letter = char::from(b"ABC"[script]);
        match self.sessions[script].is_pending() {
            true => format!("{letter} {name} waits"),
            false => format!("{letter} {name}"),
        }
    }

    /// Whether all who have steps left wait, so that one of them will be refused.
    fn is_stuck(&self, scripts: &[Script]) -> bool {
        let mut sessions = scripts.iter().zip(&self.sessions);
        self.sessions.iter().any(Session::is_pending)
            && sessions.all(|(script, session)| session.is_pending() || session.has_ended(script))
    }

    /// Whether nothing will happen any more by itself: each step is done, or waits for a lock of another session.
    async fn settle(&mut self) -> bool {
        let mut settled = true;
        for index in 0..self.sessions.len() {
            if !self.sessions[index].is_pending() {
                continue;
            }
            let done = self.sessions[index].is_done_soon().await;
            settled &= !done && self.watch.is_blocked(&self.sessions, index).await;
        }
        settled
    }

    async fn outcome(&mut self, question: &str) -> String {
        let state: String = sqlx::query_scalar(AssertSqlSafe(question))
            .fetch_one(&mut self.beside)
            .await
            .unwrap();
        let verdicts: Vec<&str> = self.sessions.iter().filter_map(Session::verdict).collect();
        format!("{}: {state}", verdicts.join(", "))
    }
}

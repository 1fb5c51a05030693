//! The database session of a script, and whether it waits for another.

use sqlx::{AssertSqlSafe, Column, Executor, PgConnection, Row as _, ValueRef, postgres::PgRow};
use std::time::Duration;
use tokio::task::JoinHandle;

use super::script::{Facts, Kind, Row, Script};

/// How long a step may take before it is asked whether it waits.
const POLL: Duration = Duration::from_millis(1);

/// What a statement came to: the rows it read or how many it wrote, or what the database refused.
type Reply = Result<(Vec<Row>, Option<u64>), String>;

enum State {
    Idle(PgConnection),
    Pending(JoinHandle<(PgConnection, Reply)>),
    /// Between the two.
    Moving,
}

pub struct Session {
    pid: i32,
    state: State,
    facts: Facts,
    next_step: usize,
}

impl Session {
    pub async fn new(mut db: PgConnection) -> Self {
        let pid = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut db).await;
        Self {
            pid: pid.unwrap(),
            state: State::Idle(db),
            facts: Facts::default(),
            next_step: 0,
        }
    }

    /// Forgets everything.
    pub fn start_again(&mut self) {
        self.facts = Facts::default();
        self.next_step = 0;
    }

    pub fn is_pending(&self) -> bool {
        matches!(self.state, State::Pending(_))
    }

    pub fn has_ended(&self, script: &Script) -> bool {
        self.facts.has_ended || self.next_step == script.len()
    }

    pub fn verdict(&self) -> Option<&str> {
        self.facts.verdict.as_deref()
    }

    /// Starts the script's next step, and says its name.
    pub fn start(&mut self, script: &Script) -> &'static str {
        let (index, step) = (self.next_step, script.step(self.next_step));
        self.next_step += 1;
        let sql = script.sql(index, &mut self.facts);
        if !sql.is_empty() {
            let State::Idle(db) = std::mem::replace(&mut self.state, State::Moving) else {
                panic!("a session does one thing at a time");
            };
            self.state = State::Pending(tokio::spawn(execute(db, sql, step.kind)));
        }
        step.name
    }

    /// Whether the pending step is done within moments; what it says is then known.
    pub async fn is_done_soon(&mut self) -> bool {
        let State::Pending(step) = &mut self.state else {
            return true;
        };
        let Ok(done) = tokio::time::timeout(POLL, step).await else {
            return false;
        };
        let (db, reply) = done.unwrap();
        self.state = State::Idle(db);
        match reply {
            Ok((rows, written)) => {
                self.facts.add(rows);
                self.facts.written = written.unwrap_or(self.facts.written);
            }
            Err(refused) => drop(self.facts.end(&refused, "")),
        }
        true
    }
}

async fn execute(mut db: PgConnection, sql: String, kind: Kind) -> (PgConnection, Reply) {
    let statement = sqlx::raw_sql(AssertSqlSafe(sql.clone()));
    let reply = match kind {
        Kind::Rows => statement
            .fetch_all(&mut db)
            .await
            .map(|rows| (rows.iter().map(row).collect(), None)),
        Kind::CountOfRows => statement
            .execute(&mut db)
            .await
            .map(|done| (Vec::new(), Some(done.rows_affected()))),
    };
    let reply = match reply {
        Ok(reply) => Ok(reply),
        Err(error) => {
            let error = error.as_database_error().unwrap_or_else(|| panic!("{error}: {sql}"));
            let code = error.code().unwrap_or_default();
            Err(error.constraint().unwrap_or(&code).to_owned())
        }
    };
    if reply.is_err() {
        db.execute("rollback").await.unwrap();
    }
    (db, reply)
}

fn row(row: &PgRow) -> Row {
    let value = |index| {
        let value = row.try_get_raw(index).unwrap();
        (!value.is_null()).then(|| value.as_str().unwrap().to_owned())
    };
    row.columns()
        .iter()
        .filter_map(|column| Some((column.name().to_owned(), value(column.ordinal())?)))
        .collect()
}

/// A session that sees which of the others wait.
pub struct Watch(PgConnection);

impl Watch {
    pub fn new(db: PgConnection) -> Self {
        Self(db)
    }

    /// Whether a session waits for a lock of another of them; other waits, as for a vacuum, end by themselves.
    pub async fn is_blocked(&mut self, sessions: &[Session], waiting: usize) -> bool {
        let pids: Vec<i32> = sessions.iter().map(|session| session.pid).collect();
        sqlx::query_scalar("select pg_blocking_pids($1) && $2")
            .bind(pids[waiting])
            .bind(&pids)
            .fetch_one(&mut self.0)
            .await
            .unwrap()
    }
}

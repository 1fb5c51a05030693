//! The steps of one session, what they learn on the way, and how a script is mutated.

use std::collections::BTreeMap;

/// How the ledger begins the transaction of a batch.
pub const BEGIN: &str = "begin; set local enable_seqscan = off; ";

/// A row as text, by column; a null has none.
pub type Row = BTreeMap<String, String>;

/// What a script has learned.
#[derive(Default)]
pub struct Facts {
    rows: Vec<Row>,
    /// How many rows the last writing step wrote.
    pub written: u64,
    pub verdict: Option<String>,
    /// What is left of the script is not done.
    pub has_ended: bool,
}

impl Facts {
    pub fn add(&mut self, rows: Vec<Row>) {
        self.rows.extend(rows);
    }

    /// The rows so far that have this column.
    pub fn rows<'a>(&'a self, column: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.contains_key(column))
    }

    pub fn value<'a>(&'a self, column: &'a str) -> Option<&'a str> {
        self.rows(column).last().map(|row| &*row[column])
    }

    /// Gives the verdict, and the SQL of the step that gives it.
    pub fn answer(&mut self, verdict: &str, sql: &str) -> String {
        self.verdict = Some(verdict.to_owned());
        sql.to_owned()
    }

    /// Gives the verdict, and ends the script.
    pub fn end(&mut self, verdict: &str, sql: &str) -> String {
        self.has_ended = true;
        self.answer(verdict, sql)
    }
}

/// What the database answers to a step.
#[derive(Clone, Copy)]
pub enum Kind {
    Rows,
    CountOfRows,
}

/// One step: its SQL is decided when its turn comes, on what the script has learned until then.
pub struct Step {
    pub name: &'static str,
    pub kind: Kind,
    sql: Box<dyn Fn(&mut Facts) -> String>,
}

/// A step that reads rows.
pub fn ask(name: &'static str, sql: impl Fn(&mut Facts) -> String + 'static) -> Step {
    let (kind, sql) = (Kind::Rows, Box::new(sql));
    Step { name, kind, sql }
}

/// A step that writes, or ends what was written; nothing to write is empty.
pub fn write(name: &'static str, sql: impl Fn(&mut Facts) -> String + 'static) -> Step {
    let (kind, sql) = (Kind::CountOfRows, Box::new(sql));
    Step { name, kind, sql }
}

pub struct Script {
    /// Goes before the first step.
    begin: &'static str,
    steps: Vec<Step>,
    left_out: Vec<&'static str>,
}

impl Script {
    /// Steps of a database transaction, begun as the ledger begins its own; one of them ends it.
    pub fn transaction(steps: Vec<Step>) -> Self {
        Self {
            begin: BEGIN,
            ..Self::statements(steps)
        }
    }

    /// Steps that are committed one by one.
    pub fn statements(steps: Vec<Step>) -> Self {
        Self {
            begin: "",
            steps,
            left_out: Vec::new(),
        }
    }

    /// The script without some words of its SQL.
    pub fn without(mut self, words: &'static str) -> Self {
        self.left_out.push(words);
        self
    }

    /// The script with `steps` in the place of one.
    pub fn replacing(mut self, name: &str, steps: impl IntoIterator<Item = Step>) -> Self {
        let index = self.position(name);
        self.steps.splice(index..=index, steps);
        self
    }

    /// The script without one of its steps.
    pub fn skipping(self, name: &str) -> Self {
        self.replacing(name, [])
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn step(&self, index: usize) -> &Step {
        &self.steps[index]
    }

    /// The SQL of a step; that of a script that has ended is empty.
    pub fn sql(&self, index: usize, facts: &mut Facts) -> String {
        if facts.has_ended {
            return String::new();
        }
        let sql = (self.steps[index].sql)(facts);
        let sql = self.left_out.iter().fold(sql, |sql, words| sql.replace(words, ""));
        if index == 0 {
            format!("{}{sql}", self.begin)
        } else {
            sql
        }
    }

    fn position(&self, name: &str) -> usize {
        self.steps.iter().position(|step| step.name == name).unwrap()
    }
}

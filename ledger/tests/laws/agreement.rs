//! The planner does what the model says: whatever is asked in whatever order, both give the same verdict, and what is so
//! afterwards is the same.

use ledger::{Command, Rejection, Snapshot};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

use crate::{
    facts::Facts,
    model::Model,
    world::{Step, asker, cases, command, decide, pass, steps, town, verdict},
};

/// Reasons that are found before anything is planned.
const NOT_PLANNED: [&str; 2] = ["NOT_REVERSIBLE", "FENCED"];

/// A town as the planner and the model know it.
struct Both {
    snapshot: Snapshot,
    model: Model,
}

/// What was asked, and the word for what came of it: the planner's and the model's.
struct Told {
    command: Command,
    planned: &'static str,
    modelled: &'static str,
}

impl Both {
    fn of(snapshot: Snapshot) -> Self {
        let model = Model::of(&snapshot);
        Self { snapshot, model }
    }

    /// Plays a step on both; `None` if there is nothing of the kind that it is about.
    fn play(&mut self, step: &Step) -> Option<Told> {
        pass(&mut self.snapshot, step.wait_h);
        self.snapshot.lane = step.lane;
        self.model.now = self.snapshot.at;
        let command = command(step, &self.snapshot)?;
        let plan = decide(&command, &asker(step), &mut self.snapshot);
        let made = plan.as_ref().map_or(Uuid::nil(), |plan| plan.transaction.subject_id);
        let modelled = self.model.decide(&command, &asker(step), made);
        Some(Told {
            command,
            planned: verdict(&plan),
            modelled: modelled.err().unwrap_or("applied"),
        })
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn the_planner_does_what_the_model_says(town in town(), steps in steps()) {
        let mut both = Both::of(town);
        for step in &steps {
            if let Some(Told { command, planned, modelled }) = both.play(step) {
                prop_assert_eq!(planned, modelled, "{:?}", command);
                prop_assert_eq!(&Facts::of(&both.snapshot), &both.model.facts, "after {:?}", command);
            }
        }
    }
}

/// A law that is never tried on what it is about holds for nothing.
#[test]
fn every_kind_of_command_is_applied_and_every_reason_to_refuse_is_met() {
    let mut runner = TestRunner::deterministic();
    let (mut applied, mut refused) = (BTreeMap::new(), BTreeSet::new());
    for _ in 0..256 {
        let (town, steps) = (town(), steps()).new_tree(&mut runner).unwrap().current();
        let mut both = Both::of(town);
        for told in steps.iter().filter_map(|step| both.play(step)) {
            match told.modelled {
                "applied" => *applied.entry(told.command.kind()).or_insert(0) += 1,
                code => drop(refused.insert(code)),
            }
        }
    }
    assert_eq!(applied.len(), 18, "{applied:?}");
    assert!(applied.values().all(|times| *times >= 10), "{applied:?}");
    let reasons = Rejection::CODES.into_iter().filter(|code| !NOT_PLANNED.contains(code));
    let reasons = reasons.chain(["AMOUNT_TOO_MANY_DECIMALS", "SAME_ACCOUNT"]);
    assert_eq!(refused, reasons.collect());
}

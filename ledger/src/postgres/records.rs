//! What the plans of a batch write of one kind, column by column, as `unnest` takes it.

use super::execute::Decided;
use crate::plan::Record;

/// Records of one kind, in the order of their plans, each with the actor who asked for it.
pub(super) struct Records<'a, T>(Vec<(&'a str, &'a T)>);

impl<'a, T> Records<'a, T> {
    /// The records of which `of` says something.
    pub(super) fn of(decided: &'a [Decided<'_>], of: impl Fn(&'a Record) -> Option<&'a T>) -> Self {
        let mut records = Vec::new();
        for decided in decided {
            let found = decided.plan.records.iter().filter_map(&of);
            records.extend(found.map(|record| (decided.request.actor.as_str(), record)));
        }
        Self(records)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn count(&self) -> u64 {
        self.0.len() as u64
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'a T> {
        self.0.iter().map(|(_, record)| *record)
    }

    pub(super) fn column<C>(&self, of: impl Fn(&'a T) -> C) -> Vec<C> {
        self.iter().map(of).collect()
    }

    pub(super) fn actors(&self) -> Vec<String> {
        self.0.iter().map(|(actor, _)| (*actor).to_owned()).collect()
    }
}

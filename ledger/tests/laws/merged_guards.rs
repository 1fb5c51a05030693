//! A batch's guard says exactly what the guards of its plans say one after another.

use ledger::{
    plan::{BalanceChange, merge_balances},
    snapshot::Balance,
};
use proptest::prelude::*;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

use crate::world::{cases, customer, main_balance};

prop_compose! {
    fn change()(
        account in 0..2_u128,
        amount in -300..300_i64,
        held in -100..100_i64,
        available_at_least in 0..300_i64,
        held_at_least in 0..100_i64,
        at_most in prop::option::of(-100..900_i64),
    ) -> BalanceChange {
        BalanceChange {
            key: main_balance(customer(account)),
            amount: amount.into(),
            held: held.into(),
            owed: Decimal::ZERO,
            available_at_least: available_at_least.into(),
            held_at_least: held_at_least.into(),
            at_most: at_most.map(Decimal::from),
        }
    }
}

fn holds(change: &BalanceChange, balance: &Balance) -> bool {
    balance.amount - balance.held >= change.available_at_least
        && balance.held >= change.held_at_least
        && change.at_most.is_none_or(|at_most| balance.amount <= at_most)
}

proptest! {
    #![proptest_config(cases(2_000))]

    /// The changes and the balance before them are arbitrary, so both verdicts occur.
    #[test]
    fn a_merged_guard_passes_exactly_when_all_guards_pass_one_after_another(
        changes in prop::collection::vec(change(), 1..6),
        starts in prop::array::uniform2((-100..1_000_i64, 0..200_i64)),
    ) {
        let start = |n: usize| Balance { amount: starts[n].0.into(), held: starts[n].1.into(), owed: Decimal::ZERO };
        let mut balances: BTreeMap<_, Balance> = (0..2).map(|n| (customer(n as u128), start(n))).collect();
        let merged = merge_balances(&changes);
        let merged_passes = merged.iter().all(|change| holds(change, &balances[&change.key.account]));
        let mut all_pass = true;
        for change in &changes {
            let balance = balances.get_mut(&change.key.account).unwrap();
            all_pass &= holds(change, balance);
            balance.amount += change.amount;
            balance.held += change.held;
        }
        prop_assert_eq!(merged_passes, all_pass);
        for change in merged {
            let before = start(usize::from(change.key.account != customer(0)));
            let after = balances[&change.key.account];
            prop_assert_eq!((before.amount + change.amount, before.held + change.held), (after.amount, after.held));
        }
    }

    #[test]
    fn merged_changes_stand_in_the_order_in_which_balances_are_locked(changes in prop::collection::vec(change(), 0..20)) {
        let keys: Vec<_> = merge_balances(&changes).into_iter().map(|change| change.key).collect();
        prop_assert!(keys.is_sorted_by(|a, b| a < b));
    }
}

//! A batch's guard says exactly what the guards of its plans say one after another.

use ledger::{
    AssetCode,
    plan::{BalanceChange, merge_balances},
};
use proptest::prelude::*;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

use crate::world::customer;

prop_compose! {
    fn change()(
        account in 0..2_u128,
        delta in -300..300_i64,
        at_least in 0..300_i64,
        at_most in prop::option::of(-100..900_i64),
    ) -> BalanceChange {
        BalanceChange {
            account: customer(account),
            asset: AssetCode::main(),
            delta: delta.into(),
            at_least: at_least.into(),
            at_most: at_most.map(Decimal::from),
        }
    }
}

fn holds(change: &BalanceChange, balance: Decimal) -> bool {
    balance >= change.at_least && change.at_most.is_none_or(|at_most| balance <= at_most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// The changes and the balance before them are arbitrary, so both verdicts occur.
    #[test]
    fn a_merged_guard_passes_exactly_when_all_guards_pass_one_after_another(
        changes in prop::collection::vec(change(), 1..6),
        starts in prop::array::uniform2(-100..1_000_i64),
    ) {
        let mut balances: BTreeMap<_, Decimal> = (0..2).map(|n| (customer(n as u128), starts[n].into())).collect();
        let merged = merge_balances(&changes);
        let merged_passes = merged.iter().all(|change| holds(change, balances[&change.account]));
        let mut all_pass = true;
        for change in &changes {
            let balance = balances.get_mut(&change.account).unwrap();
            all_pass &= holds(change, *balance);
            *balance += change.delta;
        }
        prop_assert_eq!(merged_passes, all_pass);
        for change in merged {
            let n = usize::from(change.account != customer(0));
            prop_assert_eq!(Decimal::from(starts[n]) + change.delta, balances[&change.account]);
        }
    }

    #[test]
    fn merged_changes_stand_in_the_order_in_which_balances_are_locked(changes in prop::collection::vec(change(), 0..20)) {
        let keys: Vec<_> = merge_balances(&changes).into_iter().map(|change| (change.account, change.asset)).collect();
        prop_assert!(keys.is_sorted_by(|a, b| a < b));
    }
}

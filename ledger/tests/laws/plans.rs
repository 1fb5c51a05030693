//! Whatever is asked in whatever order, a plan keeps the books.

use ledger::{
    Amount, AssetCode, Command, PaymentStatus, Plan, Receipt, Snapshot,
    payment::MOVES,
    plan::{MAX_ITEMS, Refusal, merge_balances},
    snapshot::BalanceKey,
};
use proptest::prelude::*;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

use crate::world::{Step, amount, command, decide, steps, town};

/// Every plan of the steps, each with the facts that it was decided on.
fn played(steps: &[Step], snapshot: &mut Snapshot) -> Vec<(Command, Snapshot, Plan)> {
    let mut played = Vec::new();
    for step in steps {
        let Some(command) = command(step, snapshot) else {
            continue;
        };
        let before = snapshot.clone();
        match decide(&command, snapshot) {
            Ok(plan) => played.push((command, before, plan)),
            Err(Refusal::Rejected(_)) => assert_eq!(before.balances, snapshot.balances),
            // A random amount may have more decimals than the asset.
            Err(Refusal::Failed(failure)) => assert_eq!(failure.code(), "AMOUNT_TOO_MANY_DECIMALS"),
        }
    }
    played
}

proptest! {
    #[test]
    fn entries_sum_to_zero_per_asset(mut snapshot in town(), steps in steps()) {
        for (_, _, plan) in played(&steps, &mut snapshot) {
            let mut sums: BTreeMap<&AssetCode, Decimal> = BTreeMap::new();
            for entry in &plan.entries {
                *sums.entry(&entry.asset).or_default() += entry.amount;
            }
            prop_assert!(sums.values().all(Decimal::is_zero), "{sums:?}");
            prop_assert!(plan.entries.len() >= 2);
        }
    }

    #[test]
    fn no_balance_is_ever_negative(mut snapshot in town(), steps in steps()) {
        for (_, _, plan) in played(&steps, &mut snapshot) {
            prop_assert!(plan.entries.iter().filter_map(|entry| entry.balance_after).all(|after| after >= Decimal::ZERO));
        }
        prop_assert!(snapshot.balances.values().all(|balance| *balance >= Decimal::ZERO));
    }

    #[test]
    fn every_balance_after_follows_from_the_entry_before_it(mut snapshot in town(), steps in steps()) {
        let mut balances: BTreeMap<BalanceKey, Decimal> = snapshot.balances.clone();
        for (_, _, plan) in played(&steps, &mut snapshot) {
            for entry in plan.entries.iter().filter(|entry| entry.balance_after.is_some()) {
                let balance = balances.entry((entry.account, entry.asset.clone())).or_default();
                *balance += entry.amount;
                prop_assert_eq!(entry.balance_after, Some(*balance));
            }
        }
        prop_assert_eq!(balances, snapshot.balances);
    }

    #[test]
    fn a_charge_never_lifts_a_balance_over_its_cap_but_its_bonus_may(mut snapshot in town(), steps in steps()) {
        let asset = snapshot.assets[&AssetCode::main()].clone();
        for (_, _, plan) in played(&steps, &mut snapshot) {
            let Receipt::TopUp(receipt) = plan.receipt else { continue };
            prop_assert!(asset.cap.is_none_or(|cap| receipt.balance_after - receipt.bonus <= cap));
            prop_assert_eq!(receipt.bonus, asset.round_down(receipt.amount * asset.bonus_rate));
        }
    }

    #[test]
    fn refunds_of_a_payment_never_exceed_what_was_captured(mut snapshot in town(), steps in steps()) {
        let mut refunded = BTreeMap::new();
        for (_, _, plan) in played(&steps, &mut snapshot) {
            if let Some(refund) = plan.refund {
                *refunded.entry(refund.payment_id).or_insert(Decimal::ZERO) += refund.amount;
            }
        }
        for payment in snapshot.payments.values() {
            let refunded = refunded.get(&payment.payment_id).copied().unwrap_or_default();
            prop_assert_eq!(payment.refunded, refunded);
            prop_assert!(refunded <= payment.captured);
            prop_assert_eq!(payment.status == PaymentStatus::Refunded, refunded == payment.captured);
        }
    }

    #[test]
    fn a_status_moves_only_along_the_table(mut snapshot in town(), steps in steps()) {
        for (_, before, plan) in played(&steps, &mut snapshot) {
            if let Some(change) = plan.payment_change {
                prop_assert!(MOVES.contains(&(change.status.from(), change.status.to())));
                prop_assert_eq!(change.status.from(), before.payments[&change.payment_id].status);
            }
        }
    }

    #[test]
    fn a_plan_stays_under_a_hundred_items(mut snapshot in town(), steps in steps()) {
        prop_assert!(played(&steps, &mut snapshot).iter().all(|(_, _, plan)| plan.items() <= MAX_ITEMS));
    }

    #[test]
    fn what_is_told_to_be_locked_is_all_that_changes(mut snapshot in town(), steps in steps()) {
        for (command, before, plan) in played(&steps, &mut snapshot) {
            let locked = ledger::plan::balances(&command, &before);
            let accounts = ledger::plan::accounts(&command, &before);
            for change in &plan.balances {
                prop_assert!(locked.contains(&(change.account, change.asset.clone())));
                prop_assert!(accounts.contains(&change.account));
            }
        }
    }

    #[test]
    fn a_batch_of_plans_passes_its_merged_guards_and_ends_at_the_same_balances(mut snapshot in town(), steps in steps()) {
        let mut balances = snapshot.balances.clone();
        let played = played(&steps, &mut snapshot);
        for change in merge_balances(played.iter().flat_map(|(_, _, plan)| &plan.balances)) {
            let balance = balances.entry((change.account, change.asset)).or_default();
            prop_assert!(*balance >= change.at_least);
            prop_assert!(change.at_most.is_none_or(|at_most| *balance <= at_most));
            *balance += change.delta;
        }
        prop_assert_eq!(balances, snapshot.balances);
    }

    /// The payer spends no points in between, so every part takes back its share and the parts make the whole.
    #[test]
    fn points_taken_back_by_all_parts_are_the_points_earned(
        mut snapshot in town(),
        paid in amount(12, 0),
        parts in prop::collection::vec(1..1_000_000_000_i64, 0..6),
    ) {
        let pay = Step::Pay { payer: 0, merchant: 0, amount: paid };
        let asked = command(&pay, &snapshot).unwrap();
        snapshot.balances.insert((crate::world::customer(0), AssetCode::main()), paid.value());
        let earned = decide(&asked, &mut snapshot).unwrap().payment.unwrap().points_earned;
        let mut returned = Decimal::ZERO;
        let parts = parts.into_iter().map(|units| Step::Refund { payment: 0, amount: Amount::new(units.into()).unwrap() });
        for part in parts.chain([Step::RefundTheRest { payment: 0 }]) {
            let Some(refund) = command(&part, &snapshot) else { break };
            if let Ok(plan) = decide(&refund, &mut snapshot) {
                returned += plan.refund.unwrap().points_returned;
            }
        }
        prop_assert_eq!(returned, earned);
        prop_assert_eq!(snapshot.balance(crate::world::customer(0), &AssetCode::point()), Decimal::ZERO);
    }

    /// The largest amounts there are, with eight decimals and a point for each unit: nothing overflows.
    #[test]
    fn the_largest_payment_can_be_paid_and_refunded(
        mut snapshot in town(),
        paid in 1..99_999_999_999_999_999_i64,
        part in 1..99_999_999_999_999_999_i64,
    ) {
        let amount = |units| Amount::new(Decimal::new(units, 2)).unwrap();
        let asset = snapshot.assets.get_mut(&AssetCode::main()).unwrap();
        (asset.scale, asset.point_rate) = (8, Decimal::ONE);
        let (paid, part) = (amount(paid), amount(part));
        let pay = Step::Pay { payer: 0, merchant: 0, amount: paid };
        let asked = command(&pay, &snapshot).unwrap();
        snapshot.balances.insert((crate::world::customer(0), AssetCode::main()), paid.value());
        let earned = decide(&asked, &mut snapshot).unwrap().payment.unwrap().points_earned;
        for step in [Step::Refund { payment: 0, amount: part }, Step::RefundTheRest { payment: 0 }] {
            let refund = command(&step, &snapshot);
            let _ = refund.map(|refund| decide(&refund, &mut snapshot));
        }
        let payment = snapshot.payments.values().next().unwrap();
        prop_assert_eq!(payment.points_returned, earned);
        prop_assert_eq!(payment.status, PaymentStatus::Refunded);
    }
}

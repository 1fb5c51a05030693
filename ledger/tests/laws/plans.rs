//! Whatever is asked in whatever order, a plan keeps the books.

use ledger::{
    AccountId, AssetCode, Command, Payment, PaymentStatus, Receipt, Rejection, Snapshot,
    account::AccountKind,
    command::Expire,
    lot::LotChange,
    payment::MOVES,
    plan::{Record, merge_balances, merge_lots},
    snapshot::BalanceKey,
};
use proptest::prelude::*;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

use crate::world::{
    Kind, Played, asker, cases, command, customer, decide, held, main_balance, play, simple, steps, town, verdict,
};

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn entries_sum_to_zero_per_asset(mut snapshot in town(), steps in steps()) {
        for played in play(&steps, &mut snapshot) {
            let mut sums: BTreeMap<&AssetCode, Decimal> = BTreeMap::new();
            for entry in &played.plan.entries {
                *sums.entry(&entry.asset).or_default() += entry.amount;
            }
            prop_assert!(sums.values().all(Decimal::is_zero), "{sums:?}");
            prop_assert!(played.plan.entries.len() != 1);
        }
    }

    #[test]
    fn no_balance_is_ever_negative_and_what_is_held_is_part_of_it(mut snapshot in town(), steps in steps()) {
        let played = play(&steps, &mut snapshot);
        for entry in played.iter().flat_map(|played| &played.plan.entries) {
            prop_assert!(entry.balance_after.is_none_or(|after| after >= Decimal::ZERO));
        }
        for balance in snapshot.balances.values() {
            prop_assert!(balance.held >= Decimal::ZERO && balance.held <= balance.amount);
            prop_assert!(balance.owed >= Decimal::ZERO);
        }
    }

    #[test]
    fn every_balance_after_follows_from_the_entry_before_it(mut snapshot in town(), steps in steps()) {
        let mut amounts: BTreeMap<BalanceKey, Decimal> = BTreeMap::new();
        for (key, balance) in &snapshot.balances {
            amounts.insert(key.clone(), balance.amount);
        }
        for played in play(&steps, &mut snapshot) {
            for entry in played.plan.entries.iter().filter(|entry| entry.balance_after.is_some()) {
                let key = BalanceKey { account: entry.account, asset: entry.asset.clone(), lane: entry.lane };
                let amount = amounts.entry(key).or_default();
                *amount += entry.amount;
                prop_assert_eq!(entry.balance_after, Some(*amount));
            }
        }
        for (key, balance) in &snapshot.balances {
            prop_assert_eq!(amounts.get(key).copied().unwrap_or_default(), balance.amount);
        }
    }

    #[test]
    fn what_payments_hold_is_what_balances_hold(mut snapshot in town(), steps in steps()) {
        play(&steps, &mut snapshot);
        let mut held: BTreeMap<BalanceKey, Decimal> = BTreeMap::new();
        for payment in snapshot.payments.values() {
            let key = BalanceKey { account: payment.payer, asset: payment.asset.clone(), lane: 0 };
            *held.entry(key).or_default() += payment.held;
        }
        for (key, balance) in &snapshot.balances {
            prop_assert_eq!(held.get(key).copied().unwrap_or_default(), balance.held);
        }
    }

    /// Taking what has expired, and returning what was bought with it, changes nothing that can be spent; a hold lowers it by
    /// what it holds.
    #[test]
    fn what_can_be_spent_does_not_depend_on_when_expired_value_is_taken(mut snapshot in town(), steps in steps()) {
        for played in play(&steps, &mut snapshot) {
            let mut after = played.before.clone();
            after.apply(&played.plan);
            let available = |facts: &Snapshot, account, asset: &AssetCode| facts.available(account, asset);
            match &played.command {
                ledger::Command::Expire(expire) => prop_assert_eq!(
                    available(&played.before, expire.account, &expire.asset),
                    available(&after, expire.account, &expire.asset)
                ),
                ledger::Command::Authorize(authorize) => prop_assert_eq!(
                    available(&played.before, authorize.pay.payer, &authorize.pay.asset) - authorize.pay.amount.value(),
                    available(&after, authorize.pay.payer, &authorize.pay.asset)
                ),
                _ => {}
            }
        }
    }

    #[test]
    fn lots_make_up_what_a_customer_holds(mut snapshot in town(), steps in steps()) {
        play(&steps, &mut snapshot);
        for (key, balance) in &snapshot.balances {
            if snapshot.has_lots(key.account, &key.asset) {
                let lots = snapshot.lots_of(key.account, &key.asset);
                prop_assert!(lots.iter().all(|lot| lot.remaining >= Decimal::ZERO));
                prop_assert_eq!(lots.iter().map(|lot| lot.remaining).sum::<Decimal>(), balance.amount);
            }
        }
    }

    /// No lot is ever in the hands of who has none, and no lot gets a longer life by changing hands or being refunded: lots
    /// of one expiry and kind are made by charges, gifts and corrections alone.
    #[test]
    fn what_changes_hands_keeps_its_expiry(mut snapshot in town(), steps in steps()) {
        for played in play(&steps, &mut snapshot) {
            if matches!(played.plan.transaction.kind, "transfer" | "reverse") && !played.plan.lots.is_empty() {
                let mut sums: BTreeMap<_, Decimal> = BTreeMap::new();
                for LotChange { key, amount } in &played.plan.lots {
                    *sums.entry((key.expires_at, key.paid)).or_default() += *amount;
                }
                let between_customers = played.plan.entries.iter().all(|entry| entry.balance_after.is_some());
                prop_assert!(!between_customers || sums.values().all(Decimal::is_zero), "{sums:?}");
            }
            for change in &played.plan.lots {
                prop_assert_eq!(played.before.accounts[&change.key.account].kind, AccountKind::Customer);
            }
        }
    }

    #[test]
    fn a_refund_brings_back_no_more_of_a_lot_than_was_spent(mut snapshot in town(), steps in steps()) {
        play(&steps, &mut snapshot);
        for payment in snapshot.payments.values() {
            let mut spent: BTreeMap<_, Decimal> = BTreeMap::new();
            for change in snapshot.lot_uses.get(&payment.payment_id.0).into_iter().flatten() {
                if change.key.asset == payment.asset {
                    *spent.entry((change.key.expires_at, change.key.paid)).or_default() -= change.amount;
                }
            }
            prop_assert!(spent.values().all(|spent| *spent >= Decimal::ZERO), "{spent:?}");
            if snapshot.has_lots(payment.payer, &payment.asset) {
                prop_assert_eq!(spent.values().sum::<Decimal>(), payment.captured - payment.refunded);
            }
        }
    }

    #[test]
    fn a_charge_never_lifts_a_balance_over_its_cap_but_its_bonus_may(mut snapshot in town(), steps in steps()) {
        for played in play(&steps, &mut snapshot) {
            let (Receipt::TopUp(receipt), Some(Record::TopUp(row))) = (played.plan.receipt, played.plan.records.first()) else {
                continue;
            };
            let asset = &snapshot.assets[&row.asset];
            prop_assert!(asset.cap.is_none_or(|cap| receipt.balance_after - receipt.bonus <= cap));
            prop_assert_eq!(receipt.bonus, asset.round_down(receipt.amount * asset.bonus_rate));
        }
    }

    #[test]
    fn no_more_is_captured_than_authorized_and_no_more_refunded_than_captured(mut snapshot in town(), steps in steps()) {
        let mut refunded = BTreeMap::new();
        for played in play(&steps, &mut snapshot) {
            for record in played.plan.records {
                if let Record::Refund(refund) = record {
                    *refunded.entry(refund.payment_id).or_insert(Decimal::ZERO) += refund.amount;
                }
            }
        }
        for payment in snapshot.payments.values() {
            let refunded = refunded.get(&payment.payment_id).copied().unwrap_or_default();
            prop_assert_eq!(payment.refunded, refunded);
            prop_assert!(refunded <= payment.captured);
            prop_assert!(payment.captured + payment.held <= payment.amount);
            prop_assert_eq!(payment.status == PaymentStatus::Refunded, payment.captured > Decimal::ZERO && refunded == payment.captured);
        }
    }

    #[test]
    fn a_status_moves_only_along_the_table(mut snapshot in town(), steps in steps()) {
        for played in play(&steps, &mut snapshot) {
            for record in &played.plan.records {
                if let Record::PaymentChange(change) = record {
                    let (before, after) = (change.before(), change.after());
                    prop_assert!(MOVES.contains(&(before.status, after.status)));
                    prop_assert_eq!(before, &played.before.payments[&before.payment_id]);
                }
            }
        }
    }

    /// Every lane is every lane that there is: one that has no row yet is made only if it is named, or is the first.
    #[test]
    fn what_is_told_to_be_locked_is_all_that_changes(mut snapshot in town(), steps in steps()) {
        for played in play(&steps, &mut snapshot) {
            let locks = ledger::plan::locks(&played.command, &played.before);
            let accounts = ledger::plan::accounts(&played.command, &played.before);
            for BalanceKey { account, asset, lane } in played.plan.balances.iter().map(|change| &change.key) {
                let mut lanes = played.before.lanes(*account, asset).map(|(lane, _)| lane).peekable();
                let is_there = if lanes.peek().is_some() { lanes.any(|there| there == *lane) } else { *lane == 0 };
                let is_locked = locks.iter().any(|lock| {
                    lock.account == *account && lock.asset == *asset && lock.lane.map_or(is_there, |locked| locked == *lane)
                });
                prop_assert!(is_locked, "{account} {asset} {lane}");
                prop_assert!(accounts.contains(account));
            }
        }
    }

    #[test]
    fn a_batch_of_plans_passes_its_merged_guards_and_ends_at_the_same_balances(mut snapshot in town(), steps in steps()) {
        let (mut balances, mut lots) = (snapshot.balances.clone(), BTreeMap::new());
        let played = play(&steps, &mut snapshot);
        for change in merge_balances(played.iter().flat_map(|played| &played.plan.balances)) {
            let balance = balances.entry(change.key).or_default();
            prop_assert!(balance.amount - balance.held >= change.available_at_least);
            prop_assert!(balance.held >= change.held_at_least);
            prop_assert!(change.at_most.is_none_or(|at_most| balance.amount <= at_most));
            balance.amount += change.amount;
            balance.held += change.held;
            balance.owed += change.owed;
        }
        prop_assert_eq!(balances, snapshot.balances);
        for change in merge_lots(played.iter().flat_map(|played| &played.plan.lots)) {
            lots.insert(change.key, change.amount);
        }
        for ((account, asset), remaining) in &snapshot.lots {
            for lot in remaining {
                let key = ledger::lot::LotKey { account: *account, asset: asset.clone(), expires_at: lot.expires_at, paid: lot.paid };
                prop_assert_eq!(lots.get(&key).copied().unwrap_or_default(), lot.remaining);
            }
        }
    }

    /// Nobody earns points by returning what was bought: those that were spent meanwhile are owed, and paid from the next.
    /// Only those past their time stay as they are.
    #[test]
    fn points_of_a_refunded_purchase_are_taken_back_or_owed(mut snapshot in town(), steps in steps()) {
        play(&steps, &mut snapshot);
        for payment in snapshot.payments.values().filter(|payment| payment.status == PaymentStatus::Refunded) {
            let kept = payment.points_earned - payment.points_returned;
            prop_assert!((Decimal::ZERO..=gone(payment, &snapshot)).contains(&kept), "{kept} kept");
        }
        let payments = snapshot.payments.values();
        prop_assert!(payments.clone().all(|payment| payment.points_withheld <= payment.points_earned));
    }

    /// Value past its time is as good as gone: whether the job that takes it ran already changes no answer and no balance.
    /// Only a cap, and the end of an account, wait for it.
    #[test]
    fn it_does_not_matter_when_what_has_expired_is_taken(mut snapshot in town(), steps in steps()) {
        for asset in snapshot.assets.values_mut() {
            asset.cap = None;
        }
        for Played { command, before, .. } in play(&steps, &mut snapshot) {
            let (mut early, mut late) = (before.clone(), before);
            take_expired(&mut early);
            let answers = [&mut early, &mut late].map(|town| decide(&command, "admin:9", town));
            for town in [&mut early, &mut late] {
                take_expired(town);
            }
            let [first, second] = answers.map(|answer| verdict(&answer));
            if !matches!(command, Command::Expire(_) | Command::SetAccountStatus(_)) {
                prop_assert_eq!(first, second, "{:?}", &command);
                prop_assert_eq!(worth(&early), worth(&late), "{:?}", &command);
                prop_assert_eq!(early.lots, late.lots, "{:?}", command);
            }
        }
    }

    #[test]
    fn nobody_applies_a_correction_that_he_proposed(mut snapshot in town(), steps in steps()) {
        for step in &steps {
            let Some(command) = command(step, &snapshot) else { continue };
            let proposed_by = match &command {
                ledger::Command::ApplyAdjustment(apply) => Some(snapshot.adjustments[&apply.adjustment].proposed_by.clone()),
                _ => None,
            };
            let decided = decide(&command, &asker(step), &mut snapshot);
            if let (Some(proposed_by), Ok(_)) = (proposed_by, &decided) {
                prop_assert_ne!(proposed_by, asker(step));
            }
        }
    }

    /// The payer spends no points in between, so every part takes back its share and the parts make the whole.
    #[test]
    fn points_taken_back_by_all_parts_are_the_points_earned(
        mut snapshot in town(),
        paid in crate::world::amount(12, 0),
        parts in prop::collection::vec(1..1_000_000_000_i64, 0..6),
    ) {
        unlimited(&mut snapshot);
        snapshot.balances.insert(main_balance(customer(0)), held(paid.value(), 0));
        let asked = command(&simple(Kind::Pay, paid), &snapshot).unwrap();
        decide(&asked, "customer:0", &mut snapshot).unwrap();
        let earned = snapshot.payments.values().next().unwrap().points_earned;
        let parts = parts.into_iter().map(|units| simple(Kind::Refund, ledger::Amount::new(units.into()).unwrap()));
        let mut returned = Decimal::ZERO;
        for part in parts.chain([simple(Kind::RefundTheRest, paid)]) {
            let Some(refund) = command(&part, &snapshot) else { break };
            if let Ok(plan) = decide(&refund, "merchant:0", &mut snapshot) {
                returned += plan.records.iter().map(|record| match record {
                    Record::Refund(row) => row.points_returned,
                    _ => Decimal::ZERO,
                }).sum::<Decimal>();
            }
        }
        prop_assert_eq!(returned, earned);
        prop_assert_eq!(snapshot.balance(customer(0), &AssetCode::point()).amount, Decimal::ZERO);
    }

    /// The largest amounts there are, with eight decimals and a point for each unit: nothing overflows.
    #[test]
    fn the_largest_payment_can_be_paid_and_refunded(
        mut snapshot in town(),
        paid in 1..99_999_999_999_999_999_i64,
        part in 1..99_999_999_999_999_999_i64,
    ) {
        unlimited(&mut snapshot);
        let amount = |units| ledger::Amount::new(Decimal::new(units, 2)).unwrap();
        let asset = snapshot.assets.get_mut(&AssetCode::main()).unwrap();
        (asset.scale, asset.point_rate) = (8, Decimal::ONE);
        let (paid, part) = (amount(paid), amount(part));
        snapshot.balances.insert(main_balance(customer(0)), held(paid.value(), 8));
        let asked = command(&simple(Kind::Pay, paid), &snapshot).unwrap();
        decide(&asked, "customer:0", &mut snapshot).unwrap();
        for step in [simple(Kind::Refund, part), simple(Kind::RefundTheRest, paid)] {
            let refund = command(&step, &snapshot);
            let _ = refund.map(|refund| decide(&refund, "merchant:0", &mut snapshot));
        }
        let payment = snapshot.payments.values().next().unwrap();
        prop_assert_eq!(payment.points_returned, payment.points_earned);
        prop_assert_eq!(payment.status, PaymentStatus::Refunded);
    }
}

fn unlimited(snapshot: &mut Snapshot) {
    snapshot.assets.get_mut(&AssetCode::main()).unwrap().limits.clear();
    // Whatever the shop held, it can pay the purchase back.
    snapshot.balances.remove(&main_balance(crate::world::merchant(0)));
}

/// A report from outside that lies behind what is known changes nothing (A08): all pairs of the table.
#[test]
fn an_older_report_never_moves_a_newer_status_back() {
    use PaymentStatus::{Authorized, Captured, Failed, PartiallyRefunded, Processing, Refunded, Voided};
    for (known, late) in [
        (Voided, Authorized),
        (Voided, Processing),
        (Captured, Authorized),
        (Refunded, Captured),
        (Refunded, PartiallyRefunded),
        (Failed, Processing),
    ] {
        assert_eq!(known.observed(late), Ok(None), "{known} after {late}");
    }
    for status in PaymentStatus::ALL {
        assert_eq!(status.observed(status), Ok(None));
        for reported in PaymentStatus::ALL {
            if let Ok(Some(moved)) = status.observed(reported) {
                assert!(MOVES.contains(&(status, reported)));
                // What moves forward is not moved back by the report that came before it.
                assert_eq!(moved.to().observed(moved.from()), Ok(None));
            }
        }
    }
    assert!(Processing.observed(Captured).unwrap().is_some());
    assert_eq!(
        Voided.observed(Captured),
        Err(Rejection::IllegalTransition {
            from: Voided,
            to: Captured
        })
    );
}

/// The points that a payment gave and that are past their time.
fn gone(payment: &Payment, snapshot: &Snapshot) -> Decimal {
    let uses = snapshot.lot_uses.get(&payment.payment_id.0).into_iter().flatten();
    let gone = uses.filter(|used| used.key.asset == AssetCode::point() && used.key.expires_at <= snapshot.at);
    gone.map(|used| used.amount.max(Decimal::ZERO)).sum()
}

/// What the job that expires value does.
fn take_expired(snapshot: &mut Snapshot) {
    let holdings: Vec<_> = snapshot.lots.keys().cloned().collect();
    for (account, asset) in holdings {
        // Refused where nothing has expired.
        let _taken = decide(&Command::Expire(Expire { account, asset }), "system:0", snapshot);
    }
}

/// What each account has, is held and owes of each asset, in all its lanes.
fn worth(snapshot: &Snapshot) -> BTreeMap<(AccountId, AssetCode), [Decimal; 3]> {
    let mut worth = BTreeMap::new();
    for (key, balance) in &snapshot.balances {
        let sums = worth
            .entry((key.account, key.asset.clone()))
            .or_insert([Decimal::ZERO; 3]);
        for (sum, value) in sums.iter_mut().zip([balance.amount, balance.held, balance.owed]) {
            *sum += value;
        }
    }
    worth.retain(|_, sums| sums.iter().any(|sum| !sum.is_zero()));
    worth
}

//! Corrections under four eyes, payouts that come back, accounts that close.

use ledger::{AccountStatus, AdjustmentId, Answer, Failure, PayoutId, Receipt, command::Direction};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::world::{
    SOMEBODY_ELSE, World, apply_adjustment, decline_adjustment, fail_payout, grant, mizu, pay, propose, receipt_of,
    set_status, settle, tally, together, top_up, verdict,
};

fn adjustment_of(answer: Result<Answer, Failure>) -> AdjustmentId {
    match receipt_of(answer) {
        Receipt::Adjustment(adjustment) => adjustment.adjustment_id,
        other => panic!("{other:?} is no correction"),
    }
}

fn payout_of(answer: Result<Answer, Failure>) -> PayoutId {
    match receipt_of(answer) {
        Receipt::Payout(payout) => payout.payout_id,
        other => panic!("{other:?} is no payout"),
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_correction_needs_a_second_person_and_is_applied_once(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let payer = world.customer(100).await;
    let adjustment = adjustment_of(world.call("propose", propose(payer, Direction::Take, 70)).await);
    assert_eq!(world.balance(payer).await, Decimal::from(100));
    let own = world.call("own", apply_adjustment(adjustment)).await;
    assert_eq!(verdict(&own), "SECOND_PERSON_NEEDED");
    let calls = (0..20).map(|n| world.call_as(SOMEBODY_ELSE, n, apply_adjustment(adjustment)));
    let answers = together(calls.collect::<Vec<_>>()).await;
    assert_eq!(tally(&answers), [("ALREADY_DECIDED", 19), ("applied", 1)]);
    assert_eq!(world.balance(payer).await, Decimal::from(30));
    let late = world.call("decline", decline_adjustment(adjustment)).await;
    assert_eq!(verdict(&late), "ALREADY_DECIDED");
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_correction_that_is_not_covered_can_be_tried_again_or_declined(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let payer = world.customer(10).await;
    let adjustment = adjustment_of(world.call("propose", propose(payer, Direction::Take, 70)).await);
    let apply = |key: &str| world.call_as(SOMEBODY_ELSE, key, apply_adjustment(adjustment));
    assert_eq!(verdict(&apply("one").await), "INSUFFICIENT");
    receipt_of(world.call("charge", top_up(payer, 60)).await);
    assert_eq!(verdict(&apply("one").await), "INSUFFICIENT", "the key keeps its answer");
    assert_eq!(verdict(&apply("two").await), "applied");
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_payout_fails_once_and_its_money_comes_back_once(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    receipt_of(world.call("pay", pay(payer, merchant, 700)).await);
    let payout = payout_of(world.call("settle", settle(merchant, 600)).await);
    assert_eq!(
        verdict(&world.call("more", settle(merchant, 101)).await),
        "INSUFFICIENT"
    );
    let answers = together((0..20).map(|n| world.call(n, fail_payout(payout))).collect::<Vec<_>>()).await;
    assert_eq!(tally(&answers), [("ALREADY_REVERSED", 19), ("applied", 1)]);
    assert_eq!(world.balance(merchant).await, Decimal::from(700));
    world.finish().await;
}

/// Closing waits for what is under way and refuses what holds something; nothing reaches a closed account.
#[sqlx::test(migrations = "../migrations")]
async fn nothing_is_left_in_an_account_that_closes_meanwhile(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    for round in 0..30 {
        let account = world.customer(0).await;
        let gift = other.call(format!("gift {round}"), grant(account, mizu(), 5));
        let close = world.call(format!("close {round}"), set_status(account, AccountStatus::Closed));
        let answers = if round % 3 == 0 {
            // The one order that a race may never take.
            let closed = close.await;
            vec![gift.await, closed]
        } else {
            together([gift, close]).await
        };
        match [verdict(&answers[0]), verdict(&answers[1])] {
            ["applied", "ACCOUNT_NOT_EMPTY"] if round % 3 != 0 => {}
            ["ACCOUNT_FROZEN", "applied"] => {}
            other => panic!("{other:?}"),
        }
    }
    other.ledger.close().await;
    world.finish().await;
}

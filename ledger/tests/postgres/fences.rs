//! Taking back by key: before the operation, while it runs, after it, once, and on any server.

use ledger::{Command, Failure, Outcome, Receipt, Rejection, outcome::FenceState, postgres::Operation};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::world::{
    ASKER, World, authorize, capture, key, mizu, pay, payment_of, receipt_of, refund, together, top_up, transfer,
    verdict,
};

impl World {
    async fn fence(&self, of: &str) -> Result<FenceState, &'static str> {
        match self.call(of, Command::Fence).await.map(|answer| answer.outcome) {
            Ok(Outcome::Applied(Receipt::Fence(receipt))) => Ok(receipt.state),
            Ok(Outcome::Rejected(rejection)) => Err(rejection.code()),
            other => panic!("{other:?}"),
        }
    }

    async fn operation(&self, of: &str) -> Operation {
        self.ledger.operation(self.tenant, ASKER, &key(of)).await.unwrap()
    }
}

/// The original comes a second later on another server: it never happens, however often it comes and whatever it asks.
#[sqlx::test(migrations = "../migrations")]
async fn a_key_that_is_fenced_first_never_happens(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    assert_eq!(world.fence("late").await, Ok(FenceState::Fenced));
    for (server, units) in [(&other, 100), (&world, 100), (&other, 200)] {
        let answer = server.call("late", pay(payer, merchant, units)).await;
        assert_eq!(verdict(&answer), "FENCED");
    }
    let Operation::Done(answer) = world.operation("late").await else {
        panic!("a fenced key had its outcome")
    };
    assert_eq!(answer.outcome, Outcome::Rejected(Rejection::Fenced));
    assert_eq!(
        other.fence("late").await,
        Ok(FenceState::Fenced),
        "the same answer again"
    );
    assert_eq!(world.balance(payer).await, Decimal::from(1000));
    other.ledger.close().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn what_a_key_did_is_undone_once(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let (payer, friend, merchant) = (
        world.customer(1000).await,
        world.customer(0).await,
        world.merchant().await,
    );
    receipt_of(world.call("water", crate::world::top_up_in(mizu(), payer, "100")).await);
    for (name, command) in [
        ("pay", pay(payer, merchant, 300)),
        ("hold", authorize(payer, merchant, 300)),
        ("charge", top_up(payer, 50)),
        ("gift", transfer(payer, friend, mizu(), "30")),
    ] {
        receipt_of(world.call(name, command).await);
        assert!(matches!(world.operation(name).await, Operation::Done(_)));
        assert_eq!(other.fence(name).await, Ok(FenceState::Reversed), "{name}");
        assert_eq!(world.fence(name).await, Ok(FenceState::Reversed), "{name} again");
        assert!(
            matches!(world.operation(name).await, Operation::Compensated(_)),
            "{name}"
        );
    }
    assert_eq!(world.balance(payer).await, Decimal::from(1000));
    assert_eq!(world.balance_in(friend, &mizu()).await, Decimal::ZERO);
    other.ledger.close().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn what_was_declined_needs_no_undoing_and_some_things_can_t_be_undone(
    _: PgPoolOptions,
    options: PgConnectOptions,
) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    assert_eq!(
        verdict(&world.call("poor", pay(payer, merchant, 1001)).await),
        "INSUFFICIENT"
    );
    assert_eq!(world.fence("poor").await, Ok(FenceState::Declined));
    assert_eq!(
        verdict(&world.call("poor", pay(payer, merchant, 1001)).await),
        "INSUFFICIENT"
    );
    let hold = payment_of(&world.call("hold", authorize(payer, merchant, 500)).await.unwrap());
    receipt_of(world.call("capture", capture(hold, 500)).await);
    receipt_of(world.call("refund", refund(hold, 100)).await);
    let part = payment_of(&world.call("part", authorize(payer, merchant, 100)).await.unwrap());
    receipt_of(world.call("capture a part", capture(part, 40)).await);
    assert_eq!(
        world.fence("part").await,
        Err("ILLEGAL_TRANSITION"),
        "a part would stay done"
    );
    assert_eq!(world.fence("capture").await, Err("NOT_REVERSIBLE"));
    assert_eq!(world.fence("refund").await, Err("NOT_REVERSIBLE"));
    assert_eq!(
        world.fence("hold").await,
        Err("ILLEGAL_TRANSITION"),
        "what was captured is refunded, not voided"
    );
    let one = payment_of(&world.call("one", pay(payer, merchant, 300)).await.unwrap());
    receipt_of(world.call("back", refund(one, 300)).await);
    assert_eq!(world.fence("one").await, Err("ILLEGAL_TRANSITION"));
    assert!(
        matches!(world.operation("one").await, Operation::Done(_)),
        "nothing was taken back by key"
    );
    world.finish().await;
}

/// A fence has one key only. What stood in its way may go away, so a refusal is not kept; and what others have undone of it
/// is not undone again.
#[sqlx::test(migrations = "../migrations")]
async fn a_fence_that_was_refused_can_be_tried_again_and_undoes_the_rest(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let paid = payment_of(&world.call("pay", pay(payer, merchant, 300)).await.unwrap());
    receipt_of(world.call("part", refund(paid, 100)).await);
    receipt_of(world.call("payout", crate::world::settle(merchant, 200)).await);
    assert_eq!(world.fence("pay").await, Err("INSUFFICIENT"));
    assert!(matches!(world.operation("pay").await, Operation::Done(_)));
    let friend = world.customer(500).await;
    receipt_of(world.call("sale", pay(friend, merchant, 500)).await);
    assert_eq!(world.fence("pay").await, Ok(FenceState::Reversed));
    assert_eq!(world.balance(payer).await, Decimal::from(1000));
    assert_eq!(world.balance(merchant).await, Decimal::from(300));
    world.finish().await;
}

/// A payment and its fence on two servers at once: whichever is first, nothing is left of the payment.
#[sqlx::test(migrations = "../migrations")]
async fn a_fence_and_its_original_that_come_together_leave_nothing(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    world.open_all().await;
    let mut states = [0, 0];
    for round in 0..60 {
        let name = format!("round {round}");
        // Together in one queue, or each on its own server.
        let second = if round % 3 == 0 { &world } else { &other };
        let answers = together([
            world.call(&name, pay(payer, merchant, 100)),
            second.call(&name, Command::Fence),
        ])
        .await;
        match answers[1].as_ref().map(|answer| &answer.outcome) {
            Ok(Outcome::Applied(Receipt::Fence(receipt))) if receipt.state == FenceState::Fenced => {
                assert_eq!(verdict(&answers[0]), "FENCED");
                states[0] += 1;
            }
            Ok(Outcome::Applied(Receipt::Fence(receipt))) if receipt.state == FenceState::Reversed => {
                assert_eq!(verdict(&answers[0]), "applied");
                states[1] += 1;
            }
            answer => panic!("{answer:?}"),
        }
        assert_eq!(world.balance(payer).await, Decimal::from(1000), "{name}");
        assert_eq!(world.balance(merchant).await, Decimal::ZERO, "{name}");
    }
    assert!(states[1] > 0, "the original never came first");
    other.ledger.close().await;
    world.finish().await;
}

/// A key belongs to its actor, so does its fence.
#[sqlx::test(migrations = "../migrations")]
async fn nobody_fences_another_s_key(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    receipt_of(world.call("mine", pay(payer, merchant, 100)).await);
    let theirs = world.call_as(crate::world::SOMEBODY_ELSE, "mine", Command::Fence).await;
    let Ok(Outcome::Applied(Receipt::Fence(receipt))) = theirs.map(|answer| answer.outcome) else {
        panic!("a fence of a key that nobody of theirs used")
    };
    assert_eq!(receipt.state, FenceState::Fenced);
    assert_eq!(world.balance(merchant).await, Decimal::from(100));
    assert!(matches!(world.operation("mine").await, Operation::Done(_)));
    world.finish().await;
}

/// A key that is too old for anything to come under it is too old to be fenced.
#[sqlx::test(migrations = "../migrations")]
async fn an_expired_key_is_not_fenced(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let old = crate::world::made_at(world.ledger.now() - chrono::TimeDelta::days(91));
    let answer = world.call(old, Command::Fence).await;
    assert_eq!(answer, Err(Failure::KeyExpired));
    world.finish().await;
}

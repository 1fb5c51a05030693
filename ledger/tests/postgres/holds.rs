//! Holds: what is authorised counts as spent, is captured in parts, and is released once.

use ledger::{Receipt, money::Instant};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::world::{
    World, authorize, capture, expire_hold, pay, payment_of, receipt_of, refund, tally, together, verdict, void,
};

/// A14: a balance of 5,000 allows five holds of 1,000.
#[sqlx::test(migrations = "../migrations")]
async fn the_sixth_hold_of_a_thousand_on_five_thousand_is_refused(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(5000).await, world.merchant().await);
    for n in 1..=5 {
        assert_eq!(
            verdict(&world.call(n, authorize(payer, merchant, 1000)).await),
            "applied"
        );
    }
    assert_eq!(
        verdict(&world.call(6, authorize(payer, merchant, 1000)).await),
        "INSUFFICIENT"
    );
    assert_eq!(verdict(&world.call(7, pay(payer, merchant, 1)).await), "INSUFFICIENT");
    world.finish().await;
}

/// A14, all at once and on two servers.
#[sqlx::test(migrations = "../migrations")]
async fn twenty_concurrent_holds_pass_five(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let (payer, merchant) = (world.customer(5000).await, world.merchant().await);
    let calls = (0..20).map(|n| {
        let server = if n % 2 == 0 { &world } else { &other };
        server.call(n, authorize(payer, merchant, 1000))
    });
    let answers = together(calls.collect::<Vec<_>>()).await;
    assert_eq!(tally(&answers), [("INSUFFICIENT", 15), ("applied", 5)]);
    other.ledger.close().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_hold_is_captured_in_parts_up_to_its_amount(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let payment = payment_of(&world.call("hold", authorize(payer, merchant, 500)).await.unwrap());
    for (key, units, expected) in [
        ("one", 200, "applied"),
        ("two", 300, "applied"),
        ("three", 1, "CAPTURE_EXCEEDS_HELD"),
    ] {
        assert_eq!(
            verdict(&world.call(key, capture(payment, units)).await),
            expected,
            "{key}"
        );
    }
    assert_eq!(world.balance(payer).await, Decimal::from(500));
    assert_eq!(world.balance(merchant).await, Decimal::from(500));
    assert_eq!(verdict(&world.call("void", void(payment)).await), "ILLEGAL_TRANSITION");
    world.finish().await;
}

/// T09: of what comes at once, each unit is captured, released or refunded once.
#[sqlx::test(migrations = "../migrations")]
async fn captures_voids_and_refunds_that_come_together_agree(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let (payer, merchant) = (world.customer(20_000).await, world.merchant().await);
    for round in 0..20 {
        let hold = world
            .call(format!("hold {round}"), authorize(payer, merchant, 100))
            .await;
        let payment = payment_of(&hold.unwrap());
        let answers = together([
            world.call(format!("a {round}"), capture(payment, 60)),
            other.call(format!("b {round}"), capture(payment, 60)),
            world.call(format!("c {round}"), void(payment)),
            other.call(format!("d {round}"), refund(payment, 60)),
        ])
        .await;
        let captured = answers[..2]
            .iter()
            .filter(|answer| verdict(answer) == "applied")
            .count();
        assert!(captured <= 1, "{answers:?}");
    }
    other.ledger.close().await;
    world.finish().await;
}

fn in_two_hours() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "a server whose clock runs ahead")]
    let now = chrono::Utc::now();
    now + chrono::TimeDelta::hours(2)
}

#[sqlx::test(migrations = "../migrations")]
async fn a_hold_past_its_time_is_released_and_not_captured(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let later = world.server_at(in_two_hours);
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let payment = payment_of(&world.call("hold", authorize(payer, merchant, 600)).await.unwrap());
    assert_eq!(
        verdict(&world.call("early", expire_hold(payment)).await),
        "HOLD_NOT_EXPIRED"
    );
    assert_eq!(
        verdict(&later.call("late", capture(payment, 600)).await),
        "HOLD_EXPIRED"
    );
    let Receipt::Hold(receipt) = receipt_of(later.call("expire", expire_hold(payment)).await) else {
        panic!("a hold's receipt")
    };
    assert_eq!((receipt.status.as_str(), receipt.held), ("expired", Decimal::ZERO));
    assert_eq!(
        verdict(&later.call("again", expire_hold(payment)).await),
        "ILLEGAL_TRANSITION"
    );
    assert_eq!(verdict(&world.call("pay", pay(payer, merchant, 1000)).await), "applied");
    later.ledger.close().await;
    world.finish().await;
}

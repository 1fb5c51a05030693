//! Lanes: servers collect for one shop side by side, and whoever takes from it takes from all.

use ledger::{AccountStatus, Ledger, Receipt, command::Direction, postgres::connect};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::world::{
    SOMEBODY_ELSE, World, apply_adjustment, fail_payout, pay, payment_of, propose, receipt_of, refund, set_status,
    settle, tally, together, verdict,
};

/// Two servers that have lanes of their own.
struct Servers {
    first: World,
    second: World,
    keeping: [tokio::task::JoinHandle<()>; 2],
}

impl Servers {
    async fn of(world: &World) -> Self {
        let (first, keeps_first) = with_lane(world).await;
        let (second, keeps_second) = with_lane(world).await;
        let keeping = [keeps_first, keeps_second];
        Self { first, second, keeping }
    }

    async fn close(self) {
        self.keeping.iter().for_each(tokio::task::JoinHandle::abort);
        self.first.ledger.close().await;
        self.second.ledger.close().await;
    }
}

/// A server that has lanes of its own, and the task that keeps them.
async fn with_lane(world: &World) -> (World, tokio::task::JoinHandle<()>) {
    let leased = world.count("select count(*) from ledger.lane").await;
    let server = World {
        ledger: Ledger::new(connect(world.options.clone(), 5)),
        tenant: world.tenant,
        options: world.options.clone(),
    };
    let kept = tokio::spawn({
        let ledger = server.ledger.clone();
        async move { ledger.keep_lanes().await }
    });
    let own = [leased, leased + 1].map(|lane| i16::try_from(lane).unwrap());
    while server.ledger.lanes() != own || world.count("select count(*) from ledger.lane").await < leased + 2 {
        tokio::task::yield_now().await;
    }
    (server, kept)
}

#[sqlx::test(migrations = "../migrations")]
async fn two_servers_collect_for_one_shop_in_two_lanes(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let servers = Servers::of(&world).await;
    let Servers { first, second, .. } = &servers;
    assert_eq!([first.ledger.lanes(), second.ledger.lanes()], [[0, 1], [2, 3]]);
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let one = payment_of(&first.call("one", pay(payer, merchant, 300)).await.unwrap());
    let two = payment_of(&second.call("two", pay(payer, merchant, 200)).await.unwrap());
    let lanes =
        format!("select count(*) from ledger.balance where account_id = '{merchant}' and asset_code = 'ECOPAY'");
    assert_eq!(world.count(lanes).await, 2);
    assert_eq!(world.balance(merchant).await, Decimal::from(500));
    // The refund of one is paid from both lanes.
    receipt_of(second.call("payout", settle(merchant, 150)).await);
    receipt_of(second.call("refund", refund(one, 300)).await);
    assert_eq!(world.balance(merchant).await, Decimal::from(50));
    assert_eq!(verdict(&first.call("too much", refund(two, 51)).await), "INSUFFICIENT");
    servers.close().await;
    world.finish().await;
}

/// Payments in two lanes beside refunds and payouts of all lanes: nothing is lost, nothing waits in a circle.
#[sqlx::test(migrations = "../migrations")]
async fn collecting_and_folding_go_on_side_by_side(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let servers = Servers::of(&world).await;
    let Servers { first, second, .. } = &servers;
    let merchant = world.merchant().await;
    let mut payers = Vec::new();
    for _ in 0..4 {
        payers.push(world.customer(10_000).await);
    }
    let mut paid = 0_usize;
    for round in 0..15 {
        let mut calls = Vec::new();
        for (n, payer) in payers.iter().enumerate() {
            let server = if n % 2 == 0 { first } else { second };
            calls.push(server.call(format!("pay {round} {n}"), pay(*payer, merchant, 10)));
        }
        calls.push(first.call(format!("settle {round}"), settle(merchant, 15)));
        calls.push(second.call(format!("payout {round}"), settle(merchant, 15)));
        let answers = together(calls).await;
        assert_eq!(tally(&answers[..4]), [("applied", 4)]);
        paid += answers[4..]
            .iter()
            .filter(|answer| verdict(answer) == "applied")
            .count();
        assert!(
            answers[4..]
                .iter()
                .all(|answer| ["applied", "INSUFFICIENT"].contains(&verdict(answer)))
        );
    }
    let left = Decimal::from(15 * 40) - Decimal::from(paid * 15);
    assert_eq!(world.balance(merchant).await, left);
    servers.close().await;
    world.finish().await;
}

/// A shop that is frozen is frozen in every lane.
#[sqlx::test(migrations = "../migrations")]
async fn a_frozen_shop_collects_in_no_lane(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let servers = Servers::of(&world).await;
    let Servers { first, second, .. } = &servers;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    receipt_of(first.call("one", pay(payer, merchant, 10)).await);
    receipt_of(first.call("freeze", set_status(merchant, AccountStatus::Frozen)).await);
    let answer = second.call("two", pay(payer, merchant, 10)).await;
    assert_eq!(verdict(&answer), "ACCOUNT_FROZEN");
    servers.close().await;
    world.finish().await;
}

/// A server that never collected for a shop has no lane of it, and puts back or corrects what the shop has elsewhere.
#[sqlx::test(migrations = "../migrations")]
async fn a_server_without_a_lane_of_the_shop_puts_back_what_it_had(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let servers = Servers::of(&world).await;
    let Servers { first, second, .. } = &servers;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    for (collects, other, key) in [(&second, &first, "a"), (&first, &second, "b")] {
        receipt_of(collects.call(format!("pay {key}"), pay(payer, merchant, 300)).await);
        let Receipt::Payout(payout) = receipt_of(collects.call(format!("out {key}"), settle(merchant, 100)).await)
        else {
            panic!("a payout")
        };
        receipt_of(other.call(format!("back {key}"), fail_payout(payout.payout_id)).await);
        let slip = other.call(format!("slip {key}"), propose(merchant, Direction::Add, 50));
        let Receipt::Adjustment(slip) = receipt_of(slip.await) else {
            panic!("a correction")
        };
        let apply = apply_adjustment(slip.adjustment_id);
        receipt_of(other.call_as(SOMEBODY_ELSE, format!("apply {key}"), apply).await);
    }
    assert_eq!(world.balance(merchant).await, Decimal::from(700));
    servers.close().await;
    world.finish().await;
}

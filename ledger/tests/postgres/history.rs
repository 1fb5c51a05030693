//! What an account's and a payment's history say, whatever the clocks do (A30, A31, T23).

use chrono::TimeDelta;
use ledger::{
    AccountId, AssetCode, Ledger, PaymentStatus,
    money::Instant,
    plan::CO2_SAVED_KG,
    postgres::{
        balance, connect,
        entry::{self, Movement},
        metric,
        payment::{self, Sales},
    },
};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicI64, Ordering},
};

use crate::world::{World, at, pay, payment_of, refund, tally, together};

/// Every page of an account's movements, newest first.
async fn paged(world: &World, account: AccountId, limit: i64) -> Vec<Vec<Movement>> {
    let mut pages: Vec<Vec<Movement>> = Vec::new();
    loop {
        let before = pages.last().and_then(|page| page.last()).map(Movement::cursor);
        let page = entry::of_account(world.ledger.pool(), world.tenant, account, before, limit)
            .await
            .unwrap();
        if page.is_empty() {
            return pages;
        }
        pages.push(page);
    }
}

/// Each movement of the asset starts from the balance that the one before it left.
fn assert_chain(movements: &[Movement], asset: &AssetCode) {
    let movements: Vec<_> = movements
        .iter()
        .rev()
        .filter(|movement| movement.asset == *asset)
        .collect();
    let mut balance = Decimal::ZERO;
    for movement in movements {
        balance += movement.amount;
        assert_eq!(movement.balance_after, balance, "{movement:?}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn movements_of_one_instant_are_paged_without_gap_or_repeat(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1200).await, world.merchant().await);
    let answers = together((0..120).map(|n| world.call(n, pay(payer, merchant, 10)))).await;
    assert_eq!(tally(&answers), [("applied", 120)]);
    let pages = paged(&world, merchant, 50).await;
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [50, 50, 20]);
    let movements: Vec<Movement> = pages.concat();
    let instants: BTreeSet<Instant> = movements.iter().map(|movement| movement.occurred_at).collect();
    assert_eq!(instants.len(), 1, "the payments were not one batch");
    let transactions: BTreeSet<_> = movements.iter().map(|movement| movement.transaction_id).collect();
    assert_eq!(transactions.len(), 120);
    assert_chain(&movements, &AssetCode::main());
    let mut payments = Vec::new();
    loop {
        let before = payments
            .last()
            .map(|last: &ledger::Payment| (last.created_at, last.payment_id));
        let page = payment::of_merchant(world.ledger.pool(), world.tenant, merchant, before, 50)
            .await
            .unwrap();
        if page.is_empty() {
            break;
        }
        payments.extend(page);
    }
    assert_eq!(
        payments
            .iter()
            .map(|payment| payment.payment_id)
            .collect::<BTreeSet<_>>()
            .len(),
        120
    );
    assert_eq!(payments.len(), 120);
    world.finish().await;
}

/// A clock that goes back a minute each time it is read.
fn backwards() -> Instant {
    static READ: AtomicI64 = AtomicI64::new(0);
    at("2026-04-01T00:00:00Z") - TimeDelta::minutes(READ.fetch_add(1, Ordering::Relaxed))
}

#[sqlx::test(migrations = "../migrations")]
async fn balances_follow_each_other_under_a_clock_that_runs_backwards(_: PgPoolOptions, options: PgConnectOptions) {
    let ledger = Ledger::with_clock(connect(options.clone(), 2), backwards);
    let world = World::on(ledger, options).await;
    let (payer, merchant) = (world.customer(10_000).await, world.merchant().await);
    let other = world.other_server();
    for n in 0..20 {
        // Two payments before each refund, so that the refund's batch draws fewer ids than the payments' batch did.
        let names = [format!("{n}a"), format!("{n}b")];
        let paid = together(names.map(|name| world.call(name, pay(payer, merchant, 100)))).await;
        let refunded = payment_of(paid[1].as_ref().unwrap());
        let server = if n % 2 == 0 { &world } else { &other };
        server.call(format!("{n}c"), refund(refunded, 50)).await.unwrap();
        server.call(format!("{n}d"), refund(refunded, 50)).await.unwrap();
        let events = payment::events(world.ledger.pool(), world.tenant, refunded)
            .await
            .unwrap();
        let statuses: Vec<PaymentStatus> = events.iter().map(|event| event.to).collect();
        assert_eq!(
            statuses,
            [
                PaymentStatus::Captured,
                PaymentStatus::PartiallyRefunded,
                PaymentStatus::Refunded
            ]
        );
    }
    for account in [payer, merchant] {
        let movements = paged(&world, account, 7).await.concat();
        assert_chain(&movements, &AssetCode::main());
        assert_chain(&movements, &AssetCode::point());
    }
    assert_eq!(world.balance(merchant).await, Decimal::from(2000));
    other.finish().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_read_of_a_payment_agrees(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let id = payment_of(&world.call("one", pay(payer, merchant, 500)).await.unwrap());
    world.call("two", refund(id, 200)).await.unwrap();
    let (db, tenant) = (world.ledger.pool(), world.tenant);
    let found = payment::find(db, tenant, id).await.unwrap().unwrap();
    assert_eq!(
        (found.payer, found.merchant, found.status),
        (payer, merchant, PaymentStatus::PartiallyRefunded)
    );
    assert_eq!(
        (found.captured, found.refunded, found.refundable()),
        (500.into(), 200.into(), 300.into())
    );
    assert_eq!((found.points_earned, found.points_returned), (5.into(), 2.into()));
    let (from, to) = (at("2000-01-01T00:00:00Z"), at("2100-01-01T00:00:00Z"));
    let sales = payment::sales(db, tenant, merchant, from, to).await.unwrap();
    assert_eq!(
        sales,
        [Sales {
            asset: AssetCode::main(),
            count: 1,
            captured: 500.into(),
            refunded: 200.into()
        }]
    );
    assert_eq!(
        payment::sales(db, tenant, merchant, from, found.created_at).await,
        Ok(vec![])
    );
    let refunds = payment::refunds(db, tenant, id).await.unwrap();
    assert_eq!(
        (refunds.len(), refunds[0].amount, refunds[0].points_returned),
        (1, 200.into(), 2.into())
    );
    let co2 = metric::of_account(db, tenant, payer, CO2_SAVED_KG).await.unwrap();
    assert_eq!(co2, Decimal::from(3));
    let circulation = balance::in_circulation(db, tenant).await.unwrap();
    assert_eq!(
        (circulation[&AssetCode::main()], circulation[&AssetCode::point()]),
        (1000.into(), 3.into())
    );
    let newest = &paged(&world, merchant, 1).await[0][0];
    assert_eq!((newest.amount, newest.balance_after), ((-200).into(), 300.into()));
    assert_eq!(newest.counterparty.as_deref(), Some(&*format!("Customer {payer}")));
    world.finish().await;
}

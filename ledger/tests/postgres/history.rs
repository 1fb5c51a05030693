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

use crate::world::{
    World, at, mizu, pay, pay_in, payment_of, receipt_of, refund, refund_in, tally, together, top_up_in, verdict,
};

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
    let pages = paged(&world, merchant, 20).await;
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [20; 6]);
    let movements: Vec<Movement> = pages.concat();
    let instants: BTreeSet<Instant> = movements.iter().map(|movement| movement.occurred_at).collect();
    assert!(instants.len() < pages.len(), "no two pages share an instant");
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

/// A clock on which a minute passes each time it is read.
fn minute_by_minute() -> Instant {
    static READ: AtomicI64 = AtomicI64::new(0);
    at("2026-04-01T00:00:00Z") + TimeDelta::minutes(READ.fetch_add(1, Ordering::Relaxed))
}

/// A balance as of any instant, and a statement of any period, follow from the entries (I13): at each of them, just before
/// and just after.
#[sqlx::test(migrations = "../migrations")]
async fn every_balance_of_the_past_and_every_statement_follows_from_the_entries(
    _: PgPoolOptions,
    options: PgConnectOptions,
) {
    let world = World::on(
        Ledger::with_clock(connect(options.clone(), 3), minute_by_minute),
        options,
    )
    .await;
    let (payer, merchant) = (world.customer(5000).await, world.merchant().await);
    for n in 0..10 {
        let paid = world
            .call(format!("pay {n}"), pay(payer, merchant, 100 + n))
            .await
            .unwrap();
        if n % 3 == 0 {
            world
                .call(format!("back {n}"), refund(payment_of(&paid), 50))
                .await
                .unwrap();
        }
    }
    let (db, tenant) = (world.ledger.pool(), world.tenant);
    let movements = paged(&world, merchant, 7).await.concat();
    assert_eq!(movements.len(), 14);
    let mut balance = Decimal::ZERO;
    let beginning = at("2026-01-01T00:00:00Z");
    for movement in movements.iter().rev() {
        let just_before = movement.occurred_at - TimeDelta::microseconds(1);
        let as_of = |at| entry::balances_as_of(db, tenant, merchant, at);
        assert_eq!(as_of(just_before).await.unwrap()[&AssetCode::main()], balance);
        balance += movement.amount;
        assert_eq!(as_of(movement.occurred_at).await.unwrap()[&AssetCode::main()], balance);
        for (from, to) in [
            (beginning, movement.occurred_at),
            (movement.occurred_at, at("2026-05-01T00:00:00Z")),
        ] {
            let statements = entry::statements(db, tenant, merchant, from, to).await.unwrap();
            let of_period = movements
                .iter()
                .filter(|other| other.occurred_at >= from && other.occurred_at < to);
            let [statement] = &statements[..] else {
                panic!("{statements:?}")
            };
            assert_eq!(
                statement.opening + statement.credited - statement.debited,
                statement.closing
            );
            assert_eq!(statement.count, i64::try_from(of_period.clone().count()).unwrap());
            assert_eq!(
                statement.closing - statement.opening,
                of_period.map(|movement| movement.amount).sum::<Decimal>()
            );
        }
    }
    assert_eq!(world.balance(merchant).await, balance);
    world.finish().await;
}

/// A30, I14: what was there when the reading began appears exactly once, while payments go on in the same instants.
#[sqlx::test(migrations = "../migrations")]
async fn pages_that_are_read_while_payments_go_on_miss_and_repeat_nothing(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let (payer, merchant) = (world.customer(100_000).await, world.merchant().await);
    together((0..120).map(|n| world.call(n, pay(payer, merchant, 10)))).await;
    let there: BTreeSet<_> = paged(&world, merchant, 500)
        .await
        .concat()
        .iter()
        .map(Movement::cursor)
        .collect();
    assert_eq!(there.len(), 120);
    let writing = tokio::spawn({
        let calls = (0..300).map(|n| {
            let server = if n % 2 == 0 { &world } else { &other };
            server.call(format!("more {n}"), pay(payer, merchant, 10))
        });
        together(calls.collect::<Vec<_>>())
    });
    let mut read_while_writing = 0;
    while !writing.is_finished() {
        let read: Vec<_> = paged(&world, merchant, 11)
            .await
            .concat()
            .iter()
            .map(Movement::cursor)
            .collect();
        let distinct: BTreeSet<_> = read.iter().copied().collect();
        assert_eq!(distinct.len(), read.len(), "a movement was repeated");
        assert!(distinct.is_superset(&there), "a movement was missed");
        read_while_writing += 1;
    }
    assert!(read_while_writing > 0);
    assert_eq!(tally(&writing.await.unwrap()), [("applied", 300)]);
    other.ledger.close().await;
    world.finish().await;
}

/// A19: yen have no hundredths: what was paid is refunded to the yen, whole and in parts.
#[sqlx::test(migrations = "../migrations")]
async fn a_payment_in_yen_is_refunded_to_the_yen(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(20_000).await, world.merchant().await);
    let whole = payment_of(&world.call("whole", pay(payer, merchant, 9899)).await.unwrap());
    world.call("all", refund(whole, 9899)).await.unwrap();
    assert_eq!(world.balance(payer).await, Decimal::from(20_000));
    let parts = payment_of(&world.call("parts", pay(payer, merchant, 9899)).await.unwrap());
    for (n, part) in [9000, 890, 8, 1].into_iter().enumerate() {
        assert_eq!(
            verdict(&world.call(format!("part {n}"), refund(parts, part)).await),
            "applied"
        );
    }
    assert_eq!(
        verdict(&world.call("more", refund(parts, 1)).await),
        "ILLEGAL_TRANSITION"
    );
    assert_eq!(world.balance(payer).await, Decimal::from(20_000));
    world.finish().await;
}

/// A21: ten times 23.90, 25 % off, 20 % tax is 215.10: what was paid can be refunded, to the hundredth and not beyond.
#[sqlx::test(migrations = "../migrations")]
async fn a_full_refund_is_what_was_paid_whatever_made_up_the_price(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(0).await, world.merchant().await);
    receipt_of(world.call("charge", top_up_in(mizu(), payer, "300")).await);
    let price = "215.10";
    let payment = payment_of(&world.call("pay", pay_in(mizu(), payer, merchant, price)).await.unwrap());
    let back = |key: &str, units: &str| world.call(key, refund_in(payment, units));
    assert_eq!(verdict(&back("more", "215.11").await), "REFUND_EXCEEDS_CAPTURED");
    for line in 0..10 {
        assert_eq!(verdict(&back(&format!("line {line}"), "21.51").await), "applied");
    }
    assert_eq!(verdict(&back("again", "0.01").await), "ILLEGAL_TRANSITION");
    assert_eq!(world.balance_in(payer, &mizu()).await, Decimal::from(330));
    world.finish().await;
}

/// A20: nothing, less than nothing and no number at all are no amounts, so no refund of them can be asked for.
#[test]
fn a_refund_of_nothing_can_not_be_asked_for() {
    for text in ["0", "-1", "0.00", "", "null", "-0"] {
        assert!(ledger::Amount::parse(text).is_err(), "{text:?}");
    }
    assert!(serde_json::from_str::<ledger::Amount>("null").is_err());
    assert!(serde_json::from_str::<ledger::Amount>("0").is_err());
}

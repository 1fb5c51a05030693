//! Many at once: nothing is lost, doubled, or refused for another reason than its own (MISSION B2, B3, C1).

use ledger::{Answer, Failure, postgres::payment};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::world::{Call, World, hana, pay, payment_of, refund, tally, together, top_up, top_up_hana, verdict};

#[sqlx::test(migrations = "../migrations")]
async fn two_hundred_debits_of_ten_on_a_thousand_apply_exactly_a_hundred(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let answers = together((0..200).map(|n| world.call(n, pay(payer, merchant, 10)))).await;
    assert_eq!(tally(&answers), [("INSUFFICIENT", 100), ("applied", 100)]);
    assert_eq!(world.balance(payer).await, Decimal::ZERO);
    assert_eq!(world.balance(merchant).await, Decimal::from(1000));
    world.finish().await;
}

/// Two servers contend for the same rows; waiting is never shown as a lack of money (A16).
#[sqlx::test(migrations = "../migrations")]
async fn two_servers_debit_a_rich_wallet_without_a_refusal(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(100_000).await, world.merchant().await);
    let other = world.other_server();
    let servers = [&world, &other];
    let answers = together((0..200).map(|n| servers[n % 2].call(n, pay(payer, merchant, 10)))).await;
    assert_eq!(tally(&answers), [("applied", 200)]);
    assert_eq!(world.balance(payer).await, Decimal::from(98_000));
    other.finish().await;
    world.finish().await;
}

/// A15: two tabs of one wallet.
#[sqlx::test(migrations = "../migrations")]
async fn two_tabs_can_not_spend_the_same_money(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let other = world.other_server();
    let answers = together([
        world.call(1, pay(payer, merchant, 800)),
        other.call(2, pay(payer, merchant, 800)),
    ])
    .await;
    assert_eq!(tally(&answers), [("INSUFFICIENT", 1), ("applied", 1)]);
    other.finish().await;
    world.finish().await;
}

/// A17: of 20 refunds that come together one is made.
#[sqlx::test(migrations = "../migrations")]
async fn twenty_parallel_full_refunds_apply_once(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    world.call("rich", pay(payer, merchant, 400)).await.unwrap();
    let payment = payment_of(&world.call("one", pay(payer, merchant, 500)).await.unwrap());
    let servers = [&world, &other];
    let answers = together((0..20).map(|n| servers[n % 2].call(n, refund(payment, 500)))).await;
    assert_eq!(tally(&answers), [("ILLEGAL_TRANSITION", 19), ("applied", 1)]);
    assert_eq!(world.balance(payer).await, Decimal::from(600));
    assert_eq!(world.balance(merchant).await, Decimal::from(400));
    other.finish().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn parallel_parts_never_refund_more_than_was_captured(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    world.call("rich", pay(payer, merchant, 900)).await.unwrap();
    let payment = payment_of(&world.call("one", pay(payer, merchant, 100)).await.unwrap());
    let answers = together((0..2).map(|n| world.call(n, refund(payment, 60)))).await;
    assert_eq!(tally(&answers), [("REFUND_EXCEEDS_CAPTURED", 1), ("applied", 1)]);
    let answers = together((2..9).map(|n| world.call(n, refund(payment, 10)))).await;
    assert_eq!(tally(&answers), [("ILLEGAL_TRANSITION", 3), ("applied", 4)]);
    let refunds = payment::refunds(world.ledger.pool(), world.tenant, payment)
        .await
        .unwrap();
    assert_eq!(
        refunds.iter().map(|refund| refund.amount).sum::<Decimal>(),
        Decimal::from(100)
    );
    world.finish().await;
}

/// A charge of 100 gives 10 more: nine fit below the cap of 1000, and the bonus of a tenth may not help it in.
#[sqlx::test(migrations = "../migrations")]
async fn parallel_charges_stop_at_the_cap(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let account = world.customer(0).await;
    let servers = [&world, &other];
    let answers = together((0..20).map(|n| servers[n % 2].call(n, top_up_hana(account, 100)))).await;
    assert_eq!(tally(&answers), [("CAP_EXCEEDED", 11), ("applied", 9)]);
    assert_eq!(world.balance_in(account, &hana()).await, Decimal::from(990));
    other.finish().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn the_cap_is_judged_on_the_charge_to_the_unit(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (one, other) = (world.customer(0).await, world.customer(0).await);
    assert_eq!(verdict(&world.call(1, top_up_hana(one, 1001)).await), "CAP_EXCEEDED");
    assert_eq!(verdict(&world.call(2, top_up_hana(one, 1000)).await), "applied");
    assert_eq!(world.balance_in(one, &hana()).await, Decimal::from(1100));
    assert_eq!(verdict(&world.call(3, top_up_hana(one, 1)).await), "CAP_EXCEEDED");
    // 550 after the first charge and its bonus: 450 more is exactly the cap.
    assert_eq!(verdict(&world.call(4, top_up_hana(other, 500)).await), "applied");
    assert_eq!(verdict(&world.call(5, top_up_hana(other, 451)).await), "CAP_EXCEEDED");
    assert_eq!(verdict(&world.call(6, top_up_hana(other, 450)).await), "applied");
    world.finish().await;
}

/// Each key goes to both servers, shuffled, with payments, refunds and charges that cross (T08, T11).
#[sqlx::test(migrations = "../migrations")]
async fn two_servers_with_the_same_keys_have_one_effect_each(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let (mut customers, mut merchants, mut payments) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..4 {
        customers.push(world.customer(10_000).await);
        merchants.push(world.merchant().await);
        let first = world
            .call(format!("first-{n}"), pay(customers[n], merchants[n], 1000))
            .await;
        payments.push(payment_of(&first.unwrap()));
    }
    let command = |n: usize| match n % 3 {
        0 => pay(customers[n % 4], merchants[n / 4 % 4], 10),
        1 => refund(payments[n % 4], 10),
        _ => top_up(customers[n / 4 % 4], 10),
    };
    // 0, 37, 74, .. modulo 120 is every number once, in another order.
    let there = (0..120).map(|n| world.call(n, command(n)));
    let back = (0..120).map(|n| n * 37 % 120).map(|n| other.call(n, command(n)));
    let calls: Vec<Call> = there.zip(back).flat_map(|(one, two)| [one, two]).collect();
    let answers = together(calls).await;
    assert_eq!(tally(&answers), [("applied", 240)]);
    let replayed = answers.iter().flatten().filter(|answer| answer.replayed).count();
    assert_eq!(replayed, 120);
    assert_eq!(
        world
            .count("select count(*) from ledger.transaction where marker_key ~ '^[0-9]+$'")
            .await,
        120
    );
    other.finish().await;
    world.finish().await;
}

/// New wallets and stores have no balance rows yet: servers that make the same rows at once wait for each other.
#[sqlx::test(migrations = "../migrations")]
async fn two_servers_open_the_same_balances(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    for round in 0..10 {
        let (one, two) = (world.customer(0).await, world.customer(0).await);
        let calls = [
            world.call(format!("{round}a"), top_up(one, 10)),
            other.call(format!("{round}b"), top_up(two, 10)),
            world.call(format!("{round}c"), top_up(two, 10)),
            other.call(format!("{round}d"), top_up(one, 10)),
        ];
        assert_eq!(tally(&together(calls).await), [("applied", 4)]);
    }
    other.finish().await;
    world.finish().await;
}

/// A town that always has something to do takes turns with another for the only connection.
#[sqlx::test(migrations = "../migrations")]
async fn a_busy_town_leaves_the_connection_to_others(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_connections(options, 1).await;
    let neighbour = world.neighbour().await;
    let (payer, merchant) = (world.customer(1_000_000).await, world.merchant().await);
    let account = neighbour.customer(0).await;
    let done = Arc::new(AtomicBool::new(false));
    let busy = (0..4).map(|client| {
        let (ledger, tenant, done) = (world.ledger.clone(), world.tenant, done.clone());
        tokio::spawn(async move {
            for n in (0..).take_while(|_| !done.load(Ordering::Relaxed)) {
                let key = crate::world::key(format!("{client}-{n}"));
                let paid = ledger.submit(tenant, crate::world::ASKER, &key, pay(payer, merchant, 1));
                assert_eq!(verdict(&paid.await), "applied");
            }
        })
    });
    let busy: Vec<_> = busy.collect();
    for n in 0..20 {
        assert_eq!(verdict(&neighbour.call(n, top_up(account, 10)).await), "applied");
    }
    done.store(true, Ordering::Relaxed);
    for client in busy {
        client.await.unwrap();
    }
    world.finish().await;
}

/// What was planned while a table was nearly empty is still a look-up by key when it is not.
#[sqlx::test(migrations = "../migrations")]
async fn a_batch_reads_no_markers_but_its_own(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::with_connections(options, 1).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    world
        .run("alter table ledger.marker set (autovacuum_enabled = off)")
        .await;
    assert_eq!(verdict(&world.call("first", pay(payer, merchant, 1)).await), "applied");
    world
        .run(
            "insert into ledger.marker
             select tenant_id, actor, 'old-' || n, kind, fingerprint, verdict, body, created_at, expires_at
             from ledger.marker, generate_series(1, 10000) n where key = 'first'",
        )
        .await;
    for n in 0..10 {
        assert_eq!(verdict(&world.call(n, pay(payer, merchant, 1)).await), "applied");
    }
    // A session reports what it read when it ends.
    world.ledger.pool().close().await;
    let read = "select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'marker')::bigint
                    + (select seq_tup_read from pg_stat_user_tables where relname = 'marker')";
    let read = world.count(read).await;
    assert!(read < 1000, "{read} markers were read for twelve payments");
    world.run("delete from ledger.marker where key like 'old-%'").await;
    world.finish().await;
}

/// Callers that each wait for their answer before they ask again, as people do.
#[sqlx::test(migrations = "../migrations")]
async fn eight_clients_pay_and_refund_in_turn(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let clients = (0..8).map(|client| {
        let (ledger, tenant) = (world.ledger.clone(), world.tenant);
        let call: Call = Box::pin(async move {
            let submit = |step: String, command| {
                let ledger = ledger.clone();
                async move {
                    ledger
                        .submit(tenant, crate::world::ASKER, &crate::world::key(step), command)
                        .await
                }
            };
            let mut last: Result<Answer, Failure> = Err(Failure::Unknown);
            for round in 0..10 {
                let paid = submit(format!("{client}-{round}-pay"), pay(payer, merchant, 100)).await?;
                last = submit(format!("{client}-{round}-refund"), refund(payment_of(&paid), 100)).await;
            }
            last
        });
        call
    });
    assert_eq!(tally(&together(clients).await), [("applied", 8)]);
    assert_eq!(world.balance(payer).await, Decimal::from(1000));
    world.finish().await;
}

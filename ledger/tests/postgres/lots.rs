//! Value that expires: spent soonest first, restored where it came from, taken once.

use ledger::{
    AccountId, Receipt, TransactionId,
    money::Instant,
    postgres::{balance, lot, report},
};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::world::{
    World, cancel_top_up, expire, grant, mizu, pay_in, payment_of, receipt_of, refund, reverse, tally, together,
    top_up_in, transfer, verdict,
};

impl World {
    /// What remains of each lot of an account, soonest expiry first: `free 20` or `paid 100`.
    async fn lots(&self, account: AccountId) -> Vec<String> {
        let sql = format!(
            "select case when paid then 'paid ' else 'free ' end || trim_scale(remaining) from ledger.lot
             where account_id = '{account}' and remaining > 0 order by expires_at, paid"
        );
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .fetch_all(&mut self.session().await)
            .await
            .unwrap()
    }
}

fn later(days: i64) -> Instant {
    #[expect(clippy::disallowed_methods, reason = "a server whose clock runs ahead")]
    let now = chrono::Utc::now();
    now + chrono::TimeDelta::days(days)
}

fn in_ten_days() -> Instant {
    later(10)
}

fn in_thirty_five_days() -> Instant {
    later(35)
}

#[sqlx::test(migrations = "../migrations")]
async fn what_expires_first_is_spent_first_and_comes_back_where_it_was(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let ten_days_on = world.server_at(in_ten_days);
    let (payer, merchant) = (world.customer(0).await, world.merchant().await);
    receipt_of(world.call("old", top_up_in(mizu(), payer, "100")).await);
    receipt_of(ten_days_on.call("new", top_up_in(mizu(), payer, "50")).await);
    assert_eq!(world.lots(payer).await, ["free 10", "paid 100", "free 5", "paid 50"]);
    let payment = payment_of(&world.call("pay", pay_in(mizu(), payer, merchant, "112")).await.unwrap());
    assert_eq!(world.lots(payer).await, ["free 3", "paid 50"]);
    receipt_of(ten_days_on.call("part", refund(payment, 4)).await);
    assert_eq!(world.lots(payer).await, ["paid 2", "free 5", "paid 50"]);
    receipt_of(ten_days_on.call("rest", refund(payment, 108)).await);
    assert_eq!(world.lots(payer).await, ["free 10", "paid 100", "free 5", "paid 50"]);
    ten_days_on.ledger.close().await;
    world.finish().await;
}

/// A18: 700 paid from lots of 500 and 500 leaves 300.
#[sqlx::test(migrations = "../migrations")]
async fn two_lots_of_one_payment_are_not_both_emptied(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let ten_days_on = world.server_at(in_ten_days);
    let (payer, merchant) = (world.customer(0).await, world.merchant().await);
    receipt_of(world.call("one", grant(payer, mizu(), 500)).await);
    receipt_of(ten_days_on.call("two", grant(payer, mizu(), 500)).await);
    receipt_of(world.call("pay", pay_in(mizu(), payer, merchant, "700")).await);
    assert_eq!(world.lots(payer).await, ["free 300"]);
    assert_eq!(world.balance_in(payer, &mizu()).await, Decimal::from(300));
    ten_days_on.ledger.close().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn what_has_expired_is_taken_once_whoever_asks(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let late = world.server_at(in_thirty_five_days);
    let (payer, merchant) = (world.customer(0).await, world.merchant().await);
    receipt_of(world.call("charge", top_up_in(mizu(), payer, "100")).await);
    assert_eq!(
        verdict(&world.call("early", expire(payer, mizu())).await),
        "NOTHING_EXPIRED"
    );
    assert_eq!(
        verdict(&late.call("pay", pay_in(mizu(), payer, merchant, "0.01")).await),
        "INSUFFICIENT"
    );
    let calls = (0..10).map(|n| late.call(n, expire(payer, mizu())));
    let answers = together(calls.collect::<Vec<_>>()).await;
    assert_eq!(tally(&answers), [("NOTHING_EXPIRED", 9), ("applied", 1)]);
    assert_eq!(world.balance_in(payer, &mizu()).await, Decimal::ZERO);
    late.ledger.close().await;
    world.finish().await;
}

/// An empty lot is deleted after its time, never while a batch uses it, and is there again for what comes back.
#[sqlx::test(migrations = "../migrations")]
async fn what_comes_back_to_a_deleted_lot_makes_it_again(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let late = world.server_at(in_thirty_five_days);
    let (payer, merchant) = (world.customer(0).await, world.merchant().await);
    receipt_of(world.call("charge", top_up_in(mizu(), payer, "100")).await);
    let payment = payment_of(&world.call("pay", pay_in(mizu(), payer, merchant, "110")).await.unwrap());
    let sweep = |at| lot::sweep(world.ledger.pool(), world.tenant, at);
    assert_eq!(sweep(later(0)).await.unwrap(), 0);
    let mut batch = world.session().await;
    let lock = format!("begin; select from ledger.balance where account_id = '{payer}' for update");
    sqlx::raw_sql(sqlx::AssertSqlSafe(lock))
        .execute(&mut batch)
        .await
        .unwrap();
    assert_eq!(sweep(in_thirty_five_days()).await.unwrap(), 0);
    sqlx::raw_sql("rollback").execute(&mut batch).await.unwrap();
    assert_eq!(sweep(in_thirty_five_days()).await.unwrap(), 2);
    receipt_of(late.call("part", refund(payment, 30)).await);
    assert_eq!(world.lots(payer).await, ["paid 30"]);
    late.ledger.close().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_transfer_moves_lots_with_their_expiry_and_back(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let ten_days_on = world.server_at(in_ten_days);
    let (giver, taker) = (world.customer(0).await, world.customer(0).await);
    receipt_of(world.call("charge", top_up_in(mizu(), giver, "100")).await);
    let Receipt::Movement(moved) = receipt_of(ten_days_on.call("give", transfer(giver, taker, mizu(), "60.50")).await)
    else {
        panic!("a movement")
    };
    assert_eq!(world.lots(taker).await, ["free 10", "paid 50.5"]);
    let same_end = "select count(distinct expires_at) from ledger.lot";
    assert_eq!(world.count(same_end).await, 1);
    let undo = || reverse(moved.transaction_id);
    let answers = together((0..8).map(|n| world.call(n, undo())).collect::<Vec<_>>()).await;
    assert_eq!(tally(&answers), [("ALREADY_REVERSED", 7), ("applied", 1)]);
    assert_eq!(world.lots(giver).await, ["free 10", "paid 100"]);
    let unknown = world
        .call("unknown", reverse(TransactionId(uuid::Uuid::from_u128(7))))
        .await;
    assert_eq!(verdict(&unknown), "NOT_FOUND");
    ten_days_on.ledger.close().await;
    world.finish().await;
}

/// What was paid for is told apart from what was given, to the end.
#[sqlx::test(migrations = "../migrations")]
async fn a_report_tells_paid_value_from_free(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let late = world.server_at(in_thirty_five_days);
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    receipt_of(world.call("charge", top_up_in(mizu(), payer, "200")).await);
    receipt_of(world.call("gift", grant(payer, mizu(), 30)).await);
    receipt_of(world.call("pay", pay_in(mizu(), payer, merchant, "120")).await);
    receipt_of(world.call("buy", crate::world::pay(payer, merchant, 500)).await);
    receipt_of(world.call("payout", crate::world::settle(merchant, 100)).await);
    let issues = report::issues(world.ledger.pool(), world.tenant).await.unwrap();
    let of = |code| issues.iter().find(|issue| issue.asset == code).unwrap();
    let money = |units: i64| Decimal::from(units);
    let water = of(mizu());
    // The bonus is 20; what was given is spent before what was paid.
    assert_eq!((water.paid, water.free), (money(200), money(50)));
    assert_eq!((water.unspent_paid, water.unspent_free), (money(130), money(0)));
    let main = of(ledger::AssetCode::main());
    assert_eq!(
        (main.paid, main.free, main.paid_out),
        (money(1000), money(0), money(100))
    );
    assert_eq!(of(ledger::AssetCode::point()).free, money(5));
    let circulation = balance::in_circulation(world.ledger.pool(), world.tenant)
        .await
        .unwrap();
    for issue in &issues {
        assert_eq!(issue.in_circulation(), circulation[&issue.asset], "{}", issue.asset);
    }
    receipt_of(late.call("expire", expire(payer, mizu())).await);
    let issues = report::issues(world.ledger.pool(), world.tenant).await.unwrap();
    let water = issues.iter().find(|issue| issue.asset == mizu()).unwrap();
    assert_eq!((water.expired, water.unspent_paid), (money(130), money(0)));
    late.ledger.close().await;
    world.finish().await;
}

/// A17, of charges: 20 cancellations that come together take it back once.
#[sqlx::test(migrations = "../migrations")]
async fn twenty_parallel_cancellations_of_a_charge_apply_once(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let other = world.other_server();
    let payer = world.customer(0).await;
    for asset in [mizu(), crate::world::hana()] {
        let Receipt::TopUp(charged) = receipt_of(
            world
                .call(format!("charge {asset}"), top_up_in(asset.clone(), payer, "100"))
                .await,
        ) else {
            panic!("a top-up")
        };
        let calls = (0..20).map(|n| {
            let server = if n % 2 == 0 { &world } else { &other };
            server.call(format!("{asset} {n}"), cancel_top_up(charged.top_up_id))
        });
        let answers = together(calls.collect::<Vec<_>>()).await;
        assert_eq!(tally(&answers), [("ALREADY_REVERSED", 19), ("applied", 1)]);
        assert_eq!(world.balance_in(payer, &asset).await, Decimal::ZERO);
    }
    assert_eq!(world.lots(payer).await, Vec::<String>::new());
    other.ledger.close().await;
    world.finish().await;
}

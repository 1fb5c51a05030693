//! Limits: judged on the locked usage, so calls that come together can't pass together; and never negative.

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::world::{World, authorize, mizu, pay, tally, together, top_up, transfer, verdict};

#[sqlx::test(migrations = "../migrations")]
async fn fifty_concurrent_payments_pass_the_day_s_limit_together_once(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    world.limit("pay", "per_day, per_month", "1000, 50000").await;
    let other = world.other_server();
    let (payer, merchant) = (world.customer(100_000).await, world.merchant().await);
    let calls = (0..50).map(|n| {
        let server = if n % 2 == 0 { &world } else { &other };
        match n % 3 {
            0 => server.call(n, authorize(payer, merchant, 100)),
            _ => server.call(n, pay(payer, merchant, 100)),
        }
    });
    let answers = together(calls.collect::<Vec<_>>()).await;
    assert_eq!(tally(&answers), [("LIMIT_EXCEEDED", 40), ("applied", 10)]);
    // Another's limit is another's.
    let friend = world.customer(1000).await;
    assert_eq!(
        verdict(&world.call("friend", pay(friend, merchant, 1000)).await),
        "applied"
    );
    other.ledger.close().await;
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn of_charges_that_come_together_one_keeps_the_interval(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let payer = world.customer(0).await;
    world
        .limit("top_up", "min_interval_s, per_operation", "3600, 500")
        .await;
    assert_eq!(verdict(&world.call("much", top_up(payer, 501)).await), "LIMIT_EXCEEDED");
    let answers = together((0..50).map(|n| world.call(n, top_up(payer, 10))).collect::<Vec<_>>()).await;
    assert_eq!(tally(&answers), [("TOO_SOON", 49), ("applied", 1)]);
    world.finish().await;
}

/// A limit is of one asset: what has none is not limited.
#[sqlx::test(migrations = "../migrations")]
async fn an_asset_without_a_limit_has_none(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    world.limit("transfer", "per_operation", "1").await;
    let (giver, taker) = (world.customer(0).await, world.customer(0).await);
    let charge = crate::world::top_up_in(mizu(), giver, "100");
    assert_eq!(verdict(&world.call("charge", charge).await), "applied");
    let given = world.call("give", transfer(giver, taker, mizu(), "100")).await;
    assert_eq!(verdict(&given), "applied");
    world.finish().await;
}

/// A27: a negative or empty bound can't be stored, whatever the door.
#[sqlx::test(migrations = "../migrations")]
async fn no_limit_cap_or_amount_is_negative(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    for text in ["-1000", "-0", "0", "0.00"] {
        assert!(ledger::Amount::parse(text).is_err(), "{text}");
        let limit = format!(r#"{{"per_operation":null,"per_day":"{text}","per_month":null,"min_interval_s":null}}"#);
        assert!(serde_json::from_str::<ledger::Limit>(&limit).is_err(), "{text}");
    }
    let tenant = world.tenant;
    let mut session = world.session().await;
    for (constraint, column) in [
        ("operation_limit_per_operation_positive", "per_operation"),
        ("operation_limit_per_day_positive", "per_day"),
        ("operation_limit_per_month_positive", "per_month"),
        ("operation_limit_interval_positive", "min_interval_s"),
    ] {
        let sql = format!(
            "insert into ledger.operation_limit (tenant_id, asset_code, kind, {column})
             values ('{tenant}', 'ECOPAY', 'pay', -1000)"
        );
        let refused = sqlx::query(sqlx::AssertSqlSafe(sql))
            .execute(&mut session)
            .await
            .unwrap_err();
        assert_eq!(
            refused.as_database_error().and_then(|error| error.constraint()),
            Some(constraint)
        );
    }
    drop(session);
    world.finish().await;
}

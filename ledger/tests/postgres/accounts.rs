//! Who may act on what: frozen accounts, and payments of others (MISSION H4).

use ledger::{
    AccountStatus, AssetCode, Failure, PaymentId,
    postgres::{account, balance, entry, payment},
};
use rust_decimal::Decimal;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use uuid::Uuid;

use crate::world::{World, at, pay, payment_of, receipt_of, refund, set_status, top_up, verdict};

#[sqlx::test(migrations = "../migrations")]
async fn a_frozen_account_neither_pays_nor_is_paid(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let payment = payment_of(&world.call("before", pay(payer, merchant, 100)).await.unwrap());
    for frozen in [payer, merchant] {
        receipt_of(
            world
                .call(format!("freeze-{frozen}"), set_status(frozen, AccountStatus::Frozen))
                .await,
        );
        for (name, command) in [("pay", pay(payer, merchant, 1)), ("refund", refund(payment, 1))] {
            assert_eq!(
                verdict(&world.call(format!("{frozen}-{name}"), command).await),
                "ACCOUNT_FROZEN"
            );
        }
        receipt_of(
            world
                .call(format!("thaw-{frozen}"), set_status(frozen, AccountStatus::Active))
                .await,
        );
        // What was declined stays declined; a new wish is granted.
        assert_eq!(
            verdict(&world.call(format!("{frozen}-pay"), pay(payer, merchant, 1)).await),
            "ACCOUNT_FROZEN"
        );
        assert_eq!(
            verdict(&world.call(format!("{frozen}-again"), pay(payer, merchant, 1)).await),
            "applied"
        );
    }
    let empty = world.customer(0).await;
    receipt_of(world.call("close", set_status(empty, AccountStatus::Closed)).await);
    assert_eq!(verdict(&world.call("charge", top_up(empty, 1)).await), "ACCOUNT_FROZEN");
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn an_unknown_account_can_not_be_frozen(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let neighbour = world.neighbour().await;
    let stranger = neighbour.customer(10).await;
    let frozen = world.call("freeze", set_status(stranger, AccountStatus::Frozen)).await;
    assert_eq!(frozen, Err(Failure::NotFound("account")));
    assert_eq!(verdict(&neighbour.call("one", top_up(stranger, 1)).await), "applied");
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_payment_of_another_tenant_can_not_be_refunded(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let neighbour = world.neighbour().await;
    let (payer, merchant) = (neighbour.customer(1000).await, neighbour.merchant().await);
    let payment = payment_of(&neighbour.call("one", pay(payer, merchant, 100)).await.unwrap());
    for foreign in [payment, PaymentId(Uuid::from_u128(0xdead))] {
        assert_eq!(
            world.call("one", refund(foreign, 100)).await,
            Err(Failure::NotFound("payment"))
        );
    }
    assert_eq!(neighbour.balance(merchant).await, Decimal::from(100));
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn nothing_of_one_tenant_is_read_by_another(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let neighbour = world.neighbour().await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let id = payment_of(&world.call("one", pay(payer, merchant, 100)).await.unwrap());
    world.call("two", refund(id, 10)).await.unwrap();
    let (db, other) = (world.ledger.pool(), neighbour.tenant);
    let (from, to) = (at("2000-01-01T00:00:00Z"), at("2100-01-01T00:00:00Z"));
    assert_eq!(account::find(db, other, payer).await, Ok(None));
    assert_eq!(balance::of_account(db, other, payer).await.unwrap().len(), 0);
    assert_eq!(
        balance::in_circulation(db, other).await.unwrap()[&AssetCode::main()],
        Decimal::ZERO
    );
    assert_eq!(entry::of_account(db, other, payer, None, 10).await, Ok(vec![]));
    assert_eq!(payment::find(db, other, id).await, Ok(None));
    assert_eq!(payment::of_merchant(db, other, merchant, None, 10).await, Ok(vec![]));
    assert_eq!(payment::sales(db, other, merchant, from, to).await, Ok(vec![]));
    assert_eq!(payment::events(db, other, id).await, Ok(vec![]));
    assert_eq!(payment::refunds(db, other, id).await, Ok(vec![]));
    world.finish().await;
}

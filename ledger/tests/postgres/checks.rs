//! `verify` finds what it is there to find: each breach is planted with the database's own guards switched off.

use ledger::SystemAccount;
use sqlx::{
    ConnectOptions, Executor,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::time::Duration;

use crate::world::{World, pay, payment_of, refund, top_up_hana};

/// Check, breach, and how it is undone; {t}, {payer}, {funding} and {bonus} stand for ids.
const BREACHES: [(&str, &str, &str); 13] = [
    (
        "I1 all entries of an asset sum to zero",
        "update ledger.entry set amount = amount - 1 where account_id = '{funding}'",
        "update ledger.entry set amount = amount + 1 where account_id = '{funding}'",
    ),
    (
        "I2 every balance is the sum of its entries",
        "update ledger.balance set amount = amount + 1 where account_id = '{payer}' and asset_code = 'POINT'",
        "update ledger.balance set amount = amount - 1 where account_id = '{payer}' and asset_code = 'POINT'",
    ),
    (
        "I2 every entry's balance after follows from the entry before it",
        "update ledger.entry set balance_after = balance_after + 1 where account_id = '{payer}' and asset_code = 'POINT'",
        "update ledger.entry set balance_after = balance_after - 1 where account_id = '{payer}' and asset_code = 'POINT'",
    ),
    (
        "I3 every transaction has two legs or more that sum to zero per asset",
        "insert into ledger.transaction values ('{t}', '{payer}', 'pay', '{payer}', 'a', 'ghost', now())",
        "delete from ledger.transaction where marker_key = 'ghost'",
    ),
    (
        "I3 every transaction has two legs or more that sum to zero per asset",
        "update ledger.entry set amount = amount - 1 where account_id = '{bonus}'",
        "update ledger.entry set amount = amount + 1 where account_id = '{bonus}'",
    ),
    (
        "I3 every entry belongs to a transaction and an account of its tenant",
        "insert into ledger.entry values ('{t}', '{payer}', 0, '{funding}', 'ECOPAY', 1, null, now()),
             ('{t}', '{payer}', 1, '{funding}', 'ECOPAY', -1, null, now())",
        "delete from ledger.entry where transaction_id = '{payer}'",
    ),
    (
        "I4 no balance is negative",
        "alter table ledger.balance drop constraint balance_not_negative;
         update ledger.balance set amount = amount - 5000 where account_id = '{payer}' and asset_code = 'ECOPAY'",
        "update ledger.balance set amount = amount + 5000 where account_id = '{payer}' and asset_code = 'ECOPAY'",
    ),
    (
        "I5 no charge lifted a balance over its cap",
        "update ledger.top_up set balance_after = balance_after + 1 where asset_code = 'REGIONAL#hana'",
        "update ledger.top_up set balance_after = balance_after - 1 where asset_code = 'REGIONAL#hana'",
    ),
    (
        "I6 every success has exactly one transaction, every rejection none",
        "update ledger.marker set verdict = 'rejected' where key = 'pay'",
        "update ledger.marker set verdict = 'applied' where key = 'pay'",
    ),
    (
        "I6 every success has exactly one transaction, every rejection none",
        "insert into ledger.marker values ('{t}', 'a', 'ghost', 'pay', sha256('ghost'), 'applied', '{}', now(), now())",
        "delete from ledger.marker where key = 'ghost'",
    ),
    (
        "I6 no transaction without its marker, no two of one key",
        "update ledger.marker set key = 'ghost' where key = 'pay'",
        "update ledger.marker set key = 'pay' where key = 'ghost'",
    ),
    (
        "I9 a payment's events are a chain of allowed moves that ends at its status",
        "update ledger.payment_event set to_status = 'authorized' where from_status is null",
        "update ledger.payment_event set to_status = 'captured' where from_status is null",
    ),
    (
        "I10 captured and refunded agree with the entries and the refunds",
        "update ledger.refund set amount = amount + 1",
        "update ledger.refund set amount = amount - 1",
    ),
];

#[sqlx::test(migrations = "../migrations")]
async fn every_check_finds_its_planted_breach(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let payment = payment_of(&world.call("pay", pay(payer, merchant, 500)).await.unwrap());
    world.call("refund", refund(payment, 200)).await.unwrap();
    // Exactly the cap, so that one unit more breaks it.
    world.call("charge", top_up_hana(payer, 1000)).await.unwrap();
    assert_eq!(world.broken().await, []);
    let in_this_town = |statement: &str| {
        let statement = statement
            .replace("{t}", &world.tenant.to_string())
            .replace("{payer}", &payer.to_string())
            .replace("{funding}", &SystemAccount::Funding.id().to_string())
            .replace("{bonus}", &SystemAccount::Bonus.id().to_string());
        format!("set session_replication_role = replica; {statement}")
    };
    for (name, breach, undo) in BREACHES {
        world.run(in_this_town(breach)).await;
        let found = world.broken().await;
        let check = found
            .iter()
            .find(|check| check.name == name)
            .unwrap_or_else(|| panic!("{name}: {found:?}"));
        assert!(check.sample.is_some());
        world.run(in_this_town(undo)).await;
        assert_eq!(world.broken().await, [], "after {name}");
    }
    world.finish().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_session_left_in_a_transaction_is_found(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let mut session = world.options.clone().application_name("koban").connect().await.unwrap();
    session.execute("begin").await.unwrap();
    let found = loop {
        match world.broken().await {
            found if found.is_empty() => tokio::time::sleep(Duration::from_millis(100)).await,
            found => break found,
        }
    };
    assert_eq!(
        found[0].name,
        "I16 no session is left idle inside a database transaction"
    );
    session.execute("rollback").await.unwrap();
    world.finish().await;
}

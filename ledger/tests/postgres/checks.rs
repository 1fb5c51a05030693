//! `verify` finds what it is there to find: each breach is planted with the database's own guards switched off.

use ledger::{Receipt, SystemAccount, command::Direction};
use sqlx::{
    ConnectOptions, Executor,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::time::Duration;

use crate::world::{
    SOMEBODY_ELSE, World, apply_adjustment, authorize, mizu, pay, payment_of, propose, receipt_of, refund, settle,
    top_up_hana, top_up_in,
};

/// Check, breach, and how it is undone; {t}, {payer}, {funding} and {bonus} stand for ids.
const BREACHES: [(&str, &str, &str); 24] = [
    (
        "I1 all entries of an asset sum to zero",
        "update ledger.entry set amount = amount - 1 where account_id = '{funding}'",
        "update ledger.entry set amount = amount + 1 where account_id = '{funding}'",
    ),
    (
        "I2 every balance is the sum of its entries, lane by lane",
        "update ledger.balance set amount = amount + 1 where account_id = '{payer}' and asset_code = 'POINT'",
        "update ledger.balance set amount = amount - 1 where account_id = '{payer}' and asset_code = 'POINT'",
    ),
    (
        "I2 every entry's balance after follows from the entry before it",
        "update ledger.entry set balance_after = balance_after + 1 where account_id = '{payer}' and asset_code = 'POINT'",
        "update ledger.entry set balance_after = balance_after - 1 where account_id = '{payer}' and asset_code = 'POINT'",
    ),
    (
        "I3 every transaction that moves something has two legs or more, and all sum to zero per asset",
        "insert into ledger.transaction values ('{t}', '{payer}', 'pay', '{payer}', 'a', 'ghost', now())",
        "delete from ledger.transaction where marker_key = 'ghost'",
    ),
    (
        "I3 every transaction that moves something has two legs or more, and all sum to zero per asset",
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
        "I4 no balance is negative, and none is held beyond it",
        "alter table ledger.balance drop constraint balance_not_negative, drop constraint balance_spares_what_is_held;
         update ledger.balance set amount = amount - 5000 where account_id = '{payer}' and asset_code = 'ECOPAY'",
        "update ledger.balance set amount = amount + 5000 where account_id = '{payer}' and asset_code = 'ECOPAY'",
    ),
    (
        "I4 a closed account holds and owes nothing",
        "update ledger.account set status = 'closed' where account_id = '{payer}'",
        "update ledger.account set status = 'active' where account_id = '{payer}'",
    ),
    (
        "I4 what balances hold is what payments hold",
        "update ledger.balance set held = held + 1 where account_id = '{payer}' and asset_code = 'ECOPAY'",
        "update ledger.balance set held = held - 1 where account_id = '{payer}' and asset_code = 'ECOPAY'",
    ),
    (
        "I4 what accounts owe of points is what refunds left owing and purchases did not pay yet",
        "update ledger.balance set owed = owed + 1 where account_id = '{payer}' and asset_code = 'POINT'",
        "update ledger.balance set owed = owed - 1 where account_id = '{payer}' and asset_code = 'POINT'",
    ),
    (
        "F3 a customer's balance of what expires is the sum of its lots",
        "update ledger.lot set remaining = remaining + 1 where paid",
        "update ledger.lot set remaining = remaining - 1 where paid",
    ),
    (
        "F3 every lot is the sum of its uses",
        "update ledger.lot_use set amount = amount + 1 where paid",
        "update ledger.lot_use set amount = amount - 1 where paid",
    ),
    (
        "F2 nobody applied a correction that he proposed, and each is in the books once",
        "alter table ledger.adjustment drop constraint adjustment_takes_two;
         update ledger.adjustment set decided_by = proposed_by where status = 'applied'",
        "update ledger.adjustment set decided_by = 'somebody else' where status = 'applied'",
    ),
    (
        "F2 nobody applied a correction that he proposed, and each is in the books once",
        "update ledger.adjustment set status = 'declined' where status = 'applied'",
        "update ledger.adjustment set status = 'applied' where status = 'declined'",
    ),
    (
        "F3 a payout is in the books, and put back if it failed",
        "update ledger.payout set status = 'failed', reason = 'r' where status = 'paid'",
        "update ledger.payout set status = 'paid', reason = null where status = 'failed'",
    ),
    (
        "I3 every transaction that moves something has two legs or more, and all sum to zero per asset",
        "update ledger.transaction set kind = 'pay' where kind = 'authorize'",
        "update ledger.transaction set kind = 'authorize' where kind = 'pay' and transaction_id not in
             (select transaction_id from ledger.entry)",
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
        "I6 no transaction without its marker, no two of one key",
        "insert into ledger.transaction
             select tenant_id, '{payer}', kind, subject_id, actor, marker_key, occurred_at + interval '88 days'
             from ledger.transaction where marker_key = 'pay'",
        "delete from ledger.transaction where transaction_id = '{payer}'",
    ),
    (
        "I6 no transaction without its marker, no two of one key",
        "insert into ledger.transaction
             select tenant_id, planted.id, 'pay', '{payer}', 'a', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
                 now() - planted.age
             from ledger.tenant, (values ('{payer}'::uuid, interval '1 year'), ('{bonus}', '2 years'))
                 as planted (id, age)",
        "delete from ledger.transaction where actor = 'a'",
    ),
    (
        "I9 a payment's events are a chain of allowed moves that ends at its status",
        "update ledger.payment_event set to_status = 'authorized' where from_status is null
             and payment_id in (select payment_id from ledger.refund)",
        "update ledger.payment_event set to_status = 'captured' where from_status is null
             and payment_id in (select payment_id from ledger.refund)",
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
    // Something of each kind, so that no check passes for want of rows.
    world.call("hold", authorize(payer, merchant, 100)).await.unwrap();
    world.call("lots", top_up_in(mizu(), payer, "100.00")).await.unwrap();
    world.call("payout", settle(merchant, 50)).await.unwrap();
    let Receipt::Adjustment(proposed) = receipt_of(world.call("propose", propose(payer, Direction::Add, 5)).await)
    else {
        panic!("a proposal answers with its correction")
    };
    let applied = world.call_as(SOMEBODY_ELSE, "apply", apply_adjustment(proposed.adjustment_id));
    applied.await.unwrap();
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

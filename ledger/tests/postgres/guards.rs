//! What the database itself refuses, whoever writes: the structure, not the care of a program, keeps the books.

use ledger::{PaymentStatus, payment::MOVES};
use sqlx::{
    AssertSqlSafe, Executor,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::world::{World, pay, payment_of, refund};

/// restrict_violation: a table that only grows.
const APPEND_ONLY: &str = "23001";

/// Constraint (or SQLSTATE) and the statement that it refuses; {t}, {payer} and {payment} stand for ids.
const REFUSED: [(&str, &str); 72] = [
    (
        "balance_not_negative",
        "update ledger.balance set amount = amount - 100000 where account_id = '{payer}'",
    ),
    (
        "balance_account",
        "insert into ledger.balance values ('{t}', gen_random_uuid(), 'ECOPAY', 0, 0, now())",
    ),
    (
        "balance_asset",
        "insert into ledger.balance values ('{t}', '{payer}', 'JCREDIT', 0, 0, now())",
    ),
    (
        "balance_lane_range",
        "insert into ledger.balance values ('{t}', '{payer}', 'ECOPAY', -1, 0, now())",
    ),
    (
        "balance_pkey",
        "insert into ledger.balance values ('{t}', '{payer}', 'ECOPAY', 0, 0, now())",
    ),
    (
        "entry_sums_to_zero",
        "insert into ledger.entry values ('{t}', gen_random_uuid(), 0, '{payer}', 'ECOPAY', 5, 5, now())",
    ),
    (
        "entry_sums_to_zero",
        "insert into ledger.entry select '{t}', '{payment}', leg, '{payer}', asset, amount, null, now()
         from (values (0, 'ECOPAY', -5), (1, 'POINT', 5)) as legs (leg, asset, amount)",
    ),
    (
        "entry_not_zero",
        "insert into ledger.entry values ('{t}', gen_random_uuid(), 0, '{payer}', 'ECOPAY', 0, 0, now())",
    ),
    (
        "entry_balance_not_negative",
        "insert into ledger.entry values ('{t}', gen_random_uuid(), 0, '{payer}', 'ECOPAY', -5, -5, now())",
    ),
    (
        "entry_leg_range",
        "insert into ledger.entry values ('{t}', gen_random_uuid(), -1, '{payer}', 'ECOPAY', 5, 5, now())",
    ),
    ("entry_pkey", "insert into ledger.entry select * from ledger.entry"),
    (
        "transaction_kind_known",
        "insert into ledger.transaction values ('{t}', gen_random_uuid(), 'gift', '{payment}', 'a', 'k', now())",
    ),
    (
        "transaction_pkey",
        "insert into ledger.transaction select * from ledger.transaction",
    ),
    ("payment_amount_positive", "update ledger.payment set amount = 0"),
    (
        "payment_captured_within_amount",
        "update ledger.payment set captured = amount + 1",
    ),
    (
        "payment_refunded_within_captured",
        "update ledger.payment set refunded = captured + 1",
    ),
    (
        "payment_refunded_within_captured",
        "update ledger.payment set refunded = -1",
    ),
    (
        "payment_points_not_negative",
        "update ledger.payment set points_earned = -1",
    ),
    (
        "payment_points_returned_within_earned",
        "update ledger.payment set points_returned = points_earned + 1",
    ),
    ("payment_status_agrees", "update ledger.payment set refunded = 0"),
    ("payment_status_agrees", "update ledger.payment set refunded = captured"),
    ("payment_status_agrees", "update ledger.payment set status = 'refunded'"),
    (
        "payment_move_allowed",
        "update ledger.payment set status = 'captured', refunded = 0",
    ),
    (
        "payment_move_allowed",
        "update ledger.payment set status = 'voided', captured = 0, refunded = 0",
    ),
    ("payment_move_allowed", "update ledger.payment set status = 'gone'"),
    (
        "payment_event_move_allowed",
        "insert into ledger.payment_event values ('{t}', '{payment}', gen_random_uuid(), 'refunded', 'captured', 'a', null, now())",
    ),
    (
        "payment_event_move_allowed",
        "insert into ledger.payment_event values ('{t}', '{payment}', gen_random_uuid(), null, 'refunded', 'a', null, now())",
    ),
    (
        "refund_amount_positive",
        "insert into ledger.refund values ('{t}', gen_random_uuid(), '{payment}', 0, 0, 'r', 'a', now())",
    ),
    (
        "refund_points_not_negative",
        "insert into ledger.refund values ('{t}', gen_random_uuid(), '{payment}', 1, -1, 'r', 'a', now())",
    ),
    (
        "top_up_amount_positive",
        "insert into ledger.top_up values ('{t}', gen_random_uuid(), '{payer}', 'ECOPAY', -1000, 0, 0, 'a', now())",
    ),
    (
        "top_up_bonus_not_negative",
        "insert into ledger.top_up values ('{t}', gen_random_uuid(), '{payer}', 'ECOPAY', 1, -1, 0, 'a', now())",
    ),
    (
        "balance_spares_what_is_held",
        "update ledger.balance set held = amount + 1 where account_id = '{payer}'",
    ),
    (
        "balance_spares_what_is_held",
        "update ledger.balance set held = -1 where account_id = '{payer}'",
    ),
    (
        "balance_owed_not_negative",
        "update ledger.balance set owed = -1 where account_id = '{payer}'",
    ),
    (
        "payment_captured_within_amount",
        "update ledger.payment set held = amount, hold_expires_at = now()",
    ),
    (
        "payment_hold_has_an_end",
        "update ledger.payment set amount = amount + 1, held = 1, hold_expires_at = null",
    ),
    (
        "payment_points_withheld_within_earned",
        "update ledger.payment set points_withheld = points_earned + 1",
    ),
    (
        "refund_points_owed_not_negative",
        "insert into ledger.refund values ('{t}', gen_random_uuid(), '{payment}', 1, 0, 'r', 'a', now(), -1)",
    ),
    (
        "lot_not_negative",
        "insert into ledger.lot values ('{t}', '{payer}', 'REGIONAL#mizu', now(), true, -1)",
    ),
    (
        "lot_use_not_zero",
        "insert into ledger.lot_use values ('{t}', '{payer}', 0, '{payer}', '{payer}', 'POINT', now(), true, 0)",
    ),
    (
        "adjustment_takes_two",
        "insert into ledger.adjustment values ('{t}', '{payer}', '{payer}', 'ECOPAY', 1, 'r', 'applied', 'a', now(), 'a', now())",
    ),
    (
        "adjustment_decided",
        "insert into ledger.adjustment values ('{t}', '{payer}', '{payer}', 'ECOPAY', 1, 'r', 'applied', 'a', now(), null, null)",
    ),
    (
        "adjustment_not_zero",
        "insert into ledger.adjustment values ('{t}', '{payer}', '{payer}', 'ECOPAY', 0, 'r', 'proposed', 'a', now(), null, null)",
    ),
    (
        "adjustment_is_decided_once",
        "insert into ledger.adjustment values ('{t}', '{payer}', '{payer}', 'ECOPAY', 1, 'r', 'declined', 'a', now(), 'a', now());
         update ledger.adjustment set status = 'proposed', decided_by = null, decided_at = null",
    ),
    (
        "payout_amount_positive",
        "insert into ledger.payout values ('{t}', '{payer}', '{payer}', 'ECOPAY', 0, 'paid', null, 'a', now(), now())",
    ),
    (
        "payout_failed_has_reason",
        "insert into ledger.payout values ('{t}', '{payer}', '{payer}', 'ECOPAY', 1, 'failed', null, 'a', now(), now())",
    ),
    (
        "payout_fails_once",
        "insert into ledger.payout values ('{t}', '{payer}', '{payer}', 'ECOPAY', 1, 'failed', 'r', 'a', now(), now());
         update ledger.payout set status = 'paid', reason = null",
    ),
    (
        "account_closed_is_final",
        "update ledger.account set status = 'closed' where account_id = '{payer}';
         update ledger.account set status = 'active' where account_id = '{payer}'",
    ),
    (
        "asset_expiry_form",
        "insert into ledger.asset select tenant_id, 'JCREDIT', name_ja, name_en, scale, sign, sign_before, cap, bonus_rate,
             point_rate, transferable, 'days:0' from ledger.asset where asset_code = 'POINT'",
    ),
    (
        "asset_expiry_is_final",
        "update ledger.asset set expiry = 'days:30' where asset_code = 'POINT'",
    ),
    (APPEND_ONLY, "delete from ledger.adjustment"),
    (APPEND_ONLY, "truncate ledger.adjustment"),
    (APPEND_ONLY, "delete from ledger.payout"),
    (
        APPEND_ONLY,
        "truncate ledger.payout",
    ),
    (
        "reversal_pkey",
        "insert into ledger.reversal values ('{t}', '{payment}', '{payer}', 'r', 'a', now()), ('{t}', '{payment}', '{payment}', 'r', 'a', now())",
    ),
    (
        "usage_month_not_less_than_day",
        "insert into ledger.usage values ('{t}', '{payer}', 'ECOPAY', 'pay', '2026-01-01', 2, 1, now())",
    ),
    ("marker_pkey", "insert into ledger.marker select * from ledger.marker"),
    ("marker_key_length", "update ledger.marker set key = ''"),
    ("marker_key_length", "update ledger.marker set key = repeat('a', 256)"),
    (
        "marker_fingerprint_length",
        "update ledger.marker set fingerprint = 'short'",
    ),
    ("marker_verdict_known", "update ledger.marker set verdict = 'maybe'"),
    ("asset_cap_positive", "update ledger.asset set cap = -1000"),
    ("asset_bonus_rate_range", "update ledger.asset set bonus_rate = -0.1"),
    ("asset_point_rate_range", "update ledger.asset set point_rate = 1.1"),
    ("asset_scale_range", "update ledger.asset set scale = 9"),
    (
        "asset_code_form",
        "insert into ledger.asset select tenant_id, 'REGIONAL#Ä', name_ja, name_en, scale, sign, sign_before from ledger.asset",
    ),
    ("account_kind_known", "update ledger.account set kind = 'ghost'"),
    ("account_status_known", "update ledger.account set status = 'asleep'"),
    ("account_code_unique", "update ledger.account set code = 'same'"),
    (
        "tenant_slug_unique",
        "insert into ledger.tenant values (gen_random_uuid(), 'hana', 'n', null, 'Asia/Tokyo', now())",
    ),
    (
        "key_stage_known",
        "insert into ledger.key_stage values ('{t}', 'api', 'maybe')",
    ),
    (
        "key_stage_surface_known",
        "insert into ledger.key_stage values ('{t}', 'fax', 'optional')",
    ),
];

#[sqlx::test(migrations = "../migrations")]
async fn the_database_refuses_what_breaks_the_books(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (payer, merchant) = (world.customer(1000).await, world.merchant().await);
    let payment = payment_of(&world.call("one", pay(payer, merchant, 500)).await.unwrap());
    world.call("two", refund(payment, 200)).await.unwrap();
    let grown = [
        "transaction",
        "entry",
        "payment_event",
        "refund",
        "top_up",
        "lot_use",
        "reversal",
    ]
    .into_iter()
    .flat_map(|table| {
        let update = format!("update ledger.{table} set tenant_id = tenant_id");
        [
            update,
            format!("delete from ledger.{table}"),
            format!("truncate ledger.{table}"),
        ]
    });
    let grown = grown.map(|statement| (APPEND_ONLY, statement));
    let named = REFUSED.map(|(name, statement)| (name, statement.to_owned()));
    let mut session = world.session().await;
    for (expected, statement) in named.into_iter().chain(grown) {
        let statement = statement
            .replace("{t}", &world.tenant.to_string())
            .replace("{payer}", &payer.to_string())
            .replace("{payment}", &payment.to_string());
        let error = session
            .execute(sqlx::raw_sql(AssertSqlSafe(statement.clone())))
            .await
            .expect_err(&statement);
        let error = error.as_database_error().unwrap();
        let code = error.code().unwrap_or_default();
        assert_eq!(error.constraint().unwrap_or(&code), expected, "{statement}: {error}");
    }
    world.finish().await;
}

/// One table of moves, written in Rust and in SQL: each pair is judged alike, and so is a payment's first event.
#[sqlx::test(migrations = "../migrations")]
async fn the_status_table_of_the_database_is_that_of_the_ledger(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let mut session = world.session().await;
    let new = "new                 yes        yes        yes      -                  -        -      -       -";
    assert!(include_str!("../vectors/moves.txt").lines().any(|line| line == new));
    let froms = [None].into_iter().chain(PaymentStatus::ALL.map(Some));
    for (from, to) in froms.flat_map(|from| PaymentStatus::ALL.map(|to| (from, to))) {
        let allowed: bool = sqlx::query_scalar("select ledger.payment_move_is_allowed($1, $2)")
            .bind(from.map(PaymentStatus::as_str))
            .bind(to.as_str())
            .fetch_one(&mut session)
            .await
            .unwrap();
        let expected = match from {
            Some(from) => MOVES.contains(&(from, to)),
            None => matches!(
                to,
                PaymentStatus::Processing | PaymentStatus::Authorized | PaymentStatus::Captured
            ),
        };
        assert_eq!(allowed, expected, "{from:?} -> {to}");
    }
    world.finish().await;
}

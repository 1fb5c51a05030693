//! The fresh state of most subjects: a payer, a merchant, and a payment between them.

use ledger::{AccountId, PaymentId};
use uuid::Uuid;

pub const PAYER: AccountId = AccountId(Uuid::from_u128(0xc1));
pub const MERCHANT: AccountId = AccountId(Uuid::from_u128(0xe1));
/// The payment of a fresh state: of 100 and not refunded, or a hold.
pub const PAYMENT: PaymentId = PaymentId(Uuid::from_u128(0xa1));
const CAPTURED: u32 = 100;

pub const TENANT: &str = "00000000-0000-0000-0000-000000000001";

pub const ACCOUNTS: &str = "
    insert into ledger.account (tenant_id, account_id, kind, name, created_at)
    select tenant_id, a.id::uuid, a.kind, a.kind, now()
    from ledger.tenant, (values ('00000000-0000-0000-0000-0000000000c1', 'customer'),
                                ('00000000-0000-0000-0000-0000000000e1', 'merchant')) as a (id, kind)";

/// What payer and merchant hold, a captured payment between them, and no markers.
pub fn fresh(payer: u32, merchant: u32) -> String {
    format!("{}; {}", balances(payer, 0, merchant), payment("captured", CAPTURED, 0))
}

/// What the payer has, a payment that holds some of it, and no markers.
pub fn fresh_with_hold(payer: u32, held: u32) -> String {
    format!("{}; {}", balances(payer, held, 0), payment("authorized", 0, held))
}

fn balances(payer: u32, held: u32, merchant: u32) -> String {
    format!(
        "delete from ledger.marker; delete from ledger.balance;
         insert into ledger.balance (tenant_id, account_id, asset_code, amount, held, updated_at) values
             ('{TENANT}', '{PAYER}', 'ECOPAY', {payer}, {held}, now()),
             ('{TENANT}', '{PAYER}', 'POINT', 0, 0, now()),
             ('{TENANT}', '{PAYER}', 'REGIONAL#hana', 0, 0, now()),
             ('{TENANT}', '{MERCHANT}', 'ECOPAY', {merchant}, 0, now())"
    )
}

fn payment(status: &str, captured: u32, held: u32) -> String {
    format!(
        "delete from ledger.payment;
         insert into ledger.payment (tenant_id, payment_id, payer_account_id, merchant_account_id, asset_code, amount,
             captured, held, hold_expires_at, status, actor, created_at, updated_at)
         values ('{TENANT}', '{PAYMENT}', '{PAYER}', '{MERCHANT}', 'ECOPAY', {captured} + {held}, {captured}, {held},
             case when {held} > 0 then now() + interval '1 hour' end, '{status}', 'a', now(), now())"
    )
}

/// What an account holds of an asset, as the end of an outcome.
pub fn held(account: AccountId, asset: &str) -> String {
    format!(
        "select trim_scale(amount)::text from ledger.balance where account_id = '{account}' and asset_code = '{asset}'"
    )
}

/// How many payments of 10 were made from what the payer had, and how many markers there are, as the end of an outcome.
pub fn effects(had: u32) -> String {
    format!(
        "select trim_scale(({had} - amount) / 10) || ' effects, ' || (select count(*) from ledger.marker) || ' markers'
         from ledger.balance where account_id = '{PAYER}' and asset_code = 'ECOPAY'"
    )
}

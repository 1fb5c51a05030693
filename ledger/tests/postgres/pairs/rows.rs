//! What is so in a town by the rows of the database.

use ledger::{AccountId, AssetCode, lot::LotKey, money::Instant};
use rust_decimal::Decimal;
use sqlx::{FromRow, postgres::PgRow};
use uuid::Uuid;

use crate::{
    facts::{Facts, PaymentFacts, add},
    world::World,
};

type BalanceRow = (Uuid, String, Decimal, Decimal, Decimal);
type LotRow = (Uuid, Uuid, String, Instant, bool, Decimal);

#[derive(FromRow)]
struct PaymentRow {
    payment_id: Uuid,
    #[sqlx(flatten)]
    facts: PaymentFacts,
}

pub(super) async fn facts(world: &World) -> Facts {
    let mut facts = Facts::default();
    let balances = "select account_id, asset_code, amount, held, owed from ledger.balance where tenant_id = $1";
    for (account, asset, amount, held, owed) in rows::<BalanceRow>(world, balances).await {
        let holding = (AccountId(account), AssetCode::parse(&asset).unwrap());
        add(&mut facts.amounts, &holding, amount);
        add(&mut facts.held, &holding, held);
        add(&mut facts.owed, &holding, owed);
    }
    let lots =
        "select tenant_id, account_id, asset_code, expires_at, paid, remaining from ledger.lot where tenant_id = $1";
    for (_, key, remaining) in rows(world, lots).await.into_iter().map(lot) {
        add(&mut facts.lots, &key, remaining);
    }
    let uses =
        "select subject_id, account_id, asset_code, expires_at, paid, amount from ledger.lot_use where tenant_id = $1";
    for (subject, key, amount) in rows(world, uses).await.into_iter().map(lot) {
        add(&mut facts.uses, &(subject, key), amount);
    }
    let payments = rows::<PaymentRow>(world, "select * from ledger.payment where tenant_id = $1").await;
    facts.payments = payments.into_iter().map(|row| (row.payment_id, row.facts)).collect();
    let statuses = "select account_id, status from ledger.account where tenant_id = $1 and kind <> 'system'
         union all select adjustment_id, status from ledger.adjustment where tenant_id = $1
         union all select payout_id, status from ledger.payout where tenant_id = $1";
    facts.statuses = rows(world, statuses).await.into_iter().collect();
    let undone = rows::<(Uuid,)>(world, "select reversed_id from ledger.reversal where tenant_id = $1").await;
    facts.undone = undone.into_iter().map(|(id,)| id).collect();
    facts
}

async fn rows<Row>(world: &World, sql: &'static str) -> Vec<Row>
where
    Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    let query = sqlx::query_as(sql).bind(world.tenant.0);
    query.fetch_all(world.ledger.pool()).await.unwrap()
}

fn lot((subject, account, asset, expires_at, paid, amount): LotRow) -> (Uuid, LotKey, Decimal) {
    let key = LotKey {
        account: AccountId(account),
        asset: AssetCode::parse(&asset).unwrap(),
        expires_at,
        paid,
    };
    (subject, key, amount)
}

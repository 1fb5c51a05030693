//! The ledger, as its callers use it.

use ledger::{AccountId, AssetCode, Command, IdempotencyKey, Ledger, Pay, TenantId, money::Amount};
use sqlx::PgPool;
use std::{sync::Arc, time::Duration};

use crate::{
    callers,
    report::Measured,
    town::{Town, actor},
};

pub async fn measure(pool: &PgPool, town: &Arc<Town>, callers: usize, run: Duration) -> Measured {
    let (ledger, tenant) = (Ledger::new(pool.clone()), town.tenant);
    let measured = callers::measure(town, callers, run, {
        let ledger = ledger.clone();
        move |payer, merchant| pay(ledger.clone(), tenant, payer, merchant)
    })
    .await;
    ledger.close().await;
    measured
}

pub async fn pay(ledger: Ledger, tenant: TenantId, payer: AccountId, merchant: AccountId) {
    let amount = Amount::parse("10").expect("an amount");
    let key = IdempotencyKey::parse(&uuid::Uuid::now_v7().to_string()).expect("a key");
    let command = Command::Pay(Pay {
        payer,
        merchant,
        asset: AssetCode::main(),
        amount,
        memo: None,
    });
    let answer = ledger.submit(tenant, actor(), &key, command).await.expect("an answer");
    assert!(
        matches!(answer.outcome, ledger::Outcome::Applied(_)),
        "every payment of the bench is covered"
    );
}

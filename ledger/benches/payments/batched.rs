//! The ledger, as its callers use it.

use ledger::{AccountId, AssetCode, Command, IdempotencyKey, Ledger, Pay, TenantId, money::Amount};
use sqlx::PgPool;
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use tokio::task::JoinHandle;

use crate::{
    callers,
    report::Measured,
    town::{Town, actor},
};

pub async fn measure(pool: &PgPool, town: &Arc<Town>, callers: usize, run: Duration) -> Measured {
    let server = Serving::in_own_lanes(pool.clone()).await;
    let (ledger, tenant) = (server.ledger.clone(), town.tenant);
    let measured = callers::measure(town, callers, run, move |payer, merchant| {
        pay(ledger.clone(), tenant, payer, merchant)
    })
    .await;
    server.end().await;
    measured
}

/// A ledger as a server keeps it.
pub struct Serving {
    pub ledger: Ledger,
    keeps_lanes: JoinHandle<()>,
}

impl Serving {
    /// Returns when the ledger has lanes that no other has.
    pub async fn in_own_lanes(pool: PgPool) -> Self {
        let ledger = Ledger::new(pool);
        let keeps_lanes = tokio::spawn({
            let ledger = ledger.clone();
            async move { ledger.keep_lanes().await }
        });
        while ledger.lanes().iter().collect::<BTreeSet<_>>().len() < ledger.lanes().len() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Self { ledger, keeps_lanes }
    }

    /// Gives the lanes back, which a server's lease would only do in time.
    pub async fn end(self) {
        self.keeps_lanes.abort();
        self.ledger.close().await;
        sqlx::query("delete from ledger.lane where lane = any($1)")
            .bind(self.ledger.lanes())
            .execute(self.ledger.pool())
            .await
            .expect("lanes that are free");
    }
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

//! A tenant with rich customers and some merchants to pay.

use ledger::{
    AccountId, AccountKind, AccountStatus, Actor, ActorKind, Asset, AssetCode, Command, IdempotencyKey, Ledger, Limits,
    TenantId, TopUp,
    money::Amount,
    postgres::{account, asset, tenant},
};
use sqlx::PgPool;
use std::sync::Arc;
use uuid::Uuid;

pub const CUSTOMERS: usize = 1000;
const CHARGE: &str = "1000000";

pub struct Town {
    pub tenant: TenantId,
    pub customers: Vec<AccountId>,
    pub merchants: Vec<AccountId>,
}

type Error = Box<dyn std::error::Error>;

impl Town {
    /// Three towns alike, one for each way.
    pub async fn found_three(pool: &PgPool, merchants: usize) -> Result<[Arc<Self>; 3], Error> {
        let towns = [
            Arc::new(Self::found(pool, merchants).await?),
            Arc::new(Self::found(pool, merchants).await?),
            Arc::new(Self::found(pool, merchants).await?),
        ];
        for settle in ["vacuum analyze", "checkpoint"] {
            sqlx::query(settle).execute(pool).await?;
        }
        Ok(towns)
    }

    async fn found(pool: &PgPool, merchants: usize) -> Result<Self, Error> {
        let ledger = Ledger::new(pool.clone());
        let at = ledger.now();
        let tenant_id = TenantId(Uuid::now_v7());
        let town = tenant::Tenant {
            tenant_id,
            slug: tenant_id.to_string(),
            name: "Bench".to_owned(),
            host: None,
            time_zone: "Asia/Tokyo".to_owned(),
        };
        tenant::create(pool, &town, at).await?;
        asset::create(pool, tenant_id, &yen()?).await?;
        let mut accounts = Vec::new();
        let kinds = std::iter::repeat_n(AccountKind::Customer, CUSTOMERS);
        for kind in kinds.chain(std::iter::repeat_n(AccountKind::Merchant, merchants)) {
            let account_id = AccountId(Uuid::now_v7());
            let row = account::AccountRow {
                account_id,
                kind,
                status: AccountStatus::Active,
                name: "Bench".to_owned(),
                code: None,
                created_at: at,
            };
            account::open(pool, tenant_id, &row).await?;
            accounts.push(account_id);
        }
        sqlx::query(
            "insert into ledger.balance (tenant_id, account_id, asset_code, amount, updated_at)
             select tenant_id, account_id, 'ECOPAY', 0, created_at from ledger.account where tenant_id = $1",
        )
        .bind(tenant_id.0)
        .execute(pool)
        .await?;
        let merchants = accounts.split_off(CUSTOMERS);
        charge_all(&ledger, tenant_id, &accounts).await?;
        ledger.close().await;
        Ok(Self {
            tenant: tenant_id,
            customers: accounts,
            merchants,
        })
    }

    /// The parties of the `n`th payment: neighbours in time have different payers.
    pub fn parties(&self, n: usize) -> (AccountId, AccountId) {
        (
            self.customers[n % self.customers.len()],
            self.merchants[n % self.merchants.len()],
        )
    }
}

async fn charge_all(ledger: &Ledger, tenant: TenantId, customers: &[AccountId]) -> Result<(), Error> {
    let mut charges = tokio::task::JoinSet::new();
    for account in customers.iter().copied() {
        let ledger = ledger.clone();
        let top_up = TopUp {
            account,
            asset: AssetCode::main(),
            amount: Amount::parse(CHARGE)?,
        };
        let key = IdempotencyKey::parse(&format!("charge-{account}"))?;
        charges.spawn(async move { ledger.submit(tenant, actor(), &key, Command::TopUp(top_up)).await });
    }
    while let Some(charged) = charges.join_next().await {
        charged??;
    }
    Ok(())
}

pub fn actor() -> Actor {
    Actor {
        kind: ActorKind::System,
        id: Uuid::nil(),
    }
}

fn yen() -> Result<Asset, Error> {
    Ok(Asset {
        code: AssetCode::main(),
        name_ja: "残高".to_owned(),
        name_en: "Balance".to_owned(),
        scale: 0,
        sign: "¥".to_owned(),
        sign_before: true,
        cap: None,
        bonus_rate: "0".parse()?,
        point_rate: "0".parse()?,
        transferable: false,
        expiry: None,
        limits: Limits::new(),
    })
}

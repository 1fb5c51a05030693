//! A town in a database of its own, and the words in which the tests ask it for things.

use ledger::{
    AccountId, AccountKind, AccountStatus, Actor, ActorKind, Amount, Answer, Asset, AssetCode, Command, Expiry,
    Failure, IdempotencyKey, Ledger, Limits, Outcome, PaymentId, Receipt, TenantId,
    command::Reason,
    money::Instant,
    postgres::{Clock, account, asset, balance, connect, tenant, verify},
};
use rust_decimal::Decimal;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection, postgres::PgConnectOptions};
use std::{
    collections::BTreeMap,
    fmt::Display,
    pin::Pin,
    sync::atomic::{AtomicU64, Ordering},
};
use uuid::{NoContext, Timestamp, Uuid};

pub use crate::asks::*;

/// Who asks, when it does not matter.
pub const ASKER: Actor = Actor {
    kind: ActorKind::System,
    id: Uuid::from_u128(0xf1),
};

/// A second pair of eyes.
pub const SOMEBODY_ELSE: Actor = Actor {
    kind: ActorKind::Admin,
    id: Uuid::from_u128(0xf2),
};

/// A call that is on its way even if nobody waits for it.
pub type Call = Pin<Box<dyn Future<Output = Result<Answer, Failure>> + Send>>;

/// ECOPAY has no cap and no bonus and earns a point per 100; REGIONAL#hana has a cap of 1000 and 10 % bonus.
pub struct World {
    pub ledger: Ledger,
    pub tenant: TenantId,
    pub options: PgConnectOptions,
}

impl World {
    pub async fn new(options: PgConnectOptions) -> Self {
        Self::with_connections(options, 5).await
    }

    pub async fn with_connections(options: PgConnectOptions, connections: u32) -> Self {
        let ledger = Ledger::new(connect(options.clone(), connections));
        Self::on(ledger, options).await
    }

    /// A town whose server's clock is `clock`.
    pub async fn with_clock(options: PgConnectOptions, clock: Clock) -> Self {
        let ledger = Ledger::with_clock(connect(options.clone(), 5), clock);
        Self::on(ledger, options).await
    }

    /// A town that uses `ledger`; `options` name the same database.
    pub async fn on(ledger: Ledger, options: PgConnectOptions) -> Self {
        let world = Self {
            ledger,
            tenant: TenantId(Uuid::from_u128(0x1)),
            options,
        };
        world.found("hana").await;
        world
    }

    /// Another town in the same database.
    pub async fn neighbour(&self) -> Self {
        let (ledger, options) = (self.ledger.clone(), self.options.clone());
        let neighbour = Self {
            ledger,
            tenant: TenantId(Uuid::from_u128(0x2)),
            options,
        };
        neighbour.found("mori").await;
        neighbour
    }

    /// The same town on another server.
    pub fn other_server(&self) -> Self {
        self.on_other(Ledger::new(connect(self.options.clone(), 5)))
    }

    /// The same town on another server, whose clock is another too.
    pub fn other_server_with_clock(&self, clock: Clock) -> Self {
        self.on_other(Ledger::with_clock(connect(self.options.clone(), 5), clock))
    }

    fn on_other(&self, ledger: Ledger) -> Self {
        Self {
            ledger,
            tenant: self.tenant,
            options: self.options.clone(),
        }
    }

    /// The same town on another server, whose clock is its own.
    pub fn server_at(&self, clock: Clock) -> Self {
        let ledger = Ledger::with_clock(connect(self.options.clone(), 5), clock);
        Self {
            ledger,
            tenant: self.tenant,
            options: self.options.clone(),
        }
    }

    /// Limits what one customer may do with the main currency: the columns and values of a row.
    pub async fn limit(&self, kind: &str, columns: &str, values: &str) {
        let tenant = self.tenant;
        self.run(format!(
            "insert into ledger.operation_limit (tenant_id, asset_code, kind, {columns})
             values ('{tenant}', 'ECOPAY', '{kind}', {values})"
        ))
        .await;
    }

    async fn found(&self, slug: &str) {
        let db = self.ledger.pool();
        let (slug, name) = (slug.to_owned(), format!("{slug} (demo)"));
        let town = tenant::Tenant {
            tenant_id: self.tenant,
            slug,
            name,
            host: None,
            time_zone: "Asia/Tokyo".to_owned(),
        };
        tenant::create(db, &town, self.ledger.now()).await.unwrap();
        for asset in assets() {
            asset::create(db, self.tenant, &asset).await.unwrap();
        }
    }

    async fn open(&self, account_id: AccountId, kind: AccountKind) {
        let row = account::AccountRow {
            account_id,
            kind,
            status: AccountStatus::Active,
            name: format!("{kind:?} {account_id}"),
            code: None,
            created_at: self.ledger.now(),
        };
        account::open(self.ledger.pool(), self.tenant, &row).await.unwrap();
    }

    /// A new customer who has charged `balance`.
    pub async fn customer(&self, balance: u32) -> AccountId {
        let account = new_account();
        self.open(account, AccountKind::Customer).await;
        if balance > 0 {
            self.call(format!("charge-{account}"), top_up(account, balance))
                .await
                .unwrap();
        }
        account
    }

    pub async fn merchant(&self) -> AccountId {
        let account = new_account();
        self.open(account, AccountKind::Merchant).await;
        account
    }

    /// Makes the rows of all balances that there can be, so that no operation has to.
    pub async fn open_all(&self) {
        self.run(
            "insert into ledger.balance (tenant_id, account_id, asset_code, amount, updated_at)
             select a.tenant_id, a.account_id, s.asset_code, 0, a.created_at
             from ledger.account a join ledger.asset s using (tenant_id)
             where a.kind <> 'system'
             on conflict do nothing",
        )
        .await;
    }

    pub fn call(&self, key: impl Display, command: Command) -> Call {
        self.call_as(ASKER, key, command)
    }

    pub fn call_as(&self, actor: Actor, key: impl Display, command: Command) -> Call {
        let (ledger, tenant, key) = (self.ledger.clone(), self.tenant, self::key(key));
        Box::pin(async move { ledger.submit(tenant, actor, &key, command).await })
    }

    /// What the account holds of ECOPAY.
    pub async fn balance(&self, account: AccountId) -> Decimal {
        self.balance_in(account, &AssetCode::main()).await
    }

    pub async fn balance_in(&self, account: AccountId, asset: &AssetCode) -> Decimal {
        let balances = balance::of_account(self.ledger.pool(), self.tenant, account)
            .await
            .unwrap();
        balances.get(asset).copied().unwrap_or_default()
    }

    /// A session beside the ledger's pool.
    pub async fn session(&self) -> PgConnection {
        self.options.clone().application_name("beside").connect().await.unwrap()
    }

    /// Runs statements beside the ledger's pool.
    pub async fn run(&self, sql: impl Into<String>) {
        let mut session = self.session().await;
        session.execute(sqlx::raw_sql(AssertSqlSafe(sql.into()))).await.unwrap();
    }

    /// The single number that a query answers.
    pub async fn count(&self, sql: impl Into<String>) -> i64 {
        let mut session = self.session().await;
        sqlx::query_scalar(AssertSqlSafe(sql.into()))
            .fetch_one(&mut session)
            .await
            .unwrap()
    }

    /// The checks that find something.
    pub async fn broken(&self) -> Vec<verify::Check> {
        let fresh = connect(self.options.clone(), 1);
        let checks = verify::run(&fresh).await.unwrap();
        fresh.close().await;
        checks.into_iter().filter(|check| check.broken > 0).collect()
    }

    /// Ends the test: everything that was accepted is done, and every check passes.
    pub async fn finish(self) {
        self.ledger.close().await;
        self.ledger.pool().close().await;
        assert_eq!(self.broken().await, []);
    }
}

/// What every town has.
pub fn assets() -> [Asset; 4] {
    [
        policy(AssetCode::main(), 0, None, "0", "0.01"),
        policy(AssetCode::point(), 0, None, "0", "0"),
        policy(hana(), 0, Some(1000), "0.10", "0"),
        Asset {
            expiry: Some(Expiry::Days(30)),
            transferable: true,
            ..policy(mizu(), 2, None, "0.10", "0")
        },
    ]
}

fn policy(code: AssetCode, scale: u32, cap: Option<u32>, bonus_rate: &str, point_rate: &str) -> Asset {
    Asset {
        name_ja: "通貨".to_owned(),
        name_en: code.to_string(),
        code,
        scale,
        sign: "¤".to_owned(),
        sign_before: true,
        cap: cap.map(Decimal::from),
        bonus_rate: bonus_rate.parse().unwrap(),
        point_rate: point_rate.parse().unwrap(),
        transferable: false,
        expiry: None,
        limits: Limits::new(),
    }
}

fn new_account() -> AccountId {
    static OPENED: AtomicU64 = AtomicU64::new(0);
    AccountId(Uuid::from_u128(
        0xacc0_0000 + u128::from(OPENED.fetch_add(1, Ordering::Relaxed)),
    ))
}

pub fn hana() -> AssetCode {
    AssetCode::parse("REGIONAL#hana").unwrap()
}

/// Lasts until the end of the thirtieth day, in hundredths, with 10 % bonus; can be handed on.
pub fn mizu() -> AssetCode {
    AssetCode::parse("REGIONAL#mizu").unwrap()
}

/// A new UUIDv7 that says it was made at `instant`, to the second.
pub fn made_at(instant: Instant) -> Uuid {
    let seconds = instant.timestamp().try_into().unwrap();
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, 0))
}

pub fn key(text: impl Display) -> IdempotencyKey {
    IdempotencyKey::parse(&text.to_string().replace(' ', "-")).unwrap()
}

pub fn amount(units: u32) -> Amount {
    Amount::new(units.into()).unwrap()
}

pub fn reason() -> Reason {
    Reason::parse("a test").unwrap()
}

/// The payment that was made.
pub fn payment_of(answer: &Answer) -> PaymentId {
    match &answer.outcome {
        Outcome::Applied(Receipt::Payment(receipt)) => receipt.payment_id,
        Outcome::Applied(Receipt::Hold(receipt)) => receipt.payment_id,
        other => panic!("{other:?} is no payment"),
    }
}

/// The receipt of what was done.
pub fn receipt_of(answer: Result<Answer, Failure>) -> Receipt {
    match answer.map(|answer| answer.outcome) {
        Ok(Outcome::Applied(receipt)) => receipt,
        other => panic!("{other:?} was not done"),
    }
}

/// Starts all calls at once and waits for all; the answers are in their order.
pub async fn together(calls: impl IntoIterator<Item = Call>) -> Vec<Result<Answer, Failure>> {
    let running: Vec<_> = calls.into_iter().map(tokio::spawn).collect();
    let mut answers = Vec::with_capacity(running.len());
    for call in running {
        answers.push(call.await.unwrap());
    }
    answers
}

/// `applied`, or why not.
pub fn verdict(answer: &Result<Answer, Failure>) -> &'static str {
    match answer {
        Ok(Answer {
            outcome: Outcome::Applied(_),
            ..
        }) => "applied",
        Ok(Answer {
            outcome: Outcome::Rejected(rejection),
            ..
        }) => rejection.code(),
        Err(failure) => failure.code(),
    }
}

/// How often each verdict was given, in alphabetical order.
pub fn tally(answers: &[Result<Answer, Failure>]) -> Vec<(&'static str, usize)> {
    let mut counts = BTreeMap::new();
    for answer in answers {
        *counts.entry(verdict(answer)).or_default() += 1;
    }
    counts.into_iter().collect()
}

/// An instant from its text.
pub fn at(text: &str) -> Instant {
    text.parse().unwrap()
}

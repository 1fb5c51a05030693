//! A town with two customers and two stores, a second town, and a client of the API.

use app::{
    context::AppState,
    identity::{Role, api_keys, cards, tokens},
};
use axum::{
    Router,
    body::Body,
    http::{HeaderMap, HeaderName, Method, Request, StatusCode, header},
};
use http_body_util::BodyExt;
use ledger::{
    AccountId, AccountKind, AccountStatus, Actor, ActorKind, Amount, Asset, AssetCode, Command, Expiry, IdempotencyKey,
    Limits, Outcome, Pay, TenantId, TopUp,
    command::{Authorize, Grant, Reason, SetAccountStatus},
    postgres::{
        account::{self, AccountRow},
        asset, balance, connect,
        tenant::{self, Tenant},
    },
};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use server::{
    config::Site,
    router::router,
    state::{self, Surroundings},
};
use sqlx::postgres::PgConnectOptions;
use tower::ServiceExt;
use uuid::Uuid;

pub(crate) const CARD: &str = "9000000000000001";
pub(crate) const PIN: &str = "4931";

pub(crate) struct World {
    pub(crate) state: AppState,
    pub(crate) router: Router,
    pub(crate) town: Town,
    pub(crate) other_town: Town,
}

/// A tenant, who lives there, and keys of its API.
pub(crate) struct Town {
    pub(crate) tenant: TenantId,
    pub(crate) customer: AccountId,
    pub(crate) customer_code: String,
    pub(crate) store: AccountId,
    pub(crate) other_store: AccountId,
    pub(crate) integration: String,
    pub(crate) terminal: String,
    pub(crate) merchant: String,
    pub(crate) other_merchant: String,
    pub(crate) admin: String,
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&self.bytes)))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Status, code and field of a problem.
    pub(crate) fn problem(&self) -> (u16, String, String) {
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{}",
            self.status
        );
        let json = self.json();
        let text = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
        (self.status.as_u16(), text("code"), text("field"))
    }
}

impl World {
    /// Two towns whose customers hold 1,000.
    pub(crate) async fn new(options: PgConnectOptions) -> Self {
        let world = Self::without_towns(connect(options, 8), 4).await;
        world.charge(&world.town, "1000").await;
        world.charge(&world.other_town, "1000").await;
        world
    }

    async fn without_towns(pool: sqlx::PgPool, cards: u8) -> Self {
        let surroundings = Surroundings {
            demo: false,
            https: false,
        };
        let state = state::new(pool, &[7; 32], &Site { folder: None }, surroundings).unwrap();
        let town = Town::found(&state, "one", None).await;
        let other_town = Town::found(&state, "two", Some("two.test".to_owned())).await;
        for n in 1..=cards {
            let number = format!("900000000000000{n}");
            cards::issue(&state, town.tenant, town.customer, &number, PIN)
                .await
                .unwrap();
        }
        Self {
            router: router(state.clone()),
            state,
            town,
            other_town,
        }
    }

    /// Charges the town's customer directly; the bonus of the asset is nothing.
    pub(crate) async fn charge(&self, town: &Town, amount: &str) {
        self.charge_account(town, town.customer, amount).await;
    }

    pub(crate) async fn charge_account(&self, town: &Town, account: AccountId, amount: &str) {
        let (asset, amount) = (AssetCode::main(), Amount::parse(amount).unwrap());
        self.submit(town, Command::TopUp(TopUp { account, asset, amount }))
            .await;
    }

    /// Freezes an account of the first town, or lets it act again.
    pub(crate) async fn set_status(&self, account: AccountId, status: AccountStatus) {
        let reason = Reason::parse("a test").unwrap();
        let change = SetAccountStatus {
            account,
            status,
            reason,
        };
        self.submit(&self.town, Command::SetAccountStatus(change)).await;
    }

    /// Holds an amount of the first town's customer for an hour.
    pub(crate) async fn hold(&self, amount: &str) {
        let pay = Pay {
            payer: self.town.customer,
            merchant: self.town.store,
            asset: AssetCode::main(),
            amount: Amount::parse(amount).unwrap(),
            memo: None,
        };
        let hold = Authorize { pay, valid_for_s: 3600 };
        self.submit(&self.town, Command::Authorize(hold)).await;
    }

    /// Gives the first town's customer value that lasts thirty days.
    pub(crate) async fn give_expiring(&self, amount: &str) {
        let code = AssetCode::parse("REGIONAL#mizu").unwrap();
        let asset = Asset {
            expiry: Some(Expiry::Days(30)),
            ..money(code.clone(), 0)
        };
        asset::create(self.state.ledger.pool(), self.town.tenant, &asset)
            .await
            .unwrap();
        let grant = Grant {
            account: self.town.customer,
            asset: code,
            amount: Amount::parse(amount).unwrap(),
            reason: Reason::parse("a test").unwrap(),
        };
        self.submit(&self.town, Command::Grant(grant)).await;
    }

    async fn submit(&self, town: &Town, command: Command) {
        let actor = Actor {
            kind: ActorKind::System,
            id: Uuid::nil(),
        };
        let key = IdempotencyKey::parse(&Uuid::now_v7().to_string()).unwrap();
        let answer = self.state.ledger.submit(town.tenant, actor, &key, command).await;
        assert!(matches!(answer.unwrap().outcome, Outcome::Applied(_)));
    }

    pub(crate) async fn balance(&self, town: &Town, account: AccountId) -> Decimal {
        let held = balance::of_account(self.state.ledger.pool(), town.tenant, account)
            .await
            .unwrap();
        held.get(&AssetCode::main()).copied().unwrap_or_default().normalize()
    }

    /// A payment of the town's customer to its store, as an integration asks for it.
    pub(crate) fn payment(&self, amount: impl Into<Value>) -> Value {
        json!({
            "payer": { "account_id": self.town.customer }, "merchant_account_id": self.town.store,
            "asset": "ECOPAY", "amount": amount.into(),
        })
    }

    pub(crate) async fn pay(&self, key: &str, body: &Value) -> Reply {
        self.post("/api/v1/payments", &self.town.integration, Some(key), body)
            .await
    }

    pub(crate) async fn post(&self, path: &str, token: &str, key: Option<&str>, body: &Value) -> Reply {
        self.send(Method::POST, path, token, key, body.to_string()).await
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Reply {
        self.send(Method::GET, path, token, None, String::new()).await
    }

    pub(crate) async fn send(&self, method: Method, path: &str, token: &str, key: Option<&str>, body: String) -> Reply {
        let bearer = format!("Bearer {token}");
        let mut headers = vec![("authorization", bearer.as_str()), ("content-type", "application/json")];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        self.ask(method, path, &headers, body).await
    }

    pub(crate) async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)], body: String) -> Reply {
        let mut request = Request::builder().method(method).uri(path);
        if headers.iter().all(|(name, _)| *name != "host") {
            request = request.header(header::HOST, "koban.test");
        }
        for (name, value) in headers {
            request = request.header(HeaderName::from_bytes(name.as_bytes()).unwrap(), *value);
        }
        let response = self
            .router
            .clone()
            .oneshot(request.body(Body::from(body)).unwrap())
            .await
            .unwrap();
        let (parts, body) = response.into_parts();
        Reply {
            status: parts.status,
            headers: parts.headers,
            bytes: body.collect().await.unwrap().to_bytes().to_vec(),
        }
    }
}

impl Town {
    async fn found(state: &AppState, slug: &str, host: Option<String>) -> Self {
        let (pool, at) = (state.ledger.pool(), state.ledger.now());
        let tenant = TenantId(Uuid::now_v7());
        let row = Tenant {
            tenant_id: tenant,
            slug: slug.to_owned(),
            name: slug.to_owned(),
            host,
            time_zone: "Asia/Tokyo".to_owned(),
        };
        tenant::create(pool, &row, at).await.unwrap();
        for asset in [
            money(AssetCode::main(), 0),
            money(AssetCode::point(), 0),
            money(AssetCode::parse("JCREDIT").unwrap(), 3),
        ] {
            asset::create(pool, tenant, &asset).await.unwrap();
        }
        let customer_code = tokens::code(10);
        let [customer, store, other_store] = [(); 3].map(|()| AccountId(Uuid::now_v7()));
        open(
            state,
            tenant,
            customer,
            AccountKind::Customer,
            Some(customer_code.clone()),
        )
        .await;
        open(state, tenant, store, AccountKind::Merchant, Some(tokens::code(8))).await;
        open(state, tenant, other_store, AccountKind::Merchant, Some(tokens::code(8))).await;
        let issue = async |role, store| api_keys::issue(pool, tenant, role, "test", store, at).await.unwrap();
        Self {
            tenant,
            customer,
            customer_code,
            store,
            other_store,
            integration: issue(Role::Integration, None).await,
            terminal: issue(Role::Terminal, Some(store)).await,
            merchant: issue(Role::Merchant, Some(store)).await,
            other_merchant: issue(Role::Merchant, Some(other_store)).await,
            admin: issue(Role::Admin, None).await,
        }
    }
}

async fn open(state: &AppState, tenant: TenantId, account_id: AccountId, kind: AccountKind, code: Option<String>) {
    let name = format!("{kind:?}");
    let row = AccountRow {
        account_id,
        kind,
        status: AccountStatus::Active,
        name,
        code,
        created_at: state.ledger.now(),
    };
    account::open(state.ledger.pool(), tenant, &row).await.unwrap();
}

/// An asset that gives no bonus, one point per hundred, and ends at 100,000.
fn money(code: AssetCode, scale: u32) -> Asset {
    let is_main = code == AssetCode::main();
    Asset {
        name_ja: code.to_string(),
        name_en: code.to_string(),
        code,
        scale,
        sign: "¥".to_owned(),
        sign_before: true,
        cap: is_main.then_some(Decimal::from(100_000)),
        bonus_rate: Decimal::ZERO,
        point_rate: if is_main { Decimal::new(1, 2) } else { Decimal::ZERO },
        transferable: false,
        expiry: None,
        limits: Limits::new(),
    }
}

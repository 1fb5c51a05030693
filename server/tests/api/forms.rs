//! The wallet as a browser without JavaScript uses it: sessions, and a payment form that pays once.

use crate::world::World;
use axum::http::Method;
use ledger::postgres::account;
use rust_decimal::Decimal;
use serde_json::Value;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

const HOME: &str = "koban.test";

/// A browser on the pages of one host.
struct Browser<'a> {
    world: &'a World,
    host: &'static str,
    cookie: String,
}

/// Where a form led, and the cookie it set.
struct Answer {
    location: String,
    cookie: Option<String>,
}

impl Browser<'_> {
    async fn post(&self, path: &str, body: &str) -> Answer {
        let headers = [
            ("host", self.host),
            ("accept", "text/html"),
            ("sec-fetch-site", "same-origin"),
            ("content-type", "application/x-www-form-urlencoded"),
            ("cookie", &self.cookie),
        ];
        let reply = self.world.ask(Method::POST, path, &headers, body.to_owned()).await;
        assert_eq!(reply.status.as_u16(), 303, "{path}");
        let cookie = reply
            .header("set-cookie")
            .map(|cookie| cookie.split(';').next().unwrap().to_owned());
        Answer {
            location: reply.header("location").unwrap().to_owned(),
            cookie,
        }
    }

    /// What a page of ours asks by script.
    async fn call(&self, path: &str, body: &str) -> (u16, Value) {
        let headers = [
            ("host", self.host),
            ("accept", "application/json"),
            ("sec-fetch-site", "same-origin"),
            ("content-type", "application/x-www-form-urlencoded"),
            ("cookie", &self.cookie),
        ];
        let reply = self.world.ask(Method::POST, path, &headers, body.to_owned()).await;
        (reply.status.as_u16(), reply.json())
    }

    async fn is_in_the_wallet(&self) -> bool {
        self.call("/fn/customer_home", "").await.0 == 200
    }

    /// The payment form of the shop: its key, and where the result stands if it was used.
    async fn form(&self, code: &str) -> (String, Option<String>) {
        let (_, page) = self.call("/fn/load_pay_form", &format!("code={code}")).await;
        let text = |name: &str| page["form"][name].as_str().map(str::to_owned);
        (text("key").unwrap(), text("done"))
    }
}

async fn signed_up<'a>(world: &'a World, address: &str) -> Browser<'a> {
    let mut browser = Browser {
        world,
        host: HOME,
        cookie: String::new(),
    };
    let body = format!("name=Demo+Customer&address={address}&password=three+boats+at+dawn");
    let answer = browser.post("/fn/sign_up", &body).await;
    assert_eq!(answer.location, "/customer");
    browser.cookie = answer.cookie.unwrap();
    browser
}

async fn shop_code(world: &World) -> String {
    let (pool, town) = (world.state.ledger.pool(), &world.town);
    account::find(pool, town.tenant, town.store)
        .await
        .unwrap()
        .unwrap()
        .code
        .unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn a_session_opens_one_face_of_one_tenant(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let browser = signed_up(&world, "a@demo.example").await;
    assert!(browser.is_in_the_wallet().await);
    let elsewhere = Browser {
        host: "two.test",
        cookie: browser.cookie.clone(),
        ..browser
    };
    assert!(!elsewhere.is_in_the_wallet().await);
    let cookie = elsewhere.cookie.replace("customer", "merchant");
    let as_merchant = Browser {
        cookie,
        host: HOME,
        ..elsewhere
    };
    let (status, problem) = as_merchant.call("/fn/check_progress", "role=merchant&key=k").await;
    assert_eq!((status, problem["code"].as_str()), (401, Some("SIGN_IN_REQUIRED")));
}

#[sqlx::test(migrations = "../migrations")]
async fn signing_in_makes_a_new_session_and_signing_out_ends_it(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let mut browser = signed_up(&world, "a@demo.example").await;
    let before = browser.cookie.clone();
    let sign_in = "role=customer&address=A%40demo.example&password=three+boats+at+dawn&next=https%3A%2F%2Fevil.test";
    let answer = browser.post("/fn/sign_in", sign_in).await;
    assert_eq!(answer.location, "/customer");
    browser.cookie = answer.cookie.unwrap();
    assert_ne!(browser.cookie, before);
    let old = Browser {
        cookie: before,
        ..browser
    };
    assert!(!old.is_in_the_wallet().await);
    let planted = Browser {
        cookie: "koban-customer=AAAAAAAAAAAAAAAAAAAAAA".to_owned(),
        ..old
    };
    assert_ne!(
        planted.post("/fn/sign_in", sign_in).await.cookie.unwrap(),
        planted.cookie
    );
    let signed_in = Browser {
        cookie: planted.post("/fn/sign_in", sign_in).await.cookie.unwrap(),
        ..planted
    };
    assert!(signed_in.is_in_the_wallet().await);
    signed_in.post("/fn/sign_out", "role=customer").await;
    assert!(!signed_in.is_in_the_wallet().await);
}

#[sqlx::test(migrations = "../migrations")]
async fn an_unknown_address_and_a_wrong_password_answer_alike(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let browser = signed_up(&world, "a@demo.example").await;
    let wrong = "/customer/sign-in?problem=WRONG_CREDENTIALS";
    for address in ["a%40demo.example", "b%40demo.example", "nobody"] {
        let body = format!("role=customer&address={address}&password=wrong");
        assert_eq!(browser.post("/fn/sign_in", &body).await.location, wrong, "{address}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_form_that_is_sent_again_leads_to_the_same_receipt(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let code = shop_code(&world).await;
    let browser = signed_up(&world, "a@demo.example").await;
    let wallet = sqlx::query_scalar("select account_id from identity.person");
    let wallet: uuid::Uuid = wallet.fetch_one(world.state.ledger.pool()).await.unwrap();
    world.charge_account(&world.town, wallet.into(), "1000").await;
    let (key, done) = browser.form(&code).await;
    assert_eq!(done, None);
    assert_eq!(browser.form(&code).await.0, key, "a second tab shows the same key");
    let send = async |amount: &str| {
        let body = format!("idempotency_key={key}&code={code}&asset=ECOPAY&amount={amount}");
        browser.post("/fn/send_payment", &body).await.location
    };
    let malformed = send("1e3").await;
    assert_eq!(
        malformed,
        format!("/pay/{code}?amount=1e3&asset=ECOPAY&problem=AMOUNT_MALFORMED&field=amount")
    );
    let receipt = send("%EF%BC%93%EF%BC%90%EF%BC%90%E5%86%86").await;
    assert!(receipt.starts_with("/customer/payments/"), "{receipt}");
    assert_eq!(send("300").await, receipt);
    assert!(send("400").await.ends_with("problem=KEY_REUSED"));
    assert_eq!(world.balance(&world.town, wallet.into()).await, Decimal::from(700));
    assert_eq!(
        browser.form(&code).await,
        (key.clone(), Some(receipt)),
        "Back shows that it was done"
    );
    let again = format!("role=customer&purpose=pay:{code}&key={key}&url=/pay/{code}");
    browser.post("/fn/start_again", &again).await;
    let next = browser.form(&code).await;
    assert!(next.0 != key && next.1.is_none());
    browser.post("/fn/start_again", &again).await;
    assert_eq!(browser.form(&code).await, next, "a second press changes nothing");
}

#[sqlx::test(migrations = "../migrations")]
async fn another_customers_receipt_does_not_exist(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let paid = world.pay("k-1", &world.payment("10")).await.json();
    let browser = signed_up(&world, "a@demo.example").await;
    let (status, problem) = browser
        .call(
            "/fn/load_receipt",
            &format!("id={}", paid["payment_id"].as_str().unwrap()),
        )
        .await;
    assert_eq!((status, problem["code"].as_str()), (404, Some("NOT_FOUND")));
}

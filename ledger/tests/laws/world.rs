//! Random towns: assets with any policy, a few accounts, and what becomes of them.

use ledger::{
    Account, AccountId, AccountKind, AccountStatus, Amount, Asset, AssetCode, Command, Expiry, Limit, LimitKind,
    Limits, Plan, Snapshot,
    money::Instant,
    plan::{Record, Refusal, plan},
    snapshot::{Balance, BalanceKey, MovementFact, TopUpFact},
};
use proptest::prelude::*;
use rust_decimal::Decimal;
use uuid::Uuid;

/// How often a law is tried: at least `least` times, and as often as the environment's LAWS_CASES says.
pub fn cases(least: u32) -> ProptestConfig {
    #[expect(clippy::disallowed_methods, reason = "how long to test is the tester's choice")]
    let asked = std::env::var("LAWS_CASES").ok();
    let asked = asked.map_or(0, |cases| cases.parse().unwrap());
    ProptestConfig::with_cases(least.max(asked))
}

#[path = "steps.rs"]
mod steps;

pub use steps::*;

pub const CUSTOMERS: u128 = 3;
const MERCHANTS: u128 = 2;

pub fn customer(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(0xc000 + number % CUSTOMERS))
}

pub fn merchant(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(0xe000 + number % MERCHANTS))
}

/// An asset that lasts until the end of the local day thirty days on.
pub fn mizu() -> AssetCode {
    AssetCode::parse("REGIONAL#mizu").unwrap()
}

pub fn asset(code: AssetCode, scale: u32, cap: Option<Decimal>, bonus_rate: Decimal, point_rate: Decimal) -> Asset {
    let (name_ja, name_en, sign) = ("通貨".to_owned(), "money".to_owned(), "¤".to_owned());
    Asset {
        code,
        name_ja,
        name_en,
        scale,
        sign,
        sign_before: true,
        cap,
        bonus_rate,
        point_rate,
        transferable: true,
        expiry: None,
        limits: Limits::new(),
    }
}

/// An amount of up to `digits` digits, with at most `scale` decimals.
pub fn amount(digits: u32, scale: u32) -> impl Strategy<Value = Amount> {
    (1..10_i64.pow(digits), 0..=scale).prop_map(|(units, scale)| Amount::new(Decimal::new(units, scale)).unwrap())
}

prop_compose! {
    fn limit()(
        per_operation in prop::option::of(3_000..10_000_i64),
        per_day in prop::option::of(5_000..20_000_i64),
        per_month in prop::option::of(10_000..40_000_i64),
        min_interval_s in prop_oneof![4 => Just(None), 1 => (1..7_200_u32).prop_map(Some)],
    ) -> Limit {
        let bound = |most: Option<i64>| Some(Amount::new(most?.into()).unwrap());
        let (per_operation, per_day, per_month) = (bound(per_operation), bound(per_day), bound(per_month));
        Limit { per_operation, per_day, per_month, min_interval_s }
    }
}

prop_compose! {
    /// A town with a main currency, points that last two months or for ever, and a currency that lasts thirty days.
    pub fn town()(
        scale in 0..4_u32,
        point_scale in 0..3_u32,
        cap in prop::option::of(1..100_000_i64),
        bonus_millis in 0..=1000_i64,
        point_millis in 0..=1000_i64,
        points_expire in any::<bool>(),
        transferable in any::<bool>(),
        pay_limit in prop::option::of(limit()),
        top_up_limit in prop::option::of(limit()),
        transfer_limit in prop::option::of(limit()),
        balances in prop::collection::vec(prop_oneof![1 => Just(0), 3 => 0..50_000_i64], 5),
        random in any::<[u8; 6]>(),
    ) -> Snapshot {
        let at = "2026-04-01T00:00:00Z".parse::<Instant>().unwrap();
        let mut snapshot = Snapshot::new(at, at.date_naive(), random);
        let zero = Decimal::ZERO;
        let rate = |millis| Decimal::new(millis, 3);
        let mut main = asset(AssetCode::main(), scale, cap.map(Decimal::from), rate(bonus_millis), rate(point_millis));
        main.transferable = transferable;
        main.limits.extend(pay_limit.map(|limit| (LimitKind::Pay, limit)));
        let mut point = asset(AssetCode::point(), point_scale, None, zero, zero);
        point.expiry = points_expire.then_some(Expiry::Months(2));
        let mut mizu = asset(mizu(), 0, Some(Decimal::from(20_000)), rate(100), rate(point_millis));
        mizu.expiry = Some(Expiry::Days(30));
        mizu.limits.extend(top_up_limit.map(|limit| (LimitKind::TopUp, limit)));
        mizu.limits.extend(transfer_limit.map(|limit| (LimitKind::Transfer, limit)));
        snapshot.assets = [main, point, mizu].into_iter().map(|asset| (asset.code.clone(), asset)).collect();
        pass(&mut snapshot, 0);
        for number in 0..CUSTOMERS {
            snapshot.accounts.insert(customer(number), active(AccountKind::Customer));
        }
        for number in 0..MERCHANTS {
            snapshot.accounts.insert(merchant(number), active(AccountKind::Merchant));
        }
        for (account, units) in snapshot.accounts.keys().copied().zip(balances) {
            let balance = held(Decimal::new(units, 0), scale);
            snapshot.balances.insert(main_balance(account), balance);
        }
        snapshot
    }
}

/// The row of what `account` holds of the main currency, in the first lane.
pub fn main_balance(account: AccountId) -> BalanceKey {
    BalanceKey {
        account,
        asset: AssetCode::main(),
        lane: 0,
    }
}

/// A balance of which nothing is held for a payment.
pub fn held(mut amount: Decimal, scale: u32) -> Balance {
    amount.rescale(scale);
    Balance {
        amount,
        ..Balance::default()
    }
}

fn active(kind: AccountKind) -> Account {
    let status = AccountStatus::Active;
    Account { kind, status }
}

/// Lets hours pass.
pub fn pass(snapshot: &mut Snapshot, hours: i64) {
    snapshot.at += chrono::TimeDelta::hours(hours) + chrono::TimeDelta::microseconds(1);
    snapshot.ids = snapshot.ids.at(snapshot.at);
    snapshot.today = snapshot.at.date_naive();
    let rules = snapshot.assets.values();
    let rules = rules.filter_map(|asset| Some((asset.code.clone(), asset.expiry?)));
    let gone = |rule: Expiry| rule.gone_on(snapshot.today).and_hms_opt(0, 0, 0).unwrap().and_utc();
    snapshot.expires_at = rules.map(|(code, rule)| (code, gone(rule))).collect();
}

/// Decides the command and, if it is applied, makes it part of the facts as the next batch would read them.
pub fn decide(command: &Command, asker: &str, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let plan = plan(command, asker, snapshot)?;
    snapshot.apply(&plan);
    for record in &plan.records {
        match record {
            Record::Payment(payment) => drop(snapshot.payments.insert(payment.payment_id, payment.clone())),
            Record::Adjustment(row) => drop(snapshot.adjustments.insert(row.adjustment_id, row.clone())),
            Record::Payout(row) => drop(snapshot.payouts.insert(row.payout_id, row.clone())),
            Record::TopUp(row) => {
                let fact = TopUpFact {
                    account: row.account,
                    asset: row.asset.clone(),
                    amount: row.amount,
                    bonus: row.bonus,
                };
                snapshot.top_ups.insert(row.top_up_id, fact);
            }
            _ => {}
        }
    }
    if matches!(plan.transaction.kind, "transfer" | "grant") {
        let giver = plan.entries.iter().find(|entry| entry.amount < Decimal::ZERO).unwrap();
        let taker = plan.entries.iter().find(|entry| entry.amount > Decimal::ZERO).unwrap();
        let fact = MovementFact {
            from: giver.account,
            to: taker.account,
            asset: taker.asset.clone(),
            amount: taker.amount,
        };
        snapshot.movements.insert(plan.transaction.transaction_id, fact);
    }
    Ok(plan)
}

/// `applied`, or the word for why not.
pub fn verdict(decided: &Result<Plan, Refusal>) -> &'static str {
    match decided {
        Ok(_) => "applied",
        Err(Refusal::Rejected(rejection)) => rejection.code(),
        Err(Refusal::Failed(failure)) => failure.code(),
    }
}

/// One decided step: what was asked, the facts before, and the plan.
pub struct Played {
    pub command: Command,
    pub before: Snapshot,
    pub plan: Plan,
}

/// Plays the steps; what is refused changes nothing.
pub fn play(steps: &[Step], snapshot: &mut Snapshot) -> Vec<Played> {
    let mut played = Vec::new();
    for step in steps {
        pass(snapshot, step.wait_h);
        snapshot.lane = step.lane;
        let Some(command) = command(step, snapshot) else {
            continue;
        };
        let before = snapshot.clone();
        match decide(&command, &asker(step), snapshot) {
            Ok(plan) => played.push(Played { command, before, plan }),
            Err(Refusal::Rejected(_)) => assert_eq!(before.balances, snapshot.balances),
            // A random amount may have more decimals than the asset, a random friend may be oneself.
            Err(Refusal::Failed(failure)) => {
                assert!(
                    ["AMOUNT_TOO_MANY_DECIMALS", "SAME_ACCOUNT"].contains(&failure.code()),
                    "{failure}"
                );
            }
        }
    }
    played
}

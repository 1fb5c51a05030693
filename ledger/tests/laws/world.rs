//! Random towns: assets with any policy, a few accounts with any balances, and things that people ask for.

use ledger::{
    Account, AccountId, AccountKind, AccountStatus, Amount, Asset, AssetCode, Command, Pay, PaymentId, Plan, Refund,
    Snapshot, TopUp,
    command::Reason,
    plan::{Refusal, plan},
};
use proptest::prelude::*;
use rust_decimal::Decimal;
use uuid::Uuid;

const CUSTOMERS: u128 = 3;
const MERCHANTS: u128 = 2;

/// Something that people ask for; a refund names a payment by its place among those made so far.
#[derive(Clone, Debug)]
pub enum Step {
    Pay {
        payer: u128,
        merchant: u128,
        amount: Amount,
    },
    TopUp {
        account: u128,
        amount: Amount,
    },
    Refund {
        payment: usize,
        amount: Amount,
    },
    RefundTheRest {
        payment: usize,
    },
}

pub fn customer(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(0xc000 + number % CUSTOMERS))
}

pub fn merchant(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(0xe000 + number % MERCHANTS))
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
    }
}

/// An amount of up to `digits` digits, with at most `scale` decimals.
pub fn amount(digits: u32, scale: u32) -> impl Strategy<Value = Amount> {
    (1..10_i64.pow(digits), 0..=scale).prop_map(|(units, scale)| Amount::new(Decimal::new(units, scale)).unwrap())
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (any::<u8>(), any::<u8>(), amount(4, 3)).prop_map(|(payer, merchant, amount)| Step::Pay {
            payer: payer.into(),
            merchant: merchant.into(),
            amount
        }),
        2 => (any::<u8>(), amount(5, 3)).prop_map(|(account, amount)| Step::TopUp { account: account.into(), amount }),
        2 => (any::<usize>(), amount(3, 3)).prop_map(|(payment, amount)| Step::Refund { payment, amount }),
        1 => any::<usize>().prop_map(|payment| Step::RefundTheRest { payment }),
    ];
    prop::collection::vec(step, 1..40)
}

prop_compose! {
    /// A town with a main currency and points.
    pub fn town()(
        scale in 0..4_u32,
        point_scale in 0..3_u32,
        cap in prop::option::of(1..100_000_i64),
        bonus_millis in 0..=1000_i64,
        point_millis in 0..=1000_i64,
        balances in prop::collection::vec(0..50_000_i64, 5),
        random in any::<[u8; 6]>(),
    ) -> Snapshot {
        let mut snapshot = Snapshot::new("2026-04-01T00:00:00Z".parse().unwrap(), random);
        let zero = Decimal::ZERO;
        let rate = |millis| Decimal::new(millis, 3);
        let cap = cap.map(Decimal::from);
        let main = asset(AssetCode::main(), scale, cap, rate(bonus_millis), rate(point_millis));
        let point = asset(AssetCode::point(), point_scale, None, zero, zero);
        snapshot.assets = [main, point].into_iter().map(|asset| (asset.code.clone(), asset)).collect();
        for number in 0..CUSTOMERS {
            snapshot.accounts.insert(customer(number), active(AccountKind::Customer));
        }
        for number in 0..MERCHANTS {
            snapshot.accounts.insert(merchant(number), active(AccountKind::Merchant));
        }
        for (account, units) in snapshot.accounts.keys().copied().zip(balances) {
            let mut balance = Decimal::new(units, 0);
            balance.rescale(scale);
            snapshot.balances.insert((account, AssetCode::main()), balance);
        }
        snapshot
    }
}

fn active(kind: AccountKind) -> Account {
    Account {
        kind,
        status: AccountStatus::Active,
    }
}

/// The command of a step; `None` if it refunds and there is nothing to refund.
pub fn command(step: &Step, snapshot: &Snapshot) -> Option<Command> {
    let payment = |place: usize| {
        let ids: Vec<PaymentId> = snapshot.payments.keys().copied().collect();
        (!ids.is_empty()).then(|| ids[place % ids.len()])
    };
    let reason = Reason::parse("the customer brought it back").unwrap();
    Some(match step {
        Step::Pay {
            payer,
            merchant: shop,
            amount,
        } => Command::Pay(Pay {
            payer: customer(*payer),
            merchant: merchant(*shop),
            asset: AssetCode::main(),
            amount: *amount,
            memo: None,
        }),
        Step::TopUp { account, amount } => Command::TopUp(TopUp {
            account: customer(*account),
            asset: AssetCode::main(),
            amount: *amount,
        }),
        Step::Refund { payment: place, amount } => Command::Refund(Refund {
            payment: payment(*place)?,
            amount: *amount,
            reason,
        }),
        Step::RefundTheRest { payment: place } => {
            let payment = payment(*place)?;
            let amount = Amount::new(snapshot.payments[&payment].refundable()).ok()?;
            Command::Refund(Refund {
                payment,
                amount,
                reason,
            })
        }
    })
}

/// Decides the command and, if it is applied, makes it part of the facts as the next batch would read them.
pub fn decide(command: &Command, snapshot: &mut Snapshot) -> Result<Plan, Refusal> {
    let plan = plan(command, snapshot)?;
    snapshot.apply(&plan);
    if let Some(payment) = &plan.payment {
        snapshot.payments.insert(payment.payment_id, payment.clone());
    }
    Ok(plan)
}

//! The made-up towns: who lives there, what they hold, what they have bought.

use ledger::{Asset, AssetCode, Expiry, Limits};
use rust_decimal::Decimal;

/// The password of everybody in the demo.
pub(super) const PASSWORD: &str = "koban-demo-1";
/// Browsers take every name under `localhost` for this machine.
pub(super) const OTHER_HOST: &str = "minato.localhost";

pub(super) struct Town {
    pub(super) slug: &'static str,
    pub(super) name: &'static str,
    /// The host name of its pages; the first town answers to every other.
    pub(super) host: Option<&'static str>,
    pub(super) assets: Vec<Asset>,
    pub(super) customers: Vec<Customer>,
    pub(super) merchants: Vec<Person>,
    pub(super) admin: Person,
}

#[derive(Clone, Copy)]
pub(super) struct Person {
    pub(super) name: &'static str,
    pub(super) address: &'static str,
}

pub(super) struct Customer {
    pub(super) person: Person,
    pub(super) pin: &'static str,
    /// Asset and amount of each charge.
    pub(super) charges: &'static [(&'static str, &'static str)],
    pub(super) payments: Vec<Purchase>,
}

pub(super) struct Purchase {
    /// Which of the town's merchants, from 0.
    pub(super) merchant: usize,
    pub(super) asset: &'static str,
    pub(super) amount: &'static str,
    pub(super) memo: &'static str,
}

pub(super) fn koban() -> Town {
    Town {
        slug: "koban-town",
        name: "こばん町 (demo)",
        host: None,
        assets: vec![
            main(),
            point(),
            carbon_credit(),
            regional("koban", "こばん町商品券", "Koban town voucher"),
        ],
        customers: vec![
            Customer {
                person: Person {
                    name: "Demo Customer A",
                    address: "customer-a@demo.example",
                },
                pin: "2580",
                charges: &[("ECOPAY", "20000"), ("REGIONAL#koban", "5000"), ("JCREDIT", "1.25")],
                payments: vec![
                    buy(0, "ECOPAY", "1280", "お弁当とお茶"),
                    buy(1, "ECOPAY", "540", "コーヒー"),
                    buy(0, "REGIONAL#koban", "1000", "野菜"),
                ],
            },
            Customer {
                person: Person {
                    name: "Demo Customer B",
                    address: "customer-b@demo.example",
                },
                pin: "1379",
                charges: &[("ECOPAY", "8000"), ("JCREDIT", "0.5")],
                payments: vec![buy(1, "ECOPAY", "920", "ランチ"), buy(2, "ECOPAY", "2400", "文庫本")],
            },
            Customer {
                person: Person {
                    name: "Demo Customer C",
                    address: "customer-c@demo.example",
                },
                pin: "8642",
                charges: &[("ECOPAY", "50000"), ("REGIONAL#koban", "3000")],
                payments: vec![buy(2, "ECOPAY", "1650", "雑誌"), buy(0, "ECOPAY", "3200", "お米")],
            },
        ],
        merchants: vec![
            Person {
                name: "さくら商店 (demo)",
                address: "sakura@demo.example",
            },
            Person {
                name: "喫茶こばん (demo)",
                address: "kissa@demo.example",
            },
            Person {
                name: "みどり書店 (demo)",
                address: "midori@demo.example",
            },
        ],
        admin: Person {
            name: "Demo Admin",
            address: "admin@demo.example",
        },
    }
}

pub(super) fn minato() -> Town {
    Town {
        slug: "minato-town",
        name: "みなと町 (demo)",
        host: Some(OTHER_HOST),
        assets: vec![main(), point()],
        customers: vec![Customer {
            person: Person {
                name: "Minato Customer",
                address: "customer@minato.example",
            },
            pin: "7913",
            charges: &[("ECOPAY", "10000")],
            payments: vec![buy(0, "ECOPAY", "700", "干物")],
        }],
        merchants: vec![Person {
            name: "みなと鮮魚 (demo)",
            address: "fish@minato.example",
        }],
        admin: Person {
            name: "Minato Admin",
            address: "admin@minato.example",
        },
    }
}

fn buy(merchant: usize, asset: &'static str, amount: &'static str, memo: &'static str) -> Purchase {
    Purchase {
        merchant,
        asset,
        amount,
        memo,
    }
}

/// 1 %, of charges as a bonus and of payments as points.
const RATE: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

fn main() -> Asset {
    Asset {
        cap: Some(Decimal::from(100_000)),
        bonus_rate: RATE,
        point_rate: RATE,
        ..asset(AssetCode::main(), "エコペイ", "Ecopay", ("¥", true), 0)
    }
}

fn point() -> Asset {
    Asset {
        expiry: Some(Expiry::Months(12)),
        ..asset(AssetCode::point(), "ポイント", "Points", ("pt", false), 0)
    }
}

fn carbon_credit() -> Asset {
    asset(known("JCREDIT"), "Jクレジット", "J-Credits", ("t", false), 3)
}

fn regional(key: &str, name_ja: &str, name_en: &str) -> Asset {
    asset(known(&format!("REGIONAL#{key}")), name_ja, name_en, ("¥", true), 0)
}

/// An asset without cap, bonus and points.
fn asset(code: AssetCode, name_ja: &str, name_en: &str, (sign, sign_before): (&str, bool), scale: u32) -> Asset {
    Asset {
        code,
        name_ja: name_ja.to_owned(),
        name_en: name_en.to_owned(),
        scale,
        sign: sign.to_owned(),
        sign_before,
        cap: None,
        bonus_rate: Decimal::ZERO,
        point_rate: Decimal::ZERO,
        transferable: false,
        expiry: None,
        limits: Limits::new(),
    }
}

#[expect(clippy::expect_used, reason = "the codes stand in this file")]
fn known(code: &str) -> AssetCode {
    AssetCode::parse(code).expect("a code of this file has a code's form")
}

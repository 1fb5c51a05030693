//! What `koban demo` leaves in its folder for people and scripts: `demo.json` and the pepper, for the owner's eyes only.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use anyhow::{Context, Result};
use app::{
    context::AppState,
    identity::{Caller, Role, cards, tokens},
    terminal::top_ups::server::balances,
};
use ledger::{AccountId, Actor, ActorKind, AssetCode, TenantId, postgres::account};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::town::{PASSWORD, Person, Town};

const DEMO_JSON: &str = "demo.json";

#[derive(Serialize, Deserialize)]
pub(super) struct DemoFile {
    pub(super) base_url: String,
    #[serde(flatten)]
    pub(super) town: DescribedTown,
    pub(super) other_town: DescribedTown,
}

#[derive(Serialize, Deserialize)]
pub(super) struct DescribedTown {
    name: String,
    sign_ins: SignIns,
    pub(super) api_keys: ApiKeys,
    customers: Vec<Account>,
    merchants: Vec<Account>,
}

#[derive(Serialize, Deserialize)]
struct SignIns {
    customer: SignIn,
    merchant: SignIn,
    admin: SignIn,
    terminal: Pairing,
}

#[derive(Serialize, Deserialize)]
struct SignIn {
    url: String,
    address: String,
    password: String,
}

/// A terminal has no password: it is paired once, by a code that lives ten minutes.
#[derive(Serialize, Deserialize)]
struct Pairing {
    url: String,
    pairing_code: String,
}

#[derive(Default, Serialize, Deserialize)]
pub(super) struct ApiKeys {
    pub(super) integration: String,
    pub(super) terminal: String,
    pub(super) merchant: String,
    pub(super) admin: String,
}

#[derive(Serialize, Deserialize)]
struct Account {
    account_id: AccountId,
    name: String,
    code: Option<String>,
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<Card>,
    balances: BTreeMap<AssetCode, Decimal>,
}

#[derive(Serialize, Deserialize)]
struct Card {
    card_number: String,
    pin: String,
}

impl DemoFile {
    /// The file of an earlier start; `None` if there is none that can be read.
    pub(super) fn read(data: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(data.join(DEMO_JSON)).ok()?).ok()
    }

    pub(super) fn write(&self, data: &Path) -> Result<()> {
        write_private(&data.join(DEMO_JSON), &serde_json::to_string_pretty(self)?)
    }

    /// Tells people where to go and who to be.
    pub(super) fn print(&self, data: &Path) {
        let SignIns {
            customer,
            merchant,
            admin,
            terminal,
        } = &self.town.sign_ins;
        say!("\nkoban: ready on {} (Ctrl-C stops it)\n", self.base_url);
        for (face, sign_in) in [("customer", customer), ("merchant", merchant), ("admin", admin)] {
            say!(
                "  {face:9} {:34} sign in as {} with {}",
                sign_in.url,
                sign_in.address,
                sign_in.password
            );
        }
        say!(
            "  terminal  {:34} pair with {} (for ten minutes)",
            terminal.url,
            terminal.pairing_code
        );
        say!(
            "  JSON API  {:34} keys are in {}\n",
            format!("{}/api/v1", self.base_url),
            data.join(DEMO_JSON).display()
        );
    }
}

impl DescribedTown {
    pub(super) async fn of(
        state: &AppState,
        tenant: TenantId,
        town: &Town,
        base_url: &str,
        api_keys: ApiKeys,
        pairing_code: String,
        (customers, merchants): (&[AccountId], &[AccountId]),
    ) -> Result<Self> {
        let mut described = Self {
            name: town.name.to_owned(),
            sign_ins: SignIns {
                customer: sign_in(base_url, Role::Customer, &town.customers[0].person),
                merchant: sign_in(base_url, Role::Merchant, &town.merchants[0]),
                admin: sign_in(base_url, Role::Admin, &town.admin),
                terminal: Pairing {
                    url: format!("{base_url}{}", Role::Terminal.home()),
                    pairing_code,
                },
            },
            api_keys,
            customers: Vec::new(),
            merchants: Vec::new(),
        };
        for (customer, account) in town.customers.iter().zip(customers) {
            let card_number = cards::number_of(state.ledger.pool(), tenant, *account).await?;
            let card = card_number.map(|card_number| Card {
                card_number,
                pin: customer.pin.to_owned(),
            });
            described.customers.push(Account {
                card,
                ..describe(state, tenant, *account, &customer.person).await?
            });
        }
        for (merchant, account) in town.merchants.iter().zip(merchants) {
            described
                .merchants
                .push(describe(state, tenant, *account, merchant).await?);
        }
        Ok(described)
    }
}

fn sign_in(base_url: &str, role: Role, person: &Person) -> SignIn {
    let url = format!("{base_url}{}", role.home());
    SignIn {
        url,
        address: person.address.to_owned(),
        password: PASSWORD.to_owned(),
    }
}

async fn describe(state: &AppState, tenant: TenantId, account_id: AccountId, person: &Person) -> Result<Account> {
    let row = account::find(state.ledger.pool(), tenant, account_id)
        .await?
        .context("an account of the demo is gone")?;
    // The demo looks at its towns as their admin.
    let actor = Actor {
        kind: ActorKind::System,
        id: Uuid::nil(),
    };
    let admin = Caller {
        tenant,
        actor,
        role: Role::Admin,
        account: None,
        name: String::new(),
    };
    Ok(Account {
        account_id,
        name: row.name,
        code: row.code,
        address: person.address.to_owned(),
        card: None,
        balances: balances(state, &admin, account_id).await?,
    })
}

/// The secret that the demo's PINs are hashed with, made at the first start.
pub(super) fn pepper(data: &Path) -> Result<String> {
    let path = data.join("pepper");
    if let Ok(pepper) = fs::read_to_string(&path) {
        return Ok(pepper);
    }
    let pepper = tokens::hex(&rand::random::<[u8; 32]>());
    write_private(&path, &pepper)?;
    Ok(pepper)
}

/// Writes a file that only its owner can read, whole or not at all.
fn write_private(path: &Path, content: &str) -> Result<()> {
    let unfinished = path.with_extension("new");
    let write = || {
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&unfinished)?;
        file.write_all(content.as_bytes())?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    };
    write().with_context(|| format!("can't write {}", path.display()))
}

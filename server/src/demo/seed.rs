//! Makes what is missing of a town. Every step looks before it writes and money has fixed keys, so a start that was
//! killed in the middle is finished by the next, and a later one writes nothing.

use anyhow::{Context, Result, ensure};
use app::{
    context::AppState,
    identity::{
        Role,
        address::Address,
        api_keys, cards, code,
        people::{self, Person},
        terminals, tokens,
    },
};
use chrono::TimeDelta;
use ledger::{
    AccountId, AccountKind, AccountStatus, Actor, ActorKind, Amount, AssetCode, Command, IdempotencyKey, Memo, Outcome,
    Pay, TenantId, TopUp,
    postgres::{
        account::{self, AccountRow},
        asset,
        tenant::{self, Tenant},
    },
};
use uuid::Uuid;

use super::{
    file::{ApiKeys, DescribedTown},
    town::{self, Customer, PASSWORD, Town},
};

/// Koban itself.
const SEEDER: Actor = Actor {
    kind: ActorKind::System,
    id: Uuid::nil(),
};

/// The town as it is now, after making what was missing. `known` are the API keys of an earlier start.
pub(super) async fn town(state: &AppState, town: &Town, base_url: &str, known: ApiKeys) -> Result<DescribedTown> {
    let tenant = founded(state, town).await?;
    let seeding = Seeding { state, tenant };
    let mut merchants = Vec::new();
    for merchant in &town.merchants {
        merchants.push(seeding.merchant(merchant).await?);
    }
    let mut customers = Vec::new();
    for customer in &town.customers {
        customers.push(seeding.customer(customer).await?);
    }
    seeding.person(Role::Admin, &town.admin, None).await?;
    seeding.history(town, &customers, &merchants).await?;
    let api_keys = seeding.api_keys(known, merchants[0]).await?;
    let pairing_code = terminals::issue_code(
        state.ledger.pool(),
        tenant,
        merchants[0],
        "Demo till",
        state.ledger.now(),
    )
    .await?;
    DescribedTown::of(
        state,
        tenant,
        town,
        base_url,
        api_keys,
        pairing_code,
        (&customers, &merchants),
    )
    .await
}

async fn founded(state: &AppState, town: &Town) -> Result<TenantId> {
    let pool = state.ledger.pool();
    let found = tenant::all(pool)
        .await?
        .into_iter()
        .find(|tenant| tenant.slug == town.slug);
    let tenant_id = match found {
        Some(tenant) => tenant.tenant_id,
        None => {
            say!("koban: making {}", town.name);
            let tenant = Tenant {
                tenant_id: TenantId(Uuid::now_v7()),
                slug: town.slug.to_owned(),
                name: town.name.to_owned(),
                host: town.host.map(str::to_owned),
                time_zone: "Asia/Tokyo".to_owned(),
            };
            tenant::create(pool, &tenant, state.ledger.now()).await?;
            tenant.tenant_id
        }
    };
    let existing = asset::of_tenant(pool, tenant_id).await?;
    for asset in town.assets.iter().filter(|asset| !existing.contains_key(&asset.code)) {
        asset::create(pool, tenant_id, asset).await?;
    }
    Ok(tenant_id)
}

fn account_row(
    state: &AppState,
    account_id: AccountId,
    kind: AccountKind,
    name: &str,
    code: Option<String>,
) -> AccountRow {
    let created_at = state.ledger.now();
    AccountRow {
        account_id,
        kind,
        status: AccountStatus::Active,
        name: name.to_owned(),
        code,
        created_at,
    }
}

struct Seeding<'a> {
    state: &'a AppState,
    tenant: TenantId,
}

impl Seeding<'_> {
    /// The account of a person, if the person exists.
    async fn existing(&self, role: Role, person: &town::Person) -> Result<Option<Person>> {
        let pool = self.state.ledger.pool();
        Ok(people::find_by_address(pool, self.tenant, role, &address(person)?).await?)
    }

    async fn new_person(&self, role: Role, person: &town::Person) -> Result<Person> {
        let password_hash = self.state.secrets.hash_password(PASSWORD).await?;
        Ok(Person::new(
            role,
            person.name.to_owned(),
            address(person)?,
            password_hash,
            self.state.ledger.now(),
        ))
    }

    async fn person(&self, role: Role, person: &town::Person, account: Option<AccountId>) -> Result<()> {
        if self.existing(role, person).await?.is_some() {
            return Ok(());
        }
        let account_id = account.map(|account| account.0);
        let person = Person {
            account_id,
            ..self.new_person(role, person).await?
        };
        Ok(people::insert(self.state.ledger.pool(), self.tenant, &person).await?)
    }

    /// A store and its owner.
    async fn merchant(&self, owner: &town::Person) -> Result<AccountId> {
        if let Some(account) = self
            .existing(Role::Merchant, owner)
            .await?
            .and_then(|owner| owner.account_id)
        {
            return Ok(AccountId(account));
        }
        let account_id = AccountId(Uuid::now_v7());
        let code = tokens::code(code::SHOP_LENGTH);
        let row = account_row(self.state, account_id, AccountKind::Merchant, owner.name, Some(code));
        let person = Person {
            account_id: Some(account_id.0),
            ..self.new_person(Role::Merchant, owner).await?
        };
        let mut tx = self.state.ledger.pool().begin().await?;
        account::open(&mut *tx, self.tenant, &row).await?;
        people::insert(&mut *tx, self.tenant, &person).await?;
        tx.commit().await?;
        Ok(account_id)
    }

    /// A wallet, whose it is, and a card.
    async fn customer(&self, customer: &Customer) -> Result<AccountId> {
        let existing = self
            .existing(Role::Customer, &customer.person)
            .await?
            .and_then(|person| person.account_id);
        let account = match existing {
            Some(account) => AccountId(account),
            None => {
                let person = self.new_person(Role::Customer, &customer.person).await?;
                people::open_customer(self.state, self.tenant, &person).await?
            }
        };
        if cards::number_of(self.state.ledger.pool(), self.tenant, account)
            .await?
            .is_none()
        {
            cards::issue(self.state, self.tenant, account, &cards::number(), customer.pin).await?;
        }
        Ok(account)
    }

    /// Charges and purchases of everybody. Their keys make a second run harmless for as long as markers live, and a town
    /// that is older than a day has its history.
    async fn history(&self, town: &Town, customers: &[AccountId], merchants: &[AccountId]) -> Result<()> {
        let last = *customers.last().context("a town has customers")?;
        let last = account::find(self.state.ledger.pool(), self.tenant, last)
            .await?
            .context("a customer has an account")?;
        if self.state.ledger.now() - last.created_at > TimeDelta::days(1) {
            return Ok(());
        }
        for (customer, account) in town.customers.iter().zip(customers) {
            for (asset, amount) in customer.charges {
                let (asset, amount) = (AssetCode::parse(asset)?, Amount::parse(amount)?);
                let command = Command::TopUp(TopUp {
                    account: *account,
                    asset: asset.clone(),
                    amount,
                });
                self.submit(&format!("demo:charge:{account}:{asset}"), command).await?;
            }
            for (n, purchase) in customer.payments.iter().enumerate() {
                let command = Command::Pay(Pay {
                    payer: *account,
                    merchant: merchants[purchase.merchant],
                    asset: AssetCode::parse(purchase.asset)?,
                    amount: Amount::parse(purchase.amount)?,
                    memo: Some(Memo::parse(purchase.memo)?),
                });
                self.submit(&format!("demo:purchase:{account}:{n}"), command).await?;
            }
        }
        Ok(())
    }

    async fn submit(&self, key: &str, command: Command) -> Result<()> {
        let key = IdempotencyKey::parse(key)?;
        let answer = self.state.ledger.submit(self.tenant, SEEDER, &key, command).await?;
        ensure!(
            matches!(answer.outcome, Outcome::Applied(_)),
            "the demo's history was declined: {}",
            answer.body
        );
        Ok(())
    }

    /// The keys that are known and still valid, and new ones for the others.
    async fn api_keys(&self, known: ApiKeys, store: AccountId) -> Result<ApiKeys> {
        Ok(ApiKeys {
            integration: self.api_key(known.integration, Role::Integration, None).await?,
            terminal: self.api_key(known.terminal, Role::Terminal, Some(store)).await?,
            merchant: self.api_key(known.merchant, Role::Merchant, Some(store)).await?,
            admin: self.api_key(known.admin, Role::Admin, None).await?,
        })
    }

    async fn api_key(&self, known: String, role: Role, store: Option<AccountId>) -> Result<String> {
        let pool = self.state.ledger.pool();
        let bearer = api_keys::authenticate(pool, &known).await?;
        if bearer.is_some_and(|bearer| bearer.tenant == self.tenant && bearer.role == role) {
            return Ok(known);
        }
        let name = format!("Demo {}", role.as_str());
        Ok(api_keys::issue(pool, self.tenant, role, &name, store, self.state.ledger.now()).await?)
    }
}

fn address(person: &town::Person) -> Result<Address> {
    Address::parse(person.address).context("an address of the demo is malformed")
}

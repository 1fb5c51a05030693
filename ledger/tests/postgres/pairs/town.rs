//! A random town that is known twice: to the planner as facts in memory, and to two servers as rows.

use chrono::TimeDelta;
use ledger::{
    Actor, ActorKind, Amount, Command, Snapshot, TenantId,
    money::Instant,
    postgres::{Clock, account, asset, tenant},
};
use sqlx::postgres::PgConnectOptions;
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{
    names::{Names, made_by, name_of, named, renamed},
    rows,
};
use crate::{
    facts::Facts,
    random::{self, Kind, Step, asker, command, decide, pass, simple},
    world::{Call, World, together, verdict},
};

/// Two servers on one database, each with its lane, whose clock the test sets.
pub(super) struct Servers {
    first: World,
    second: World,
    clock: &'static AtomicI64,
    keeps_lane: JoinHandle<()>,
}

/// The time that a test has set, in microseconds.
pub(super) fn time_of(clock: &AtomicI64) -> Instant {
    Instant::from_timestamp_micros(clock.load(Ordering::Relaxed)).unwrap()
}

impl Servers {
    /// One server, which writes in the first lane without a lease of its own, and another, which gets the next ones. `reads`
    /// reads the clock.
    pub(super) async fn on(options: PgConnectOptions, clock: &'static AtomicI64, reads: Clock) -> Self {
        let first = World::with_clock(options, reads).await;
        first
            .run("insert into ledger.lane values (0, gen_random_uuid(), now() + interval '1 day')")
            .await;
        let second = first.other_server_with_clock(reads);
        let keeps_lane = tokio::spawn({
            let ledger = second.ledger.clone();
            async move { ledger.keep_lanes().await }
        });
        while second.ledger.lanes().contains(&0) {
            tokio::task::yield_now().await;
        }
        Self {
            first,
            second,
            clock,
            keeps_lane,
        }
    }

    pub(super) async fn finish(self) {
        self.keeps_lane.abort();
        self.second.ledger.close().await;
        self.first.finish().await;
    }
}

pub(super) struct Town {
    seed: u32,
    servers: [World; 2],
    clock: &'static AtomicI64,
    snapshot: Snapshot,
    names: Names,
    asked: usize,
}

/// What an order of commands makes of a town, in the database's names.
struct Told {
    snapshot: Snapshot,
    names: Names,
    verdicts: Vec<&'static str>,
    facts: Facts,
}

impl Town {
    /// Founds the town of `snapshot`, in which nobody holds anything, and gives every customer some of all money.
    pub(super) async fn found(servers: &Servers, seed: u32, mut snapshot: Snapshot) -> Self {
        snapshot.balances.clear();
        let tenant = TenantId(Uuid::from_u128(0x1000 + u128::from(seed)));
        let servers_of_town = [&servers.first, &servers.second].map(|server| World {
            ledger: server.ledger.clone(),
            tenant,
            options: server.options.clone(),
        });
        let mut town = Self {
            seed,
            servers: servers_of_town,
            clock: servers.clock,
            snapshot,
            names: Names::new(),
            asked: 0,
        };
        town.open().await;
        for number in 0..3 {
            for asset in 0..2 {
                town.play(&[gift(number, asset)]).await;
            }
        }
        town
    }

    async fn open(&self) {
        let [World { ledger, tenant, .. }, _] = &self.servers;
        let (db, slug) = (ledger.pool(), format!("town-{}", self.seed));
        let town = tenant::Tenant {
            tenant_id: *tenant,
            name: slug.clone(),
            slug,
            host: None,
            time_zone: "UTC".to_owned(),
        };
        tenant::create(db, &town, self.snapshot.at).await.unwrap();
        for asset in self.snapshot.assets.values() {
            asset::create(db, *tenant, asset).await.unwrap();
        }
        for (id, found) in &self.snapshot.accounts {
            let row = account::AccountRow {
                account_id: *id,
                kind: found.kind,
                status: found.status,
                name: id.to_string(),
                code: None,
                created_at: self.snapshot.at,
            };
            account::open(db, *tenant, &row).await.unwrap();
        }
    }

    /// Asks for one step or two, at once and each of its own server, and goes on as the order that explains what came of
    /// it; returns which order it was, where that can be told.
    pub(super) async fn play(&mut self, steps: &[Step]) -> Option<usize> {
        self.pass(steps[0].wait_h);
        let asked = self.commands(steps);
        let calls: Vec<_> = asked.iter().map(|(step, command)| self.call(step, command)).collect();
        let answers = together(calls).await;
        let verdicts: Vec<_> = answers.iter().map(verdict).collect();
        let made: Vec<_> = answers.iter().map(made_by).collect();
        let mut told = self.told(&asked, &made);
        let facts = rows::facts(&self.servers[0]).await;
        let order = told
            .iter()
            .position(|told| told.verdicts == verdicts && told.facts == facts);
        let Some(order) = order else {
            let told: Vec<_> = told.iter().map(|told| (&told.verdicts, &told.facts)).collect();
            panic!(
                "town {}: {asked:#?} was {verdicts:?}: {facts:#?}; no order explains it: {told:#?}",
                self.seed
            );
        };
        let can_be_told = differ(&told);
        let Told { snapshot, names, .. } = told.swap_remove(order);
        (self.snapshot, self.names) = (snapshot, names);
        can_be_told.then_some(order)
    }

    /// Whether it would be seen in which order the two steps were done.
    pub(super) fn can_tell(&self, pair: &[Step; 2]) -> bool {
        let made = [1, 2].map(|number| Some(Uuid::from_u128(number)));
        differ(&self.told(&self.commands(pair), &made))
    }

    fn commands<'a>(&self, steps: &'a [Step]) -> Vec<(&'a Step, Command)> {
        let commands = steps.iter();
        commands
            .filter_map(|step| Some((step, command(step, &self.snapshot)?)))
            .collect()
    }

    /// Lets hours pass, and always so much that what the database dates a few microseconds later is long ago.
    fn pass(&mut self, hours: i64) {
        self.snapshot.at += TimeDelta::milliseconds(1001);
        pass(&mut self.snapshot, hours);
        self.clock.store(self.snapshot.at.timestamp_micros(), Ordering::Relaxed);
    }

    fn call(&mut self, step: &Step, command: &Command) -> Call {
        self.asked += 1;
        let actor = Actor {
            kind: ActorKind::Admin,
            id: Uuid::from_u128(step.asker.into()),
        };
        let server = &self.servers[self.asked % 2];
        server.call_as(actor, self.asked, renamed(command.clone(), &self.names))
    }

    /// What the planner says of the commands in each order; what they make has these names.
    fn told(&self, asked: &[(&Step, Command)], made: &[Option<Uuid>]) -> Vec<Told> {
        let orders: &[&[usize]] = if asked.len() == 2 { &[&[0, 1], &[1, 0]] } else { &[&[0]] };
        orders
            .iter()
            .map(|order| self.told_in(&order[..asked.len()], asked, made))
            .collect()
    }

    fn told_in(&self, order: &[usize], asked: &[(&Step, Command)], made: &[Option<Uuid>]) -> Told {
        let (mut snapshot, mut names) = (self.snapshot.clone(), self.names.clone());
        let mut verdicts = vec![""; order.len()];
        for &place in order {
            let (step, command) = &asked[place];
            let plan = decide(command, &asker(step), &mut snapshot);
            if let (Ok(plan), Some(name)) = (&plan, made[place]) {
                names.entry(name_of(&plan.receipt)).or_insert(name);
            }
            verdicts[place] = random::verdict(&plan);
        }
        let facts = named(Facts::of(&snapshot), &names);
        Told {
            snapshot,
            names,
            verdicts,
            facts,
        }
    }
}

fn differ(told: &[Told]) -> bool {
    told.iter()
        .any(|other| other.verdicts != told[0].verdicts || other.facts != told[0].facts)
}

fn gift(number: u128, asset: usize) -> Step {
    Step {
        customer: number,
        asset,
        ..simple(Kind::Grant, Amount::new(8_000.into()).unwrap())
    }
}

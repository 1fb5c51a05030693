//! The command line and the environment: everything that can be set, read here and nowhere else.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use anyhow::{Result, ensure};
use clap::{Args, Parser, Subcommand};

/// Community money: prepaid balances, points and regional currencies on one idempotent ledger.
#[derive(Parser)]
#[command(
    name = "koban",
    version,
    after_help = "Try it: `koban demo`, then open the address that it prints."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// What to log: a level (error, warn, info, debug, trace) or filters such as `info,sqlx=debug`
    #[arg(
        long,
        env = "KOBAN_LOG",
        default_value = "info,sqlx=warn",
        global = true,
        value_name = "FILTER"
    )]
    pub log: String,

    /// Log one JSON object a line, for machines
    #[arg(long, env = "KOBAN_LOG_JSON", global = true)]
    pub log_json: bool,
}

#[derive(Subcommand)]
pub enum Command {
    /// Start everything with a made-up town: a private PostgreSQL, sample people and shops, the four faces
    ///
    /// Nothing has to be set up. All data lies in one folder; a second start finds it again. With DATABASE_URL set,
    /// that server is used instead of a private one and no samples are made.
    Demo(Demo),
    /// Serve on the PostgreSQL that DATABASE_URL names
    ///
    /// It waits for the database while that is down. `koban migrate` has to be run before, once for every version.
    Serve(Serve),
    /// Prove the books: check every invariant of the ledger, one line each; exit with 1 if one is broken
    Verify(Verify),
    /// Bring the database that DATABASE_URL names to this version's layout
    Migrate(Database),
    /// The jobs that the servers run by the clock
    #[command(subcommand)]
    Job(JobCommand),
}

#[derive(Subcommand)]
pub enum JobCommand {
    /// List the jobs: when each runs next, and what came of its last run
    List(Database),
    /// Run a job now, unless another server is running it; exit with 1 if it does not succeed
    Run {
        /// The job's name, as `koban job list` shows it
        name: String,

        #[command(flatten)]
        database: Database,
    },
}

#[derive(Args)]
pub struct Demo {
    /// The folder of all data; it is made if it is not there
    #[arg(long, default_value = "data", value_name = "DIR")]
    pub data: PathBuf,

    /// The port on 127.0.0.1 to serve on
    #[arg(long, default_value_t = 3000, value_name = "N")]
    pub port: u16,

    #[command(flatten)]
    pub programs: Programs,

    #[command(flatten)]
    pub site: Site,

    /// Use this PostgreSQL and make no samples: postgres://user:password@host/database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: Option<String>,

    #[command(flatten)]
    pub pepper: Pepper,
}

#[derive(Args)]
pub struct Serve {
    #[command(flatten)]
    pub database: Database,

    /// The address to listen on
    #[arg(
        long,
        env = "KOBAN_ADDRESS",
        default_value = "127.0.0.1:3000",
        value_name = "IP:PORT"
    )]
    pub address: SocketAddr,

    /// Browsers reach this server by plain http, not by https. Allowed on loopback addresses only
    #[arg(long, env = "KOBAN_PLAIN_HTTP")]
    pub plain_http: bool,

    /// Connections to PostgreSQL at most
    #[arg(long, env = "KOBAN_CONNECTIONS", default_value_t = CONNECTIONS, value_name = "N")]
    pub connections: u32,

    #[command(flatten)]
    pub pepper: Pepper,

    #[command(flatten)]
    pub site: Site,
}

/// Connections to PostgreSQL when nothing else is said; the ledger's batches need few.
pub const CONNECTIONS: u32 = 16;

#[derive(Args)]
pub struct Verify {
    /// Check the cluster of this `koban demo` folder, running or not
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Check the database of this PostgreSQL
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: Option<String>,

    #[command(flatten)]
    pub programs: Programs,
}

#[derive(Args)]
pub struct Database {
    /// The PostgreSQL to use: postgres://user:password@host/database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: String,
}

const SHORTEST_PEPPER: usize = 32;

#[derive(Args)]
pub struct Pepper {
    /// The secret that PINs are hashed with, 32 characters or more; it must stay the same and out of the database
    #[arg(long, env = "KOBAN_PEPPER", hide_env_values = true, value_name = "SECRET")]
    pepper: Option<String>,
}

impl Pepper {
    /// The secret, if one was given.
    ///
    /// # Errors
    /// If it is too short to be random.
    pub fn secret(&self) -> Result<Option<&str>> {
        let Some(pepper) = self.pepper.as_deref() else {
            return Ok(None);
        };
        ensure!(
            pepper.len() >= SHORTEST_PEPPER,
            "KOBAN_PEPPER must have {SHORTEST_PEPPER} characters or more"
        );
        Ok(Some(pepper))
    }
}

#[derive(Args)]
pub struct Programs {
    /// The folder of PostgreSQL's programs, if they are not where they usually are
    #[arg(id = "pg_bin", long = "pg-bin", env = "PG_BIN", value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

#[derive(Args)]
pub struct Site {
    /// The folder of style sheets and browser code, if it is not beside the program
    #[arg(id = "site", long = "site", env = "KOBAN_SITE", value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

impl Serve {
    /// Whether browsers reach this server by https.
    ///
    /// # Errors
    /// If plain http was asked for on an address that others can reach.
    pub fn https(&self) -> Result<bool> {
        let is_private = self.address.ip().is_loopback();
        ensure!(
            !self.plain_http || is_private,
            "plain http is allowed on loopback only, and {} is not",
            self.address
        );
        Ok(!self.plain_http)
    }
}

impl Demo {
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.port)
    }
}

impl Site {
    /// The folder of the site: the one named, else `site` beside the program or beside the program's folder.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        let program = std::env::current_exe().unwrap_or_default();
        let beside = program
            .ancestors()
            .skip(1)
            .take(3)
            .map(|folder| folder.join("site"))
            .find(|site| site.is_dir());
        self.folder
            .clone()
            .or(beside)
            .unwrap_or_else(|| PathBuf::from("target/site"))
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}

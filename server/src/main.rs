//! Reads the command line and does what it says.

#![warn(clippy::print_stdout)]

use std::process::ExitCode;

use clap::Parser;
use server::{
    config::{Cli, Command},
    demo, jobs, say, serve, telemetry, verify,
};

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match telemetry::start(&cli.log, cli.log_json) {
        Ok(()) => run(cli.command).await,
        Err(error) => Err(error),
    };
    done.unwrap_or_else(|error| {
        say!("koban: {error:#}");
        ExitCode::FAILURE
    })
}

async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Demo(demo) => demo::run(demo).await?,
        Command::Serve(settings) => serve::run(settings).await?,
        Command::Migrate(database) => serve::migrate(&database.database_url).await?,
        Command::Verify(settings) => return verify::run(settings).await,
        Command::Job(command) => jobs::command::run(command).await?,
    }
    Ok(ExitCode::SUCCESS)
}

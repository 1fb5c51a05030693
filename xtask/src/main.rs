//! The build steps that cargo alone can't do: `cargo xtask site [--release]` and `cargo xtask purity`.

mod assets;
mod files;
mod hash;
mod layout;
mod site;
mod style;
mod toolchain;
mod wasm;

use anyhow::{Result, bail};
use layout::Layout;

const USAGE: &str = "\
cargo xtask site            build the site beside target/release
cargo xtask site --release  build the site for shipping beside target/dist
cargo xtask purity          check that `ledger` without `postgres` compiles for wasm32";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["site"] => site::build(&Layout::everyday()),
        ["site", "--release"] => site::build(&Layout::shipping()),
        ["purity"] => wasm::check_ledger(),
        ["help" | "--help"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("unknown arguments; one of:\n{USAGE}"),
    }
}

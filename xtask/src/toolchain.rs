//! Which cargo compiles for wasm32: the one in use if it has the target, else Debian's with a standard library from source.

use crate::layout;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The oldest wasm-ld that links what Debian's rustc emits.
const OLDEST_LINKER: u32 = 19;

/// A cargo command that can compile for wasm32 into its own target folder; the sub-command is still to be added.
///
/// # Errors
/// When neither toolchain is installed.
pub(crate) fn cargo() -> Result<Command> {
    let mut command = if has_target()? {
        Command::new("cargo")
    } else {
        debian()?
    };
    command
        .current_dir(layout::root())
        .env("CARGO_TARGET_DIR", layout::front_target());
    Ok(command)
}

fn has_target() -> Result<bool> {
    let output = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .current_dir(layout::root())
        .output()
        .context("rustc does not start")?;
    Ok(Path::new(String::from_utf8(output.stdout)?.trim()).is_dir())
}

fn debian() -> Result<Command> {
    let linker =
        newest_linker().context("no toolchain for wasm32; `scripts/setup` or `rustup target add` installs one")?;
    let mut command = Command::new("/usr/bin/cargo");
    // This program runs under another cargo, whose settings would send Debian's back to that toolchain.
    for (name, _) in std::env::vars_os() {
        if is_of_outer_cargo(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    command
        .env("PATH", "/usr/bin:/bin")
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort")
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    Ok(command)
}

fn is_of_outer_cargo(name: &str) -> bool {
    let exact = [
        "CARGO",
        "RUSTUP_TOOLCHAIN",
        "RUSTC",
        "RUSTDOC",
        "RUSTC_WRAPPER",
        "LD_LIBRARY_PATH",
    ];
    exact.contains(&name)
        || ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

fn newest_linker() -> Option<PathBuf> {
    let version = |path: &PathBuf| {
        path.file_name()?
            .to_str()?
            .strip_prefix("wasm-ld-")?
            .parse::<u32>()
            .ok()
    };
    let programs = std::fs::read_dir("/usr/bin")
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()));
    programs
        .filter(|path| version(path) >= Some(OLDEST_LINKER))
        .max_by_key(version)
}

//! The WASM half: compiles `frontend`, and lets wasm-bindgen write the JavaScript that loads it.

use crate::layout::{self, OUTPUT_NAME};
use crate::toolchain::{self, TARGET};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// Compiles `frontend` and returns the module, which no browser can load yet.
///
/// # Errors
/// When the toolchain is missing or the code does not compile.
pub(crate) fn compile(profile: &str) -> Result<PathBuf> {
    cargo(&["build", "--package", "frontend", "--lib", "--profile", profile])?;
    Ok(layout::front_target().join(TARGET).join(profile).join("frontend.wasm"))
}

/// Proves that the ledger's decisions need no database: without `postgres` the crate compiles for the browser.
///
/// # Errors
/// When it does not.
pub(crate) fn check_ledger() -> Result<()> {
    cargo(&["check", "--package", "ledger", "--lib", "--profile", "front"])
}

/// Writes `koban.js`, `koban_bg.wasm` and the snippets they import to `folder`.
///
/// # Errors
/// When the module was linked against another version of wasm-bindgen than this program's.
pub(crate) fn bind(module: &Path, folder: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(module)
        .out_name(OUTPUT_NAME)
        .web(true)?
        .typescript(false)
        .keep_debug(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .context("wasm-bindgen")
}

fn cargo(arguments: &[&str]) -> Result<()> {
    let status = toolchain::cargo()?
        .args(arguments)
        .args(["--target", TARGET])
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "cargo {} failed for {TARGET}", arguments[0]);
    Ok(())
}

//! Puts the site together: script, module, style sheet, public files, and `hash.txt` for the server.
//!
//! # Invariants
//! A running server never meets half a site: it is built in a folder of its own, then takes the old one's place.
//! Two builds never meet each other: the second waits.

use crate::layout::{self, Layout, PKG};
use crate::{assets, files, hash, style, wasm};
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Builds the site if anything that goes into it has changed.
///
/// # Errors
/// When the WASM half or the style sheet does not compile, or a file can't be written.
pub(crate) fn build(layout: &Layout) -> Result<()> {
    let started_at = Instant::now();
    let _turn = wait_for_turn(&layout.site)?;
    let module = wasm::compile(layout.profile)?;
    let inputs = digest(&module)?;
    let stamp = layout.site.with_extension("stamp");
    if is_current(layout, &stamp, &inputs) {
        println!("site: unchanged");
        return Ok(());
    }
    let lines = assemble(&module, &layout.site)?;
    for folder in &layout.executables {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("hash.txt"), &lines)?;
    }
    fs::write(stamp, inputs)?;
    report(&layout.site, started_at)
}

/// The builder of the site at that place, for as long as the file is open.
fn wait_for_turn(site: &Path) -> Result<File> {
    fs::create_dir_all(site.parent().context("the site lies in a folder")?)?;
    let turn = File::create(site.with_extension("lock"))?;
    turn.lock()?;
    Ok(turn)
}

/// One digest of everything that goes into the site; this program is part of it, because it decides the form.
fn digest(module: &Path) -> Result<String> {
    let mut inputs = vec![module.to_path_buf(), std::env::current_exe()?];
    inputs.extend(files::under(&style::sources())?);
    inputs.extend(files::under(&public_files())?);
    let mut lines = String::new();
    for input in inputs {
        let content = fs::read(&input).with_context(|| format!("no {}", input.display()))?;
        lines.push_str(&format!("{} {}\n", hash::name(&content), input.display()));
    }
    Ok(lines)
}

fn is_current(layout: &Layout, stamp: &Path, inputs: &str) -> bool {
    let is_complete = layout.site.is_dir()
        && layout
            .executables
            .iter()
            .all(|folder| folder.join("hash.txt").is_file());
    is_complete && fs::read_to_string(stamp).is_ok_and(|last| last == inputs)
}

/// Builds the site beside `site`, puts it there, and returns the lines of `hash.txt`.
fn assemble(module: &Path, site: &Path) -> Result<String> {
    let next = site.with_extension("next");
    remove(&next)?;
    let pkg = next.join(PKG);
    fs::create_dir_all(&pkg)?;
    wasm::bind(module, &pkg)?;
    style::compile(&pkg)?;
    let lines = assets::hash_names(&pkg)?;
    files::copy_all(&public_files(), &next)?;
    assets::compress(&next)?;
    remove(site)?;
    fs::rename(&next, site).context("putting the site in its place")?;
    Ok(lines)
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    Ok(())
}

/// Files that are served as they are: icons, the web manifest.
fn public_files() -> PathBuf {
    layout::root().join("app/public")
}

fn report(site: &Path, started_at: Instant) -> Result<()> {
    for file in files::under(&site.join(PKG))? {
        let kib = fs::metadata(&file)?.len().div_ceil(1024);
        println!("site: {kib:>6} KiB  {}", file.strip_prefix(site)?.display());
    }
    println!("site: built in {:.1} s", started_at.elapsed().as_secs_f32());
    Ok(())
}

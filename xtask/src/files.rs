//! Walks and copies of folders.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// All files under `folder` at any depth, sorted; none if it does not exist.
///
/// # Errors
/// When a folder can't be read.
pub(crate) fn under(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(under(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Copies everything under `from` to the same place under `to`.
///
/// # Errors
/// When a file can't be copied.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<()> {
    for file in under(from)? {
        let copy = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(copy.parent().context("a copy has a folder")?)?;
        fs::copy(&file, &copy).with_context(|| format!("copying {}", file.display()))?;
    }
    Ok(())
}

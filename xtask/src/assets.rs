//! The last steps of every file of the site: its name by content, and its compressed neighbours.

use crate::files;
use crate::hash;
use crate::layout::OUTPUT_NAME;
use anyhow::{Context, Result};
use std::fs;
use std::io::Write;
use std::path::Path;

const BROTLI_QUALITY: u32 = 11;
const BROTLI_WINDOW_LOG2: u32 = 22;

/// Renames what wasm-bindgen and the style sheet left in `folder` to names by content, so that browsers may keep them for ever.
/// Returns the lines of `hash.txt`, from which Leptos builds the same names.
///
/// # Errors
/// When a file is missing.
pub(crate) fn hash_names(folder: &Path) -> Result<String> {
    let mut lines = String::new();
    for (kind, built) in [("js", "koban.js"), ("wasm", "koban_bg.wasm"), ("css", "koban.css")] {
        let built = folder.join(built);
        let content = fs::read(&built).with_context(|| format!("no {}", built.display()))?;
        let hash = hash::name(&content);
        fs::rename(&built, folder.join(format!("{OUTPUT_NAME}.{hash}.{kind}")))?;
        lines.push_str(&format!("{kind}: {hash}\n"));
    }
    Ok(lines)
}

/// Writes `FILE.br` and `FILE.gz` beside every file under `folder` that gets smaller by it; pictures don't.
///
/// # Errors
/// When a file can't be read or written.
pub(crate) fn compress(folder: &Path) -> Result<()> {
    for file in files::under(folder)? {
        let content = fs::read(&file)?;
        for (suffix, packed) in [("br", brotli(&content)?), ("gz", gzip(&content)?)] {
            if packed.len() < content.len() {
                fs::write(format!("{}.{suffix}", file.display()), packed)?;
            }
        }
    }
    Ok(())
}

fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    let mut writer =
        brotli::CompressorWriter::new(Vec::new(), content.len().max(1), BROTLI_QUALITY, BROTLI_WINDOW_LOG2);
    writer.write_all(content)?;
    Ok(writer.into_inner())
}

fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(content)?;
    Ok(writer.finish()?)
}

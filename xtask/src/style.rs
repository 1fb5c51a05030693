//! The style sheet: SCSS to one compressed CSS file.

use crate::layout::{self, OUTPUT_NAME};
use anyhow::{Context, Result};
use grass::{Options, OutputStyle};
use std::path::{Path, PathBuf};

/// The folder of the SCSS sources.
pub(crate) fn sources() -> PathBuf {
    layout::root().join("style")
}

/// Compiles `style/main.scss` to `koban.css` in `folder`.
///
/// # Errors
/// When the SCSS has an error; the message names file and line.
pub(crate) fn compile(folder: &Path) -> Result<()> {
    let options = Options::default().style(OutputStyle::Compressed);
    let css = grass::from_path(sources().join("main.scss"), &options)?;
    std::fs::write(folder.join(OUTPUT_NAME).with_extension("css"), css).context("writing the style sheet")
}

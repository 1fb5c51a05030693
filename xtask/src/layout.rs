//! Where the parts of the site come from and where they go.

use std::path::{Path, PathBuf};

/// The name of the site's files, `output-name` in the workspace's Leptos metadata.
pub(crate) const OUTPUT_NAME: &str = "koban";

/// The folder of the hashed files inside the site, `site-pkg-dir` in the same metadata.
pub(crate) const PKG: &str = "pkg";

/// One way to build the site: a cargo profile for its WASM half, and the folders that receive it.
pub(crate) struct Layout {
    pub(crate) profile: &'static str,
    pub(crate) site: PathBuf,
    /// Folders of executables. Leptos reads `hash.txt` beside the running one, and tests run from `deps`.
    pub(crate) executables: Vec<PathBuf>,
}

impl Layout {
    /// What `make build` and the tests use.
    pub(crate) fn everyday() -> Self {
        let executables = ["release", "release/deps", "debug", "debug/deps"];
        Self {
            profile: "front",
            site: target().join("site"),
            executables: executables.map(|dir| target().join(dir)).to_vec(),
        }
    }

    /// What `make release` ships: the site stands beside its executable.
    pub(crate) fn shipping() -> Self {
        let dist = target().join("dist");
        Self {
            profile: "front-dist",
            site: dist.join("site"),
            executables: vec![dist],
        }
    }
}

/// The workspace's folder.
pub(crate) fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

/// The target folder of the server's half.
pub(crate) fn target() -> PathBuf {
    root().join("target")
}

/// The target folder of the WASM half: another compiler may build it, and two compilers must not share one.
pub(crate) fn front_target() -> PathBuf {
    target().join("front")
}

//! Puts together what every request may use.

use anyhow::{Context, Result};
use app::{
    context::AppState,
    identity::secrets::{Pepper, Secrets},
};
use ledger::Ledger;
use leptos::prelude::LeptosOptions;
use sqlx::PgPool;

use crate::config::Site;

/// The name of the site's files, as the build writes them.
const OUTPUT_NAME: &str = "koban";

/// What the server is told of where it runs.
pub struct Surroundings {
    pub demo: bool,
    /// Browsers reach it by https.
    pub https: bool,
}

/// The state of a server on `pool`. `pepper` is the secret that PINs are hashed with.
///
/// # Errors
/// If the machine has no randomness.
pub fn new(pool: PgPool, pepper: &[u8], site: &Site, surroundings: Surroundings) -> Result<AppState> {
    let root = site.root();
    let leptos_options = LeptosOptions::builder()
        .output_name(OUTPUT_NAME)
        .site_root(root.to_string_lossy().into_owned())
        .hash_files(true)
        .env(leptos::config::Env::PROD)
        .build();
    Ok(AppState {
        ledger: Ledger::new(pool),
        leptos_options,
        secrets: Secrets::new(Pepper::new(pepper))
            .ok()
            .context("there is no randomness to hash secrets with")?,
        demo: surroundings.demo,
        https: surroundings.https,
    })
}

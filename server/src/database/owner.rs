//! The user that PostgreSQL runs as: ourselves, or an unprivileged one when we are root, which PostgreSQL refuses.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use anyhow::{Context, Result};
use nix::unistd::{Uid, User};
use tokio::process::Command;

/// The unprivileged users of most systems, the better one first.
const CANDIDATES: [&str; 2] = ["postgres", "nobody"];

#[derive(Clone)]
pub(super) struct Owner {
    /// `None` is the user who started us.
    user: Option<User>,
}

impl Owner {
    pub(super) fn of_this_process() -> Result<Self> {
        if !Uid::effective().is_root() {
            return Ok(Self { user: None });
        }
        let user = CANDIDATES.iter().find_map(|name| User::from_name(name).ok().flatten());
        let user =
            user.context("PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as")?;
        Ok(Self { user: Some(user) })
    }

    /// A program run by this user, outside our process group so that a terminal's Ctrl-C does not reach it.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        // PostgreSQL's programs would take settings from variables that are meant for somebody else's server.
        command
            .process_group(0)
            .current_dir("/")
            .env_clear()
            .stdin(std::process::Stdio::null());
        if let Some(user) = &self.user {
            command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
        }
        command
    }

    /// Makes a folder that only this user may enter, and its parents.
    pub(super) fn make_folder(&self, folder: &Path) -> Result<()> {
        let make = || {
            fs::create_dir_all(folder)?;
            fs::set_permissions(folder, Permissions::from_mode(0o700))?;
            match &self.user {
                Some(user) => std::os::unix::fs::chown(folder, Some(user.uid.as_raw()), Some(user.gid.as_raw())),
                None => Ok(()),
            }
        };
        make().with_context(|| format!("can't make the folder {}", folder.display()))
    }

    /// Whether this user can reach what is in `folder`: every folder above must let it through.
    pub(super) fn can_enter(&self, folder: &Path) -> bool {
        let Some(user) = &self.user else { return true };
        folder
            .ancestors()
            .filter_map(|folder| fs::metadata(folder).ok())
            .all(|folder| {
                let bit = if folder.uid() == user.uid.as_raw() {
                    0o100
                } else if folder.gid() == user.gid.as_raw() {
                    0o010
                } else {
                    0o001
                };
                folder.mode() & bit != 0
            })
    }
}

//! Where PostgreSQL's programs are: the folder named by PG_BIN, Debian's folders, or what `pg_config` says.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, bail};

const DEBIAN: &str = "/usr/lib/postgresql";

/// A folder with `initdb` and `postgres` of one version.
pub(super) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// The programs in `named`, if given, else the newest that are installed. A cluster that exists can only be run by
    /// the major version that made it: `version`.
    pub(super) fn find(named: Option<&Path>, version: Option<&str>) -> Result<Self> {
        let folders = named.map_or_else(installed, |folder| vec![folder.to_owned()]);
        let mut programs = folders
            .into_iter()
            .map(|folder| Self { folder })
            .filter(Self::is_complete);
        let found = match version {
            Some(version) => programs.find(|programs| programs.major_version().as_deref() == Some(version)),
            None => programs.next(),
        };
        match (found, version) {
            (Some(programs), _) => Ok(programs),
            (None, Some(version)) => {
                bail!("the data was written by PostgreSQL {version}, which was not found; {ADVICE}")
            }
            (None, None) => bail!("PostgreSQL was not found; {ADVICE}"),
        }
    }

    pub(super) fn path(&self, program: &str) -> PathBuf {
        self.folder.join(program)
    }

    fn is_complete(&self) -> bool {
        ["initdb", "postgres"]
            .iter()
            .all(|program| self.path(program).is_file())
    }

    /// `15` of `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
    fn major_version(&self) -> Option<String> {
        let text = output(&self.path("postgres"), "--version")?;
        let version = text
            .split(' ')
            .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
        Some(version.chars().take_while(char::is_ascii_digit).collect())
    }
}

const ADVICE: &str = "install it (Debian: apt-get install postgresql), name its folder of programs in PG_BIN, \
    or name a running server in DATABASE_URL";

fn installed() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.sort_by_key(|folder| {
        let version = folder.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
        std::cmp::Reverse(version)
    });
    let debian = folders.into_iter().map(|folder| folder.join("bin"));
    let configured = output(Path::new("pg_config"), "--bindir").map(|text| PathBuf::from(text.trim()));
    debian.chain(configured).collect()
}

fn output(program: &Path, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output().ok()?;
    String::from_utf8(output.stdout).ok()
}

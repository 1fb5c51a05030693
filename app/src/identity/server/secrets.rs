//! Passwords and PINs: argon2id, away from the async threads, a few at a time.

use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use ledger::Failure;
use tokio::sync::Semaphore;
use zxcvbn::Score;

use crate::problem::Problem;

/// Kibibytes, passes and lanes of a hash: OWASP's second row (19 MiB, 2, 1).
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);
const CONCURRENT_HASHES: usize = 2;
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

const PASSWORD_CHARACTERS: std::ops::RangeInclusive<usize> = 8..=256;

/// A secret of the server that is not in the database: without it, a four-digit PIN's hash falls in minutes.
#[derive(Clone)]
pub struct Pepper(Arc<[u8]>);

impl Pepper {
    /// `secret` has at least 16 random bytes.
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        Self(secret.into())
    }
}

/// Hashes and verifies passwords and PINs.
#[derive(Clone)]
pub struct Secrets {
    pepper: Pepper,
    permits: Arc<Semaphore>,
    /// What is verified where nobody is known, so that a stranger's name costs the same as a known one.
    nobody: Arc<str>,
}

impl Secrets {
    /// # Errors
    /// [`argon2::password_hash::Error`] if the machine has no randomness.
    pub fn new(pepper: Pepper) -> Result<Self, argon2::password_hash::Error> {
        let nobody = hash(b"nobody", &[])?.into();
        Ok(Self {
            pepper,
            permits: Arc::new(Semaphore::new(CONCURRENT_HASHES)),
            nobody,
        })
    }

    /// # Errors
    /// [`Failure`] if too many hashes wait.
    pub async fn hash_password(&self, password: &str) -> Result<String, Failure> {
        let password = password.as_bytes().to_vec();
        self.run(move || hash(&password, &[]))
            .await?
            .map_err(|_| Failure::Unavailable)
    }

    /// Whether `password` is the one of `hash`; without a hash it is not, after the same work.
    ///
    /// # Errors
    /// [`Failure`] if too many hashes wait.
    pub async fn verify_password(&self, password: &str, hash: Option<String>) -> Result<bool, Failure> {
        let (password, known) = (password.as_bytes().to_vec(), hash.is_some());
        let hash = hash.unwrap_or_else(|| self.nobody.to_string());
        self.run(move || verify(&password, &[], &hash) && known).await
    }

    /// # Errors
    /// [`Failure`] if too many hashes wait.
    pub async fn hash_pin(&self, pin: &str) -> Result<String, Failure> {
        let (pin, pepper) = (pin.as_bytes().to_vec(), self.pepper.clone());
        self.run(move || hash(&pin, &pepper.0))
            .await?
            .map_err(|_| Failure::Unavailable)
    }

    /// Whether `pin` is the one of `hash`; without a hash it is not, after the same work.
    ///
    /// # Errors
    /// [`Failure`] if too many hashes wait.
    pub async fn verify_pin(&self, pin: &str, hash: Option<String>) -> Result<bool, Failure> {
        let (pin, pepper, known) = (pin.as_bytes().to_vec(), self.pepper.clone(), hash.is_some());
        let hash = hash.unwrap_or_else(|| self.nobody.to_string());
        self.run(move || verify(&pin, &pepper.0, &hash) && known).await
    }

    /// Runs `work` on a blocking thread. The permit travels with it: a caller who leaves frees no core.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
        let permit = tokio::time::timeout(QUEUE_TIMEOUT, self.permits.clone().acquire_owned()).await;
        let permit = permit
            .map_err(|_| Failure::Throttled)?
            .map_err(|_| Failure::Unavailable)?;
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        task.await.map_err(|_| Failure::Unavailable)
    }
}

/// Whether a new password is long enough and not one of those that are tried first. `known` is what others know of
/// the person.
///
/// # Errors
/// [`Problem`] at the field `password`.
pub fn check_new_password(password: &str, known: &[&str]) -> Result<(), Problem> {
    let length = password.chars().count();
    if length < *PASSWORD_CHARACTERS.start() {
        return Err(Problem::at("password", "PASSWORD_TOO_SHORT"));
    }
    if length > *PASSWORD_CHARACTERS.end() {
        return Err(Problem::at("password", "PASSWORD_TOO_LONG"));
    }
    if zxcvbn::zxcvbn(password, known).score() < Score::Two {
        return Err(Problem::at("password", "PASSWORD_TOO_COMMON"));
    }
    Ok(())
}

fn hash(secret: &[u8], pepper: &[u8]) -> Result<String, argon2::password_hash::Error> {
    Ok(argon2id(pepper)?.hash_password(secret)?.to_string())
}

fn verify(secret: &[u8], pepper: &[u8], hash: &str) -> bool {
    let (Ok(argon2), Ok(hash)) = (argon2id(pepper), PasswordHash::new(hash)) else {
        return false;
    };
    argon2.verify_password(secret, &hash).is_ok()
}

fn argon2id(pepper: &[u8]) -> Result<Argon2<'_>, argon2::password_hash::Error> {
    let (memory_kib, passes, lanes) = COST;
    let params =
        Params::new(memory_kib, passes, lanes, None).map_err(|_| argon2::password_hash::Error::ParamsInvalid)?;
    Argon2::new_with_secret(pepper, Algorithm::Argon2id, Version::V0x13, params)
        .map_err(|_| argon2::password_hash::Error::ParamsInvalid)
}

#[cfg(test)]
mod tests {
    use super::{check_new_password, hash, verify};

    #[test]
    fn hashes_state_argon2id_with_the_approved_cost() {
        assert!(hash(b"x", &[]).unwrap().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    }

    #[test]
    fn a_pin_is_worth_nothing_without_the_pepper() {
        let stored = hash(b"4931", b"pepper of the server").unwrap();
        assert!(verify(b"4931", b"pepper of the server", &stored));
        assert!(!verify(b"4931", &[], &stored));
        assert!(!verify(b"4932", b"pepper of the server", &stored));
    }

    #[test]
    fn short_common_and_telling_passwords_are_refused() {
        let code = |password: &str| check_new_password(password, &["Demo Customer"]).map_err(|problem| problem.code);
        assert_eq!(code("ぱすわーど").unwrap_err(), "PASSWORD_TOO_SHORT");
        assert_eq!(code("password123").unwrap_err(), "PASSWORD_TOO_COMMON");
        assert_eq!(code(&"a b".repeat(100)).unwrap_err(), "PASSWORD_TOO_LONG");
        assert!(code("three boats at dawn").is_ok());
    }
}

//! Who people, shops and devices are, and how they prove it.
//!
//! A door (a server function, a JSON handler) finds out who asks as a [`Caller`] and hands it to a room, which decides
//! what this caller may do. How passwords, PINs, tokens and codes are kept stands in `server`.

pub mod address;
mod api;
pub mod code;
pub mod name;
pub mod next;
mod page;
#[cfg(feature = "ssr")]
mod server;

use ledger::{AccountId, Actor, TenantId};
use serde::{Deserialize, Serialize};

pub use api::{SignIn, SignOut, SignUp};
pub use page::{SignInPage, SignOutForm, SignUpPage};
#[cfg(feature = "ssr")]
pub use server::{api_keys, attempts, cards, payer, people, seats, secrets, terminals, tokens};

/// Which face, or which kind of program, somebody acts through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Customer,
    Merchant,
    Admin,
    Terminal,
    /// A trusted program with an API key.
    Integration,
}

impl Role {
    /// The role as it is stored, and as its face's URLs begin.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Merchant => "merchant",
            Self::Admin => "admin",
            Self::Terminal => "terminal",
            Self::Integration => "integration",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Customer,
            Self::Merchant,
            Self::Admin,
            Self::Terminal,
            Self::Integration,
        ]
        .into_iter()
        .find(|role| role.as_str() == text)
    }

    /// The first page of the face.
    #[must_use]
    pub fn home(self) -> &'static str {
        match self {
            Self::Customer => "/customer",
            Self::Merchant => "/merchant",
            Self::Admin => "/admin",
            Self::Terminal => "/terminal",
            Self::Integration => "/",
        }
    }

    /// Where one proves to be this role; a terminal is paired on its first page.
    #[must_use]
    pub fn sign_in(self) -> &'static str {
        match self {
            Self::Customer => "/customer/sign-in",
            Self::Merchant => "/merchant/sign-in",
            Self::Admin => "/admin/sign-in",
            Self::Terminal | Self::Integration => self.home(),
        }
    }
}

/// Who asks, proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub tenant: TenantId,
    pub actor: Actor,
    pub role: Role,
    /// The customer's own wallet, or the store of a merchant, a terminal or an API key that is bound to one.
    pub account: Option<AccountId>,
    pub name: String,
}

//! What can be asked of the ledger. A command is well-formed by construction; whether it may happen is decided by
//! [`crate::plan`].

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    account::AssetCode,
    id::{AccountId, PaymentId},
    idempotency::Fingerprint,
    money::Amount,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Pay(Pay),
    TopUp(TopUp),
    Refund(Refund),
}

/// A customer pays a merchant; captured at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pay {
    pub payer: AccountId,
    pub merchant: AccountId,
    pub asset: AssetCode,
    pub amount: Amount,
    pub memo: Option<Memo>,
}

/// A charge of a balance, with the bonus that the asset's policy gives (B3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopUp {
    pub account: AccountId,
    pub asset: AssetCode,
    pub amount: Amount,
}

/// A full or partial return of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub payment: PaymentId,
    pub amount: Amount,
    pub reason: Reason,
}

impl Command {
    /// The word for the kind of command, as it is stored.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Pay(_) => "pay",
            Self::TopUp(_) => "top_up",
            Self::Refund(_) => "refund",
        }
    }

    /// What the command's key stands for. Amounts are normalised (`10` and `10.0` are one); ids and texts are part of
    /// it, so another resource is another request.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.canonical())
    }

    /// The command as text, one field a line; a text field is the last, so it can't imitate another field.
    #[must_use]
    pub fn canonical(&self) -> String {
        match self {
            Self::Pay(Pay {
                payer,
                merchant,
                asset,
                amount,
                memo,
            }) => {
                let memo = memo
                    .as_ref()
                    .map_or(String::new(), |memo| format!("memo={}\n", memo.as_str()));
                format!("pay\npayer={payer}\nmerchant={merchant}\nasset={asset}\namount={amount}\n{memo}")
            }
            Self::TopUp(TopUp { account, asset, amount }) => {
                format!("top_up\naccount={account}\nasset={asset}\namount={amount}\n")
            }
            Self::Refund(Refund {
                payment,
                amount,
                reason,
            }) => {
                format!(
                    "refund\npayment={payment}\namount={amount}\nreason={}\n",
                    reason.as_str()
                )
            }
        }
    }
}

/// Why a text can't be stored with a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TextError {
    #[error("must not be empty")]
    Empty,
    #[error("has at most {0} characters")]
    TooLong(usize),
    #[error("must not contain control characters")]
    Control,
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident, $max:literal)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub struct $name(String);

        impl $name {
            /// Reads the text without the white space around it.
            ///
            /// # Errors
            /// [`TextError`] if nothing is left, it is too long, or a control character is in it.
            pub fn parse(text: &str) -> Result<Self, TextError> {
                let text = text.trim();
                if text.is_empty() {
                    return Err(TextError::Empty);
                }
                if text.chars().count() > $max {
                    return Err(TextError::TooLong($max));
                }
                if text.chars().any(char::is_control) {
                    return Err(TextError::Control);
                }
                Ok(Self(text.to_owned()))
            }

            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = TextError;
            fn try_from(text: String) -> Result<Self, TextError> {
                Self::parse(&text)
            }
        }
    )*};
}

texts! {
    /// A payer's or shop's note on a payment: 1 to 140 characters.
    Memo, 140
    /// Why a payment was refunded: 1 to 200 characters.
    Reason, 200
}

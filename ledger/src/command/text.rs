//! The texts that people add to operations.

use serde::{Deserialize, Serialize};
use thiserror::Error;

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
    /// Why something was done or undone: 1 to 200 characters.
    Reason, 200
}

//! What a person signs in with: an e-mail address or a phone number, in one spelling each.

use super::name::narrowed;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// Lower case.
    Email(String),
    /// `+` and digits (E.164); a number that begins with 0 is Japanese.
    Phone(String),
}

const MAX_EMAIL: usize = 254;

impl Address {
    /// Reads what people type; `None` if it is neither. Whether it exists is found out by writing to it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text: String = text.trim().chars().map(narrowed).collect();
        if text.contains('@') {
            email(&text).map(Self::Email)
        } else {
            phone(&text).map(Self::Phone)
        }
    }

    #[must_use]
    pub fn email(&self) -> Option<&str> {
        match self {
            Self::Email(email) => Some(email),
            Self::Phone(_) => None,
        }
    }

    #[must_use]
    pub fn phone(&self) -> Option<&str> {
        match self {
            Self::Phone(phone) => Some(phone),
            Self::Email(_) => None,
        }
    }
}

fn email(text: &str) -> Option<String> {
    let (local, domain) = text.split_once('@')?;
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '@';
    let is_domain = domain.contains('.') && domain.split('.').all(|label| !label.is_empty());
    let well_formed = !local.is_empty() && is_domain && local.chars().chain(domain.chars()).all(is_plain);
    (well_formed && text.len() <= MAX_EMAIL).then(|| text.to_lowercase())
}

fn phone(text: &str) -> Option<String> {
    let digits: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | '(' | ')' | '−' | 'ー'))
        .collect();
    let number = match (digits.strip_prefix('+'), digits.strip_prefix('0')) {
        (Some(number), _) => number.to_owned(),
        (None, Some(national)) => format!("81{national}"),
        (None, None) => return None,
    };
    let well_formed = (8..=15).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    well_formed.then(|| format!("+{number}"))
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn one_address_has_one_spelling() {
        let email = |text: &str| Address::parse(text).and_then(|address| address.email().map(str::to_owned));
        let phone = |text: &str| Address::parse(text).and_then(|address| address.phone().map(str::to_owned));
        assert_eq!(email(" Demo.A@Example.JP ").as_deref(), Some("demo.a@example.jp"));
        assert_eq!(email("ｄｅｍｏ＠example.jp").as_deref(), Some("demo@example.jp"));
        assert_eq!(phone("090-1234-5678").as_deref(), Some("+819012345678"));
        assert_eq!(phone("０９０ １２３４ ５６７８").as_deref(), Some("+819012345678"));
        assert_eq!(phone("+81 90 1234 5678").as_deref(), Some("+819012345678"));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "@",
            "a@",
            "@b.jp",
            "a@b",
            "a@b..jp",
            "a b@c.jp",
            "a@b@c.jp",
            "12345678",
            "0901",
            "+",
            "090x1234567",
        ] {
            assert_eq!(Address::parse(text), None, "{text:?}");
        }
    }
}

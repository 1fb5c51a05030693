//! Random tokens and codes, and the hashes under which they are stored.

use sha2::{Digest, Sha256};

use crate::identity::code::ALPHABET;

/// A random code of `length` characters of the code alphabet, five bits each.
#[must_use]
pub fn code(length: usize) -> String {
    (0..length)
        .map(|_| char::from(ALPHABET[usize::from(rand::random::<u8>() & 31)]))
        .collect()
}

/// A random code of `length` digits.
#[must_use]
pub fn digits(length: usize) -> String {
    (0..length)
        .map(|_| char::from(rand::random_range(b'0'..=b'9')))
        .collect()
}

/// A bearer's token of 160 random bits, and what is stored of it.
#[must_use]
pub fn token(prefix: &str) -> (String, Vec<u8>) {
    let token = format!("{prefix}_{}", code(32));
    let hash = hash(&token);
    (token, hash)
}

/// What is stored of a token: it is random and long, so a plain hash is enough.
#[must_use]
pub fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{code, digits, hash, hex, token};
    use crate::identity::code::normalized;

    #[test]
    fn codes_have_their_length_and_are_typed_as_they_are() {
        let code = code(10);
        assert_eq!(code.len(), 10);
        assert_eq!(normalized(&code), code);
        assert!(digits(8).bytes().all(|byte| byte.is_ascii_digit()));
    }

    #[test]
    fn a_token_is_stored_as_its_hash() {
        let (first, stored) = token("koban");
        assert_eq!(stored, hash(&first));
        assert_ne!(first, token("koban").0);
        assert_eq!(hex(&hash("")[..4]), "e3b0c442");
    }
}

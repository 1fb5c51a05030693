//! Codes that people read out, type and scan: Crockford's base 32, where no two characters look alike.

use super::name::narrowed;

/// Digits and letters without I, L, O and U; 32 of them, five bits each.
pub const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A customer's code is long enough that nobody finds one by trying.
pub const CUSTOMER_LENGTH: usize = 10;
/// A shop's code is public and short enough to type.
pub const SHOP_LENGTH: usize = 8;

/// The code that was meant: upper case, without spaces and hyphens, `O` read as zero, `I` and `L` as one.
#[must_use]
pub fn normalized(text: &str) -> String {
    text.chars()
        .map(narrowed)
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | 'ー' | '−'))
        .map(|c| match c.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            c => c,
        })
        .collect()
}

/// The code in groups, easier to read out: `K7M2-4Q9X-AB`.
#[must_use]
pub fn grouped(code: &str) -> String {
    let characters: Vec<char> = code.chars().collect();
    let groups: Vec<String> = characters.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join("-")
}

#[cfg(test)]
mod tests {
    use super::{grouped, normalized};

    #[test]
    fn a_code_is_found_however_it_is_typed() {
        for typed in ["K7M2-4Q9X", "k7m24q9x", " k7m2 4q9x ", "Ｋ７Ｍ２－４Ｑ９Ｘ"] {
            assert_eq!(normalized(typed), "K7M24Q9X", "{typed:?}");
        }
        assert_eq!(normalized("oil"), "011");
        assert_eq!(normalized(&grouped("K7M24Q9XAB")), "K7M24Q9XAB");
    }

    #[test]
    fn a_code_is_shown_in_groups_of_four() {
        assert_eq!(grouped("K7M24Q9X"), "K7M2-4Q9X");
        assert_eq!(grouped("K7M24Q9XAB"), "K7M2-4Q9X-AB");
    }
}

//! Names of people, shops and devices: what is invisible can't make two of them look alike or empty.

const MAX_CHARACTERS: usize = 100;

/// The name without invisible characters and without white space around it; `None` if no letter or digit is left, it is
/// longer than 100 characters, or a control character is in it.
#[must_use]
pub fn parse(text: &str) -> Option<String> {
    let visible: String = text.chars().filter(|&c| !is_invisible(c)).collect();
    let name = visible.trim();
    let well_formed = name.chars().any(char::is_alphanumeric)
        && name.chars().count() <= MAX_CHARACTERS
        && !name.chars().any(char::is_control);
    well_formed.then(|| name.to_owned())
}

/// Zero-width spaces and marks that turn the writing direction. Joiners stay: scripts and emoji need them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{00AD}')
}

/// The ASCII form of a full-width character, as a Japanese keyboard types it.
#[must_use]
pub fn narrowed(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(c as u32 - '！' as u32 + '!' as u32).unwrap_or(c),
        '\u{3000}' => ' ',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn invisible_characters_make_no_name_and_no_difference() {
        assert_eq!(parse(&"\u{200B}".repeat(15)), None);
        assert_eq!(parse("Ya\u{200B}mada"), parse("Yamada"));
        assert_eq!(parse(" さくら商店 (demo)　").as_deref(), Some("さくら商店 (demo)"));
    }

    #[test]
    fn a_name_has_up_to_a_hundred_characters_of_any_script() {
        assert!(parse(&"桜".repeat(100)).is_some());
        assert_eq!(parse(&"桜".repeat(101)), None);
        assert_eq!(parse("a\nb"), None);
        assert_eq!(parse(" "), None);
    }
}

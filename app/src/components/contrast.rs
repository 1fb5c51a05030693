//! WCAG 2.2 AA, computed from the tokens: text 4.5:1, edges of controls and focus 3:1, in both themes.
use std::collections::HashMap;

const TOKENS: &str = include_str!("../../../style/_tokens.scss");

/// Foreground, background, least ratio.
const PAIRS: [(&str, &str, f64); 31] = [
    ("ink", "paper", 4.5),
    ("ink", "surface", 4.5),
    ("ink", "sunken", 4.5),
    ("ink", "gold-pale", 4.5),
    ("ink", "good-pale", 4.5),
    ("ink", "bad-pale", 4.5),
    ("ink-soft", "paper", 4.5),
    ("ink-soft", "surface", 4.5),
    ("ink-soft", "sunken", 4.5),
    ("ink-soft", "gold-pale", 4.5),
    ("gold-deep", "paper", 4.5),
    ("gold-deep", "surface", 4.5),
    ("gold-deep", "sunken", 4.5),
    ("gold-deep", "gold-pale", 4.5),
    ("on-gold", "gold", 4.5),
    ("good", "paper", 4.5),
    ("good", "surface", 4.5),
    ("good", "sunken", 4.5),
    ("good", "good-pale", 4.5),
    ("bad", "paper", 4.5),
    ("bad", "surface", 4.5),
    ("bad", "sunken", 4.5),
    ("bad", "bad-pale", 4.5),
    ("on-plate", "plate", 4.5),
    ("on-plate-soft", "plate", 4.5),
    ("plate-gold", "plate", 4.5),
    ("edge", "paper", 3.0),
    ("edge", "surface", 3.0),
    ("focus", "paper", 3.0),
    ("focus", "surface", 3.0),
    ("focus", "sunken", 3.0),
];

#[test]
fn every_pair_of_colours_has_its_contrast() {
    for theme in ["light", "dark"] {
        let colours = colours(theme);
        for (front, back, least) in PAIRS {
            let ratio = ratio(colours[front], colours[back]);
            assert!(
                ratio >= least,
                "{theme}: {front} on {back} is {ratio:.2}:1, needs {least}:1"
            );
        }
    }
}

/// The six-digit colours of one theme's mixin, as luminances.
fn colours(theme: &str) -> HashMap<&'static str, f64> {
    let (_, after) = TOKENS.split_once(&format!("@mixin {theme} {{")).unwrap();
    let (body, _) = after.split_once("\n}").unwrap();
    body.lines()
        .filter_map(|line| line.trim().strip_prefix("--")?.strip_suffix(';')?.split_once(": #"))
        .map(|(name, hex)| (name, luminance(hex)))
        .collect()
}

fn luminance(hex: &str) -> f64 {
    let channel = |from: usize| {
        let value = f64::from(u8::from_str_radix(&hex[from..from + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

fn ratio(a: f64, b: f64) -> f64 {
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

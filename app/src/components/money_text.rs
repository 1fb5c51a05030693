//! An amount as it is shown: grouped digits and the asset's sign on its side.
use std::fmt;

/// `¥1,000`, `120 pt`, `1.250 kg`. Digits after the point stay as given: the asset's scale decided them.
///
/// ```text
/// MoneyText::new("1250.5", "pt").to_string() == "1,250.5 pt"
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoneyText {
    negative: bool,
    digits: String,
    unit: String,
}

impl MoneyText {
    /// `decimal` is a plain decimal such as `-1200.50`; `unit` is the asset's sign.
    pub fn new(decimal: &str, unit: impl Into<String>) -> Self {
        let (negative, unsigned) = match decimal.strip_prefix('-') {
            Some(unsigned) => (true, unsigned),
            None => (false, decimal),
        };
        Self {
            negative,
            digits: grouped(unsigned),
            unit: unit.into(),
        }
    }

    pub fn negative(&self) -> bool {
        self.negative
    }

    /// The grouped digits, without sign and unit.
    pub fn digits(&self) -> &str {
        &self.digits
    }

    pub fn unit(&self) -> &str {
        &self.unit
    }

    pub fn unit_first(&self) -> bool {
        unit_first(&self.unit)
    }
}

/// Currency signs stand before the number, every other unit after it.
pub(super) fn unit_first(unit: &str) -> bool {
    matches!(unit, "¥" | "$" | "€" | "£" | "₩")
}

impl fmt::Display for MoneyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minus = if self.negative { "−" } else { "" };
        let Self { digits, unit, .. } = self;
        if self.unit_first() {
            write!(f, "{minus}{unit}{digits}")
        } else {
            write!(f, "{minus}{digits} {unit}")
        }
    }
}

fn grouped(unsigned: &str) -> String {
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let mut text = String::with_capacity(unsigned.len() + whole.len() / 3);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if let Some(fraction) = fraction {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::MoneyText;

    #[test]
    fn amounts_carry_their_unit_on_its_side() {
        let shown = |decimal, unit| MoneyText::new(decimal, unit).to_string();
        assert_eq!(shown("0", "¥"), "¥0");
        assert_eq!(shown("999", "¥"), "¥999");
        assert_eq!(shown("1000", "¥"), "¥1,000");
        assert_eq!(shown("-1234567", "¥"), "−¥1,234,567");
        assert_eq!(shown("120", "pt"), "120 pt");
        assert_eq!(shown("1.250", "kg"), "1.250 kg");
        assert_eq!(shown("12345.6789", "kg"), "12,345.6789 kg");
    }
}

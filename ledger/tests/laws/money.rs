//! Only plain digits become an amount, and an amount never changes on its way through text.

use ledger::{
    Amount,
    money::{grouped, round_down},
};
use proptest::prelude::*;
use rust_decimal::Decimal;

use crate::world::cases;

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn what_is_accepted_prints_to_an_equal_amount(text in "(0|[1-9][0-9]{0,14})([.][0-9]{1,8})?") {
        match Amount::parse(&text) {
            Ok(amount) => prop_assert_eq!(Amount::parse(&amount.to_string()), Ok(amount)),
            Err(error) => {
                prop_assert_eq!(error.code(), "AMOUNT_NOT_POSITIVE");
                prop_assert!(text.bytes().all(|byte| byte == b'0' || byte == b'.'));
            }
        }
    }

    #[test]
    fn any_text_is_read_without_panic_and_only_the_grammar_is_accepted(text in any::<String>()) {
        let _ = Amount::parse_typed(&text);
        if Amount::parse(&text).is_ok() {
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
        }
    }

    #[test]
    fn near_misses_are_read_without_panic(text in "[-+0-9０-９.,_eExX ¥円￥，．－\\\\]{0,40}") {
        let _ = (Amount::parse(&text), Amount::parse_typed(&text));
    }

    #[test]
    fn typed_plain_digits_mean_what_they_mean_to_the_api(text in "[0-9.-]{0,20}") {
        prop_assert_eq!(Amount::parse_typed(&text), Amount::parse(&text));
    }

    #[test]
    fn full_width_digits_and_separators_mean_the_same(value in 1..999_999_999_999_999_i64) {
        let separated = grouped(value.into());
        let wide: String = separated.chars().map(|c| match c {
            ',' => '，',
            digit => char::from_u32(digit as u32 - '0' as u32 + '０' as u32).unwrap(),
        }).collect();
        let amount = Amount::parse(&value.to_string());
        prop_assert!(amount.is_ok());
        for typed in [&separated, &wide, &format!("¥{separated}"), &format!(" {wide}円\u{3000}")] {
            prop_assert_eq!(Amount::parse_typed(typed), amount);
        }
    }

    #[test]
    fn trailing_zeros_are_no_other_amount(units in 1..1_000_000_000_i64, scale in 0..7_u32) {
        let mut value = Decimal::new(units, scale);
        let amount = Amount::new(value).unwrap();
        value.rescale(scale + 1);
        prop_assert_eq!(Amount::new(value), Ok(amount));
        prop_assert_eq!(Amount::parse(&value.to_string()), Ok(amount));
    }

    #[test]
    fn json_numbers_are_refused(number in any::<i64>()) {
        prop_assert!(serde_json::from_str::<Amount>(&number.to_string()).is_err());
    }

    #[test]
    fn rounding_goes_down_by_less_than_one_unit(units in any::<i64>(), from in 0..12_u32, scale in 0..9_u32) {
        let value = Decimal::new(units, from);
        let rounded = round_down(value, scale);
        prop_assert_eq!(rounded.scale(), scale);
        prop_assert!(rounded.abs() <= value.abs());
        prop_assert!((value - rounded).abs() < Decimal::new(1, scale));
    }
}

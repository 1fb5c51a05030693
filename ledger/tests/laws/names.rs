//! Ids ascend, keys keep their text, a fingerprint stands for one command, and a wait is as long as it should be.

use chrono::TimeDelta;
use ledger::{
    Amount, AssetCode, Command, Failure, IdempotencyKey, Pay, PaymentId, Refund, TopUp,
    command::{Memo, Reason},
    id::IdSource,
    idempotency::{CLOCK_TOLERANCE, MARKER_TTL},
    money::Instant,
    retry::{RETRIES, backoff},
};
use proptest::prelude::*;
use std::time::Duration;
use uuid::{Uuid, Variant};

use crate::world::{cases, customer, merchant};

const DAY_MS: i64 = 86_400_000;

prop_compose! {
    /// Few values for each field, so that equal commands occur.
    fn any_command()(
        kind in 0..3,
        number in 0..2_u128,
        other in 0..2_u128,
        amount in prop::sample::select(vec!["10", "10.0", "10.5", "100"]),
        asset in prop::sample::select(vec!["ECOPAY", "POINT", "REGIONAL#hana"]),
        text in prop::option::of(prop::sample::select(vec!["a", "b", "amount=10", "10"])),
    ) -> Command {
        let (amount, asset) = (Amount::parse(amount).unwrap(), AssetCode::parse(asset).unwrap());
        match kind {
            0 => {
                let memo = text.map(|text| Memo::parse(text).unwrap());
                Command::Pay(Pay { payer: customer(number), merchant: merchant(other), asset, amount, memo })
            }
            1 => Command::TopUp(TopUp { account: customer(number), asset, amount }),
            _ => {
                let reason = Reason::parse(text.unwrap_or("c")).unwrap();
                Command::Refund(Refund { payment: PaymentId(Uuid::from_u128(number)), amount, reason })
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]

    /// A UUIDv7 may be new from a day before its time until ninety days after it, and what came of it is remembered until
    /// it may not, but never for much longer (A4).
    #[test]
    fn a_key_is_not_forgotten_while_it_may_be_new(
        made_ms in 0..4_000_000_000_000_i64,
        used_after_ms in -DAY_MS..90 * DAY_MS,
        later_ms in 0..400 * DAY_MS,
    ) {
        let instant = |ms: i64| Instant::from_timestamp_millis(ms).unwrap();
        let mut ids = IdSource::new(instant(made_ms), [7; 6]);
        let key = IdempotencyKey::parse(&ids.draw::<Uuid>().to_string()).unwrap();
        prop_assert_eq!(key.made_at(), Some(instant(made_ms)));
        let used_at = instant(made_ms + used_after_ms);
        prop_assert_eq!(key.may_be_new(used_at), Ok(()));
        let expires_at = key.expires_at(used_at);
        prop_assert!(used_at + MARKER_TTL <= expires_at && expires_at <= used_at + MARKER_TTL + CLOCK_TOLERANCE);
        let asked_at = expires_at + TimeDelta::milliseconds(later_ms);
        prop_assert_eq!(key.may_be_new(asked_at), Err(Failure::KeyExpired));
    }

    #[test]
    fn ids_ascend_in_the_order_in_which_they_are_drawn(
        millis in 0..4_000_000_000_000_i64,
        random in any::<[u8; 6]>(),
        count in 1..3_000_usize,
    ) {
        let at = Instant::from_timestamp_millis(millis).unwrap();
        let mut source = IdSource::new(at, random);
        let ids: Vec<Uuid> = (0..count).map(|_| source.draw()).collect();
        prop_assert!(ids.is_sorted_by(|a, b| a < b));
        for id in [ids[0], ids[count - 1]] {
            prop_assert_eq!(id.get_version_num(), 7);
            prop_assert_eq!(id.get_variant(), Variant::RFC4122);
            let (seconds, nanos) = id.get_timestamp().unwrap().to_unix();
            prop_assert_eq!(seconds as i64 * 1000 + i64::from(nanos) / 1_000_000, millis);
        }
    }

    #[test]
    fn a_source_moved_to_a_later_instant_goes_on_ascending(millis in 0..4_000_000_000_000_i64, later in 0..1_000_i64) {
        let mut source = IdSource::new(Instant::from_timestamp_millis(millis).unwrap(), [255; 6]);
        let before: Uuid = source.draw();
        let after: Uuid = source.at(Instant::from_timestamp_millis(millis + later).unwrap()).draw();
        prop_assert!(before < after);
    }

    #[test]
    fn fingerprints_are_equal_exactly_when_commands_are(one in any_command(), other in any_command()) {
        prop_assert_eq!(one.fingerprint() == other.fingerprint(), one == other);
    }

    #[test]
    fn a_key_is_the_same_raw_and_quoted(text in "[!-~]{1,255}") {
        let key = IdempotencyKey::parse(&text).unwrap();
        let quoted = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        prop_assert_eq!(IdempotencyKey::parse_header(&quoted), Ok(key.clone()));
        if !text.starts_with('"') {
            prop_assert_eq!(IdempotencyKey::parse_header(&text), Ok(key));
        }
    }

    #[test]
    fn any_text_is_read_as_a_key_without_panic(text in any::<String>()) {
        let visible = !text.is_empty() && text.len() <= 255 && text.bytes().all(|byte| (0x21..=0x7e).contains(&byte));
        prop_assert_eq!(IdempotencyKey::parse(&text).is_ok(), visible);
        let _ = IdempotencyKey::parse_header(&text);
    }

    #[test]
    fn a_wait_doubles_and_has_up_to_half_of_it_as_jitter(attempt in 0..RETRIES, random in any::<u64>()) {
        let base = Duration::from_millis(50) * 2_u32.pow(attempt);
        let wait = backoff(attempt, random);
        prop_assert!(base <= wait && wait <= base * 3 / 2);
    }
}

/// The examples of RFC 9562, appendix A; what is no UUIDv7 does not say when it was made, and may always be new.
#[test]
fn a_uuid_v7_says_when_it_was_made() {
    let v7: Instant = "2022-02-22T19:22:22Z".parse().unwrap();
    for text in [
        "017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
    ] {
        assert_eq!(IdempotencyKey::parse(text).unwrap().made_at(), Some(v7), "{text}");
    }
    for text in [
        // Versions 1 and 4, another variant, a digest, and what only contains a UUIDv7.
        "C232AB00-9414-11EC-B3C8-9F6BDECED846",
        "919108F7-52D1-4320-9BAC-F847DB4148A8",
        "017f22e2-79b0-7cc3-d8c4-dc0c0c07398f",
        "017f22e279b07cc398c4dc0c0c07398f",
        "order-017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "1",
    ] {
        let key = IdempotencyKey::parse(text).unwrap();
        assert_eq!(key.made_at(), None, "{text}");
        assert_eq!(key.may_be_new(v7 + MARKER_TTL * 10), Ok(()), "{text}");
    }
}

/// The latest time that a UUIDv7 can hold is in the year 10889: it is refused, not computed with until it overflows.
#[test]
fn the_latest_uuid_v7_is_from_the_future() {
    let key = IdempotencyKey::parse("ffffffff-ffff-7fff-bfff-ffffffffffff").unwrap();
    let now: Instant = "2022-02-22T19:22:22Z".parse().unwrap();
    assert_eq!(key.may_be_new(now).unwrap_err().code(), "KEY_FROM_FUTURE");
    assert_eq!(key.expires_at(now), key.made_at().unwrap() + MARKER_TTL);
}

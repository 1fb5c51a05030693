//! Golden vectors: the tables beside this file say what is accepted, decided, stored and sent. They are written by hand
//! from the specification; a change of one is a change of a format that others rely on.
#![expect(clippy::unwrap_used, reason = "a test that can't go on panics")]

mod commands;
mod plans;
mod rows;

use commands::of_canonical;
use ledger::{
    Amount, Fingerprint, IdempotencyKey, Outcome, PaymentStatus, idempotency::KeyError, money::AmountError,
    retry::backoff,
};
use std::collections::HashMap;

/// The lines of a table without comments and blank lines.
fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The first word of a line, and the rest.
fn word(line: &str) -> (&str, &str) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    (word, rest.trim_start())
}

/// The JSON string at the start of a line, and the rest.
fn json_string(line: &str) -> (String, &str) {
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<String>();
    let text = values.next().unwrap().unwrap();
    let end = values.byte_offset();
    (text, line[end..].trim_start())
}

#[test]
fn amounts() {
    for line in lines(include_str!("amounts.txt")) {
        let (door, rest) = word(line);
        let (scale, rest) = word(rest);
        if door == "json" {
            let (value, verdict) = rest.rsplit_once(' ').unwrap();
            let amount = serde_json::from_str::<Amount>(value);
            assert_eq!(
                amount.map_or("refused".to_owned(), |amount| amount.to_string()),
                verdict,
                "{line}"
            );
            continue;
        }
        let (text, verdict) = json_string(rest);
        let amount = if door == "form" {
            Amount::parse_typed(&text)
        } else {
            Amount::parse(&text)
        };
        let asset = plans::asset("JCREDIT", scale.parse().unwrap(), None, "0", "0");
        let found = match amount.and_then(|amount| asset.checked(amount).map(|_| amount)) {
            Ok(amount) => amount.to_string(),
            Err(error) => AmountError::code(error).to_owned(),
        };
        assert_eq!(found, verdict, "{line}");
    }
}

#[test]
fn keys() {
    for line in lines(include_str!("keys.txt")) {
        let (door, rest) = word(line);
        let (mut text, mut verdict) = json_string(rest);
        if let Some(times) = verdict.strip_prefix("x ") {
            let (times, rest) = word(times);
            (text, verdict) = (text.repeat(times.parse().unwrap()), rest);
        }
        let key = if door == "form" {
            IdempotencyKey::parse(&text)
        } else {
            IdempotencyKey::parse_header(&text)
        };
        let found = match &key {
            Ok(key) if verdict == "accepted" => {
                assert_eq!(key.as_str(), text);
                "accepted"
            }
            Ok(key) => key.as_str(),
            Err(KeyError::Empty) => "empty",
            Err(KeyError::TooLong) => "too_long",
            Err(KeyError::NotVisibleAscii) => "not_visible",
        };
        assert_eq!(found, verdict, "{line}");
    }
}

#[test]
fn moves() {
    let mut rows = lines(include_str!("moves.txt")).map(|line| line.split_whitespace().collect::<Vec<_>>());
    let columns = rows.next().unwrap().split_off(3);
    assert_eq!(columns, PaymentStatus::ALL.map(PaymentStatus::as_str));
    let from: HashMap<&str, PaymentStatus> = PaymentStatus::ALL.map(|status| (status.as_str(), status)).into();
    let rows: Vec<_> = rows.filter(|row| row[0] != "new").collect();
    assert_eq!(rows.len(), PaymentStatus::ALL.len());
    for row in rows {
        for (to, verdict) in PaymentStatus::ALL.into_iter().zip(&row[1..]) {
            assert_eq!(from[row[0]].to(to).is_ok(), *verdict == "yes", "{} -> {to}", row[0]);
        }
    }
}

#[test]
fn backoffs() {
    for line in lines(include_str!("backoff.txt")) {
        let [attempt, random, millis] = *line.split(' ').collect::<Vec<_>>() else {
            panic!("{line}")
        };
        let wait = backoff(attempt.parse().unwrap(), random.parse().unwrap());
        assert_eq!(wait.as_millis().to_string(), millis, "{line}");
    }
}

/// Reading a stored body and writing it again gives the same bytes.
#[test]
fn bodies() {
    for line in lines(include_str!("bodies.txt")) {
        let (kind, rest) = word(line);
        let (verdict, body) = word(rest);
        let outcome = Outcome::parse(kind, verdict, body).unwrap();
        assert_eq!(outcome.verdict(), verdict, "{line}");
        assert_eq!(outcome.body().unwrap(), body);
    }
}

#[test]
fn fingerprints() {
    for line in lines(include_str!("fingerprints.txt")) {
        let (canonical, fingerprint) = json_string(line);
        let command = of_canonical(&canonical);
        assert_eq!(command.canonical(), canonical);
        assert_eq!(hex(command.fingerprint()), fingerprint, "{line}");
    }
}

fn hex(fingerprint: Fingerprint) -> String {
    fingerprint.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

//! The words for each problem: what happened, and what to do next.

use leptos::prelude::*;
use leptos_i18n::I18nContext;

use super::Problem;
use crate::i18n::{Locale, filled, tu_string, use_i18n};

/// The message for `problem` in the page's language.
#[must_use]
pub fn text(i18n: I18nContext<Locale>, problem: &Problem) -> String {
    let words = match problem.code.as_str() {
        "INSUFFICIENT" => tu_string!(i18n, problem.insufficient),
        "CAP_EXCEEDED" => {
            return with_fact(
                tu_string!(i18n, problem.cap_exceeded),
                tu_string!(i18n, problem.cap_exceeded_plain),
                problem,
            );
        }
        "REFUND_EXCEEDS_CAPTURED" => {
            return with_fact(
                tu_string!(i18n, problem.refund_exceeds),
                tu_string!(i18n, problem.refund_exceeds_plain),
                problem,
            );
        }
        "CAPTURE_EXCEEDS_HELD" => {
            return with_fact(
                tu_string!(i18n, problem.capture_exceeds),
                tu_string!(i18n, problem.capture_exceeds_plain),
                problem,
            );
        }
        "LIMIT_EXCEEDED" => {
            return with_fact(
                tu_string!(i18n, problem.limit_exceeded),
                tu_string!(i18n, problem.limit_exceeded_plain),
                problem,
            );
        }
        "ILLEGAL_TRANSITION" => tu_string!(i18n, problem.illegal_transition),
        "ACCOUNT_FROZEN" => tu_string!(i18n, problem.account_frozen),
        "AMOUNT_MALFORMED" => tu_string!(i18n, problem.amount_malformed),
        "AMOUNT_NOT_POSITIVE" => tu_string!(i18n, problem.amount_not_positive),
        "AMOUNT_TOO_LARGE" => tu_string!(i18n, problem.amount_too_large),
        "AMOUNT_TOO_MANY_DECIMALS" => tu_string!(i18n, problem.amount_too_many_decimals),
        "NOT_FOUND" => not_found(i18n, problem.field.as_deref()),
        "KEY_REUSED" => tu_string!(i18n, problem.key_reused),
        "KEY_EXPIRED" => tu_string!(i18n, problem.key_expired),
        "CONFLICT" => tu_string!(i18n, problem.conflict),
        "THROTTLED" | "UNAVAILABLE" => tu_string!(i18n, problem.unavailable),
        "OUTCOME_UNKNOWN" | "IN_FLIGHT" => tu_string!(i18n, problem.outcome_unknown),
        "NOT_SENT" => tu_string!(i18n, problem.not_sent),
        "NO_ANSWER" => tu_string!(i18n, problem.no_answer),
        "FORBIDDEN" => tu_string!(i18n, problem.forbidden),
        "MALFORMED" | "KEY_MISSING" | "KEY_MALFORMED" | "KEY_FROM_FUTURE" => tu_string!(i18n, problem.malformed),
        other => refused(i18n, other).unwrap_or_else(|| person(i18n, other)),
    };
    words.to_owned()
}

/// The message with the problem's fact, or another one where the fact did not come along.
fn with_fact(text: &str, plain: &str, problem: &Problem) -> String {
    problem
        .detail
        .as_deref()
        .map_or_else(|| plain.to_owned(), |fact| filled(text, fact))
}

fn not_found(i18n: I18nContext<Locale>, what: Option<&str>) -> &'static str {
    match what {
        Some("merchant" | "shop") => tu_string!(i18n, problem.shop_not_found),
        Some("payer" | "customer" | "card") => tu_string!(i18n, problem.customer_not_found),
        _ => tu_string!(i18n, problem.not_found),
    }
}

/// Why the ledger refused, where no fact comes along.
fn refused(i18n: I18nContext<Locale>, code: &str) -> Option<&'static str> {
    Some(match code {
        "TOO_SOON" => tu_string!(i18n, problem.too_soon),
        "HOLD_EXPIRED" => tu_string!(i18n, problem.hold_expired),
        "HOLD_NOT_EXPIRED" => tu_string!(i18n, problem.hold_not_expired),
        "HOLD_PERIOD_OUT_OF_RANGE" => tu_string!(i18n, problem.hold_period_out_of_range),
        "ACCOUNT_STATUS_STAYS" => tu_string!(i18n, problem.account_status_stays),
        "ACCOUNT_NOT_EMPTY" => tu_string!(i18n, problem.account_not_empty),
        "NOT_TRANSFERABLE" => tu_string!(i18n, problem.not_transferable),
        "SAME_ACCOUNT" => tu_string!(i18n, problem.same_account),
        "NOTHING_EXPIRED" => tu_string!(i18n, problem.nothing_expired),
        "ALREADY_REVERSED" => tu_string!(i18n, problem.already_reversed),
        "NOT_REVERSIBLE" => tu_string!(i18n, problem.not_reversible),
        "ALREADY_DECIDED" => tu_string!(i18n, problem.already_decided),
        "SECOND_PERSON_NEEDED" => tu_string!(i18n, problem.second_person_needed),
        "FENCED" => tu_string!(i18n, problem.fenced),
        _ => return None,
    })
}

/// Problems of people, their addresses and their secrets.
fn person(i18n: I18nContext<Locale>, code: &str) -> &'static str {
    match code {
        "SIGN_IN_REQUIRED" => tu_string!(i18n, problem.sign_in_required),
        "WRONG_CREDENTIALS" => tu_string!(i18n, problem.wrong_credentials),
        "WRONG_PIN" => tu_string!(i18n, problem.wrong_pin),
        "WRONG_PAIRING_CODE" => tu_string!(i18n, problem.wrong_pairing_code),
        "TOO_MANY_ATTEMPTS" => tu_string!(i18n, problem.too_many_attempts),
        "ADDRESS_TAKEN" => tu_string!(i18n, problem.address_taken),
        "ADDRESS_MALFORMED" => tu_string!(i18n, problem.address_malformed),
        "NAME_MALFORMED" => tu_string!(i18n, problem.name_malformed),
        "PASSWORD_TOO_SHORT" => tu_string!(i18n, problem.password_too_short),
        "PASSWORD_TOO_LONG" => tu_string!(i18n, problem.password_too_long),
        "PASSWORD_TOO_COMMON" => tu_string!(i18n, problem.password_too_common),
        "PIN_MALFORMED" => tu_string!(i18n, problem.pin_malformed),
        "TEXT_EMPTY" => tu_string!(i18n, problem.text_empty),
        "TEXT_MALFORMED" => tu_string!(i18n, problem.text_malformed),
        "TEXT_TOO_LONG" => tu_string!(i18n, problem.text_too_long),
        _ => tu_string!(i18n, problem.unexpected),
    }
}

/// The message for the input `field`, while the problem is about it.
pub fn at_field(problem: RwSignal<Option<Problem>>, field: &'static str) -> Signal<Option<String>> {
    let i18n = use_i18n();
    Signal::derive(move || {
        problem.with(|problem| {
            let here = problem
                .as_ref()
                .filter(|problem| problem.field.as_deref() == Some(field));
            here.map(|problem| text(i18n, problem))
        })
    })
}

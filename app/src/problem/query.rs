//! A problem in a page's URL: how a form without JavaScript comes back with a message and what was typed.

use leptos_router::params::ParamsMap;

use super::Problem;

/// `page` with what was typed and the problem. Nothing personal may be in `kept`: it stays in histories and logs.
#[must_use]
pub fn with_problem(page: &str, kept: &[(&str, &str)], problem: &Problem) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(kept).append_pair("problem", &problem.code);
    if let Some(field) = &problem.field {
        query.append_pair("field", field);
    }
    if let Some(detail) = &problem.detail {
        query.append_pair("detail", detail);
    }
    let separator = if page.contains('?') { '&' } else { '?' };
    format!("{page}{separator}{}", query.finish())
}

/// The problem in a page's query. A link from elsewhere may hold anything, so only words and numbers are taken.
#[must_use]
pub fn of_query(query: &ParamsMap) -> Option<Problem> {
    let is_word =
        |text: &String| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let is_number = |text: &String| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'))
    };
    Some(Problem {
        code: query.get("problem").filter(is_word)?,
        field: query.get("field").filter(is_word),
        detail: query.get("detail").filter(is_number),
    })
}

#[cfg(test)]
mod tests {
    use super::{of_query, with_problem};
    use crate::problem::Problem;
    use leptos_router::params::ParamsMap;

    #[test]
    fn a_form_comes_back_with_what_was_typed() {
        let problem = Problem {
            detail: Some("50,000".to_owned()),
            ..Problem::at("amount", "CAP_EXCEEDED")
        };
        let url = with_problem("/pay/X", &[("amount", "１e3 ")], &problem);
        assert_eq!(
            url,
            "/pay/X?amount=%EF%BC%91e3+&problem=CAP_EXCEEDED&field=amount&detail=50%2C000"
        );
    }

    #[test]
    fn a_link_can_put_no_words_on_the_page() {
        let query = |pairs: &[(&'static str, &str)]| {
            pairs
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect::<ParamsMap>()
        };
        assert_eq!(of_query(&query(&[("problem", "<b>")])), None);
        let problem = of_query(&query(&[("problem", "CAP_EXCEEDED"), ("detail", "call 0120")]));
        assert_eq!(problem, Some(Problem::new("CAP_EXCEEDED")));
    }
}

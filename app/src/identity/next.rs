//! Where to go after signing in: only to pages of our own (SECURITY S49).

/// Every page that may be asked for begins with one of these, so nothing of another host can be named.
const OWN: [&str; 5] = ["/customer", "/pay", "/merchant", "/terminal", "/admin"];

/// `next` if it names one of our pages, else `None`.
#[must_use]
pub fn own_path(next: &str) -> Option<&str> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    let path = next.split(['?', '#']).next().unwrap_or_default();
    let is_own = OWN.iter().any(|own| {
        path.strip_prefix(own)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    (is_own && next.bytes().all(is_plain) && !path.contains("//") && !path.contains("..")).then_some(next)
}

/// `page` with `next`, if there is one, as its parameter.
#[must_use]
pub fn with_next(page: &str, next: &str) -> String {
    if next.is_empty() {
        return page.to_owned();
    }
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("next", next)
        .finish();
    format!("{page}?{query}")
}

#[cfg(test)]
mod tests {
    use super::{own_path, with_next};

    #[test]
    fn only_own_pages_are_gone_to() {
        for own in [
            "/customer",
            "/customer/movements",
            "/pay/K7M24Q9X?amount=500&asset=ECOPAY",
            "/admin/customers#top",
        ] {
            assert_eq!(own_path(own), Some(own));
        }
    }

    #[test]
    fn other_hosts_and_tricks_are_refused() {
        let tricks = [
            "",
            "/",
            "//e",
            "/\\e",
            "/%5Ce",
            "/%09/e",
            "/.//e",
            "https:e",
            "https://e",
            "javascript:alert(1)",
            "/customer\\e",
            "/customer//e",
            "/customer/../e",
            "/customers",
            "/customer\t",
            "\t/customer",
            "/fn/sign_out",
            "customer",
        ];
        for trick in tricks {
            assert_eq!(own_path(trick), None, "{trick:?}");
        }
    }

    #[test]
    fn the_way_back_survives_being_a_parameter() {
        assert_eq!(
            with_next("/customer/sign-in", "/pay/X?amount=5&asset=P"),
            "/customer/sign-in?next=%2Fpay%2FX%3Famount%3D5%26asset%3DP"
        );
    }
}

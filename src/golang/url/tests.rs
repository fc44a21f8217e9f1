//! Tests that URLs are parsed and printed as by Go's `net/url`.

use super::*;

/// URLs that are printed as they were written, and their hosts.
const KEPT: &[(&str, &str)] = &[
    ("https://[2001:db8::1]:17000", "2001:db8::1"),
    ("https://[2001:db8::1%25eth0]:17000/x", "2001:db8::1%eth0"),
    ("http://a/b%20c", "a"),
    ("http://a/b%2Fc", "a"),
    ("http://A.B:80/", "A.B"),
    ("//h/p", "h"),
    ("///p", ""),
    ("////p", ""),
    ("/p", ""),
    ("p/q", ""),
    ("p:q", ""),
    ("./p:q", ""),
    ("p/a:q", ""),
    ("", ""),
    ("*", ""),
    ("?", ""),
    ("?a=b", ""),
    ("a?", ""),
    ("a??b", ""),
    ("#f", ""),
    ("a?b c#d", ""),
    ("a?b%zz#d", ""),
    ("mailto:joe@x.y", ""),
    ("mailto:joe smith", ""),
    ("mailto:", ""),
    ("x:", ""),
    ("x+y-z.1:q", ""),
    ("http:", ""),
    ("http:/", ""),
    ("http:///p", ""),
    ("http:p", ""),
    ("http:?q", ""),
    ("http:#f", ""),
    ("http://h:", "h"),
    ("http://h:/", "h"),
    ("http://h:80:80", "h:80"),
    ("http://[::1]:", "::1"),
    ("http://a/b;c,d@e&f=g+h$i!j'k(l)m*n~o_p-q.r", "a"),
    ("http://a/[b]", "a"),
    ("http://a/%5b%5B", "a"),
    ("http://a?\"<>\\^`{|}", "a"),
    ("http://a#b%5bc", "a"),
    ("http://h\"<>/", "h\"<>"),
    ("http://h!$&'()*+,;=/", "h!$&'()*+,;="),
    ("http://host?q", "host"),
    ("http://host#f", "host"),
    ("file:///etc/x", ""),
    ("file:etc", ""),
    ("a/b/../c", ""),
    ("http://h/a//b", "h"),
    ("http://h//a", "h"),
    ("/a:b", ""),
    ("a%3Ab", ""),
    ("%41", ""),
    ("a*b", ""),
    ("http://h/*", "h"),
    ("http://h/a*b%2a", "h"),
    ("http://h/%E9", "h"),
    ("http://h?é", "h"),
    ("http://h?", "h"),
    ("http://u/x@h", "u"),
    ("http://u?x@h", "u"),
    ("tcp://[::ffff:1.2.3.4]:5", "::ffff:1.2.3.4"),
    ("http://1.2.3.4:65536", "1.2.3.4"),
    ("http://h/%2e%2E", "h"),
    ("http//x", ""),
    ("javascript:alert(1)", ""),
    ("urn:isbn:1#x?y", ""),
    ("urn:isbn:1?y#x", ""),
    ("a:b//c", ""),
    ("a://b://c", "b"),
    ("http://a,b:8080,c:9090/", "a,b:8080,c"),
    ("mongodb://a:1,b:2/x", "a:1,b"),
    ("x:/a:b//c", ""),
    ("x:////a", ""),
    ("x://a?b?c?", "a"),
    ("x://a??", "a"),
    ("x?", ""),
    ("/a?%zz", ""),
];

/// URLs that are printed in another form, that form, and their hosts.
const RESPELT: &[(&str, &str, &str)] = &[
    ("http://a/b c", "http://a/b%20c", "a"),
    ("http://a/é", "http://a/%C3%A9", "a"),
    ("http://é/", "http://%C3%A9/", "é"),
    ("HTTP://A.B/", "http://A.B/", "A.B"),
    ("#", "", ""),
    ("a#", "a", ""),
    ("a#f%20g h", "a#f%20g%20h", ""),
    ("http://", "http:", ""),
    (
        "http://a/\"<>\\^`{|}",
        "http://a/%22%3C%3E%5C%5E%60%7B%7C%7D",
        "a",
    ),
    (
        "http://a#\"<>\\^`{|}[]",
        "http://a#%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D",
        "a",
    ),
    (
        "http://[fe80::1%25en%30]/",
        "http://[fe80::1%25en0]/",
        "fe80::1%en0",
    ),
    (
        "http://[fe80::1%25%65%6e%20]/",
        "http://[fe80::1%25en%20]/",
        "fe80::1%en ",
    ),
    ("//", "", ""),
    ("a b", "a%20b", ""),
    ("http://h/a%2fb c", "http://h/a/b%20c", "h"),
    ("http://h/😀", "http://h/%F0%9F%98%80", "h"),
    ("http://h/a?b#c#d", "http://h/a?b#c%23d", "h"),
    ("http://h/a?#", "http://h/a?", "h"),
    ("a%3Ab c", "./a:b%20c", ""),
    ("http://h/\"%2f\"", "http://h/%22/%22", "h"),
    ("http://h#a\u{1}", "http://h#a%01", "h"),
    ("http://h/%E9 ", "http://h/%E9%20", "h"),
    ("x:///a b", "x:///a%20b", ""),
    ("X:a b%zz", "x:a b%zz", ""),
    ("?#", "?", ""),
    ("//h:1/ ", "//h:1/%20", "h"),
];

/// A URL, its printed form, the name, the password, and the URL without both.
type WithUser = (
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
    &'static str,
);

const USERS: &[WithUser] = &[
    (
        "http://admin:password@url.domain:8080",
        "http://admin:password@url.domain:8080",
        "admin",
        Some("password"),
        "http://url.domain:8080",
    ),
    (
        "http://admin@url.domain:8080",
        "http://admin@url.domain:8080",
        "admin",
        None,
        "http://url.domain:8080",
    ),
    (
        "http://admin:@h",
        "http://admin:@h",
        "admin",
        Some(""),
        "http://h",
    ),
    ("http://:pw@h", "http://:pw@h", "", Some("pw"), "http://h"),
    ("http://@h", "http://@h", "", None, "http://h"),
    (
        "http://a:b:c@h",
        "http://a:b%3Ac@h",
        "a",
        Some("b:c"),
        "http://h",
    ),
    ("http://a@b@c/", "http://a%40b@c/", "a@b", None, "http://c/"),
    (
        "http://a%40b:c%3Ad@h",
        "http://a%40b:c%3Ad@h",
        "a@b",
        Some("c:d"),
        "http://h",
    ),
    (
        "http://a!$&'()*+,;=:b!$&'()*+,;=:@h",
        "http://a%21$&%27%28%29%2A+,;=:b%21$&%27%28%29%2A+,;=%3A@h",
        "a!$&'()*+,;=",
        Some("b!$&'()*+,;=:"),
        "http://h",
    ),
    (
        "http://u:p@/x",
        "http://u:p@/x",
        "u",
        Some("p"),
        "http:///x",
    ),
    (
        "http://u:p@:80/x",
        "http://u:p@:80/x",
        "u",
        Some("p"),
        "http://:80/x",
    ),
    ("//u@h", "//u@h", "u", None, "//h"),
    (
        "http://u%00:p@h",
        "http://u%00:p@h",
        "u\u{0}",
        Some("p"),
        "http://h",
    ),
    (
        "http://u:p%2f@h",
        "http://u:p%2F@h",
        "u",
        Some("p/"),
        "http://h",
    ),
    (
        "postgres://u~-._:p@h/db",
        "postgres://u~-._:p@h/db",
        "u~-._",
        Some("p"),
        "postgres://h/db",
    ),
    (
        "postgres://u%2D%7e:p@h/db",
        "postgres://u-~:p@h/db",
        "u-~",
        Some("p"),
        "postgres://h/db",
    ),
    ("//u@//x", "//u@//x", "u", None, "//x"),
    ("//u@", "//u@", "u", None, ""),
    ("http://u:p@", "http://u:p@", "u", Some("p"), "http:"),
    ("http://u@?q", "http://u@?q", "u", None, "http:?q"),
    ("//user:@/", "//user:@/", "user", Some(""), "/"),
];

const REFUSED: &[(&str, &str)] = &[
    ("https://[2001:db8::1%eth0]", "invalid URL escape \"%et\""),
    ("http://a b/", "invalid character \" \" in host name"),
    ("http://a%20b/", "invalid URL escape \"%20\""),
    ("http://a%41b/", "invalid URL escape \"%41\""),
    ("a#é%zz", "invalid URL escape \"%zz\""),
    (":x", "missing protocol scheme"),
    ("1x:y", "first path segment in URL cannot contain colon"),
    ("http://h:abc", "invalid port \":abc\" after host"),
    ("http://h:-1", "invalid port \":-1\" after host"),
    ("http://[::1", "missing ']' in host"),
    ("http://::1]", "invalid port \":1]\" after host"),
    ("http://[::1]a", "invalid port \"a\" after host"),
    ("http://[::1]:8a", "invalid port \":8a\" after host"),
    ("http://a b@h", "net/url: invalid userinfo"),
    ("http://é@h", "net/url: invalid userinfo"),
    ("http://a%zz@h", "invalid URL escape \"%zz\""),
    ("http://a/%zz", "invalid URL escape \"%zz\""),
    ("http://a/%", "invalid URL escape \"%\""),
    ("http://a%zz/", "invalid URL escape \"%zz\""),
    ("http://a%/", "invalid URL escape \"%\""),
    (
        "http://a/\u{1}",
        "net/url: invalid control character in URL",
    ),
    (
        "http://a/\u{7f}",
        "net/url: invalid control character in URL",
    ),
    ("\u{a}", "net/url: invalid control character in URL"),
    ("http://h%2f/", "invalid URL escape \"%2f\""),
    ("http://h\\/", "invalid character \"\\\\\" in host name"),
    ("http://h^/", "invalid character \"^\" in host name"),
    ("http://h{}/", "invalid character \"{\" in host name"),
    ("http://[fe80::1%25en0%zz]/", "invalid URL escape \"%zz\""),
    ("%zz", "invalid URL escape \"%zz\""),
    ("http://[u]:p@h", "net/url: invalid userinfo"),
    (
        "postgres://user:pa$$w#rd@h/db",
        "invalid port \":pa$$w\" after host",
    ),
    (
        "postgres://user:pa?ss@h/db",
        "invalid port \":pa\" after host",
    ),
    ("postgres://user:p^w@h/db", "net/url: invalid userinfo"),
    ("postgres://user:p|w@h/db", "net/url: invalid userinfo"),
    ("http://h:0x50", "invalid port \":0x50\" after host"),
    ("http://h:８０", "invalid port \":８０\" after host"),
    (
        "ht tp://x",
        "first path segment in URL cannot contain colon",
    ),
    (
        "ht_tp://x",
        "first path segment in URL cannot contain colon",
    ),
    (
        "http://h/\u{9}",
        "net/url: invalid control character in URL",
    ),
    (
        "  http://h",
        "first path segment in URL cannot contain colon",
    ),
    ("http://h ", "invalid character \" \" in host name"),
    (
        "http://h?a\u{1}",
        "net/url: invalid control character in URL",
    ),
    ("http://h#a%", "invalid URL escape \"%\""),
    ("http://é%/", "invalid URL escape \"%\""),
    ("x://a%é", "invalid URL escape \"%é\""),
    ("x://[::1%25", "missing ']' in host"),
    ("%é", "invalid URL escape \"%é\""),
    ("\u{a0}é\u{feff}😀%", "invalid URL escape \"%\""),
];

#[test]
fn a_valid_url_keeps_its_spelling() {
    for (text, host) in KEPT {
        let url = parse(text).unwrap();
        assert_eq!(url.to_string(), *text);
        assert_eq!(url.hostname(), host.as_bytes(), "host of {text}");
        assert_eq!(url.user(), None, "{text}");
    }
}

#[test]
fn what_is_not_escaped_as_it_should_is_escaped() {
    for (text, expected, host) in RESPELT {
        let url = parse(text).unwrap();
        assert_eq!(url.to_string(), *expected, "{text}");
        assert_eq!(url.hostname(), host.as_bytes(), "host of {text}");
    }
}

#[test]
fn a_host_may_be_no_text() {
    let url = parse("http://%e9%c3/").unwrap();
    assert_eq!(url.hostname(), b"\xe9\xc3");
    assert_eq!(url.to_string(), "http://%E9%C3/");
}

#[test]
fn a_user_is_read_and_can_be_taken_away() {
    for (text, printed, name, password, without) in USERS {
        let url = parse(text).unwrap();
        assert_eq!(url.to_string(), *printed, "{text}");
        let user = url.user().unwrap();
        assert_eq!(user.name, name.as_bytes(), "{text}");
        assert_eq!(
            user.password.as_deref(),
            password.map(str::as_bytes),
            "{text}"
        );
        assert_eq!(url.without_user().to_string(), *without, "{text}");
        assert_eq!(url.without_user().user(), None);
    }
}

#[test]
fn a_user_is_printed_with_escapes() {
    for (text, expected) in [
        ("//a%40b:c%3Ad@h", "a%40b:c%3Ad"),
        ("//a:@h", "a:"),
        ("//a@h", "a"),
        ("//@h", ""),
    ] {
        assert_eq!(parse(text).unwrap().user().unwrap().to_string(), expected);
    }
}

#[test]
fn a_wrong_url_is_refused_in_the_words_of_go() {
    for (text, expected) in REFUSED {
        let message = parse(text).unwrap_err().to_string();
        assert!(
            message.starts_with("parse \"") && message.ends_with(&format!("\": {expected}")),
            "{message}"
        );
    }
    let message = parse("http://u:p@h:x#f").unwrap_err().to_string();
    assert_eq!(
        message, r#"parse "http://u:p@h:x": invalid port ":x" after host"#,
        "the fragment is not shown"
    );
}

#[test]
fn a_path_segment_and_a_query_value_escape_different_characters() {
    let ascii: Vec<u8> = (b' '..=b'~').collect();
    assert_eq!(
        path_segment_encode(&ascii),
        "%20%21%22%23$%25&%27%28%29%2A+%2C-.%2F0123456789:%3B%3C=%3E%3F@ABCDEFGHIJKLMNOPQRSTUVWXYZ%5B%5C%5D%5E_%60abcdefghijklmnopqrstuvwxyz%7B%7C%7D~"
    );
    assert_eq!(
        query_value_encode(&ascii),
        "+%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F0123456789%3A%3B%3C%3D%3E%3F%40ABCDEFGHIJKLMNOPQRSTUVWXYZ%5B%5C%5D%5E_%60abcdefghijklmnopqrstuvwxyz%7B%7C%7D~"
    );
    assert_eq!(
        path_segment_encode("é 😀\n\u{7f}".as_bytes()),
        "%C3%A9%20%F0%9F%98%80%0A%7F"
    );
    assert_eq!(
        query_value_encode("é 😀\n\u{7f}".as_bytes()),
        "%C3%A9+%F0%9F%98%80%0A%7F"
    );
}

#[test]
fn escapes_are_undone() {
    assert_eq!(
        path_segment_decode("a%20b+c%2f%E9"),
        Ok(b"a b+c/\xe9".to_vec())
    );
    assert_eq!(
        query_value_decode("a%20b+c%2f%E9"),
        Ok(b"a b c/\xe9".to_vec())
    );
    for (text, escape) in [
        ("%", "%"),
        ("%zz", "%zz"),
        ("%4", "%4"),
        ("abc%4xyz", "%4x"),
    ] {
        let expected = format!("invalid URL escape \"{escape}\"");
        assert_eq!(path_segment_decode(text).unwrap_err().to_string(), expected);
        assert_eq!(query_value_decode(text).unwrap_err().to_string(), expected);
    }
}

proptest::proptest! {
    #[test]
    fn what_was_escaped_is_read_back(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..40)) {
        proptest::prop_assert_eq!(path_segment_decode(&path_segment_encode(&bytes)), Ok(bytes.clone()));
        proptest::prop_assert_eq!(query_value_decode(&query_value_encode(&bytes)), Ok(bytes));
    }

    #[test]
    fn a_printed_url_is_printed_alike_again(text in "[a:/@?#%41\\[\\] é]{0,12}") {
        if let Ok(url) = parse(&text) {
            let printed = url.to_string();
            proptest::prop_assert_eq!(parse(&printed).map(|url| url.to_string()), Ok(printed));
        }
    }
}

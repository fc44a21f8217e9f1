//! Operators that are calls of our own functions.

use std::collections::HashMap;

/// Each operator, and the function that carries it out.
const FUNCTIONS: [(&str, &str); 16] = [
    ("%", "__ytt_percent"),
    ("*", "__ytt_times"),
    ("+", "__ytt_plus"),
    ("-", "__ytt_minus"),
    ("|", "__ytt_or"),
    ("&", "__ytt_and"),
    ("^", "__ytt_xor"),
    ("<<", "__ytt_shift"),
    ("==", "__ytt_equal"),
    ("!=", "__ytt_unequal"),
    ("<", "__ytt_less"),
    (">", "__ytt_greater"),
    ("<=", "__ytt_at_most"),
    (">=", "__ytt_at_least"),
    ("in", "__ytt_in"),
    ("not in", "__ytt_not_in"),
];

/// Returns the functions that the crate calls for operators: `a + b` becomes `__ytt_plus(a, b)`.
pub(in crate::script) fn operator_functions() -> HashMap<String, String> {
    FUNCTIONS
        .iter()
        .map(|(operator, function)| ((*operator).to_owned(), (*function).to_owned()))
        .collect()
}

//! The methods that ytt has for strings, lists, dictionaries and sets, in one table for each type.
//!
//! The interpreter has more of them. A program must not see those, and no message suggests them.

use crate::script::builtin_call::ParameterKind::{self, Any, Boolean, Integer, Iterable, Text};

/// A method, with the arguments that ytt accepts.
pub(super) struct Method {
    pub(super) name: &'static str,
    /// The number of arguments that must be given.
    pub(super) required: usize,
    pub(super) parameters: &'static [ParameterKind],
    pub(super) reads: ReceiverRead,
}

/// The part of its receiver that a method reads.
#[derive(Clone, Copy)]
pub(super) enum ReceiverRead {
    /// The method takes as long for a large receiver as for a small one.
    Constant,
    /// It copies or searches the whole receiver.
    Whole,
    /// It looks at each character of a text.
    Characters,
}

/// Returns a row of the tables below.
const fn method(
    name: &'static str,
    required: usize,
    parameters: &'static [ParameterKind],
) -> Method {
    Method {
        name,
        required,
        parameters,
        reads: ReceiverRead::Whole,
    }
}

/// Returns a row for a method that does not read the whole receiver.
const fn constant(
    name: &'static str,
    required: usize,
    parameters: &'static [ParameterKind],
) -> Method {
    Method {
        reads: ReceiverRead::Constant,
        ..method(name, required, parameters)
    }
}

/// Returns a row for a method of a string that looks at each character, or makes a value of each.
const fn by_character(
    name: &'static str,
    required: usize,
    parameters: &'static [ParameterKind],
) -> Method {
    Method {
        reads: ReceiverRead::Characters,
        ..method(name, required, parameters)
    }
}

const STRING_METHODS: &[Method] = &[
    by_character("capitalize", 0, &[]),
    by_character("codepoint_ords", 0, &[]),
    by_character("codepoints", 0, &[]),
    by_character("count", 1, &[Text, Any, Any]),
    by_character("elem_ords", 0, &[]),
    by_character("elems", 0, &[]),
    constant("endswith", 1, &[Any, Any, Any]),
    method("find", 1, &[Text, Any, Any]),
    by_character("format", 0, &[]),
    method("index", 1, &[Text, Any, Any]),
    by_character("isalnum", 0, &[]),
    by_character("isalpha", 0, &[]),
    by_character("isdigit", 0, &[]),
    by_character("islower", 0, &[]),
    by_character("isspace", 0, &[]),
    by_character("istitle", 0, &[]),
    by_character("isupper", 0, &[]),
    method("join", 1, &[Iterable]),
    by_character("lower", 0, &[]),
    by_character("lstrip", 0, &[Text]),
    method("partition", 1, &[Text]),
    by_character("replace", 2, &[Text, Text, Integer]),
    method("rfind", 1, &[Text, Any, Any]),
    method("rindex", 1, &[Text, Any, Any]),
    method("rpartition", 1, &[Text]),
    by_character("rsplit", 0, &[Any, Integer]),
    by_character("rstrip", 0, &[Text]),
    by_character("split", 0, &[Any, Integer]),
    by_character("splitlines", 0, &[Boolean]),
    constant("startswith", 1, &[Any, Any, Any]),
    by_character("strip", 0, &[Text]),
    by_character("title", 0, &[]),
    by_character("upper", 0, &[]),
];

const LIST_METHODS: &[Method] = &[
    constant("append", 1, &[Any]),
    method("clear", 0, &[]),
    constant("extend", 1, &[Iterable]),
    // These charge for the values that they compare or move.
    constant("index", 1, &[Any, Any, Any]),
    constant("insert", 2, &[Integer, Any]),
    constant("pop", 0, &[Integer]),
    constant("remove", 1, &[Any]),
];

const DICT_METHODS: &[Method] = &[
    method("clear", 0, &[]),
    constant("get", 1, &[Any, Any]),
    method("items", 0, &[]),
    method("keys", 0, &[]),
    // Not constant: removing an entry moves all entries after it.
    method("pop", 1, &[Any, Any]),
    method("popitem", 0, &[]),
    constant("setdefault", 1, &[Any, Any]),
    constant("update", 0, &[Any]),
    method("values", 0, &[]),
];

const SET_METHODS: &[Method] = &[method("union", 0, &[Iterable])];

/// Returns the methods of a type; `None` for a type that defines its methods itself.
pub(super) fn methods_of(kind: &str) -> Option<&'static [Method]> {
    match kind {
        "string" => Some(STRING_METHODS),
        "list" => Some(LIST_METHODS),
        "dict" => Some(DICT_METHODS),
        "set" => Some(SET_METHODS),
        _ => None,
    }
}

/// Returns the names of the methods that ytt has for a type; `None` for a type that defines its
/// methods itself.
pub(in crate::script) fn method_names(kind: &str) -> Option<impl Iterator<Item = &'static str>> {
    let methods = methods_of(kind)?;
    Some(methods.iter().map(|method| method.name))
}

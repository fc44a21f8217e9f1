//! The methods of strings.
//!
//! Positions count bytes, as in ytt. A string here is text, so it cannot contain a single byte of a
//! multi-byte character; `elems()` returns the character with the same number instead.

use std::collections::HashSet;

use starlark::eval::Evaluator;
use starlark::values::list::AllocList;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, Value};

use super::format;
use super::sequences::items_of;
use super::slice::bound;
use crate::golang::{letter_case, letter_class};
use crate::script::builtin_call::BuiltinCall;
use crate::script::failure::Failure;
use crate::script::limits::{memory, size, work};
use crate::script::value::{PartKind, StringParts, type_name};

/// Calls a method of a string. The arguments were checked before.
pub(super) fn call_method<'v>(
    text: &str,
    call: &BuiltinCall<'_, 'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let heap = eval.heap();
    let argument = |index: usize| call.positional.get(index).copied();
    let text_argument = |index: usize| argument(index).and_then(|value| value.unpack_str());
    if let Some(kind) = PartKind::of(call.name) {
        size::check_list(text.len())?;
        memory::take(text.len(), eval)?;
        return Ok(heap.alloc(StringParts::new(text, kind)));
    }
    Ok(match call.name {
        "isalnum" => Value::new_bool(letter_class::is_alphanumeric(text)),
        "isalpha" => Value::new_bool(letter_class::is_alphabetic(text)),
        "isdigit" => Value::new_bool(letter_class::is_decimal(text)),
        "isspace" => Value::new_bool(letter_class::is_blank(text)),
        "islower" => Value::new_bool(letter_class::is_lower(text)),
        "isupper" => Value::new_bool(letter_class::is_upper(text)),
        "istitle" => Value::new_bool(letter_class::is_title(text)),
        "lower" => heap.alloc(text.chars().map(letter_case::lower).collect::<String>()),
        "upper" => heap.alloc(text.chars().map(letter_case::upper).collect::<String>()),
        "title" => heap.alloc(letter_case::to_title(text)),
        "capitalize" => heap.alloc(letter_case::to_sentence(text)),
        "strip" | "lstrip" | "rstrip" => heap.alloc(stripped(
            text,
            call.name,
            text_argument(0).unwrap_or_default(),
        )),
        "find" | "rfind" | "index" | "rindex" => heap.alloc(search(text, call)?),
        "count" => {
            let part = Part::of(text, call, 1)?;
            let count = part.count(text_argument(0).unwrap_or_default());
            heap.alloc(i64::try_from(count).unwrap_or(i64::MAX))
        }
        "startswith" | "endswith" => Value::new_bool(has_affix(text, call)?),
        "partition" | "rpartition" => {
            let separator = text_argument(0).unwrap_or_default();
            heap.alloc(partition(text, separator, call)?)
        }
        "splitlines" => {
            size::check_list(text.matches('\n').count())?;
            lines(text, argument(0).is_some_and(Value::to_bool), heap)
        }
        "split" | "rsplit" => heap.alloc(AllocList(split(text, call)?)),
        "join" => heap.alloc(joined(text, call, heap)?),
        "replace" => heap.alloc(replaced(text, call)?),
        _ => {
            let formatted = format::format(text, call.positional, call.named)?;
            work::charge_characters(formatted.len(), eval)?;
            heap.alloc(formatted)
        }
    })
}

fn stripped(text: &str, name: &str, set: &str) -> String {
    // Both the text and the set may be long.
    let set: HashSet<char> = set.chars().collect();
    // Without a set of characters, whitespace is removed.
    let is_stripped = |c: char| match set.is_empty() {
        true => c.is_whitespace(),
        false => set.contains(&c),
    };
    match name {
        "lstrip" => text.trim_start_matches(is_stripped),
        "rstrip" => text.trim_end_matches(is_stripped),
        _ => text.trim_matches(is_stripped),
    }
    .to_owned()
}

/// The part of a string between two positions, which count bytes.
///
/// ```text
/// "éaé", from 1 to 4:   c3 a9 61 c3 a9
///                          └──────┘        bytes: the part
///                             └            text: without the characters that are cut in two
/// ```
///
/// A needle that is not empty is found in `text` exactly if it is found in `bytes`, because the
/// rest of a cut character equals no text. An empty needle is found everywhere.
struct Part<'a> {
    bytes: &'a [u8],
    text: &'a str,
    /// The position of the bytes in the string.
    start: usize,
    /// The position of the text in the string.
    text_start: usize,
}

impl<'a> Part<'a> {
    /// Returns the part that the arguments from `first` on describe.
    fn of(text: &'a str, call: &BuiltinCall<'_, '_>, first: usize) -> Result<Part<'a>, Failure> {
        let argument = |index: usize| call.positional.get(index).copied();
        let bounded = |index, default, which| {
            bound(text, argument(index), default, which).map_err(|failure| call.prefixed(failure))
        };
        let start = bounded(first, 0, "start")?;
        let end = bounded(first + 1, text.len(), "end")?;
        let end = end.max(start);
        let (mut inner_start, mut inner_end) = (start, end);
        while inner_start < inner_end && !text.is_char_boundary(inner_start) {
            inner_start += 1;
        }
        while inner_end > inner_start && !text.is_char_boundary(inner_end) {
            inner_end -= 1;
        }
        Ok(Part {
            bytes: text.as_bytes().get(start..end).unwrap_or_default(),
            text: text.get(inner_start..inner_end).unwrap_or_default(),
            start,
            text_start: inner_start,
        })
    }

    /// Returns the position of the first or last occurrence of a text in the part, in bytes of the
    /// string.
    fn find(&self, needle: &str, is_last: bool) -> Option<usize> {
        let place = match (needle.is_empty(), is_last) {
            (true, false) => return Some(self.start),
            (true, true) => return Some(self.start + self.bytes.len()),
            (false, false) => self.text.find(needle),
            (false, true) => self.text.rfind(needle),
        };
        place.map(|place| self.text_start + place)
    }

    /// Returns the number of occurrences of a text in the part. An empty text occurs around each
    /// character, and around each byte of a character that is cut in two.
    fn count(&self, needle: &str) -> usize {
        match needle {
            "" => self.bytes.len() - self.text.len() + self.text.chars().count() + 1,
            needle => self.text.matches(needle).count(),
        }
    }
}

/// Returns the position at which `find`, `rfind`, `index` or `rindex` finds a text, in bytes.
fn search(text: &str, call: &BuiltinCall<'_, '_>) -> Result<i64, Failure> {
    let needle = call.positional.first().and_then(|value| value.unpack_str());
    let needle = needle.unwrap_or_default();
    let part = Part::of(text, call, 1)?;
    match part.find(needle, call.name.starts_with('r')) {
        Some(place) => Ok(i64::try_from(place).unwrap_or(i64::MAX)),
        // Of the four methods, only `index` and `rindex` fail.
        None if call.name.ends_with("index") => Err(call.failure("substring not found")),
        None => Ok(-1),
    }
}

fn has_affix(text: &str, call: &BuiltinCall<'_, '_>) -> Result<bool, Failure> {
    let part = Part::of(text, call, 1)?;
    let has = |affix: &str| match call.name {
        "startswith" => part.bytes.starts_with(affix.as_bytes()),
        _ => part.bytes.ends_with(affix.as_bytes()),
    };
    let Some(wanted) = call.positional.first() else {
        return Ok(false);
    };
    if let Some(affix) = wanted.unpack_str() {
        return Ok(has(affix));
    }
    let Some(affixes) = TupleRef::from_value(*wanted) else {
        let kind = type_name(*wanted);
        return Err(call.failure(format!("got {kind}, want string or tuple of string")));
    };
    for (index, affix) in affixes.iter().enumerate() {
        let Some(affix) = affix.unpack_str() else {
            let kind = type_name(affix);
            return Err(call.failure(format!("want string, got {kind}, for element {index}")));
        };
        if has(affix) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn partition(
    text: &str,
    separator: &str,
    call: &BuiltinCall<'_, '_>,
) -> Result<(String, String, String), Failure> {
    if separator.is_empty() {
        return Err(call.failure("empty separator"));
    }
    let is_last = call.name == "rpartition";
    let parts = match is_last {
        true => text.rsplit_once(separator),
        false => text.split_once(separator),
    };
    let (before, separator, after) = match parts {
        Some((before, after)) => (before, separator, after),
        None if is_last => ("", "", text),
        None => (text, "", ""),
    };
    Ok((before.to_owned(), separator.to_owned(), after.to_owned()))
}

/// Splits a text into lines. Only `\n` ends a line.
fn lines<'v>(text: &str, keep_ends: bool, heap: Heap<'v>) -> Value<'v> {
    let lines = text.split_inclusive('\n');
    let line = |line: &'_ str| match keep_ends {
        true => line.to_owned(),
        false => line.trim_end_matches('\n').to_owned(),
    };
    heap.alloc(AllocList(lines.map(line)))
}

/// Splits a text at a separator, or at whitespace. `split` divides it at most a given number of
/// times from the start, and `rsplit` from the end.
fn split<'a>(text: &'a str, call: &BuiltinCall<'_, '_>) -> Result<Vec<&'a str>, Failure> {
    let separator = call.positional.first().filter(|by| !by.is_none());
    let separator = match separator.map(|by| by.unpack_str()) {
        None => None,
        // Both methods say `split`, as in ytt.
        Some(Some("")) => return Err(Failure::new("split: empty separator")),
        Some(Some(by)) => Some(by),
        Some(None) => {
            let kind = separator.map_or("", |by| type_name(*by));
            let message = format!("split: got {kind} for separator, want string");
            return Err(Failure::new(message));
        }
    };
    let most = call.positional.get(1).and_then(|most| most.unpack_i32());
    // A negative number means any number.
    let most = most.and_then(|most| usize::try_from(most).ok());
    let most = most.unwrap_or(usize::MAX);
    size::check_list(match separator {
        None => text.split_whitespace().take(most).count(),
        Some(by) => text.matches(by).take(most).count(),
    })?;
    let is_from_end = call.name == "rsplit";
    Ok(match separator {
        None => split_at_blanks(text, most, is_from_end),
        Some(by) if is_from_end => {
            // ytt finds the separators from the start here too, which matters if they overlap.
            let mut parts: Vec<&str> = text.split(by).collect();
            let excess = parts.len().saturating_sub(most.saturating_add(1));
            let joined = parts.drain(..excess);
            let start: usize = joined.map(|part| part.len() + by.len()).sum();
            if let Some(first) = parts.first_mut() {
                *first = text.get(..start + first.len()).unwrap_or_default();
            }
            parts
        }
        Some(by) => text.splitn(most.saturating_add(1), by).collect(),
    })
}

/// Splits a text at whitespace, at most `most` times. The part that is not divided any more loses
/// the whitespace at the side from which it is reached.
///
/// ```text
/// " a  b c "   from the start, once: ["a", "b c "]   from the end, once: [" a  b", "c"]
/// ```
fn split_at_blanks(text: &str, most: usize, is_from_end: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    loop {
        rest = match is_from_end {
            true => rest.trim_end(),
            false => rest.trim_start(),
        };
        let divided = match is_from_end {
            _ if parts.len() >= most => None,
            true => rest
                .rsplit_once(char::is_whitespace)
                .map(|(rest, part)| (part, rest)),
            false => rest.split_once(char::is_whitespace),
        };
        match divided {
            Some((part, others)) => {
                parts.push(part);
                rest = others;
            }
            None => break,
        }
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    if is_from_end {
        parts.reverse();
    }
    parts
}

fn joined<'v>(
    separator: &str,
    call: &BuiltinCall<'_, 'v>,
    heap: Heap<'v>,
) -> starlark::Result<String> {
    let mut out = String::new();
    let values = items_of(call.positional.first().copied(), heap)?;
    for (index, value) in values.into_iter().enumerate() {
        let Some(text) = value.unpack_str() else {
            let found = type_name(value);
            return Err(call
                .failure(format!("in list, want string, got {found}"))
                .help("convert each value with `str(…)`")
                .into());
        };
        if index > 0 {
            out.push_str(separator);
        }
        size::check_string(out.len().saturating_add(text.len()))?;
        out.push_str(text);
    }
    Ok(out)
}

fn replaced(text: &str, call: &BuiltinCall<'_, '_>) -> Result<String, Failure> {
    let argument = |index: usize| call.positional.get(index).copied();
    let text_of = |index: usize| argument(index).and_then(|value| value.unpack_str());
    let (old, new) = (
        text_of(0).unwrap_or_default(),
        text_of(1).unwrap_or_default(),
    );
    let count = argument(2).and_then(|count| count.unpack_i32());
    // A negative count means all occurrences.
    let count = count.and_then(|count| usize::try_from(count).ok());
    let places = text.matches(old).count().min(count.unwrap_or(usize::MAX));
    let growth = new.len().saturating_sub(old.len());
    size::check_string(text.len().saturating_add(places.saturating_mul(growth)))?;
    Ok(text.replacen(old, new, places))
}

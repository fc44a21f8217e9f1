//! Methods of strings that behave differently in ytt, whose strings are bytes.
//!
//! Positions count bytes. A string here is text, so a single byte of a longer character cannot be
//! one; `elems()` returns the character with the same number instead.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;

use allocative::Allocative;
use starlark::collections::SmallMap;
use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::starlark_simple_value;
use starlark::values::list::AllocList;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, StringValue, UnpackValue, Value,
    starlark_value,
};

use super::{entry, format};
use crate::dialect::RENAMED;
use crate::golang::letter_case;
use crate::script::limits::walk::check_search;

use crate::script::failure::Failure;
use crate::script::limits::{memory, size};
use crate::script::value::{dictionary, type_name};
use crate::source::suggest::with_article;

/// Operations on values up to this length are not worth a check of the memory.
const SMALL: usize = 512;

/// What `dir` returns for a string.
const STRING_METHODS: [&str; 33] = [
    "capitalize",
    "codepoint_ords",
    "codepoints",
    "count",
    "elem_ords",
    "elems",
    "endswith",
    "find",
    "format",
    "index",
    "isalnum",
    "isalpha",
    "isdigit",
    "islower",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "lower",
    "lstrip",
    "partition",
    "replace",
    "rfind",
    "rindex",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "title",
    "upper",
];

/// Returns the parts of a string.
fn parts<'v>(text: &str, name: &str, heap: Heap<'v>) -> Value<'v> {
    let as_text = |c: char| c.to_string();
    match name {
        "elem_ords" => heap.alloc(AllocList(text.bytes().map(i32::from))),
        "codepoint_ords" => heap.alloc(AllocList(text.chars().map(|c| u32::from(c) as i32))),
        "elems" => heap.alloc(StringParts {
            text: text.to_owned(),
            // One part per byte, as in ytt. A byte of a longer character is no text, so it becomes
            // the character with its number (`é` gives `Ã` and `©`).
            parts: text.bytes().map(char::from).map(as_text).collect(),
            name: "elems",
        }),
        _ => heap.alloc(StringParts {
            text: text.to_owned(),
            parts: text.chars().map(as_text).collect(),
            name: "codepoints",
        }),
    }
}

/// `x.elems()` and `x.codepoints()`, which can be iterated.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
struct StringParts {
    text: String,
    parts: Vec<String>,
    name: &'static str,
}
starlark_simple_value!(StringParts);

impl fmt::Display for StringParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.{}()", self.text, self.name)
    }
}

#[starlark_value(type = "string.parts")]
impl<'v> StarlarkValue<'v> for StringParts {
    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        Ok(self
            .parts
            .iter()
            .map(|part| heap.alloc(part.as_str()))
            .collect())
    }
}

/// Returns where `name` (one of `find`, `rfind`, `index`, `rindex`) finds a text, in bytes.
fn search(text: &str, name: &str, arguments: &[Value<'_>]) -> Result<i32, Failure> {
    let Some(needle) = arguments.first().and_then(|needle| needle.unpack_str()) else {
        return Err(Failure::new(format!(
            "{name}: expected a string to search for"
        )));
    };
    let start = bound(text, arguments.get(1).copied(), 0)?;
    let end = bound(text, arguments.get(2).copied(), text.len())?;
    let part = text
        .as_bytes()
        .get(start..end.max(start))
        .unwrap_or_default();
    // Bounds are bytes and may cut a character in two. Nothing can be found in such a part that is
    // text.
    let part = std::str::from_utf8(part).unwrap_or_default();
    let place = if name.starts_with('r') {
        part.rfind(needle)
    } else {
        part.find(needle)
    };
    match place {
        Some(place) => Ok(i32::try_from(start + place).unwrap_or(i32::MAX)),
        None if name.ends_with("index") => {
            Err(Failure::new(format!("{name}: substring not found")))
        }
        // Of the four, only `index` and `rindex` fail.
        None => Ok(-1),
    }
}

/// Returns a bound of a slice. A negative one counts from the end.
pub(super) fn bound(
    text: &str,
    value: Option<Value<'_>>,
    default: usize,
) -> Result<usize, Failure> {
    let Some(value) = value.filter(|value| !value.is_none()) else {
        return Ok(default);
    };
    let Ok(Some(number)) = i64::unpack_value(value) else {
        return Err(Failure::new(format!(
            "expected an integer as a bound, found {}",
            with_article(type_name(value))
        )));
    };
    let length = text.len() as i64;
    // Clamped below, so that a bound beyond either end means the end, as in Python.
    let number = if number < 0 { number + length } else { number };
    Ok(usize::try_from(number.clamp(0, length)).unwrap_or(0))
}

/// Splits a text into lines, which end at `\n` only.
fn lines<'v>(text: &str, keep_ends: bool, heap: Heap<'v>) -> Value<'v> {
    let lines = text.split_inclusive('\n');
    let line = |line: &'_ str| {
        if keep_ends {
            line.to_owned()
        } else {
            line.trim_end_matches('\n').to_owned()
        }
    };
    heap.alloc(AllocList(lines.map(line)))
}

/// Calls a method of a string that behaves differently in ytt. Returns `None` if the crate's method
/// is right, after checking that its result is not too long.
fn string_method<'v>(
    text: &str,
    name: &str,
    arguments: &[Value<'v>],
    heap: Heap<'v>,
) -> starlark::Result<Option<Value<'v>>> {
    let by = arguments.first().and_then(|by| by.unpack_str());
    Ok(match name {
        "elems" | "elem_ords" | "codepoints" | "codepoint_ords" => {
            size::check_list(text.len())?;
            Some(parts(text, name, heap))
        }
        "find" | "rfind" | "index" | "rindex" => Some(heap.alloc(search(text, name, arguments)?)),
        "splitlines" => {
            size::check_list(text.matches('\n').count())?;
            Some(lines(
                text,
                arguments.first().is_some_and(|keep| keep.to_bool()),
                heap,
            ))
        }
        "split" | "rsplit" if by == Some("") => {
            return Err(Failure::new("split: empty separator").into());
        }
        "split" | "rsplit" => {
            size::check_list(by.map_or_else(
                || text.split_whitespace().count(),
                |by| text.matches(by).count(),
            ))?;
            None
        }
        "upper" | "lower" | "title" | "capitalize" if arguments.is_empty() && !text.is_ascii() => {
            Some(heap.alloc(in_case(text, name)))
        }
        "join" => match arguments {
            [values] => Some(heap.alloc(joined(text, *values, heap)?)),
            _ => None,
        },
        "replace" => {
            check_replacement(text, arguments)?;
            None
        }
        // starlark-go of ytt's time does not have them.
        "removeprefix" | "removesuffix" => {
            return Err(Failure::new(format!("string has no field or method `{name}`")).into());
        }
        _ => None,
    })
}

/// Refuses a replacement whose result is too long, before the crate makes it.
fn check_replacement(text: &str, arguments: &[Value<'_>]) -> Result<(), Failure> {
    if let [old, new, ..] = arguments
        && let (Some(old), Some(new)) = (old.unpack_str(), new.unpack_str())
        && new.len() > old.len()
    {
        let growth = new.len() - old.len();
        let added = text.matches(old).count().saturating_mul(growth);
        size::check_string(text.len().saturating_add(added))?;
    }
    Ok(())
}

/// Returns a text in upper, lower or title case, or with a capital at its start.
fn in_case(text: &str, name: &str) -> String {
    let mut is_in_word = false;
    let map = |letter| {
        let mapped = match name {
            "upper" => letter_case::upper(letter),
            "title" | "capitalize" if !is_in_word => letter_case::title(letter),
            _ => letter_case::lower(letter),
        };
        is_in_word = name == "capitalize" || letter_case::is_cased(mapped);
        mapped
    };
    text.chars().map(map).collect()
}

fn joined<'v>(separator: &str, values: Value<'v>, heap: Heap<'v>) -> starlark::Result<String> {
    let mut out = String::new();
    for (index, value) in values.iterate(heap)?.enumerate() {
        let Some(text) = value.unpack_str() else {
            let found = with_article(type_name(value));
            return Err(Failure::new(format!(
                "join: expected a list of strings, found {found} in it"
            ))
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

/// Returns the name of an argument as the user wrote it.
fn written<'a>(name: &'a StringValue<'_>) -> &'a str {
    name.as_str().strip_prefix(RENAMED).unwrap_or(name.as_str())
}

/// Calls a method of a string: ours if ytt's is different, otherwise the crate's.
fn call_string_method<'v>(
    receiver: Value<'v>,
    text: &str,
    name: &str,
    arguments: &[Value<'v>],
    named: &[(&str, Value<'v>)],
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    if name == "format" {
        return Ok(eval.heap().alloc(format::format(text, arguments, named)?));
    }
    let own = string_method(text, name, arguments, eval.heap())?;
    let value = match own {
        Some(value) => value,
        None => eval.eval_function(
            receiver.get_attr_error(name, eval.heap())?,
            arguments,
            named,
        )?,
    };
    // The result of a method of a short string is short, except `format` and `join`, which
    // check themselves.
    if text.len() > SMALL {
        memory::check(eval)?;
    }
    Ok(value)
}

/// Calls a method of a value that is not a string. Those of lists, dictionaries and sets are
/// checked before and counted after the call.
fn call_collection_method<'v>(
    receiver: Value<'v>,
    name: &str,
    arguments: Vec<Value<'v>>,
    named: &[(&str, Value<'v>)],
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let kind = receiver.get_type();
    // ytt's sets have no other method.
    if kind == "set" && name != "union" {
        return Err(Failure::new(format!("set has no field or method `{name}`")).into());
    }
    let method = receiver.get_attr_error(name, eval.heap())?;
    if !matches!(kind, "list" | "dict" | "set") {
        return eval.eval_function(method, &arguments, named);
    }
    let mut arguments = arguments;
    if let ("list", "pop", [index]) = (kind, name, arguments.as_mut_slice()) {
        *index = entry::from_start(receiver, *index, eval.heap())?;
    }
    for argument in arguments
        .iter()
        .filter(|argument| argument.unpack_str().is_none())
    {
        size::check_list(
            argument
                .length()
                .map_or(0, |length| usize::try_from(length).unwrap_or(0)),
        )?;
        // `x.remove(y)` and `x.index(y)` compare `y` with each item.
        check_search(*argument, receiver)?;
    }
    // The entries that the call adds are counted by the growth of the receiver: the crate does
    // not report them.
    let before = receiver.length().unwrap_or_default();
    let arguments = if kind == "dict" && name == "update" {
        dictionary::all(arguments, eval.heap())?
    } else {
        arguments
    };
    let value = eval.eval_function(method, &arguments, named)?;
    let grown =
        usize::try_from(receiver.length().unwrap_or_default().saturating_sub(before)).unwrap_or(0);
    if kind != "list" {
        memory::take(grown * memory::ENTRY, eval)?;
    }
    if kind == "set" {
        memory::take_entries(value, eval)?;
    }
    if before > SMALL as i32 || grown > SMALL {
        memory::check(eval)?;
    }
    Ok(value)
}

#[starlark_module]
pub(super) fn functions(builder: &mut GlobalsBuilder) {
    fn dir<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<Vec<String>> {
        if value.unpack_str().is_some() {
            return Ok(STRING_METHODS.map(str::to_owned).to_vec());
        }
        let mut names = value.dir_attr();
        names.sort();
        Ok(names)
    }

    /// Calls a method: `dialect` replaces `receiver.name(…)` by this call, if a string, list,
    /// dictionary or set has a method of that name that needs it.
    fn __ytt_method<'v>(
        #[starlark(require = pos)] receiver: Value<'v>,
        #[starlark(require = pos)] name: &str,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] named: SmallMap<StringValue<'v>, Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let named: Vec<(&str, Value<'v>)> = named
            .iter()
            .map(|(name, value)| (written(name), *value))
            .collect();
        match receiver.unpack_str() {
            Some(text) => call_string_method(receiver, text, name, &arguments.items, &named, eval),
            None => call_collection_method(receiver, name, arguments.items, &named, eval),
        }
    }
}

//! `"{} {0} {name!r}".format(…)`.

use starlark::values::Value;

use crate::script::failure::Failure;
use crate::script::limits::size;
use crate::script::value::{push_text, repr};

/// The values of the fields of a pattern.
struct Fields<'a, 'v> {
    positional: &'a [Value<'v>],
    named: &'a [(&'a str, Value<'v>)],
    /// The number of fields without a number that were filled.
    automatic: usize,
    /// Whether a field with a number was filled.
    is_manual: bool,
}

impl<'v> Fields<'_, 'v> {
    fn value(&mut self, name: &str) -> Result<Value<'v>, Failure> {
        if name.is_empty() {
            if self.is_manual {
                return Err(switch(
                    "manual field specification",
                    "automatic field numbering",
                ));
            }
            self.automatic += 1;
            return self.at(self.automatic - 1);
        }
        // `{+0}` and `{-1}` are names, not numbers.
        let number = name.parse::<usize>().ok();
        let number = number.filter(|_| name.bytes().all(|byte| byte.is_ascii_digit()));
        let Some(number) = number else {
            let mut named = self.named.iter();
            let found = named.find(|(known, _)| *known == name);
            return found
                .map(|(_, value)| *value)
                .ok_or_else(|| Failure::new(format!("format: keyword {name} not found")));
        };
        if self.automatic > 0 {
            return Err(switch(
                "automatic field numbering",
                "manual field specification",
            ));
        }
        self.is_manual = true;
        self.at(number)
    }

    fn at(&self, index: usize) -> Result<Value<'v>, Failure> {
        let value = self.positional.get(index).copied();
        value.ok_or_else(|| Failure::new("format: tuple index out of range"))
    }
}

/// Returns the failure for a pattern such as `{} {0}`, in which the next value is ambiguous.
fn switch(from: &str, to: &str) -> Failure {
    Failure::new(format!("format: cannot switch from {from} to {to}"))
}

/// Returns a pattern with its fields filled in.
pub(super) fn format<'v>(
    pattern: &str,
    positional: &[Value<'v>],
    named: &[(&str, Value<'v>)],
) -> Result<String, Failure> {
    let mut fields = Fields {
        positional,
        named,
        automatic: 0,
        is_manual: false,
    };
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(brace) = memchr::memchr2(b'{', b'}', rest.as_bytes()) {
        out.push_str(rest.get(..brace).unwrap_or_default());
        let tail = rest.get(brace..).unwrap_or_default();
        // Check doubled braces first. Otherwise `{{x}}` would be a field.
        rest = if let Some(after) = tail.strip_prefix("{{") {
            out.push('{');
            after
        } else if let Some(after) = tail.strip_prefix("}}") {
            out.push('}');
            after
        } else if let Some((field, after)) =
            tail.strip_prefix('{').and_then(|tail| tail.split_once('}'))
        {
            fill(field, &mut fields, &mut out)?;
            size::check_string(out.len())?;
            after
        } else if tail.starts_with('{') {
            return Err(Failure::new("format: unmatched '{' in format"));
        } else {
            return Err(Failure::new("format: single '}' in format"));
        };
    }
    out.push_str(rest);
    Ok(out)
}

/// Writes the text of a field, given without its braces: `name!conversion:specification`.
fn fill(field: &str, fields: &mut Fields<'_, '_>, out: &mut String) -> Result<(), Failure> {
    if field.is_empty() {
        push_text(fields.value(field)?, out);
        return Ok(());
    }
    let (field, specification) = match field.split_once(':') {
        Some((field, specification)) => (field, Some(specification)),
        None => (field, None),
    };
    let (name, conversion) = match field.split_once('!') {
        Some((name, conversion)) => (name, conversion),
        None => (field, "s"),
    };
    // These are Python features that starlark-go does not support. Ignoring them would print an
    // unexpected text.
    let attribute = [('.', "attribute syntax x.y"), ('[', "element syntax a[i]")];
    for (mark, syntax) in attribute {
        if name.contains(mark) {
            return Err(Failure::new(format!(
                "format: {syntax} is not supported in replacement fields: {name}"
            )));
        }
    }
    if name.contains('{') {
        return Err(Failure::new(
            "format: nested replacement fields not supported",
        ));
    }
    let value = fields.value(name)?;
    if let Some(specification) = specification.filter(|text| !text.is_empty()) {
        return Err(Failure::new(format!(
            "format spec features not supported in replacement fields: {specification}"
        )));
    }
    match conversion {
        "s" => push_text(value, out),
        "r" => out.push_str(&repr(value)),
        _ => {
            return Err(Failure::new(format!(
                "format: unknown conversion \"{conversion}\""
            )));
        }
    }
    Ok(())
}

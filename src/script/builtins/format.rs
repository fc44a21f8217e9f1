//! `"{} {0} {name!r}".format(…)`.

use starlark::values::Value;

use crate::script::failure::Failure;
use crate::script::limits::size;
use crate::script::value::{repr, text};

/// The values of the fields of a pattern.
struct Fields<'a, 'v> {
    positional: &'a [Value<'v>],
    named: &'a [(&'a str, Value<'v>)],
    /// How many fields without a number were filled.
    automatic: usize,
    /// Whether a field with a number was filled.
    is_manual: bool,
}

impl<'v> Fields<'_, 'v> {
    fn value(&mut self, name: &str) -> Result<Value<'v>, Failure> {
        if name.is_empty() {
            self.automatic += 1;
        }
        let number = if name.is_empty() {
            Some(self.automatic - 1)
        } else {
            name.parse::<usize>().ok()
        };
        self.is_manual |= number.is_some() && !name.is_empty();
        // `{} {0}` is an error in starlark-go, too: it would be unclear which value comes next.
        if self.is_manual && self.automatic > 0 {
            return Err(Failure::new(
                "format: expected all fields with numbers or all without, found both",
            ));
        }
        match number {
            Some(number) => self
                .positional
                .get(number)
                .copied()
                .ok_or_else(|| Failure::new("format: tuple index out of range")),
            None => {
                let found = self
                    .named
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map(|(_, value)| *value);
                found.ok_or_else(|| Failure::new(format!("format: keyword {name} not found")))
            }
        }
    }
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
    while let Some(brace) = rest.find(['{', '}']) {
        out.push_str(rest.get(..brace).unwrap_or_default());
        let tail = rest.get(brace..).unwrap_or_default();
        // Doubled braces first, otherwise `{{x}}` would be a field.
        rest = if let Some(after) = tail.strip_prefix("{{") {
            out.push('{');
            after
        } else if let Some(after) = tail.strip_prefix("}}") {
            out.push('}');
            after
        } else if let Some((field, after)) =
            tail.strip_prefix('{').and_then(|tail| tail.split_once('}'))
        {
            out.push_str(&fill(field, &mut fields)?);
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

fn fill(field: &str, fields: &mut Fields<'_, '_>) -> Result<String, Failure> {
    let (name, conversion) = match field.split_once('!') {
        Some((name, conversion)) => (name, conversion),
        None => (field, "s"),
    };
    // Python's formats and attributes, which starlark-go does not have. Ignoring them would print
    // another text than expected.
    if let Some(mark) = field.find([':', '.', '[']) {
        let mark = field.get(mark..).unwrap_or_default();
        return Err(Failure::new(format!(
            "format: expected a name or a number in `{{{field}}}`, found `{mark}`"
        )));
    }
    let value = fields.value(name)?;
    match conversion {
        "s" => Ok(text(value)),
        "r" => Ok(repr(value)),
        _ => Err(Failure::new(format!(
            "format: expected !s or !r, found !{conversion}"
        ))),
    }
}

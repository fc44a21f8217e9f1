//! The argument `PATH=VALUE` of `inlay set`, and of `inlay run` for fields of its configuration.

use std::sync::Arc;

use super::assigned_value::AssignedValue;
use crate::edit::{Documents, EditFailure, EditOptions, TypePolicy, update};
use crate::kubernetes::{ObjectPath, Resource, text_fields};
use crate::source::world::source_shown_as;
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::measure;

/// Added to the name of a file in diagnostics if its text was edited before, because its line
/// numbers then differ from those of the file on disk.
const EDITED: &str = " (with --set)";

/// A value, and the path to write it to.
#[derive(Clone, Debug)]
pub(super) struct FieldAssignment {
    pub(super) path: ObjectPath,
    pub(super) value: AssignedValue,
}

impl FieldAssignment {
    /// Returns whether a word is an assignment: it has an `=` outside brackets.
    pub(super) fn is_one(typed: &str) -> bool {
        split(typed).is_some()
    }

    /// Parses an assignment. The first `=` outside brackets separates path and value.
    ///
    /// # Errors
    /// Returns the mistake in one line.
    pub(super) fn parse(typed: &str) -> Result<FieldAssignment, String> {
        let Some((path, value)) = split(typed) else {
            return Err("expected PATH=VALUE, found no `=`".to_owned());
        };
        Ok(FieldAssignment {
            path: ObjectPath::parse(path).map_err(|error| error.message)?,
            value: AssignedValue::parse(value)?,
        })
    }

    /// Returns the help line for a path with quotes or spaces around its keys, which are probably
    /// not part of the keys.
    pub(super) fn respelled(&self) -> Option<String> {
        let meant = self.path.path.without_quotes()?;
        // The user may have typed `spec.replicas = 3` as one assignment.
        if !self.path.text().ends_with(char::is_whitespace) {
            return Some(format!("did you mean `{meant}`?"));
        }
        let objects = self.path.objects();
        let objects = objects.map_or(String::new(), |objects| format!("{objects} "));
        Some(format!(
            "remove the spaces around `=`: `{objects}{meant}=…`"
        ))
    }
}

/// Writes a value into the first document that has the path. If none has it and there is only one
/// document, the missing fields are created there.
///
/// # Errors
/// Fails if no document has the path and there are several, or if the value does not fit.
pub(super) fn write(documents: &Documents, assignment: &FieldAssignment) -> Result<Arc<Source>> {
    let mut roots = documents.roots();
    let path = &assignment.path.path;
    // Check this before the path is created: thousands of levels take minutes.
    let value = assignment.value.node(TypePolicy::Infer);
    measure(&value, path.segments().len())?;
    // Do not create a path that was probably misspelled: suggest the correction instead.
    let can_create = roots.len() == 1 && path.without_quotes().is_none();
    let mut missing = None;
    for (index, root) in roots.iter().enumerate() {
        let object = Resource::new(Arc::clone(root));
        let is_chosen = object.is_ok_and(|object| assignment.path.selects(object.id()));
        if assignment.path.objects().is_some() && !is_chosen {
            continue;
        }
        let options = EditOptions {
            create: can_create,
            text_fields: text_fields(root),
            text_format: documents.format(),
            has_aliases: documents.has_aliases(),
            ..EditOptions::default()
        };
        let changed = update(root, path, &options, &mut |target| {
            assignment.value.fit(&target, TypePolicy::Infer).map(Some)
        });
        match changed {
            Ok(changed) => {
                roots[index] = changed.unwrap_or_else(|| Arc::clone(root));
                documents.check(&documents.roots(), &roots)?;
                let source = documents.source();
                let (text, _) = documents.print(&roots);
                let shown = source.shown_name();
                let file = shown.strip_suffix(EDITED).unwrap_or(shown);
                let edited = format!("{file}{EDITED}");
                return source_shown_as(source.name(), &edited, text.into_bytes());
            }
            Err(EditFailure::Diagnostic(error)) => return Err(error),
            Err(failure) => missing = Some(failure),
        }
    }
    Err(nothing_written(documents, assignment, missing))
}

/// Returns the reason why no document was changed. `missing` describes where the path ends in the
/// last document that was tried.
fn nothing_written(
    documents: &Documents,
    assignment: &FieldAssignment,
    missing: Option<EditFailure>,
) -> Box<Diagnostic> {
    let path = &assignment.path.path;
    if let Some(missing) = missing {
        let error = missing.diagnostic(|| format!("unable to find field \"{path}\""));
        return match assignment.respelled() {
            Some(help) => error.only_help(help),
            None => error,
        };
    }
    let name = format!("`{}`", documents.source().shown_name());
    if assignment.path.objects().is_some() {
        let mut objects = Vec::new();
        for root in documents.roots() {
            objects.extend(Resource::new(root).ok());
        }
        return assignment
            .path
            .no_object(&name, objects.iter().map(Resource::id));
    }
    let message = format!("expected a document to write to in {name}, found none");
    Diagnostic::error(Code::PathNotFound, message)
}

/// Splits an assignment at its `=`. An `=` in brackets is part of the path: `[name=web]`.
fn split(typed: &str) -> Option<(&str, &str)> {
    // Only a JSONPath has quotes. A bracket inside them is an ordinary character.
    let has_quotes = ObjectPath::split(typed).1.starts_with('$');
    let mut depth = 0_usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, character) in typed.char_indices() {
        if let Some(open) = quote {
            if character == open && !escaped {
                quote = None;
            }
            escaped = character == '\\' && !escaped;
            continue;
        }
        match character {
            '\'' | '"' if depth > 0 && has_quotes => quote = Some(character),
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '=' if depth == 0 => return Some((&typed[..at], &typed[at + 1..])),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_the_first_equals_sign_outside_brackets() {
        let cases = [
            ("a=b", "a", "b"),
            ("a.b=c=d", "a.b", "c=d"),
            ("a.[name=web].b=c", "a.[name=web].b", "c"),
            ("a.[=x]=y", "a.[=x]", "y"),
            ("a=", "a", ""),
            ("$.a[?@.b==1].c=d", "$.a[?@.b==1].c", "d"),
            ("$['a]=\\'b']=c", "$['a]=\\'b']", "c"),
            ("A/b $['a]=b']=c", "A/b $['a]=b']", "c"),
            ("ConfigMap/a data.b=c d", "ConfigMap/a data.b", "c d"),
            ("a=b/c d=e", "a", "b/c d=e"),
        ];
        for (typed, path, value) in cases {
            assert_eq!(split(typed), Some((path, value)), "{typed}");
        }
        assert_eq!(split("a.[b=c]"), None);
    }
}

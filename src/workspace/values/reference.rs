//! References to private libraries: `@lib1@lib2~alias`.
//!
//! They are used to address data values and schemas, in flags (`@lib1:key=value`) and in templates
//! (`#@library/ref`).

use std::fmt;
use std::sync::Arc;

use crate::source::{Code, Diagnostic, Result};

/// The path to a library through its enclosing libraries. It is always printed as it was written.
#[derive(Clone, Debug, Default)]
pub(in crate::workspace) struct LibraryReference {
    steps: Vec<ReferenceStep>,
    /// The number of steps taken: the remaining ones lead from the current library to the target.
    taken: usize,
}

/// One step: the path of a library below `_ytt_lib`, its alias, or both.
#[derive(Clone, Debug)]
struct ReferenceStep {
    path: Option<Arc<str>>,
    alias: Option<Arc<str>>,
}

/// An argument of a flag, separated from the library that it is for.
pub(super) struct AddressedArgument<'a> {
    pub(super) target: LibraryReference,
    pub(super) rest: &'a str,
}

impl LibraryReference {
    /// Parses a reference.
    ///
    /// # Errors
    /// Fails if the text does not consist of one or more steps `@path`, `@~alias` or `@path~alias`.
    pub(in crate::workspace) fn parse(text: &str) -> Result<LibraryReference> {
        let Some(rest) = text.strip_prefix('@') else {
            let found = match text {
                "" => "nothing".to_owned(),
                _ => format!("`{text}`"),
            };
            let message = format!("expected a reference to a library, found {found}");
            return Err(Diagnostic::error(Code::Library, message).help(FORMS));
        };
        let mut steps = Vec::new();
        // Each `@` begins a step: `@lib@inner` is `inner` inside `lib`.
        for step in rest.split('@') {
            steps.push(ReferenceStep::parse(step, text)?);
        }
        Ok(LibraryReference { steps, taken: 0 })
    }

    /// Separates the reference from the rest of a flag's argument: `@lib:key=value`. Without a
    /// colon, `@` is an ordinary character.
    ///
    /// # Errors
    /// Fails as [`parse`](LibraryReference::parse) does.
    pub(super) fn split_from(argument: &str) -> Result<AddressedArgument<'_>> {
        match argument.split_once(':') {
            Some((reference, rest)) if argument.starts_with('@') => {
                let target = LibraryReference::parse(reference)
                    .map_err(|error| error.note(format!("in the argument `{argument}`")))?;
                Ok(AddressedArgument { target, rest })
            }
            _ => Ok(AddressedArgument {
                target: LibraryReference::default(),
                rest: argument,
            }),
        }
    }

    /// Returns whether the target is the current library.
    pub(in crate::workspace) fn is_here(&self) -> bool {
        self.steps.len() == self.taken
    }

    /// Returns the reference as seen from the library with this path and alias; `None` if the next
    /// step does not lead there.
    pub(in crate::workspace) fn below(
        &self,
        path: &str,
        alias: Option<&str>,
    ) -> Option<LibraryReference> {
        let next = self.steps.get(self.taken)?;
        // Keep the whole reference for messages and only advance the number of steps.
        next.matches(path, alias).then(|| LibraryReference {
            steps: self.steps.clone(),
            taken: self.taken + 1,
        })
    }
}

impl ReferenceStep {
    fn parse(step: &str, whole: &str) -> Result<ReferenceStep> {
        let (path, alias) = match step.split_once('~') {
            None => (step, None),
            Some((path, alias)) => (path, Some(alias)),
        };
        let mistake = match alias {
            Some("") => Some("the alias after `~` is missing"),
            Some(alias) if alias.contains('~') => Some("a library has one alias"),
            None if path.is_empty() => Some("the path after `@` is missing"),
            _ => None,
        };
        if let Some(mistake) = mistake {
            let message = format!("expected a reference to a library, found `{whole}`");
            return Err(Diagnostic::error(Code::Library, message)
                .note(mistake)
                .help(FORMS));
        }
        Ok(ReferenceStep {
            path: (!path.is_empty()).then(|| path.into()),
            alias: alias.map(Arc::from),
        })
    }

    /// Returns whether this step matches the library with this path and alias. A step without an
    /// alias also matches libraries with one.
    fn matches(&self, path: &str, alias: Option<&str>) -> bool {
        let path_matches = self.path.as_deref().is_none_or(|own| own == path);
        let alias_matches = self.alias.as_deref().is_none_or(|own| alias == Some(own));
        path_matches && alias_matches
    }
}

const FORMS: &str = "write `@path`, `@~alias` or `@path~alias`, and for a library inside it one more: `@path@inner`";

impl fmt::Display for LibraryReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ReferenceStep { path, alias } in &self.steps {
            write!(f, "@{}", path.as_deref().unwrap_or_default())?;
            if let Some(alias) = alias {
                write!(f, "~{alias}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_a_reference_as_it_was_written() {
        for text in ["@lib", "@~x", "@lib~x", "@github.com/org/lib@inner~y@~z"] {
            assert_eq!(LibraryReference::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn refuses_what_names_no_library() {
        for text in [
            "",
            "lib",
            "@",
            "@lib@",
            "@lib~",
            "@~",
            "@~123~abc~inst1",
            "@a~b~c",
        ] {
            assert_eq!(
                LibraryReference::parse(text).unwrap_err().code,
                Code::Library,
                "{text}"
            );
        }
    }

    #[test]
    fn matches_a_step_by_path_alias_or_both() {
        let table = [
            ("@lib", "lib", None, true),
            ("@lib", "lib", Some("x"), true),
            ("@lib", "other", Some("lib"), false),
            ("@~x", "lib", Some("x"), true),
            ("@~x", "lib", None, false),
            ("@lib~x", "lib", Some("x"), true),
            ("@lib~x", "lib", Some("y"), false),
            ("@lib~x", "other", Some("x"), false),
        ];
        for (text, path, alias, expected) in table {
            let rest = LibraryReference::parse(text).unwrap().below(path, alias);
            assert_eq!(
                rest.is_some_and(|rest| rest.is_here()),
                expected,
                "{text} {path} {alias:?}"
            );
        }
    }

    #[test]
    fn continues_from_the_library_that_the_first_step_means() {
        let reference = LibraryReference::parse("@lib@inner~y").unwrap();
        let rest = reference.below("lib", Some("x")).unwrap();
        assert!(!rest.is_here() && rest.below("other", Some("y")).is_none());
        assert!(rest.below("inner", Some("y")).unwrap().is_here());
        assert_eq!(rest.to_string(), "@lib@inner~y");
        assert!(LibraryReference::default().below("lib", None).is_none());
    }

    #[test]
    fn ends_the_reference_of_a_flag_at_the_first_colon() {
        let table = [
            ("@lib:a=b:c", "@lib", "a=b:c"),
            ("@lib@inner:D:\\values.yml", "@lib@inner", "D:\\values.yml"),
            ("a:b=c", "", "a:b=c"),
            ("@lib=c", "", "@lib=c"),
        ];
        for (argument, reference, rest) in table {
            let found = LibraryReference::split_from(argument).unwrap();
            assert_eq!(
                (found.target.to_string().as_str(), found.rest),
                (reference, rest),
                "{argument}"
            );
        }
    }
}

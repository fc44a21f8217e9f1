//! References to private libraries: `@lib1@lib2~alias`.
//!
//! Data values and schemas are addressed with them, in flags (`@lib1:key=value`) and in templates (`#@library/ref`).

use std::fmt;
use std::sync::Arc;

use crate::source::{Code, Diagnostic, Result};

/// The way to a library through the libraries around it. It is printed as it was written, also inside a library on the way.
#[derive(Clone, Debug, Default)]
pub struct LibraryReference {
    pieces: Vec<Piece>,
    /// How many libraries lie between the one that was addressed from and the one at hand.
    passed: usize,
}

/// One step: the path of a library below `_ytt_lib`, the alias that it was given, or both.
#[derive(Clone, Debug)]
struct Piece {
    path: Option<Arc<str>>,
    alias: Option<Arc<str>>,
}

impl LibraryReference {
    /// Reads a reference.
    ///
    /// # Errors
    /// What is not of the form `@path`, `@~alias` or `@path~alias`, once or more.
    pub fn parse(text: &str) -> Result<LibraryReference> {
        let Some(rest) = text.strip_prefix('@') else {
            let found = if text.is_empty() {
                "nothing".to_owned()
            } else {
                format!("`{text}`")
            };
            let message = format!("expected a reference to a library, found {found}");
            return Err(Diagnostic::error(Code::Library, message).help(FORMS));
        };
        let pieces = rest.split('@').map(|piece| Piece::parse(piece, text));
        Ok(LibraryReference {
            pieces: pieces.collect::<Result<_>>()?,
            passed: 0,
        })
    }

    /// Divides the reference from the rest of a flag's argument: `@lib:key=value`. Without a colon behind it, `@` is a
    /// character like any other.
    ///
    /// # Errors
    /// See [`parse`](LibraryReference::parse).
    pub(super) fn divide(argument: &str) -> Result<(LibraryReference, &str)> {
        match argument.split_once(':') {
            Some((reference, rest)) if argument.starts_with('@') => {
                match LibraryReference::parse(reference) {
                    Ok(reference) => Ok((reference, rest)),
                    Err(error) => Err(error.note(format!("in the argument `{argument}`"))),
                }
            }
            _ => Ok((LibraryReference::default(), argument)),
        }
    }

    /// Whether it names the library at hand.
    pub fn is_here(&self) -> bool {
        self.pieces.len() == self.passed
    }

    /// The same seen from the library on the way, if the next step leads to the library with this path and alias.
    pub fn below(&self, path: &str, alias: Option<&str>) -> Option<LibraryReference> {
        let next = self.pieces.get(self.passed)?;
        let passed = self.passed + 1;
        next.means(path, alias).then(|| LibraryReference {
            pieces: self.pieces.clone(),
            passed,
        })
    }
}

impl Piece {
    fn parse(piece: &str, whole: &str) -> Result<Piece> {
        let malformed = |found: &str| {
            let message = format!("expected a reference to a library, found `{whole}`");
            Err(Diagnostic::error(Code::Library, message)
                .note(found.to_owned())
                .help(FORMS))
        };
        let (path, alias) = match piece.split_once('~') {
            None => (piece, None),
            Some((path, alias)) => (path, Some(alias)),
        };
        match alias {
            Some("") => return malformed("nothing stands behind `~`"),
            Some(alias) if alias.contains('~') => return malformed("a library has one alias"),
            None if path.is_empty() => return malformed("nothing stands behind `@`"),
            _ => {}
        }
        Ok(Piece {
            path: (!path.is_empty()).then(|| path.into()),
            alias: alias.map(Arc::from),
        })
    }

    /// Whether it means the library with this path and alias. One without an alias means those with one, too.
    fn means(&self, path: &str, alias: Option<&str>) -> bool {
        self.path.as_deref().is_none_or(|own| own == path)
            && self.alias.as_deref().is_none_or(|own| alias == Some(own))
    }
}

const FORMS: &str = "write `@path`, `@~alias` or `@path~alias`, and for a library inside it one more: `@path@inner`";

impl fmt::Display for LibraryReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Piece { path, alias } in &self.pieces {
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
    fn a_reference_is_printed_as_it_is_written() {
        for text in ["@lib", "@~x", "@lib~x", "@github.com/org/lib@inner~y@~z"] {
            assert_eq!(LibraryReference::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_names_no_library_is_refused() {
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
    fn a_step_means_a_path_an_alias_or_both() {
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
    fn the_rest_of_the_way_starts_in_the_library_that_the_first_step_means() {
        let reference = LibraryReference::parse("@lib@inner~y").unwrap();
        let rest = reference.below("lib", Some("x")).unwrap();
        assert!(!rest.is_here() && rest.below("other", Some("y")).is_none());
        assert!(rest.below("inner", Some("y")).unwrap().is_here());
        assert_eq!(rest.to_string(), "@lib@inner~y");
        assert!(LibraryReference::default().below("lib", None).is_none());
    }

    #[test]
    fn the_reference_of_a_flag_ends_at_the_first_colon() {
        let table = [
            ("@lib:a=b:c", "@lib", "a=b:c"),
            ("@lib@inner:D:\\values.yml", "@lib@inner", "D:\\values.yml"),
            ("a:b=c", "", "a:b=c"),
            ("@lib=c", "", "@lib=c"),
        ];
        for (argument, reference, rest) in table {
            let (found, found_rest) = LibraryReference::divide(argument).unwrap();
            assert_eq!(
                (found.to_string().as_str(), found_rest),
                (reference, rest),
                "{argument}"
            );
        }
    }
}

//! An edit that the form makes in a file of data values.
//!
//! The form and the file are two views of one text. The edit keeps every other byte of it, so
//! comments and the order of keys survive:
//!
//! ```text
//! # of the team            db.port = 5433       # of the team
//! db:                           ──▶             db:
//!   port: 5432  # default                         port: 5433  # default
//! ```

use std::sync::Arc;

use serde::Deserialize;

use crate::edit::{DocumentFormat, Documents, EditFailure, EditOptions, Pointer, add, get, remove};
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::{Entry, Node, measure, parse_json};

/// A value of a file that changes.
#[derive(Debug, Deserialize)]
pub struct ValuesEdit {
    /// The keys and indexes that lead to the value.
    path: Vec<String>,
    /// The new value as JSON text, so that numbers keep their spelling; without one, the key is
    /// removed.
    value: Option<String>,
    /// The text of the file.
    text: String,
}

impl ValuesEdit {
    /// Returns the text with the edit.
    ///
    /// # Errors
    /// Fails if the text is not one YAML document, or has no place for the value.
    pub fn apply(&self) -> Result<String> {
        let source = source_of("values", &self.text)?;
        let documents = Documents::read(&source, Some(DocumentFormat::YAML))?;
        let roots = documents.roots();
        // Not `""`, which is a text.
        let is_blank = |root: &Arc<Node>| {
            root.origin
                .as_ref()
                .is_some_and(|origin| origin.span.is_empty())
        };
        let root = match roots.as_slice() {
            [] => return self.first_text(),
            [root] if is_blank(root) => return self.first_text(),
            [root] => root,
            _ => {
                let message = format!("expected one document of values, found {}", roots.len());
                return Err(Diagnostic::error(Code::DataValues, message));
            }
        };
        let options = EditOptions {
            has_aliases: documents.has_aliases(),
            ..EditOptions::default()
        };
        let after = match self.value()? {
            Some(value) => self.put(root, value, &options),
            None => self.take(root, &options),
        };
        let after =
            after.map_err(|failure| failure.diagnostic(|| "no place for the value".into()))?;
        documents.check(&roots, std::slice::from_ref(&after))?;
        Ok(documents.print(&[after]).0)
    }

    fn value(&self) -> Result<Option<Arc<Node>>> {
        let Some(value) = &self.value else {
            return Ok(None);
        };
        let stream = parse_json(&source_of("value", value)?)?;
        Ok(stream
            .documents
            .first()
            .map(|document| Arc::clone(&document.root)))
    }

    /// Writes the value, and creates missing mappings on the path.
    fn put(
        &self,
        root: &Arc<Node>,
        value: Arc<Node>,
        options: &EditOptions,
    ) -> Result<Arc<Node>, EditFailure> {
        measure(&value, self.path.len())?;
        let mut existing = self.path.len().saturating_sub(1);
        while existing > 0 && !is_collection_at(root, &self.path[..existing], options)? {
            existing -= 1;
        }
        // `db` exists and `db.pool.size` is written: `pool: {size: …}` is added to `db`.
        let (place, inner) = self.path.split_at((existing + 1).min(self.path.len()));
        let value = inner.iter().rev().fold(value, |value, key| {
            Node::mapping(vec![Entry::new(key, value)])
        });
        add(root, &pointer(place)?, &value, options)
    }

    /// Removes the value, if it exists.
    fn take(&self, root: &Arc<Node>, options: &EditOptions) -> Result<Arc<Node>, EditFailure> {
        match remove(root, &pointer(&self.path)?, options) {
            Err(failure) if failure.is_absent() => Ok(Arc::clone(root)),
            result => result,
        }
    }

    /// Returns the text of a file that has no value yet. Comments stay at the start.
    fn first_text(&self) -> Result<String> {
        let Some(value) = self.value()? else {
            return Ok(self.text.clone());
        };
        let tree = self.path.iter().rev().fold(value, |value, key| {
            Node::mapping(vec![Entry::new(key, value)])
        });
        let mut text = self.text.clone();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&crate::yaml::canonical(&[tree])?);
        Ok(text)
    }
}

fn is_collection_at(
    root: &Arc<Node>,
    path: &[String],
    options: &EditOptions,
) -> Result<bool, EditFailure> {
    match get(root, &pointer(path)?, options) {
        Ok(node) => {
            let node = node.resolved();
            Ok(node.as_mapping().is_some() || node.as_sequence().is_some())
        }
        Err(EditFailure::Diagnostic(error)) => Err(EditFailure::Diagnostic(error)),
        Err(_) => Ok(false),
    }
}

/// Returns the pointer to a path: `/a~1b/c`.
fn pointer(path: &[String]) -> Result<Pointer> {
    let mut text = String::new();
    for key in path {
        text.push('/');
        text.push_str(&key.replace('~', "~0").replace('/', "~1"));
    }
    Pointer::parse(&text)
}

fn source_of(name: &str, text: &str) -> Result<Arc<Source>> {
    Source::new(name, text).map_err(|length| {
        let message = format!("a data value has {length} bytes, and 4 GiB is the limit");
        Diagnostic::error(Code::Limit, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, path: &[&str], value: Option<&str>) -> String {
        let json = serde_json::json!({
            "text": text,
            "path": path,
            "value": value,
        });
        let edit: ValuesEdit = serde_json::from_str(&json.to_string()).unwrap();
        edit.apply().unwrap()
    }

    #[test]
    fn changes_one_value_and_nothing_else() {
        let text = "# team\ndb:\n  port: 5432  # default\nname: 'x'\n";
        let table: [(&[&str], Option<&str>, &str); 7] = [
            (
                &["db", "port"],
                Some("5433"),
                "# team\ndb:\n  port: 5433  # default\nname: 'x'\n",
            ),
            (
                &["name"],
                Some("\"y\""),
                "# team\ndb:\n  port: 5432  # default\nname: 'y'\n",
            ),
            (
                // A bare `on` would be the boolean true as a key.
                &["db", "on"],
                Some("true"),
                "# team\ndb:\n  port: 5432  # default\n  \"on\": true\nname: 'x'\n",
            ),
            (
                &["a"],
                Some("[1]"),
                "# team\ndb:\n  port: 5432  # default\nname: 'x'\na: [1]\n",
            ),
            (
                &["a", "b"],
                Some("1"),
                "# team\ndb:\n  port: 5432  # default\nname: 'x'\na:\n  b: 1\n",
            ),
            (&["name"], None, "# team\ndb:\n  port: 5432  # default\n"),
            (&["absent"], None, text),
        ];
        for (path, value, expected) in table {
            assert_eq!(edited(text, path, value), expected, "{path:?} {value:?}");
        }
    }

    #[test]
    fn several_documents_have_no_place_for_a_value() {
        let json = r#"{"text": "a: 1\n---\nb: 1\n", "path": ["a"], "value": "2"}"#;
        let edit: ValuesEdit = serde_json::from_str(json).unwrap();
        let error = edit.apply().unwrap_err();
        assert_eq!(error.message, "expected one document of values, found 2");
    }

    #[test]
    fn starts_a_file() {
        assert_eq!(edited("", &["a", "b"], Some("1")), "a:\n  b: 1\n");
        assert_eq!(edited("# note", &["a"], Some("\"x\"")), "# note\na: x\n");
        assert_eq!(edited("{}\n", &["a"], Some("1")), "a: 1\n");
    }
}

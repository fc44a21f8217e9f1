//! The values that a user asks about: `Deployment/web spec.replicas`.

use std::fmt;
use std::str::FromStr;

use super::link::ExplainedObject;
use crate::edit::FieldPath;
use crate::source::{Code, Diagnostic, Result};

/// Objects, and a path in each of them.
#[derive(Clone, Debug)]
pub struct Question {
    text: String,
    /// `None` for all documents, objects or not.
    objects: Option<ObjectPattern>,
    /// The values.
    pub path: FieldPath,
}

/// `Kind/name` or `Kind/namespace/name`, each with `*` for any characters.
#[derive(Clone, Debug)]
struct ObjectPattern {
    kind: String,
    namespace: Option<String>,
    name: String,
}

impl Question {
    /// Reads `[KIND/[NAMESPACE/]NAME] PATH`.
    ///
    /// # Errors
    /// The text has another form, or the path is not one.
    pub fn parse(text: &str) -> Result<Question> {
        let text = text.trim();
        let (objects, path) = match text.split_once(char::is_whitespace) {
            Some((objects, path)) if objects.contains('/') => {
                (Some(ObjectPattern::parse(objects)?), path.trim_start())
            }
            _ => (None, text),
        };
        let path = FieldPath::parse(path).map_err(|error| {
            error.help("write an object and a path: `Deployment/web spec.replicas`")
        })?;
        Ok(Question {
            text: text.to_owned(),
            objects,
            path,
        })
    }

    /// Whether the question is about an object.
    pub fn selects(&self, object: &ExplainedObject) -> bool {
        self.objects
            .as_ref()
            .is_none_or(|pattern| pattern.matches(object))
    }

    /// Returns the objects as they were asked for; `None` for all.
    pub fn objects(&self) -> Option<String> {
        self.objects.as_ref().map(ObjectPattern::to_string)
    }
}

impl FromStr for Question {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Question, String> {
        Question::parse(text).map_err(|error| error.message)
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl ObjectPattern {
    fn parse(text: &str) -> Result<ObjectPattern> {
        let parts: Vec<&str> = text.split('/').collect();
        let (kind, namespace, name) = match parts.as_slice() {
            [kind, name] => (kind, None, name),
            [kind, namespace, name] => (kind, Some(namespace), name),
            _ => {
                let message = format!("expected an object, found `{text}`");
                return Err(Diagnostic::error(Code::Flag, message)
                    .help("write `Kind/name` or `Kind/namespace/name`"));
            }
        };
        Ok(ObjectPattern {
            kind: (*kind).to_owned(),
            namespace: namespace.map(|namespace| (*namespace).to_owned()),
            name: (*name).to_owned(),
        })
    }

    fn matches(&self, object: &ExplainedObject) -> bool {
        // Kinds are written in any letters, as for kubectl.
        let kind = self.kind.to_lowercase();
        fits(&kind, &object.kind.to_lowercase())
            && fits(&self.name, &object.name)
            && self
                .namespace
                .as_ref()
                .is_none_or(|namespace| fits(namespace, &object.namespace))
    }
}

impl fmt::Display for ObjectPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.namespace {
            Some(namespace) => write!(f, "{}/{namespace}/{}", self.kind, self.name),
            None => write!(f, "{}/{}", self.kind, self.name),
        }
    }
}

/// Whether a text fits a pattern in which `*` is any number of characters.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    if !pattern.contains('*') {
        return rest.is_empty();
    }
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(kind: &str, namespace: &str, name: &str) -> ExplainedObject {
        ExplainedObject {
            api_version: "v1".to_owned(),
            kind: kind.to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn selects_objects_by_kind_namespace_and_name() {
        let web = object("Deployment", "shop", "web");
        let table = [
            ("Deployment/web spec", true),
            ("deployment/web spec", true),
            ("Deployment/shop/web spec", true),
            ("Deployment/other/web spec", false),
            ("*/web spec", true),
            ("Deployment/* spec", true),
            ("Deployment/w*b spec", true),
            ("Deployment/w*x spec", false),
            ("Deployment/we spec", false),
            ("Service/web spec", false),
            ("spec", true),
        ];
        for (text, expected) in table {
            let question = Question::parse(text).unwrap();
            assert_eq!(question.selects(&web), expected, "{text}");
            assert_eq!(question.path.to_string(), "spec", "{text}");
        }
    }

    #[test]
    fn takes_a_path_with_blanks_for_a_path() {
        let question = Question::parse(r"data.a b\.json.x").unwrap();
        assert_eq!(question.path.segments().len(), 3);
        assert!(question.objects().is_none());
    }

    #[test]
    fn refuses_what_is_no_object() {
        for text in ["a/b/c/d spec", "Deployment/web [a"] {
            assert!(Question::parse(text).is_err(), "{text}");
        }
    }
}

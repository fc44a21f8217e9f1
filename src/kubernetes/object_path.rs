//! The notation for values of objects on the command line: `Deployment/web spec.replicas`.

use std::fmt;
use std::str::FromStr;

use super::id::ResourceId;
use crate::edit::FieldPath;
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Result};

/// The maximum number of objects in a message.
const SHOWN: usize = 10;

/// Objects, and a path in each of them.
#[derive(Clone, Debug)]
pub struct ObjectPath {
    text: String,
    /// The pattern of the objects; `None` for all documents, whether they are objects or not.
    objects: Option<ObjectPattern>,
    /// The path of the values.
    pub path: FieldPath,
}

/// `Kind/name` or `Kind/namespace/name`, where `*` matches any characters.
#[derive(Clone, Debug)]
struct ObjectPattern {
    kind: String,
    namespace: Option<String>,
    name: String,
}

impl ObjectPath {
    /// Parses `[KIND/[NAMESPACE/]NAME] PATH`.
    ///
    /// # Errors
    /// Fails if the text has another form, or if the path is invalid.
    pub fn parse(text: &str) -> Result<ObjectPath> {
        let (objects, path) = ObjectPath::split(text);
        let objects = objects.map(ObjectPattern::parse).transpose()?;
        let path = FieldPath::parse(path).map_err(|error| {
            error.help("write an object and a path: `Deployment/web spec.replicas`")
        })?;
        Ok(ObjectPath {
            text: text.to_owned(),
            objects,
            path,
        })
    }

    /// Splits a text into the objects and the path.
    ///
    /// ```text
    /// Deployment/web spec.replicas       objects, and a path
    /// metadata.labels.[example.com/a b]  a path: no kind has a dot or a bracket
    /// $.a[?@.b=="x/y" && @.c]            a path
    /// ```
    pub fn split(text: &str) -> (Option<&str>, &str) {
        let text = text.trim_start();
        match text.split_once(char::is_whitespace) {
            Some((objects, path)) if is_object(objects) => (Some(objects), path.trim_start()),
            _ => (None, text),
        }
    }

    /// Returns whether the path applies to an object.
    pub fn selects(&self, object: ResourceId<'_>) -> bool {
        self.objects
            .as_ref()
            .is_none_or(|pattern| pattern.matches(object))
    }

    /// Returns whether the text names one of these objects and contains no path.
    pub fn is_object_alone<'o>(&self, mut objects: impl Iterator<Item = ResourceId<'o>>) -> bool {
        let pattern = ObjectPattern::parse(self.text.trim());
        pattern.is_ok_and(|pattern| objects.any(|object| pattern.matches(object)))
    }

    /// Returns the error for an object that does not exist. `place` is the place that was searched,
    /// and `objects` are the objects there.
    pub fn no_object<'o>(
        &self,
        place: &str,
        objects: impl Iterator<Item = ResourceId<'o>>,
    ) -> Box<Diagnostic> {
        let asked = self.objects().unwrap_or_default();
        let has_namespace = self
            .objects
            .as_ref()
            .is_some_and(|pattern| pattern.namespace.is_some());
        let mut names: Vec<String> = Vec::new();
        for object in objects.filter(|object| !object.kind.is_empty()) {
            names.push(match has_namespace {
                true => object.short(),
                false => object.without_namespace().short(),
            });
        }
        names.dedup();
        let nearest = did_you_mean(&asked, names.iter().map(String::as_str));
        let more = names.len().saturating_sub(SHOWN);
        let shown: Vec<String> = names
            .iter()
            .take(SHOWN)
            .map(|name| format!("`{name}`"))
            .collect();
        let error = Diagnostic::error(Code::Selector, format!("no object `{asked}` in {place}"));
        let error = match (shown.is_empty(), more) {
            (true, _) => error,
            (false, 0) => error.note(format!("{place} has {}", shown.join(", "))),
            (false, _) => error.note(format!("{place} has {}, and {more} more", shown.join(", "))),
        };
        error.help_if(nearest)
    }

    /// Returns the text as the user typed it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the objects as the user wrote them; `None` for all.
    pub fn objects(&self) -> Option<String> {
        self.objects.as_ref().map(ObjectPattern::to_string)
    }
}

impl FromStr for ObjectPath {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<ObjectPath, String> {
        ObjectPath::parse(text).map_err(|error| error.message)
    }
}

impl fmt::Display for ObjectPath {
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

    fn matches(&self, object: ResourceId<'_>) -> bool {
        // The case of kinds is ignored, as in kubectl.
        let kind = self.kind.to_lowercase();
        fits(&kind, &object.kind.to_lowercase())
            && fits(&self.name, object.name)
            && self
                .namespace
                .as_ref()
                .is_none_or(|namespace| fits(namespace, object.namespace))
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

/// Returns a help line for an object and a path in two separate words, because the shell removed
/// the quotes or the user wrote none.
///
/// ```text
/// inlay get app.yaml Deployment/web spec.replicas    two words, each of which could be a path
/// inlay get app.yaml 'Deployment/web spec.replicas'  the intended command
/// ```
pub fn quotes_help(words: &[impl AsRef<str>]) -> Option<String> {
    words.windows(2).find_map(|pair| {
        let [object, path] = pair else { return None };
        let (object, path) = (object.as_ref(), path.as_ref());
        let is_path = !path.starts_with('-') && !path.contains('/') && !path.is_empty();
        // A kind that begins with a lowercase letter could also be a folder.
        let is_kind = object.starts_with(|c: char| c.is_ascii_uppercase() || c == '*');
        let is_object = is_kind && is_object(object) && !object.contains(char::is_whitespace);
        (is_object && is_path)
            .then(|| format!("put an object and its path in quotes: `'{object} {path}'`"))
    })
}

/// Returns whether a word has the form of objects. A path may also contain spaces, and a slash
/// before them.
fn is_object(word: &str) -> bool {
    let Some((kind, name)) = word.split_once('/') else {
        return false;
    };
    let is_kind = |c: char| c.is_ascii_alphanumeric() || c == '*';
    !kind.is_empty()
        && kind.chars().all(is_kind)
        && !name.contains(['[', ']', '"', '\'', '=', '\\', '$'])
}

/// Returns whether a text matches a pattern in which `*` matches any number of characters.
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

    #[test]
    fn knows_what_a_shell_makes_of_missing_quotes() {
        let help = |words: &[&str]| quotes_help(words);
        let meant = "put an object and its path in quotes: `'Deployment/web spec.replicas'`";
        assert_eq!(
            help(&["a.yaml", "Deployment/web", "spec.replicas"]).as_deref(),
            Some(meant)
        );
        for words in [
            &["a.yaml", "Deployment/web spec", "spec.replicas"][..],
            &["a.yaml", "Deployment/web", "--diff"],
            &["a.yaml", "Deployment/web", "Service/web"],
            &["a.yaml", "spec.a", "spec.b"],
            &["a.yaml", "config/b.yaml", "spec.b"],
        ] {
            assert_eq!(help(words), None, "{words:?}");
        }
    }

    #[test]
    fn selects_objects_by_kind_namespace_and_name() {
        let web = ResourceId {
            kind: "Deployment",
            namespace: "shop",
            name: "web",
            ..ResourceId::default()
        };
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
            let question = ObjectPath::parse(text).unwrap();
            assert_eq!(question.selects(web), expected, "{text}");
            assert_eq!(question.path.to_string(), "spec", "{text}");
        }
    }

    #[test]
    fn takes_a_path_with_blanks_for_a_path() {
        for (text, segments) in [
            (r"data.a b\.json.x", 3),
            ("labels.[example.com/a b]", 2),
            ("[a/b c].d", 2),
            (r#"$.a[?@.b=="x/y" && @.c]"#, 2),
        ] {
            let question = ObjectPath::parse(text).unwrap();
            assert_eq!(question.path.segments().len(), segments, "{text}");
            assert!(question.objects().is_none(), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_an_object() {
        for text in ["a/b/c/d spec", "Deployment/web [a"] {
            assert!(ObjectPath::parse(text).is_err(), "{text}");
        }
    }
}

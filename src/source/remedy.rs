//! The remedies of a diagnostic: the edits that its help describes, in a form for programs.
//!
//! ```text
//! config.yml:3:14: the struct has no field `replcas`
//!   = help: did you mean `replicas`?                 Rename("replicas")
//!                                                    ──▶ replace `replcas` at 3:14 by `replicas`
//! ```
//!
//! Help is written for people, in many places, and passed on as text. So its forms are recognized
//! in one place when a diagnostic gets the help. Editors, the playground, JSON and SARIF use the
//! result.

use super::suggest::nearest;
use super::{Diagnostic, Location, Span};

/// The action that a help text describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Replace the most similar name at the place of the diagnostic by this one.
    Rename(String),
    /// Replace everything at the place.
    Replace(String),
    /// Add a flag without a value to the command line.
    AddFlag(String),
    /// Add this `load` at the top of the file.
    Load(String),
    /// Make this edit, which is elsewhere than the diagnostic.
    Edit(TextFix),
}

/// An edit of a file that corrects a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFix {
    /// The bytes of the file to replace.
    pub place: Location,
    /// The replacement.
    pub text: String,
}

impl Remedy {
    /// Returns the action that a help text describes, if a program can perform it.
    pub(super) fn in_help(help: &str) -> Option<Remedy> {
        if let Some(name) = meant_name(help) {
            return Some(Remedy::Rename(name));
        }
        if let Some(text) = other_spelling(help) {
            return Some(Remedy::Replace(text));
        }
        if let Some(flag) = flag_to_add(help) {
            return Some(Remedy::AddFlag(flag));
        }
        missing_load(help).map(Remedy::Load)
    }

    /// Returns the text to write or to add.
    pub fn text(&self) -> &str {
        match self {
            Remedy::Rename(text)
            | Remedy::Replace(text)
            | Remedy::AddFlag(text)
            | Remedy::Load(text)
            | Remedy::Edit(TextFix { text, .. }) => text,
        }
    }
}

/// Returns the name in ``did you mean `name`?``, which
/// [`did_you_mean`](super::suggest::did_you_mean) writes.
fn meant_name(help: &str) -> Option<String> {
    let name = help.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    (!name.contains('`')).then(|| name.trim_start_matches('@').to_owned())
}

/// Returns the scalar in ``write it in quotes: `"1"` ``.
fn other_spelling(help: &str) -> Option<String> {
    let spelling = ["write it in quotes: ", "write it without quotes: "]
        .iter()
        .find_map(|beginning| help.strip_prefix(beginning))?;
    Some(spelling.trim_matches('`').to_owned())
}

/// Returns the flag in ``…, add `--flag` ``, if it needs no value.
fn flag_to_add(help: &str) -> Option<String> {
    let (_, rest) = help.split_once("add `--")?;
    let (name, _) = rest.split_once('`')?;
    let is_in_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
    name.bytes().all(is_in_name).then(|| format!("--{name}"))
}

/// Returns the statement in ``load it: `load("@ytt:data", "data")` ``.
fn missing_load(help: &str) -> Option<String> {
    let statement = help.strip_prefix("load it: `")?.strip_suffix('`')?;
    statement.starts_with("load(").then(|| statement.to_owned())
}

impl TextFix {
    /// Returns a description of the fix for a button or a menu: ``change to `name` ``.
    pub fn title(&self) -> String {
        match self.place.span.is_empty() {
            true => format!("add `{}`", self.text.trim_matches([',', ' ', '\n'])),
            false => format!("change to `{}`", self.text),
        }
    }

    /// Returns the fix that adds a `load` to the file of a place. `None` in a text template,
    /// because its first line is printed.
    fn load(place: &Location, statement: &str) -> Option<TextFix> {
        let source = place.in_file().source;
        let extension = source.shown_name().rsplit('.').next()?;
        let text = match extension {
            "yml" | "yaml" => format!("#@ {statement}\n"),
            "star" => format!("{statement}\n"),
            _ => return None,
        };
        Some(TextFix {
            place: Location::new(&source, Span::at(0)),
            text,
        })
    }
}

impl Diagnostic {
    /// Returns the edits of files that correct the mistake. Remedies without an edit are left out.
    pub fn fixes(&self) -> Vec<TextFix> {
        let place = self.labels.first().map(|label| &label.location);
        let rename = |meant: &str| {
            let mut labels = self.labels.iter();
            labels.find_map(|label| self.rename(&label.location, meant))
        };
        let fixes = self.remedies.iter().filter_map(|remedy| match remedy {
            Remedy::Rename(meant) => rename(meant),
            Remedy::Replace(text) => Some(TextFix {
                place: place?.in_file(),
                text: text.clone(),
            }),
            Remedy::Load(statement) => TextFix::load(place?, statement),
            Remedy::Edit(fix) => Some(fix.clone()),
            Remedy::AddFlag(_) => None,
        });
        fixes.collect()
    }

    /// Returns the replacement of the name at a place by the intended name.
    ///
    /// The place may be a longer expression. In `data.values.nmae`, the part that is most similar
    /// to `name` is the wrong one, and the message contains it too. If the name is in a string that
    /// spells it with escapes, the bytes differ from the message, and there is no fix.
    fn rename(&self, location: &Location, meant: &str) -> Option<TextFix> {
        let text = location.source.slice(location.span);
        let names = names_in(text);
        let candidates = names
            .into_iter()
            .filter(|name| !name.is_empty() && *name != meant && self.message.contains(name));
        let wrong = nearest(meant, candidates)?;
        // Of `/spec/port/0/port`, either part may be the wrong one.
        if text.matches(wrong).count() > 1 {
            return None;
        }
        // The candidate is a part of the text.
        let start = location.span.start() + (wrong.as_ptr().addr() - text.as_ptr().addr());
        let span = Span::new(start, start + wrong.len());
        let place = Location::new(&location.source, span).in_file();
        // If the file spells the text differently, its bytes at this place are not the name.
        let is_written = place.source.slice(place.span) == wrong;
        is_written.then(|| TextFix {
            place,
            text: meant.to_owned(),
        })
    }
}

/// Returns the names in an expression: all of it, its words, and their parts.
///
/// ```text
/// #@ data.values.nmae      data.values.nmae, data, values, nmae
/// #@overlay/mtch           overlay/mtch, overlay, mtch
/// patches/wb.yaml          patches/wb.yaml, patches, wb.yaml, wb, yaml
/// ```
fn names_in(text: &str) -> Vec<&str> {
    let is_between = |c: char| c.is_whitespace() || "\"'#@(),=[]{}:".contains(c);
    let is_in_name = |c: char| c.is_alphanumeric() || "_-".contains(c);
    let words = text.split(is_between);
    let steps = text.split(move |c| is_between(c) || c == '/');
    let parts = text.split(move |c| !is_in_name(c));
    let whole = std::iter::once(text);
    whole.chain(words).chain(steps).chain(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::suggest::did_you_mean;
    use crate::source::{Code, Source};

    /// Returns the text of a file after the fixes of a diagnostic at the first `wrong` in it.
    fn fixed(message: &str, help: &str, text: &str, wrong: &str) -> Option<String> {
        let source = Source::new("a.yml", text).unwrap();
        let start = text.find(wrong).unwrap();
        let place = Location::new(&source, Span::new(start, start + wrong.len()));
        let diagnostic = Diagnostic::error(Code::File, message)
            .at(place, "")
            .help(help);
        let fix = diagnostic.fixes().pop()?;
        let mut text = text.to_owned();
        text.replace_range(fix.place.span.range(), &fix.text);
        Some(text)
    }

    #[test]
    fn adds_a_load_above_the_file() {
        let help = r#"load it: `load("@ytt:data", "data")`"#;
        let found = |name: &str| {
            let source = Source::new(name, "a: #@ data.values.a\n").unwrap();
            let place = Location::new(&source, Span::new(6, 10));
            let diagnostic = Diagnostic::error(Code::File, "").at(place, "").help(help);
            let fix = diagnostic.fixes().pop()?;
            assert!(fix.place.span.is_empty());
            Some((fix.text.clone(), fix.title()))
        };
        let title = r#"add `#@ load("@ytt:data", "data")`"#;
        let text = "#@ load(\"@ytt:data\", \"data\")\n";
        assert_eq!(found("a.yml"), Some((text.to_owned(), title.to_owned())));
        let code = "load(\"@ytt:data\", \"data\")\n";
        assert_eq!(found("a.star").map(|(text, _)| text), Some(code.to_owned()));
        assert_eq!(found("a.txt"), None);
    }

    #[test]
    fn replaces_the_name_that_is_wrong() {
        let table = [
            (
                "struct has no .nmae field",
                "name",
                "é: #@ values.nmae\n",
                "values.nmae",
                "é: #@ values.name\n",
            ),
            ("found `nmae`", "name", "nmae: 1\n", "nmae", "name: 1\n"),
            (
                "no field `metadata.nmae`",
                "metadata.name",
                "- metadata.nmae\n",
                "metadata.nmae",
                "- metadata.name\n",
            ),
            (
                "cannot read `/w/patches/wb.yaml`",
                "web.yaml",
                "- path: patches/wb.yaml\n",
                "patches/wb.yaml",
                "- path: patches/web.yaml\n",
            ),
            (
                "`@overlay/mtch` is unknown",
                "@overlay/match",
                "#@overlay/mtch a=1\n",
                "#@overlay/mtch",
                "#@overlay/match a=1\n",
            ),
        ];
        for (message, meant, text, wrong, expected) in table {
            let help = format!("did you mean `{meant}`?");
            let found = fixed(message, &help, text, wrong);
            assert_eq!(found.as_deref(), Some(expected), "{message}");
        }
    }

    #[test]
    fn offers_nothing_where_the_name_is_not_written() {
        let help = "did you mean `name`?";
        for (message, text, wrong) in [
            ("there is no `nmae`", "\"nm\\x61e\": 1\n", "\"nm\\x61e\""),
            ("there is no `nmae`", "other: 1\n", "other"),
            ("there is nothing", "nmae: 1\n", "nmae"),
            // Either of the two may be meant.
            ("there is no `nmae`", "/nmae/0/nmae\n", "/nmae/0/nmae"),
        ] {
            assert_eq!(fixed(message, help, text, wrong), None, "{text}");
        }
    }

    #[test]
    fn replaces_a_scalar_by_another_spelling() {
        let help = "write it in quotes: `\"1\"`";
        let found = fixed("expected a string", help, "a: 1\n", "1");
        assert_eq!(found.as_deref(), Some("a: \"1\"\n"));
    }

    #[test]
    fn knows_what_help_says_to_do() {
        let help = did_you_mean("nmae", ["name"]).unwrap();
        let table = [
            (help.as_str(), Some(Remedy::Rename("name".to_owned()))),
            (
                "to create what is missing, add `--create`",
                Some(Remedy::AddFlag("--create".to_owned())),
            ),
            ("add `--limit nodes=1`", None),
            ("use `a` or `b`", None),
        ];
        for (help, expected) in table {
            assert_eq!(Remedy::in_help(help), expected, "{help}");
        }
    }
}

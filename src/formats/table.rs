//! The table of languages. "An embedded format" in `CONTRIBUTING.md` describes how to add one.

use std::fmt;

use serde::de::{EnumAccess, Error, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::language::DocumentFormat;
use super::{flat, ini, json_yaml, toml};
use crate::yaml::Syntax;

impl DocumentFormat {
    /// JSON.
    pub const JSON: DocumentFormat = DocumentFormat(&json_yaml::JSON);
    /// YAML.
    pub const YAML: DocumentFormat = DocumentFormat(&json_yaml::YAML);

    /// All formats, in the order in which messages and `--help` list them.
    pub const ALL: [DocumentFormat; 6] = [
        DocumentFormat::JSON,
        DocumentFormat::YAML,
        DocumentFormat(&toml::LANGUAGE),
        DocumentFormat(&flat::PROPERTIES),
        DocumentFormat(&flat::ENV),
        DocumentFormat(&ini::LANGUAGE),
    ];

    /// The names of all formats. Serde needs them as a constant.
    pub const NAMES: [&'static str; DocumentFormat::ALL.len()] = {
        let mut names = [""; DocumentFormat::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = DocumentFormat::ALL[at].0.name;
            at += 1;
        }
        names
    };

    /// Returns the format with this name, in any case: `JSON` is `json`.
    pub fn named(name: &str) -> Option<DocumentFormat> {
        DocumentFormat::ALL
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Returns the format that the extension of a key or file name implies.
    pub fn of_key(key: &str) -> Option<DocumentFormat> {
        let (_, extension) = key.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        DocumentFormat::ALL
            .into_iter()
            .find(|format| format.0.extensions.contains(&extension.as_str()))
    }

    /// Returns the format in which the text under `key` is read if no format is given.
    ///
    /// `None` means that the text itself decides between JSON and YAML, regardless of the
    /// extension: kustomize also reads `config.json` with a YAML text in it.
    pub fn of_text_under(key: &str) -> Option<DocumentFormat> {
        DocumentFormat::of_key(key).filter(|format| format.syntax().is_none())
    }
}

impl Default for DocumentFormat {
    fn default() -> DocumentFormat {
        DocumentFormat::YAML
    }
}

impl From<Syntax> for DocumentFormat {
    fn from(syntax: Syntax) -> DocumentFormat {
        match syntax {
            Syntax::Json => DocumentFormat::JSON,
            Syntax::Yaml => DocumentFormat::YAML,
        }
    }
}

/// Deserializes a format as an enum of the names, so that the message about an unknown name lists
/// them.
impl<'de> Deserialize<'de> for DocumentFormat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DocumentFormat, D::Error> {
        deserializer.deserialize_enum("DocumentFormat", &DocumentFormat::NAMES, FormatVisitor)
    }
}

struct FormatVisitor;

impl<'de> Visitor<'de> for FormatVisitor {
    type Value = DocumentFormat;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a format")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<DocumentFormat, A::Error> {
        let (FormatName(format), variant) = access.variant()?;
        variant.unit_variant()?;
        Ok(format)
    }
}

/// The name of a format. It is a separate type so that the error about it has the place of the
/// name.
struct FormatName(DocumentFormat);

impl<'de> Deserialize<'de> for FormatName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FormatName, D::Error> {
        deserializer.deserialize_identifier(NameVisitor)
    }
}

struct NameVisitor;

impl Visitor<'_> for NameVisitor {
    type Value = FormatName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a format")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<FormatName, E> {
        match DocumentFormat::named(name) {
            Some(format) => Ok(FormatName(format)),
            None => Err(E::unknown_variant(name, &DocumentFormat::NAMES)),
        }
    }
}

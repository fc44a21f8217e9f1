//! The names of ytt's annotations, and warnings about misspelled ones.
//!
//! ytt ignores an annotation that it does not know, so a misspelled name silently turns an overlay
//! into output. Annotations of other programs are allowed. A name is therefore suspicious if it
//! begins like an annotation of ytt (`overlay/`, `schema/`, …) or is similar to one of them.

use crate::source::suggest::nearest;
use crate::source::{Code, Diagnostic, Location};

/// A family of annotations: the part before the slash, and the names after it.
struct AnnotationFamily {
    prefix: &'static str,
    names: &'static [&'static str],
    /// Words that users write instead of a name of the family.
    synonyms: &'static [(&'static str, &'static str)],
}

const FAMILIES: [AnnotationFamily; 7] = [
    AnnotationFamily {
        prefix: "overlay",
        names: &[
            "match",
            "match-child-defaults",
            "merge",
            "remove",
            "replace",
            "insert",
            "append",
            "assert",
            "structured",
        ],
        synonyms: &[
            ("delete", "remove"),
            ("drop", "remove"),
            ("add", "append"),
            ("update", "merge"),
            ("match-defaults", "match-child-defaults"),
        ],
    },
    AnnotationFamily {
        prefix: "schema",
        names: &[
            "type",
            "nullable",
            "default",
            "title",
            "desc",
            "examples",
            "deprecated",
            "validation",
            "additional-keys",
        ],
        synonyms: &[
            ("description", "desc"),
            ("optional", "nullable"),
            ("validate", "validation"),
        ],
    },
    AnnotationFamily {
        prefix: "data",
        names: &["values", "values-schema"],
        synonyms: &[("schema", "values-schema")],
    },
    AnnotationFamily {
        prefix: "library",
        names: &["ref"],
        synonyms: &[],
    },
    AnnotationFamily {
        prefix: "assert",
        names: &["validate"],
        synonyms: &[("validation", "validate")],
    },
    AnnotationFamily {
        prefix: "yaml",
        names: &["map-key-override", "text-templated-strings"],
        synonyms: &[],
    },
    AnnotationFamily {
        prefix: "template",
        names: &["code", "value"],
        synonyms: &[],
    },
];

/// Returns the names of all annotations, such as `overlay/match`.
pub fn annotation_names() -> impl Iterator<Item = String> {
    FAMILIES.iter().flat_map(|family| {
        let names = family.names.iter();
        names.map(|name| format!("{}/{name}", family.prefix))
    })
}

/// Returns a warning about the name of an annotation that looks like one of ytt's but is not one.
pub fn suspicious_annotation(name: &str, place: &Location) -> Option<Box<Diagnostic>> {
    let (prefix, rest) = name.split_once('/').unwrap_or((name, ""));
    let family = FAMILIES.iter().find(|family| family.prefix == prefix);
    if family.is_some_and(|family| family.names.contains(&rest)) {
        return None;
    }
    let meant = match family {
        Some(family) => nearest_in(family, rest).or_else(|| nearest_anywhere(name)),
        None => Some(nearest_anywhere(name)?),
    };
    let message = format!("`@{name}` is not an annotation of ytt, which ignores it");
    let help = match (&meant, family) {
        (Some(meant), _) => Some(format!("did you mean `@{meant}`?")),
        (None, Some(family)) => {
            let names = family.names.iter();
            let names: Vec<String> = names.map(|name| format!("`@{prefix}/{name}`")).collect();
            Some(format!(
                "the annotations of this family: {}",
                names.join(", ")
            ))
        }
        (None, None) => None,
    };
    Some(
        Diagnostic::warning(Code::Annotation, message)
            .at(place.clone(), "")
            .help_if(help),
    )
}

fn nearest_in(family: &AnnotationFamily, name: &str) -> Option<String> {
    let synonym = family.synonyms.iter().find(|(word, _)| *word == name);
    let meant = match synonym {
        Some((_, meant)) => *meant,
        None => nearest(&name.replace('_', "-"), family.names.iter().copied())?,
    };
    Some(format!("{}/{meant}", family.prefix))
}

/// Returns the annotation whose whole name is most similar. A name without a slash (`#@overlay`) is
/// also compared, so that a forgotten slash is found.
fn nearest_anywhere(name: &str) -> Option<String> {
    let mut all = Vec::new();
    for family in &FAMILIES {
        for name in family.names {
            all.push(format!("{}/{name}", family.prefix));
        }
    }
    // Most of a long name is its family, so the usual tolerance of a third of its length is too
    // much: only two typing mistakes are allowed.
    let meant = nearest(name, all.iter().map(String::as_str))?;
    (strsim::damerau_levenshtein(name, meant) <= 2).then(|| meant.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Span};

    #[test]
    fn suggests_what_was_meant_and_lets_other_programs_annotate() {
        let cases = [
            ("overlay/match", None),
            ("kapp/change-group", None),
            ("dataset/x", None),
            ("overlay/mach", Some("overlay/match")),
            ("overlay/delete", Some("overlay/remove")),
            (
                "overlay/match_child_defaults",
                Some("overlay/match-child-defaults"),
            ),
            ("overlay:match", Some("overlay/match")),
            ("overaly/match", Some("overlay/match")),
            ("data/value", Some("data/values")),
            ("data/values-shema", Some("data/values-schema")),
            ("library/rf", Some("library/ref")),
            ("schema/description", Some("schema/desc")),
            ("schema/validate", Some("schema/validation")),
            ("yaml/map-key-overide", Some("yaml/map-key-override")),
        ];
        let source = Source::new("a.yml", "").unwrap();
        for (name, meant) in cases {
            let place = Location::new(&source, Span::at(0));
            let found = suspicious_annotation(name, &place).map(|warning| warning.help.join(""));
            let expected = meant.map(|meant| format!("did you mean `@{meant}`?"));
            assert_eq!(found, expected, "{name}");
        }
        let place = Location::new(&source, Span::at(0));
        assert!(suspicious_annotation("overlay/frobnicate", &place).is_some());
    }
}

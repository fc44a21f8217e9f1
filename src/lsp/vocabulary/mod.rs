//! The words of ytt's language with a sentence each, for completion and hover.
//!
//! `docs/language.md` is made of these tables ([`language_page`]); the guides in `docs/` describe
//! how the words are used. Other tests compare the names with what the language has, so that a new
//! annotation, argument or function gets its sentence.

mod annotations;
mod modules;
mod page;

pub(super) use self::annotations::ANNOTATIONS;
pub(super) use self::modules::MODULES;
pub use self::page::language_page;

/// An annotation or a function, and its arguments.
pub(super) struct Word {
    /// The name: `overlay/match`, or `map_key` of a module.
    pub(super) name: &'static str,
    /// The arguments as they are written; empty for a value.
    pub(super) signature: &'static str,
    pub(super) summary: &'static str,
    /// The keyword arguments of an annotation.
    pub(super) arguments: &'static [Argument],
}

/// A keyword argument of an annotation.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
}

/// A module that programs load as `@ytt:name`.
pub(super) struct Module {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) members: &'static [Word],
}

/// The words that begin and end blocks of code.
pub(super) const KEYWORDS: [&str; 18] = [
    "and", "break", "continue", "def", "elif", "else", "end", "for", "for/end", "if", "if/end",
    "in", "lambda", "load", "not", "or", "pass", "return",
];

/// The words between the parts of an expression.
pub(super) const INFIX_WORDS: [&str; 6] = ["and", "else", "for", "if", "in", "or"];

/// The words with which an expression can begin.
pub(super) const EXPRESSION_WORDS: [&str; 5] = ["True", "False", "None", "lambda", "not"];

/// Returns the annotation with a name.
pub(super) fn find_annotation(name: &str) -> Option<&'static Word> {
    ANNOTATIONS
        .iter()
        .find(|annotation| annotation.name == name)
}

/// Returns the module with a name, which may have `@ytt:` before it.
pub(super) fn find_module(name: &str) -> Option<&'static Module> {
    let name = name.strip_prefix("@ytt:").unwrap_or(name);
    MODULES.iter().find(|module| module.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::schema::RULE_KEYWORDS;
    use crate::script::NativeModule;

    #[test]
    fn has_every_rule_of_a_validation() {
        for name in ["schema/validation", "assert/validate"] {
            let described = find_annotation(name).unwrap().arguments.iter();
            let described: BTreeSet<&str> = described.map(|argument| argument.name).collect();
            assert_eq!(described, BTreeSet::from(RULE_KEYWORDS), "@{name}");
        }
    }

    /// The guides have longer descriptions of what they are about, and must not lack a word.
    #[test]
    fn the_guides_name_every_annotation_and_argument() {
        let overlays = include_str!("../../../docs/overlays.md");
        let schema = include_str!("../../../docs/schema.md");
        let guides = [
            ("overlay/", "overlays.md", overlays),
            ("schema/", "schema.md", schema),
        ];
        for (prefix, guide, text) in guides {
            for annotation in ANNOTATIONS {
                if !annotation.name.starts_with(prefix) {
                    continue;
                }
                assert!(
                    text.contains(annotation.name),
                    "{guide}: {}",
                    annotation.name
                );
                for argument in annotation.arguments {
                    let is_named = ["`", " ", "["].iter().any(|before| {
                        let written = format!("{before}{}", argument.name);
                        [format!("{written}`"), format!("{written}=")]
                            .iter()
                            .any(|written| text.contains(written.as_str()))
                    });
                    assert!(is_named, "{guide}: {} {}", annotation.name, argument.name);
                }
            }
        }
    }

    #[test]
    fn has_every_annotation() {
        let mut known: BTreeSet<String> = crate::template::annotation_names().collect();
        known.insert("comment".to_owned());
        let described = ANNOTATIONS
            .iter()
            .map(|annotation| annotation.name.to_owned());
        assert_eq!(described.collect::<BTreeSet<String>>(), known);
    }

    #[test]
    fn has_every_module_and_member() {
        let mut modules: Vec<NativeModule> = crate::modules::MODULES.to_vec();
        modules.push(crate::overlay::module());
        for module in modules {
            let functions = module.functions.iter().map(|(name, _)| *name);
            let constants = module.constants.iter().map(|(name, _)| *name);
            let mut known = BTreeSet::new();
            for name in functions.chain(constants) {
                known.insert(name.rsplit('.').next().unwrap_or(name));
            }
            let described = find_module(module.name).unwrap().members;
            let described: BTreeSet<&str> = described.iter().map(|member| member.name).collect();
            assert_eq!(described, known, "@ytt:{}", module.name);
        }
    }
}

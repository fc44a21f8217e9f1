//! The rules by which a strategic merge patch merges the fields of an object: either those of
//! Kubernetes' own kinds, or those of a schema in a kustomization.

use std::sync::Arc;

use super::merge_keys::{FieldRule, FieldRules, rule_for, rules_of_kind};
use super::open_api::{FieldDefinition, OpenApiSchema};
use crate::yaml::{Node, Sequence};

/// The rules for the fields of one type.
#[derive(Clone, Copy, Debug)]
pub struct MergeRules<'s> {
    source: RuleSource<'s>,
}

#[derive(Clone, Copy, Debug)]
enum RuleSource<'s> {
    /// The built-in table.
    Builtin(FieldRules),
    /// A type of a schema.
    Schema {
        schema: &'s OpenApiSchema,
        definition: &'s Arc<Node>,
    },
}

/// The rule by which a strategic merge patch merges a field.
#[derive(Clone, Copy, Debug)]
pub enum MergeRule<'s> {
    /// The field is a mapping whose fields have their own rules.
    Mapping(MergeRules<'s>),
    /// The field is a list of mappings, merged item by item.
    List {
        /// The fields that together identify an item.
        keys: MergeKeys<'s>,
        /// The rules for the fields of an item.
        items: MergeRules<'s>,
    },
    /// The field is a list of scalars without duplicates.
    Set,
}

/// The fields that together identify an item of a list.
#[derive(Clone, Copy, Debug)]
pub enum MergeKeys<'s> {
    /// The keys in the built-in table.
    Builtin(&'static [&'static str]),
    /// `x-kubernetes-patch-merge-key` of a schema.
    One(&'s str),
    /// `x-kubernetes-list-map-keys` of a schema.
    Several(&'s Sequence),
}

impl<'s> MergeKeys<'s> {
    /// Returns the names of the fields.
    pub fn names(self) -> Vec<&'s str> {
        match self {
            MergeKeys::Builtin(names) => names.to_vec(),
            MergeKeys::One(name) => vec![name],
            MergeKeys::Several(names) => {
                let names = names.items.iter();
                names
                    .filter_map(|name| name.value.resolved().text())
                    .collect()
            }
        }
    }
}

impl<'s> MergeRules<'s> {
    /// The rules of an unknown type, which has none.
    pub const NONE: MergeRules<'static> = MergeRules {
        source: RuleSource::Builtin(&[]),
    };

    /// Returns the rules for the objects of a kind. With a schema, the built-in table is not used,
    /// as in kustomize.
    pub fn of_kind(
        api_version: &str,
        kind: &str,
        schema: Option<&'s OpenApiSchema>,
    ) -> MergeRules<'s> {
        match schema {
            None => MergeRules {
                source: RuleSource::Builtin(rules_of_kind(api_version, kind).unwrap_or(&[])),
            },
            Some(schema) => match schema.kind(api_version, kind) {
                Some(definition) => MergeRules::of(schema, FieldDefinition::Own(definition)),
                None if schema.keeps_builtin() => MergeRules::of_kind(api_version, kind, None),
                None => MergeRules::NONE,
            },
        }
    }

    /// Returns the rule for a field.
    pub fn field(self, name: &str) -> Option<MergeRule<'s>> {
        match self.source {
            RuleSource::Builtin(rules) => Some(match rule_for(rules, name)? {
                FieldRule::Set => MergeRule::Set,
                FieldRule::Mapping(fields) => MergeRule::Mapping(MergeRules::builtin(fields)),
                FieldRule::List { keys, items } => MergeRule::List {
                    keys: MergeKeys::Builtin(keys),
                    items: MergeRules::builtin(items),
                },
            }),
            RuleSource::Schema { schema, definition } => Some(MergeRules::of_field(
                schema,
                schema.field(definition, name)?,
            )),
        }
    }

    fn builtin(rules: FieldRules) -> MergeRules<'s> {
        MergeRules {
            source: RuleSource::Builtin(rules),
        }
    }

    /// Returns the rules for the fields of a type.
    fn of(schema: &'s OpenApiSchema, definition: FieldDefinition<'s>) -> MergeRules<'s> {
        match definition {
            FieldDefinition::Builtin(rules) => MergeRules::builtin(rules),
            FieldDefinition::Own(definition) => MergeRules {
                source: RuleSource::Schema { schema, definition },
            },
        }
    }

    /// Returns the rule for a field of a type.
    fn of_field(schema: &'s OpenApiSchema, field: FieldDefinition<'s>) -> MergeRule<'s> {
        let own = MergeRule::Mapping(MergeRules::of(schema, field));
        let FieldDefinition::Own(definition) = field else {
            return own;
        };
        let strategy = text(definition, "x-kubernetes-patch-strategy").unwrap_or_default();
        if !strategy.split(',').any(|word| word.trim() == "merge") {
            return own;
        }
        let several = definition.get("x-kubernetes-list-map-keys");
        let several = several.and_then(|keys| keys.resolved().as_sequence());
        let one = text(definition, "x-kubernetes-patch-merge-key");
        let keys = match (several, one) {
            (Some(several), _) => MergeKeys::Several(several),
            (None, Some(one)) => MergeKeys::One(one),
            (None, None) => return MergeRule::Set,
        };
        let items = schema.items(definition);
        let items = items.map_or(MergeRules::NONE, |items| MergeRules::of(schema, items));
        MergeRule::List { keys, items }
    }
}

fn text<'n>(node: &'n Arc<Node>, key: &str) -> Option<&'n str> {
    node.get(key)?.resolved().text()
}

/// Returns whether a kind is one of Kubernetes' own.
pub fn is_builtin_kind(api_version: &str, kind: &str) -> bool {
    rules_of_kind(api_version, kind).is_some()
}

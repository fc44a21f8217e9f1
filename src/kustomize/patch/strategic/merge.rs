//! Walks an object and a patch together.

use std::sync::Arc;

use super::settle::rules_of_object;
use crate::edit::{
    DocumentFormat, EditOptions, EditTarget, Encoding, FieldPlace, FieldType, fit_own_type,
    is_same, remake,
};
use crate::kubernetes::{MergeRule, MergeRules, OpenApiSchema};
use crate::kustomize::EditRules;
use crate::kustomize::json_spelling::spelling_in_object;
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::{
    Content, CoreValue, Node, PlainContext, Scalar, ScalarStyle, ScalarTyping, Text, Value,
    core_value, is_plain_string_of_go, resolve,
};

/// The rules for merging a patch into an object.
#[derive(Clone, Copy)]
pub(in super::super) struct StrategicRules<'s> {
    pub(in super::super) edit_rules: EditRules,
    /// The schema that replaces the built-in merge keys.
    pub(in super::super) schema: Option<&'s OpenApiSchema>,
    /// Whether kustomize has printed the object and read it again.
    pub(in super::super) is_reprinted: bool,
}

impl StrategicRules<'_> {
    /// Creates the rules for an object that was just read, with the built-in merge keys.
    pub(in super::super) fn new(edit_rules: EditRules) -> Self {
        StrategicRules {
            edit_rules,
            schema: None,
            is_reprinted: false,
        }
    }
}

/// Merges `patch`, which has no aliases or merge keys, into `object`. Returns `None` if the patch
/// deletes the object. `warn` gets a warning for each item of a list that is lost.
///
/// # Errors
/// [`Code::Patch`] for an unknown directive and for an item without its merge key;
/// [`Code::ValueDoesNotFit`] if a mapping, a list or a scalar meets a value of another kind.
pub(in super::super) fn merge(
    object: &Arc<Node>,
    patch: &Arc<Node>,
    StrategicRules {
        edit_rules,
        schema,
        is_reprinted,
    }: StrategicRules<'_>,
    options: &EditOptions,
    warn: &mut dyn FnMut(Box<Diagnostic>),
) -> Result<Option<Arc<Node>>> {
    let rules = rules_of_object(object, schema);
    let mut merge = StrategicMerge {
        options,
        edit_rules,
        is_reprinted,
        keys: Some(Vec::new()),
        text_format: options.text_format,
        warn,
    };
    let rule = Some(MergeRule::Mapping(rules));
    merge.node(Some(object), patch, rule, PatchedField::default())
}

/// The state of the walk. It recurses once per level of the patch, whose depth the parser limits.
pub(super) struct StrategicMerge<'o> {
    pub(super) options: &'o EditOptions,
    pub(super) edit_rules: EditRules,
    /// Whether kustomize has printed the object and read it again.
    is_reprinted: bool,
    /// The keys from the root of the object, with [`ITEM`](crate::edit::ITEM) for an item of a
    /// list. Typed fields are recognized by them. `None` inside a string.
    pub(super) keys: Option<Vec<String>>,
    /// The format of the text that is merged into.
    pub(super) text_format: DocumentFormat,
    /// Gets warnings about values that the patch does not name.
    pub(super) warn: &'o mut dyn FnMut(Box<Diagnostic>),
}

/// The field whose value is merged.
#[derive(Clone, Copy, Default)]
pub(super) struct PatchedField<'a> {
    /// The key in the patch; `None` for the root and for list items.
    pub(super) key: Option<&'a Arc<Node>>,
    /// The type, if the object decides it.
    pub(super) field_type: Option<FieldType>,
}

impl<'a> PatchedField<'a> {
    pub(super) fn name(&self) -> Option<&'a str> {
        self.key.and_then(|key| key.text())
    }

    /// Returns the encoding, if it is a text field of the object.
    pub(super) fn text_field(&self) -> Option<Encoding> {
        self.field_type.and_then(FieldType::encoding)
    }

    /// Returns the place for messages: the key, because a collection may have many lines, or the
    /// value if there is no key.
    fn location(&self, value: &Node) -> Option<Location> {
        let key = self.key.and_then(|key| key.location());
        key.or_else(|| value.location())
    }
}

impl StrategicMerge<'_> {
    /// Returns the field that the walk has reached.
    pub(super) fn field<'a>(&self, key: Option<&'a Arc<Node>>) -> PatchedField<'a> {
        let path = self.keys.as_ref().map(|keys| {
            let names: Vec<&str> = keys.iter().map(String::as_str).collect();
            self.options.text_fields.type_of(&names)
        });
        PatchedField {
            key,
            field_type: path.flatten(),
        }
    }

    /// Returns the value that replaces `base`. Returns `None` if the value is removed, or if there
    /// was none and none is added.
    ///
    /// Invariant: the same pointer means that nothing changed.
    pub(super) fn node(
        &mut self,
        base: Option<&Arc<Node>>,
        patch: &Arc<Node>,
        rule: Option<MergeRule>,
        field: PatchedField<'_>,
    ) -> Result<Option<Arc<Node>>> {
        if is_null(patch) {
            return Ok(None);
        }
        let base = match base {
            Some(base) if !is_null_of_object(base.resolved()) => base,
            _ => return self.added(base, patch, rule, field),
        };
        let node = base.resolved();
        let changed = match (&node.content, &patch.content) {
            (Content::Mapping(old), Content::Mapping(new)) => {
                self.mapping(node, old, new, rules_of(rule))?
            }
            (Content::Sequence(old), Content::Sequence(new)) => {
                self.list(node, old, patch, new, rule)?
            }
            (Content::Scalar(_), Content::Scalar(_)) if self.repeats(node, patch) => {
                Some(Arc::clone(node))
            }
            (Content::Scalar(_), Content::Scalar(_)) => {
                let new = self.scalar_over(node, patch)?;
                Some(self.fit(&new, Some(node), field)?)
            }
            (Content::Scalar(_), _) => self.in_string(node, patch, field)?,
            _ => return Err(different_kinds(node, patch, field)),
        };
        // A new value gets the anchor of the old one, so that its aliases still work. An alias of an
        // unchanged value stays an alias.
        Ok(changed.map(|changed| {
            if Arc::ptr_eq(&changed, node) {
                Arc::clone(base)
            } else {
                changed.anchored(base.anchor())
            }
        }))
    }

    /// Returns the value of the patch for a field that is missing or null in the object.
    pub(super) fn added(
        &mut self,
        base: Option<&Arc<Node>>,
        patch: &Arc<Node>,
        rule: Option<MergeRule>,
        field: PatchedField<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let value = match &patch.content {
            Content::Mapping(new) => self.added_mapping(new, rules_of(rule))?,
            Content::Sequence(new) => self.added_list(new, rule)?,
            Content::Scalar(_) => Some(self.new_scalar(patch)?),
            Content::Alias(_) => Some(remake(patch)?),
        };
        match value {
            Some(value) => self.fit(&value, base, field).map(Some),
            None => Ok(None),
        }
    }

    /// Returns whether a scalar of the patch has no effect. In an object that kustomize has
    /// printed, an equal number may still have an effect: it restores the spelling, which a later
    /// step can read.
    fn repeats(&self, node: &Arc<Node>, patch: &Arc<Node>) -> bool {
        is_same(node, patch) && spelling_in_object(node, self.is_reprinted).is_none()
    }

    /// Returns the scalar of a patch that replaces another one.
    fn scalar_over(&self, old: &Node, patch: &Arc<Node>) -> Result<Arc<Node>> {
        if self.edit_rules == EditRules::Inlay {
            return Ok(keep_quotes(old, remake(patch)?));
        }
        // kustomize keeps the quotes of the old scalar, and therefore prints any new scalar as a
        // string.
        match (is_quoted(old, self.is_reprinted), patch.text()) {
            (true, Some(text)) => Ok(quoted(text)),
            _ => Ok(keep_quotes(old, self.new_scalar(patch)?)),
        }
    }

    /// Returns the scalar of a patch for a field that did not exist.
    fn new_scalar(&self, patch: &Arc<Node>) -> Result<Arc<Node>> {
        match patch.as_str() {
            Some(text) if self.edit_rules == EditRules::Kustomize && has_quotes(patch) => {
                Ok(quoted(text))
            }
            _ => remake(patch),
        }
    }

    /// Returns the value as it is written to its field: a document becomes text in a text field.
    pub(super) fn fit(
        &self,
        value: &Arc<Node>,
        current: Option<&Arc<Node>>,
        field: PatchedField<'_>,
    ) -> Result<Arc<Node>> {
        // The values inside this one were already merged and typed.
        let place = FieldPlace::of_type(field.field_type);
        self.fit_at(value, current, field.name(), place)
    }

    /// Returns a value that is not merged further as it is written to the place that the walk has
    /// reached.
    pub(super) fn fit_whole(&self, value: &Arc<Node>) -> Result<Arc<Node>> {
        let names = self.keys.iter().flatten().map(String::as_str).collect();
        let place = match self.keys {
            Some(_) => FieldPlace::new(self.options.text_fields, names),
            None => FieldPlace::default(),
        };
        self.fit_at(value, None, None, place)
    }

    fn fit_at(
        &self,
        value: &Arc<Node>,
        current: Option<&Arc<Node>>,
        key: Option<&str>,
        place: FieldPlace<'_>,
    ) -> Result<Arc<Node>> {
        // kustomize does not know the types of fields: `value: 80` writes a number, even into `env`.
        if self.edit_rules == EditRules::Kustomize && value.as_scalar().is_some() {
            return Ok(Arc::clone(value));
        }
        let target = EditTarget {
            current,
            format: self.text_format,
            wanted: key.and_then(DocumentFormat::of_key),
            place,
            // The keys of the patch became text when it was read.
            has_text_keys: false,
            key,
            trail: &[],
        };
        fit_own_type(value, &target)
    }
}

/// Returns whether a scalar of an object has quotes in kustomize.
///
/// When kustomize has printed the object and read it again, `is_reprinted`, a string of the file
/// has quotes only if it needs them.
pub(in super::super) fn is_quoted(node: &Node, is_reprinted: bool) -> bool {
    if is_reprinted && node.origin.is_some() {
        return match core_value(node) {
            Ok(CoreValue::String(text)) => !is_plain_string_of_go(&text, PlainContext::Block),
            _ => false,
        };
    }
    node.tag().is_none() && node.as_str().is_some() && has_quotes(node)
}

/// Returns whether a string has quotes, or is a block, in the file that it comes from.
fn has_quotes(node: &Node) -> bool {
    let style = node.as_scalar().map(|scalar| scalar.style);
    match (&node.origin, style) {
        (_, None | Some(ScalarStyle::Plain)) => false,
        (Some(_), _) => true,
        // Strings that steps create have double quotes, except for those of `quoted`.
        (None, Some(style)) => style == ScalarStyle::SingleQuoted,
    }
}

/// Creates a string that keeps its quotes when it is replaced.
pub(super) fn quoted(text: &str) -> Arc<Node> {
    Node::made(Content::Scalar(Scalar {
        style: ScalarStyle::SingleQuoted,
        text: Text::Owned(text.into()),
    }))
}

/// Returns the new value as a string if the old value is a string only because of its quotes:
/// `"80"` is intentionally a string, so a patch with `8080` also means a string.
fn keep_quotes(old: &Node, new: Arc<Node>) -> Arc<Node> {
    let (Some(Value::String(old_text)), Some(text)) = (old.value(), new.text()) else {
        return new;
    };
    let needs_quotes =
        old.tag().is_none() && !matches!(resolve(old_text, true, None), Value::String(_));
    if needs_quotes && new.as_str().is_none() {
        Node::string(text)
    } else {
        new
    }
}

/// Returns the rules for the fields of a mapping.
fn rules_of(rule: Option<MergeRule<'_>>) -> MergeRules<'_> {
    match rule {
        Some(MergeRule::Mapping(rules)) => rules,
        _ => MergeRules::NONE,
    }
}

fn is_null(node: &Node) -> bool {
    matches!(node.value(), Some(Value::Null))
}

/// Returns whether kustomize treats a value of the object as null, even if a text was written over
/// it.
fn is_null_of_object(node: &Node) -> bool {
    is_null(node) || node.typing() == ScalarTyping::Null
}

/// Returns the error for a patch and an object whose values are of different kinds.
pub(super) fn different_kinds(
    base: &Arc<Node>,
    patch: &Arc<Node>,
    field: PatchedField<'_>,
) -> Box<Diagnostic> {
    let for_field = match field.name() {
        Some(name) => format!(" for `{name}`"),
        None => String::new(),
    };
    let message = format!(
        "expected {} to merge{for_field}, found {}",
        base.described(),
        patch.described()
    );
    Diagnostic::error(Code::ValueDoesNotFit, message)
        .at(
            field.location(patch),
            format!("this is {}", patch.described()),
        )
        .at(
            base.location(),
            format!("it would replace {}", base.described()),
        )
        .help(
            "use the same kind of value, or remove the old one first, with a patch that sets null",
        )
}

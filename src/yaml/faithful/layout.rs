//! Detects the layout of a text, so that new parts can follow it: its indentation, its quotes, the
//! spacing inside its brackets and its line breaks.

use std::cell::OnceCell;

use super::align::children;
use super::lines::SourceLines;
use crate::yaml::node::{CollectionStyle, Content, Node, Stream, Syntax};

/// The layout of a text. Each part is detected when it is first needed: most edits need none.
pub(super) struct TextLayout<'a> {
    stream: &'a Stream,
    newline: &'static str,
    block: OnceCell<BlockIndentation>,
    flow: OnceCell<FlowSpacing>,
}

/// The indentation of block collections relative to their keys.
#[derive(Clone, Copy, Debug, Default)]
struct BlockIndentation {
    mapping_step: Option<usize>,
    sequence_step: Option<usize>,
}

/// The spacing of flow collections.
#[derive(Clone, Debug)]
pub(super) struct FlowSpacing {
    /// One level of indentation if each child has its own line; `None` if all children are on one
    /// line.
    pub(super) step: Option<String>,
    /// The text between a colon and the value.
    pub(super) after_colon: &'static str,
    /// The text after a comma on the same line.
    pub(super) after_comma: &'static str,
    /// The text between the braces of a mapping on one line and its entries.
    pub(super) in_braces: &'static str,
    /// The text between the brackets of a sequence on one line and its items.
    pub(super) in_brackets: &'static str,
}

impl<'a> TextLayout<'a> {
    /// Returns the layout of a text. Each part is detected when it is first needed.
    pub(super) fn new(stream: &'a Stream) -> TextLayout<'a> {
        TextLayout {
            stream,
            newline: newline(stream.source.text()),
            block: OnceCell::new(),
            flow: OnceCell::new(),
        }
    }

    /// Returns the line break of the text.
    pub(super) fn newline(&self) -> &'static str {
        self.newline
    }

    /// Returns the indentation of a mapping relative to its key.
    pub(super) fn mapping_step(&self) -> usize {
        self.block_indentation().mapping_step.unwrap_or(2)
    }

    /// Returns the indentation of the dashes of a sequence relative to its key.
    pub(super) fn sequence_step(&self) -> usize {
        self.block_indentation().sequence_step.unwrap_or(0)
    }

    fn block_indentation(&self) -> &BlockIndentation {
        self.block.get_or_init(|| {
            let mut found = BlockIndentation::default();
            let text = SourceLines::new(self.stream.source.text());
            for document in &self.stream.documents {
                find_block_indentation(&document.root, &text, &mut found);
            }
            found
        })
    }

    /// Returns the spacing of the flow collections of this text.
    pub(super) fn flow(&self) -> &FlowSpacing {
        self.flow.get_or_init(|| find_flow_spacing(self.stream))
    }
}

/// Returns the line break that a text uses: that of its first line.
pub(super) fn newline(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Looks for the first mapping and the first sequence under a key of a block mapping.
fn find_block_indentation(node: &Node, text: &SourceLines<'_>, found: &mut BlockIndentation) {
    if found.mapping_step.is_some() && found.sequence_step.is_some() {
        return;
    }
    match &node.content {
        Content::Mapping(mapping) if mapping.style == CollectionStyle::Block => {
            for entry in &mapping.entries {
                let step = step(&entry.key, &entry.value, text);
                match &entry.value.content {
                    Content::Mapping(_) => {
                        // The value of an explicit key, `? a` and `: b: 1` below, can be in the
                        // column of its key. That does not show the step below a simple key.
                        found.mapping_step = found.mapping_step.or(step.filter(|&step| step > 0));
                    }
                    Content::Sequence(_) => found.sequence_step = found.sequence_step.or(step),
                    _ => continue,
                }
                find_block_indentation(&entry.value, text, found);
            }
        }
        Content::Sequence(sequence) if sequence.style == CollectionStyle::Block => {
            for item in &sequence.items {
                find_block_indentation(&item.value, text, found);
            }
        }
        _ => {}
    }
}

/// Returns the indentation of a block collection relative to the key before it.
fn step(key: &Node, value: &Node, text: &SourceLines<'_>) -> Option<usize> {
    if value.collection_style() != Some(CollectionStyle::Block) {
        return None;
    }
    let (key, value) = (key.origin.as_ref()?, value.origin.as_ref()?);
    let value_column = text.column(value.span.start());
    value_column.checked_sub(text.column(key.span.start()))
}

/// Finds the spacing of flow collections, each part in the first collection that shows it.
fn find_flow_spacing(stream: &Stream) -> FlowSpacing {
    let text = SourceLines::new(stream.source.text());
    let mut found = FoundSpacing::default();
    for document in &stream.documents {
        find_spacing(&document.root, &text, &mut found);
    }
    // Without evidence, assume that YAML is written for people and JSON for programs.
    let colon_space = found.colon_space.unwrap_or(stream.syntax == Syntax::Yaml);
    // People who write a space after colons also write one after commas.
    let comma_space = found.comma_space.unwrap_or(colon_space);
    FlowSpacing {
        step: found.step,
        after_colon: if colon_space { " " } else { "" },
        after_comma: if comma_space { " " } else { "" },
        in_braces: found.in_braces.unwrap_or(""),
        in_brackets: found.in_brackets.unwrap_or(""),
    }
}

/// Returns the text between the bracket of a flow collection and its first child, which begins at
/// `first`: nothing in `[a, b]`, a space in `[ a, b ]`. `None` if the child is on another line, or
/// if there is no bracket.
pub(super) fn gap_in_brackets(
    node: &Node,
    first: usize,
    text: &SourceLines<'_>,
) -> Option<&'static str> {
    let gap = text
        .slice(node.content_start(), first)
        .strip_prefix(['[', '{'])?;
    let is_blank = gap.bytes().all(|byte| byte == b' ' || byte == b'\t');
    is_blank.then_some(if gap.is_empty() { "" } else { " " })
}

#[derive(Default)]
struct FoundSpacing {
    step: Option<String>,
    colon_space: Option<bool>,
    comma_space: Option<bool>,
    in_braces: Option<&'static str>,
    in_brackets: Option<&'static str>,
}

impl FoundSpacing {
    /// Returns whether the search can end. A text with one child a line rarely shows the space
    /// after a comma, so the search does not continue for that alone.
    fn is_complete(&self) -> bool {
        self.step.is_some() && self.colon_space.is_some()
    }
}

/// Finds the spacing of the flow collections in a node, from the outside in, until the step and the
/// space after a colon are known:
///
/// ```text
/// {                   `step`: the indentation of `"a"` relative to the brace
///   "a": [1, 2]       `colon_space`: a space follows the colon
/// }                   both are known, so `[1, 2]` is not searched
/// ```
fn find_spacing(node: &Node, text: &SourceLines<'_>, found: &mut FoundSpacing) {
    if found.is_complete() {
        return;
    }
    let Some(collection) = children(node, text) else {
        return;
    };
    let children = &collection.children;
    if let (CollectionStyle::Flow, Some(first)) = (collection.style, children.first()) {
        let start = node.content_start();
        if found.step.is_none() && !text.same_line(start, first.start) {
            let inner = text.indentation(first.start);
            let step = inner.strip_prefix(text.indentation(start)).unwrap_or("");
            found.step = (!step.is_empty()).then(|| step.to_owned());
        }
        let gap = gap_in_brackets(node, first.start, text);
        match &node.content {
            Content::Mapping(_) => found.in_braces = found.in_braces.or(gap),
            _ => found.in_brackets = found.in_brackets.or(gap),
        }
        if found.colon_space.is_none()
            && let Some(value_start) = first.value_start
        {
            let gap = text.slice(value_start, first.end);
            // An empty value, or a value on the next line, is not evidence against a space.
            found.colon_space = Some(gap.is_empty() || gap.starts_with([' ', '\t', '\n', '\r']));
        }
        if found.comma_space.is_none()
            && let Some(second) = children.get(1)
            && text.same_line(first.end, second.start)
        {
            let gap = text.slice(first.end, second.start);
            found.comma_space = Some(gap.ends_with([' ', '\t']));
        }
    }
    for child in children {
        find_spacing(child.value, text, found);
    }
}

//! How a text is laid out, as far as new parts have to follow it.

use std::cell::OnceCell;

use super::lines::Lines;
use crate::yaml::node::{CollectionStyle, Content, Node};
use crate::yaml::node::{Stream, Syntax};

/// The habits of a text, found when they are first asked for.
pub(super) struct Layout<'a> {
    stream: &'a Stream,
    newline: &'static str,
    block: OnceCell<BlockHabits>,
    flow: OnceCell<FlowHabits>,
}

/// How block collections nest.
#[derive(Clone, Copy, Debug, Default)]
struct BlockHabits {
    mapping_step: Option<usize>,
    sequence_step: Option<usize>,
}

/// How flow collections are spaced.
#[derive(Clone, Debug)]
pub(super) struct FlowHabits {
    /// One level of indentation where collections stand over several lines; `None` where they stand on one.
    pub(super) step: Option<String>,
    /// What stands between a colon and the value.
    pub(super) after_colon: &'static str,
    /// What stands after a comma on the same line.
    pub(super) after_comma: &'static str,
}

impl<'a> Layout<'a> {
    pub(super) fn new(stream: &'a Stream) -> Layout<'a> {
        let newline = newline(stream.source.text());
        Layout {
            stream,
            newline,
            block: OnceCell::new(),
            flow: OnceCell::new(),
        }
    }

    /// The line break of the text.
    pub(super) fn newline(&self) -> &'static str {
        self.newline
    }

    /// How much deeper a mapping under a key stands than the key.
    pub(super) fn mapping_step(&self) -> usize {
        self.block_habits().mapping_step.unwrap_or(2)
    }

    /// How much deeper the dashes of a sequence under a key stand than the key.
    pub(super) fn sequence_step(&self) -> usize {
        self.block_habits().sequence_step.unwrap_or(0)
    }

    fn block_habits(&self) -> &BlockHabits {
        self.block.get_or_init(|| {
            let mut habits = BlockHabits::default();
            let text = Lines::new(self.stream.source.text());
            for document in &self.stream.documents {
                find_block_habits(&document.root, &text, &mut habits);
            }
            habits
        })
    }

    /// How flow collections of this text are spaced.
    pub(super) fn flow(&self) -> &FlowHabits {
        self.flow.get_or_init(|| find_flow_habits(self.stream))
    }
}

/// The line break that a text uses: that of its first line.
fn newline(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Looks for the first mapping and the first sequence that stand under a key of a block mapping.
fn find_block_habits(node: &Node, text: &Lines<'_>, habits: &mut BlockHabits) {
    if habits.mapping_step.is_some() && habits.sequence_step.is_some() {
        return;
    }
    match &node.content {
        Content::Mapping(mapping) if mapping.style == CollectionStyle::Block => {
            for entry in &mapping.entries {
                let step = step(&entry.key, &entry.value, text);
                match &entry.value.content {
                    Content::Mapping(_) => {
                        habits.mapping_step = habits.mapping_step.or(step.filter(|&step| step > 0))
                    }
                    Content::Sequence(_) => habits.sequence_step = habits.sequence_step.or(step),
                    _ => continue,
                }
                find_block_habits(&entry.value, text, habits);
            }
        }
        Content::Sequence(sequence) if sequence.style == CollectionStyle::Block => {
            sequence
                .items
                .iter()
                .for_each(|item| find_block_habits(&item.value, text, habits));
        }
        _ => {}
    }
}

/// How much deeper a block collection stands than the key before it.
fn step(key: &Node, value: &Node, text: &Lines<'_>) -> Option<usize> {
    let block = match &value.content {
        Content::Mapping(mapping) => mapping.style == CollectionStyle::Block,
        Content::Sequence(sequence) => sequence.style == CollectionStyle::Block,
        _ => false,
    };
    let (key, value) = (key.origin.as_ref()?, value.origin.as_ref()?);
    if !block {
        return None;
    }
    text.column(value.span.start())
        .checked_sub(text.column(key.span.start()))
}

/// The habits of the first flow collection that shows them.
fn find_flow_habits(stream: &Stream) -> FlowHabits {
    let text = Lines::new(stream.source.text());
    let mut found = Spacing::default();
    for document in &stream.documents {
        find_spacing(&document.root, &text, &mut found);
    }
    // Where nothing shows, YAML is written for people and JSON for programs.
    let spaced = found.colon_space.unwrap_or(stream.syntax == Syntax::Yaml);
    let space = |wanted: bool| if wanted { " " } else { "" };
    FlowHabits {
        step: found.step,
        after_colon: space(spaced),
        after_comma: space(found.comma_space.unwrap_or(spaced)),
    }
}

#[derive(Default)]
struct Spacing {
    step: Option<String>,
    colon_space: Option<bool>,
    comma_space: Option<bool>,
}

impl Spacing {
    fn complete(&self) -> bool {
        self.step.is_some() && self.colon_space.is_some()
    }
}

fn find_spacing(node: &Node, text: &Lines<'_>, found: &mut Spacing) {
    if found.complete() {
        return;
    }
    let Some((style, parts)) = super::align::parts(node, text) else {
        return;
    };
    if let (CollectionStyle::Flow, Some(origin), Some(first)) = (style, &node.origin, parts.first())
    {
        let start = origin.span.start();
        if !text.same_line(start, first.start) && found.step.is_none() {
            let inner = text.indentation(first.start);
            found.step = inner
                .strip_prefix(text.indentation(start))
                .filter(|step| !step.is_empty())
                .map(str::to_owned);
        }
        if let Some(value_start) = first.value_start {
            let gap = text.slice(value_start, first.end);
            found.colon_space = found.colon_space.or(Some(
                gap.is_empty() || gap.starts_with([' ', '\t', '\n', '\r']),
            ));
        }
        if let Some(second) = parts.get(1)
            && text.same_line(first.end, second.start)
        {
            found.comma_space = found.comma_space.or(Some(
                text.slice(first.end, second.start).ends_with([' ', '\t']),
            ));
        }
    }
    parts
        .iter()
        .for_each(|part| find_spacing(part.value, text, found));
}

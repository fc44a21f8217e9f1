//! Prints a tree with its comments in the only layout of `inlay fmt`.

use std::borrow::Cow;
use std::sync::Arc;

use super::attach::{Comments, OwnedComments, Owner};
use super::spelling::{is_null, spell};
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::node::{CollectionStyle, Content, Document, Mapping, Node, Sequence};

/// The number of spaces of one level.
const STEP: usize = 2;

/// The maximum length of a key that is on one line with its value.
const MAX_SIMPLE_KEY: usize = 128;

/// Prints documents.
pub(super) struct FormattedPrinter<'a> {
    comments: Comments<'a>,
    text: String,
    /// Whether a blank line is due before the next line.
    gap: bool,
    /// Whether the last line, `-` or `?`, can continue with its content.
    open: bool,
    /// Whether the last line belongs to a block scalar that keeps the blank lines after it (`|+`).
    /// A blank line after it would become part of its value.
    keeps_blank: bool,
}

impl<'a> FormattedPrinter<'a> {
    /// Creates a printer with an empty text.
    pub(super) fn new(comments: Comments<'a>) -> FormattedPrinter<'a> {
        FormattedPrinter {
            comments,
            text: String::new(),
            gap: false,
            open: false,
            keeps_blank: false,
        }
    }

    /// Returns the printed text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Prints a document. Its marker is left out if nothing was printed before it and neither a
    /// comment nor a directive needs it.
    pub(super) fn document(
        &mut self,
        document: &Document,
        directives: impl ExactSizeIterator<Item = &'a str>,
    ) -> Result<()> {
        let marker = document.marker;
        let owner = marker.map(|marker| Owner::Document(marker.start()));
        let owned = self.comments.take(owner);
        let is_first = self.text.is_empty() && owned.above.is_empty();
        if directives.len() > 0 && !self.text.is_empty() {
            // A line with `%` after content would also be content.
            self.gap = false;
            self.line(0, "...");
        }
        let is_spaced = self.above(&owned, 0, is_first);
        let mut needs_marker = !is_first || owned.inline.is_some();
        for directive in directives {
            self.line(0, directive);
            needs_marker = true;
        }
        if needs_marker {
            self.line(0, &with_suffix("---", &owned));
        }
        self.root(&document.root)?;
        self.gap |= is_spaced;
        Ok(())
    }

    /// Prints the value of a document.
    fn root(&mut self, root: &Arc<Node>) -> Result<()> {
        if root.collection_style().is_none() {
            if !is_null(root) {
                self.begin(0);
                self.leaf(root, 0, &OwnedComments::default())?;
            }
            return Ok(());
        }
        let properties = properties(root);
        if is_empty(root) {
            self.line(0, join(&properties, brackets(root)).trim_end_matches(' '));
        } else if !properties.is_empty() {
            self.line(0, join(&properties, "").trim_end_matches(' '));
        }
        self.collection(root, 0)
    }

    /// Prints the comments below all content. If the last document is empty, a marker follows them,
    /// as in ytt, which reads them as the comments of another document.
    pub(super) fn trailing_comments(&mut self, ends_empty: bool) {
        if self.comments.trailing.is_empty() {
            return;
        }
        self.gap = !self.text.is_empty() || ends_empty;
        for comment in std::mem::take(&mut self.comments.trailing) {
            self.line(0, comment);
        }
        if ends_empty {
            self.line(0, "---");
        }
    }

    fn collection(&mut self, node: &Node, indent: usize) -> Result<()> {
        match &node.content {
            Content::Mapping(mapping) => self.mapping(mapping, indent),
            Content::Sequence(sequence) => self.sequence(sequence, indent),
            Content::Scalar(_) | Content::Alias(_) => Ok(()),
        }
    }

    fn mapping(&mut self, mapping: &Mapping, indent: usize) -> Result<()> {
        for (index, entry) in mapping.entries.iter().enumerate() {
            if mapping.style == CollectionStyle::Flow {
                refuse_template_action(&entry.key)?;
            }
            let owned = self.comments.take(Some(Owner::entry(&entry.key)));
            let spaced = self.above(&owned, indent, index == 0);
            self.begin(indent);
            self.key(&entry.key, indent)?;
            self.value(&entry.value, indent, &owned)?;
            self.gap |= spaced;
        }
        Ok(())
    }

    /// Prints a key and its colon.
    fn key(&mut self, key: &Arc<Node>, indent: usize) -> Result<()> {
        match &key.content {
            Content::Alias(alias) => self.text.extend(["*", &alias.name, " :"]),
            Content::Scalar(_) => {
                let spelled = join(&properties(key), &spell(key, indent)?);
                if spelled.len() <= MAX_SIMPLE_KEY && !spelled.contains('\n') {
                    self.text.push_str(spelled.trim_end_matches(' '));
                    self.text
                        .push_str(if spelled.ends_with(' ') { " :" } else { ":" });
                } else {
                    self.complex_key(key, indent)?;
                }
            }
            Content::Mapping(_) | Content::Sequence(_) if is_empty(key) => {
                self.text.push_str(&join(&properties(key), brackets(key)));
                self.text.push(':');
            }
            Content::Mapping(_) | Content::Sequence(_) => self.complex_key(key, indent)?,
        }
        Ok(())
    }

    fn complex_key(&mut self, key: &Arc<Node>, indent: usize) -> Result<()> {
        self.text.push('?');
        self.nested(key, indent, &OwnedComments::default())?;
        self.begin(indent);
        self.text.push(':');
        Ok(())
    }

    fn sequence(&mut self, sequence: &Sequence, indent: usize) -> Result<()> {
        for (index, item) in sequence.items.iter().enumerate() {
            let owned = self.comments.take(item.start.map(Owner::Item));
            let spaced = self.above(&owned, indent, index == 0);
            self.begin(indent);
            self.text.push('-');
            self.nested(&item.value, indent, &owned)?;
            self.gap |= spaced;
        }
        Ok(())
    }

    /// Prints the value after the colon of a key.
    fn value(&mut self, value: &Arc<Node>, indent: usize, owned: &OwnedComments<'_>) -> Result<()> {
        match &value.content {
            Content::Mapping(_) | Content::Sequence(_) if !is_empty(value) => {
                self.properties(value);
                self.end_line(owned);
                self.collection(value, indent + STEP)
            }
            _ => self.spaced_leaf(value, indent, owned),
        }
    }

    /// Prints the value after a dash. A collection begins on the same line unless a comment or a
    /// property ends that line.
    fn nested(
        &mut self,
        value: &Arc<Node>,
        indent: usize,
        owned: &OwnedComments<'_>,
    ) -> Result<()> {
        match &value.content {
            Content::Mapping(_) | Content::Sequence(_) if !is_empty(value) => {
                self.properties(value);
                if value.properties.is_some() || owned.inline.is_some() {
                    self.end_line(owned);
                } else {
                    self.open = true;
                }
                self.collection(value, indent + STEP)
            }
            _ => self.spaced_leaf(value, indent, owned),
        }
    }

    /// Prints a value that is on the line of its key or dash; a null with a comment after it is
    /// left out.
    fn spaced_leaf(
        &mut self,
        value: &Arc<Node>,
        indent: usize,
        owned: &OwnedComments<'_>,
    ) -> Result<()> {
        if is_null(value) && owned.inline.is_some() {
            self.end_line(owned);
            return Ok(());
        }
        self.text.push(' ');
        self.leaf(value, indent, owned)
    }

    /// Prints a scalar, an alias or an empty collection, and ends its line. The comment of a block
    /// scalar is after its header.
    fn leaf(&mut self, value: &Arc<Node>, indent: usize, owned: &OwnedComments<'_>) -> Result<()> {
        let spelled = match &value.content {
            Content::Alias(alias) => format!("*{}", alias.name),
            Content::Scalar(_) => join(&properties(value), &spell(value, indent)?),
            Content::Mapping(_) | Content::Sequence(_) => join(&properties(value), brackets(value)),
        };
        let (head, rest) = spelled
            .split_once('\n')
            .map_or((&*spelled, None), |(head, rest)| (head, Some(rest)));
        // Only the space after properties is removed. A scalar may itself end with a blank that is
        // not ASCII.
        self.text.push_str(head.trim_end_matches(' '));
        self.end_line(owned);
        if let Some(rest) = rest {
            self.text.push_str(rest);
            if !rest.ends_with('\n') && !rest.is_empty() {
                self.text.push('\n');
            }
            self.keeps_blank = head.ends_with('+');
        }
        Ok(())
    }

    /// Prints the comments above a marker, entry or item, with a blank line before them unless it
    /// is the first of its kind. Returns whether there are any comments.
    fn above(&mut self, owned: &OwnedComments<'_>, indent: usize, first: bool) -> bool {
        self.gap |= !first && !owned.above.is_empty();
        for comment in &owned.above {
            self.line(indent, comment);
        }
        !owned.above.is_empty()
    }

    /// Begins a line, or continues the open one.
    fn begin(&mut self, indent: usize) {
        if std::mem::take(&mut self.open) {
            self.text.push(' ');
            return;
        }
        let keeps_blank = std::mem::take(&mut self.keeps_blank);
        if std::mem::take(&mut self.gap) && !keeps_blank {
            self.text.push('\n');
        }
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    /// Prints a whole line.
    fn line(&mut self, indent: usize, text: &str) {
        if std::mem::take(&mut self.open) {
            self.text.push('\n');
        }
        self.begin(indent);
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn properties(&mut self, node: &Node) {
        let properties = properties(node);
        if !properties.is_empty() {
            self.text.extend([" ", &*properties]);
        }
    }

    fn end_line(&mut self, owned: &OwnedComments<'_>) {
        if let Some(comment) = owned.inline {
            self.text.extend([" ", comment]);
        }
        self.text.push('\n');
    }
}

fn with_suffix(text: &str, owned: &OwnedComments<'_>) -> String {
    owned
        .inline
        .map_or_else(|| text.to_owned(), |comment| format!("{text} {comment}"))
}

/// Returns the tag and the anchor of a node as they are written, on one line and without a comment
/// between them.
fn properties(node: &Node) -> Cow<'_, str> {
    let written = match (&node.properties, &node.origin) {
        (Some(properties), Some(origin)) => origin.source.slice(properties.span),
        _ => "",
    };
    if !written.contains('\n') {
        return Cow::Borrowed(written);
    }
    let words = |line: &'_ str| {
        // A line can begin with a byte order mark if files were joined.
        let line = line.trim_start_matches('\u{feff}');
        line.split_ascii_whitespace()
            .take_while(|word| !word.starts_with('#'))
            .collect::<Vec<_>>()
            .join(" ")
    };
    Cow::Owned(
        written
            .lines()
            .map(words)
            .filter(|words| !words.is_empty())
            .collect::<Vec<_>>()
            .join(" "),
    )
}

fn join(properties: &str, text: &str) -> String {
    if properties.is_empty() {
        text.to_owned()
    } else {
        format!("{properties} {text}")
    }
}

fn is_empty(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(mapping) => mapping.entries.is_empty(),
        Content::Sequence(sequence) => sequence.items.is_empty(),
        Content::Scalar(_) | Content::Alias(_) => false,
    }
}

fn brackets(node: &Node) -> &'static str {
    if matches!(node.content, Content::Mapping(_)) {
        "{}"
    } else {
        "[]"
    }
}

/// Refuses a mapping in braces that is the key of another one, directly after its brace.
///
/// YAML reads an action of a Helm template this way, and no other layout of it is an action:
///
/// ```text
/// name: {{ .Release.Name }}      ->      name:
///                                          ? .Release.Name: null
/// ```
///
/// # Errors
/// The key is such a mapping.
fn refuse_template_action(key: &Arc<Node>) -> Result<()> {
    const ACTION: &str = "{{ … }}";
    let follows_brace = key.origin.as_ref().is_some_and(|origin| {
        let before = origin.source.text().get(..key.content_start());
        before.is_some_and(|before| before.ends_with('{'))
    });
    if !follows_brace || !matches!(key.content, Content::Mapping(_)) {
        return Ok(());
    }
    let message = format!("expected YAML, found a template action, `{ACTION}`");
    Err(Diagnostic::error(Code::YamlSyntax, message)
        .at(key.location(), "")
        .note(
            "YAML reads it as a mapping in the key of a mapping, and a new layout would destroy it",
        )
        .help("leave this file out: `fmt` formats the files and folders that it is given"))
}

//! Compiles a YAML template to its program. One pass over the nodes of each document writes their
//! code and an instruction for each part.

use std::sync::Arc;

use super::attach::{Attached, attach};
use super::comment::{CommentKind, TemplateComment, TemplateOptions};
use super::pattern::{Patterns, is_value, key_of, length, string_of};
use super::text;
use super::text_compiler::write_text;
use super::tree::{NodeKind, TemplateNode, TemplateTree, document_span};
use super::writer::ProgramWriter;
use crate::dialect::instruction;
use crate::script::fragments::{MAP_KEY_OVERRIDE, Part, PartKey, PartKind, Pattern, Shape};
use crate::script::{Program, ProgramKind};
use crate::source::{Code, Diagnostic, Location, OffsetMap, Result, Source, Span};
use crate::yaml::{Content, Document, Node, Stream, Value, spelling};

/// The annotation that makes all strings of a node, including those of inner nodes, text templates.
const TEXT_TEMPLATED: &str = "yaml/text-templated-strings";

/// Compiles a YAML template.
///
/// # Errors
/// Fails for a comment that is not allowed in templates, a node with both a value and code for its
/// value, and code that is not Starlark, each with its place.
pub fn compile(stream: &Stream, options: &TemplateOptions) -> Result<Program> {
    // Attach the comments of the whole stream first, because a comment can belong to the next
    // document.
    let Attached { trees, rest } = attach(stream, options)?;
    let nodes = trees.iter().flatten().flat_map(|tree| &tree.nodes);
    let comments = nodes.flat_map(|node| &node.comments).chain(&rest);
    let calls = comments
        .into_iter()
        .any(|comment| comment.may_call(&stream.source));
    let mut writer = ProgramWriter::new(&stream.source, *options);
    for (document, tree) in stream.documents.iter().zip(&trees) {
        match tree {
            Some(tree) => DocumentCompiler::new(&mut writer, stream, tree, calls).document()?,
            None => write_shared_document(&mut writer, stream, document),
        }
    }
    write_rest(&mut writer, stream, &rest)?;
    Program::compile(&stream.source, writer.finish(), ProgramKind::Yaml)
}

/// Writes the one instruction of a document without code.
fn write_shared_document(writer: &mut ProgramWriter<'_>, stream: &Stream, document: &Document) {
    let root = Arc::clone(&document.root);
    write_document(writer, stream, root, document_span(document));
}

/// Writes the one instruction of a document whose content is known.
fn write_document(writer: &mut ProgramWriter<'_>, stream: &Stream, root: Arc<Node>, place: Span) {
    let size = length(&root);
    let part = writer.part(Part {
        kind: PartKind::Document,
        parent: None,
        pattern: Pattern::Shared(root),
        shape: Shape::Scalar,
        overrides: false,
        place: Location::new(&stream.source, place),
        size,
    });
    writer.call("set", Some(part), &[], place);
}

/// Writes the comments after the last document.
///
/// Their code builds nothing, but it may close blocks and define functions. Their annotations get an
/// empty document of their own, as in ytt. A file with an overlay may end without a document:
///
/// ```text
/// #@overlay/match by=overlay.subset({"kind": "Secret"})
/// #@ if/end data.values.hides_secrets:
/// #@overlay/remove
/// ```
fn write_rest(
    writer: &mut ProgramWriter<'_>,
    stream: &Stream,
    rest: &[TemplateComment],
) -> Result<()> {
    let source = &stream.source;
    let mut place = None;
    let mut ended_block = None;
    for comment in rest.iter().filter(|comment| comment.is_code()) {
        if ended_block.is_some() {
            return Err(code_after_block(source, comment));
        }
        if write_code(writer, source, comment) {
            ended_block = Some(comment.span);
        }
    }
    for comment in rest {
        if let Some(name) = comment.annotation_name(source)
            && !is_compiled_away(name)
        {
            writer.annotation(name, comment.content, comment.span);
            place.get_or_insert(comment.span);
        }
    }
    if let Some(place) = place {
        write_document(writer, stream, Node::plain("null"), place);
    }
    if let Some(place) = ended_block {
        writer.line("end", place);
    }
    Ok(())
}

/// The error for code between a line such as `#@ if/end x:` and its node.
fn code_after_block(source: &Arc<Source>, comment: &TemplateComment) -> Box<Diagnostic> {
    let message = "expected a node after code that ends with it, found more code";
    Diagnostic::error(Code::ScriptSyntax, message)
        .at(Location::new(source, comment.span), "")
        .help("write the block with an `end` of its own")
}

/// Compiles one document.
struct DocumentCompiler<'a, 'w> {
    writer: &'a mut ProgramWriter<'w>,
    stream: &'a Stream,
    tree: &'a TemplateTree,
    patterns: Patterns<'a>,
    /// For each node, whether its strings are text templates.
    templated: Vec<bool>,
    /// Whether a line of code of the file may call a function, and so replace nodes.
    calls: bool,
}

/// The effect of a node's comments on its compilation.
#[derive(Default)]
struct NodeDirectives {
    /// The expression for its value.
    value: Option<Span>,
    /// Whether a block ends after the node: `#@ if/end x:`.
    ends_block: bool,
    overrides: bool,
}

impl<'a, 'w> DocumentCompiler<'a, 'w> {
    fn new(
        writer: &'a mut ProgramWriter<'w>,
        stream: &'a Stream,
        tree: &'a TemplateTree,
        calls: bool,
    ) -> DocumentCompiler<'a, 'w> {
        let templated = text_templated(tree, &stream.source);
        DocumentCompiler {
            writer,
            stream,
            tree,
            patterns: Patterns::of(tree, &templated),
            templated,
            calls,
        }
    }

    fn document(&mut self) -> Result<()> {
        // Check all nodes before any is written: `node` never visits a node inside a pattern.
        for node in &self.tree.nodes {
            self.check_value(node)?;
        }
        self.node(0, None)
    }

    /// Rejects a node with both a value and code for its value.
    fn check_value(&self, node: &TemplateNode) -> Result<()> {
        // `a: #@ x` is parsed as the key `a` with the value null, so code may replace null.
        if matches!(node.value.value(), Some(Value::Null)) {
            return Ok(());
        }
        let Some(comment) = node.comments.iter().find(|comment| is_value(comment)) else {
            return Ok(());
        };
        let source = &self.stream.source;
        let message = "expected a node to have either a value or code for its value, found both";
        Err(Diagnostic::error(Code::ScriptSyntax, message)
            .at(Location::new(source, node.place), "the node with a value")
            .at(
                Location::new(source, comment.span),
                "the code for its value",
            ))
    }

    /// Writes the code of a node, then the instructions that build it:
    ///
    /// ```text
    /// set(1, (x))                         one instruction, for a pattern with its holes
    /// start(1)  …the nodes inside…        if a node inside has code or annotations
    /// text()  …  set(1, close())          for a string that is a text template
    /// ```
    fn node(&mut self, id: usize, parent: Option<usize>) -> Result<()> {
        let node = &self.tree.nodes[id];
        // The code comes before the instruction of the node: `#@ if x:` must open its block first.
        let directives = self.comments(node)?;
        self.key(id, node)?;
        // There are three ways to build the node, from the most specific to the most general.
        let is_text = self.templated[id] && string_of(&node.value).is_some_and(text::has_code);
        if is_text && directives.value.is_none() {
            let text = string_of(&node.value).unwrap_or_default();
            let mark = self.writer.mark(node.place);
            self.text(text, &node.value, node.place)?;
            let hole = Pattern::Hole(node.place);
            let part = self.part(node, parent, hole, 0, &directives);
            let text = instruction("close", "");
            let value = match mark {
                Some(mark) => instruction("hole", &format!("{mark}, {text}")),
                None => text,
            };
            let arguments = format!("{part}, {value}");
            self.writer.instruction("set", &arguments, node.place);
        } else if directives.value.is_some() || self.patterns.is_simple(id) {
            let mut holes = Vec::new();
            let pattern = self.patterns.pattern(id, directives.value, &mut holes);
            let size = self.patterns.size(id);
            let part = self.part(node, parent, pattern, size, &directives);
            self.writer.call("set", Some(part), &holes, node.place);
        } else {
            let shared = Pattern::Shared(node.value.clone());
            // The parts of the inner nodes count their sizes, so the size here is 0.
            let part = self.part(node, parent, shared, 0, &directives);
            self.writer.call("start", Some(part), &[], node.place);
            for child in &node.children {
                self.node(*child, Some(part))?;
            }
        }
        if directives.ends_block {
            self.writer.line("end", node.place);
        }
        Ok(())
    }

    fn part(
        &mut self,
        node: &TemplateNode,
        parent: Option<usize>,
        pattern: Pattern,
        size: usize,
        directives: &NodeDirectives,
    ) -> usize {
        let kind = match &node.kind {
            NodeKind::Document => PartKind::Document,
            NodeKind::Entry(key) => PartKind::Entry {
                says: PartKey::of(key),
                key: key.clone(),
            },
            NodeKind::Item(start) => PartKind::Item { start: *start },
        };
        let shape = match &node.value.content {
            Content::Mapping(_) => Shape::Mapping(node.value.clone()),
            Content::Sequence(_) => Shape::Sequence(node.value.clone()),
            Content::Scalar(_) | Content::Alias(_) => Shape::Scalar,
        };
        self.writer.part(Part {
            kind,
            parent,
            pattern,
            shape,
            overrides: directives.overrides,
            place: Location::new(&self.stream.source, node.place),
            size,
        })
    }

    /// Writes the code lines of a node, then its annotations.
    ///
    /// The annotations follow all code lines, regardless of their order in the source, so that they
    /// run right before the node starts and only for this node. An annotation above `#@ if/end` is
    /// inside the block, and one above `#@ for` runs once per turn:
    ///
    /// ```text
    /// #@overlay/match by="name"        for n in names:
    /// #@ for n in names:          ->       __ytt("annotate", 0, by="name")
    /// - name: #@ n                         __ytt("start", 1)
    /// ```
    fn comments(&mut self, node: &TemplateNode) -> Result<NodeDirectives> {
        let directives = self.code_lines(node)?;
        // The code may have replaced the node that was written before this one.
        if self.calls && node.comments.iter().any(TemplateComment::is_code) {
            self.writer.instruction("replace", "", node.place);
        }
        for comment in &node.comments {
            if let Some(name) = comment.annotation_name(&self.stream.source)
                && !is_compiled_away(name)
            {
                self.writer.annotation(name, comment.content, comment.span);
            }
        }
        Ok(directives)
    }

    /// Writes the code lines of a node in order.
    fn code_lines(&mut self, node: &TemplateNode) -> Result<NodeDirectives> {
        let mut directives = NodeDirectives::default();
        let source = &self.stream.source;
        for comment in &node.comments {
            match comment.kind {
                CommentKind::Value => {
                    // If there are several expressions for one value, the last one is used. The
                    // others are still evaluated, because they may fail or have side effects.
                    if let Some(earlier) = directives.value.replace(comment.content) {
                        self.writer.code("", earlier);
                    }
                }
                // `comments` writes the annotations later. Here, only the annotation for the
                // compiler matters.
                CommentKind::Annotation(name) => {
                    directives.overrides |= source.slice(name) == MAP_KEY_OVERRIDE;
                }
                CommentKind::Code | CommentKind::Short => {
                    if directives.ends_block {
                        return Err(code_after_block(source, comment));
                    }
                    directives.ends_block = write_code(self.writer, source, comment);
                }
            }
        }
        Ok(directives)
    }

    /// Writes the key of an entry, if it is a text template.
    fn key(&mut self, id: usize, node: &TemplateNode) -> Result<()> {
        let (NodeKind::Entry(key), Some(text)) = (&node.kind, key_of(node)) else {
            return Ok(());
        };
        if !self.templated[id] || !text::has_code(text) {
            return Ok(());
        }
        // A key is built like a value, in a context for text, and taken from there by the next
        // instruction.
        self.text(text, key, node.place)?;
        let text = instruction("close", "");
        self.writer.instruction("key", &text, node.place);
        Ok(())
    }

    /// Writes the instructions for a scalar that is a text template.
    fn text(&mut self, text: &str, scalar: &Node, place: Span) -> Result<()> {
        let map = match spelling::decode(scalar) {
            Some(spelled) => spelled.map,
            // The scalar has no place. Errors in it are shown at the node.
            None => OffsetMap::default(),
        };
        self.writer.instruction("text", "", place);
        write_text(self.writer, text, &map, place)
    }
}

/// Returns, for each node, whether its strings are text templates: the annotation is on the node or
/// on a node around it.
fn text_templated(tree: &TemplateTree, source: &Source) -> Vec<bool> {
    let mut templated = vec![false; tree.nodes.len()];
    // Parents come before their children.
    for (id, node) in tree.nodes.iter().enumerate() {
        let is_annotated = node
            .comments
            .iter()
            .any(|comment| comment.annotation_name(source) == Some(TEXT_TEMPLATED));
        templated[id] |= is_annotated;
        if templated[id] {
            for &child in &node.children {
                templated[child] = true;
            }
        }
    }
    templated
}

/// Returns whether an annotation is only for the compiler and not part of the program.
///
/// [`MAP_KEY_OVERRIDE`] is part of the program: an entry keeps it when `template.replace` moves it
/// elsewhere.
fn is_compiled_away(name: &str) -> bool {
    name == TEXT_TEMPLATED
}

/// Writes a line of code. Returns whether its block ends after the node that the line belongs to:
///
/// ```text
/// #@ if/end x:          if x:
/// a: 1             →    __ytt("set", 1)
///                       end
/// ```
fn write_code(writer: &mut ProgramWriter<'_>, source: &Source, comment: &TemplateComment) -> bool {
    if !comment.is_code() {
        return false;
    }
    let code = source.slice(comment.content);
    let word_end = code
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(code.len());
    let (word, rest) = code.split_at(word_end);
    let opens_block = matches!(word, "if" | "elif" | "else" | "for" | "while" | "def");
    if !opens_block || !rest.starts_with("/end") {
        writer.code("", comment.content);
        return false;
    }
    let start = comment.content.start() + word.len() + "/end".len();
    writer.code(word, Span::new(start, comment.content.end()));
    true
}

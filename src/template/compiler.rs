//! From a YAML template to its program.

use super::attach::{Attached, attach};
use super::comment::{Comment, CommentKind};
use super::pattern::{Patterns, is_value, key_of, length, string_of};
use super::text;
use super::text_compiler::write_text;
use super::tree::{NodeKind, TemplateNode, Tree};
use super::writer::Writer;
use super::{Options, document_span};
use crate::script::fragments::{Part, PartKey, PartKind, Pattern, Shape};
use crate::script::{Program, ProgramKind};
use crate::source::{Code, Diagnostic, Location, OffsetMap, Result, Span};
use crate::yaml::{Content, Node, Stream, Value, spelling};

/// Lets an entry replace one with the same key.
const OVERRIDE: &str = "yaml/map-key-override";

/// Makes the strings of a node, and of all nodes inside, text templates.
const TEXT_TEMPLATED: &str = "yaml/text-templated-strings";

/// Compiles a YAML template.
///
/// # Errors
/// A comment that is none of a template's, a node with a value and code for its value, and code that is not Starlark,
/// each with its place.
pub fn compile(stream: &Stream, options: &Options) -> Result<Program> {
    let Attached { trees, rest } = attach(stream, options)?;
    let mut writer = Writer::new(&stream.source, options.implicit_map_key_overrides);
    for (document, tree) in stream.documents.iter().zip(&trees) {
        match tree {
            Some(tree) => Compiler::new(&mut writer, stream, tree).document()?,
            None => {
                let place = document_span(document);
                let part = writer.part(Part {
                    kind: PartKind::Document,
                    parent: None,
                    pattern: Pattern::Shared(document.root.clone()),
                    shape: Shape::Scalar,
                    overrides: false,
                    place: Location::new(&stream.source, place),
                    size: length(&document.root),
                });
                writer.call("set", Some(part), &[], place);
            }
        }
    }
    for comment in &rest {
        write_code(&mut writer, stream, comment);
    }
    Program::compile(&stream.source, writer.finish(), ProgramKind::Yaml)
}

/// Compiles one document.
struct Compiler<'a, 'w> {
    writer: &'a mut Writer<'w>,
    stream: &'a Stream,
    tree: &'a Tree,
    patterns: Patterns<'a>,
    /// For each node, whether its strings are text templates.
    templated: Vec<bool>,
}

/// What the comments of a node ask for.
#[derive(Default)]
struct Wishes {
    /// The expression for its value.
    value: Option<Span>,
    /// Whether its block ends with it.
    ends: bool,
    overrides: bool,
}

impl<'a, 'w> Compiler<'a, 'w> {
    fn new(writer: &'a mut Writer<'w>, stream: &'a Stream, tree: &'a Tree) -> Compiler<'a, 'w> {
        let mut templated = vec![false; tree.nodes.len()];
        for (id, node) in tree.nodes.iter().enumerate() {
            let own = node
                .comments
                .iter()
                .any(|comment| comment.annotation_name(&stream.source) == Some(TEXT_TEMPLATED));
            templated[id] |= own;
            if templated[id] {
                for child in &node.children {
                    templated[*child] = true;
                }
            }
        }
        let patterns = Patterns::of(tree, &templated);
        Compiler {
            writer,
            stream,
            tree,
            patterns,
            templated,
        }
    }

    fn document(&mut self) -> Result<()> {
        for node in &self.tree.nodes {
            if !is_null(&node.value)
                && let Some(comment) = node.comments.iter().find(|comment| is_value(comment))
            {
                let message =
                    "expected a node to have either a value or code for its value, found both";
                return Err(Diagnostic::error(Code::ScriptSyntax, message)
                    .at(
                        Location::new(&self.stream.source, node.place),
                        "the node with a value",
                    )
                    .at(
                        Location::new(&self.stream.source, comment.span),
                        "the code for its value",
                    ));
            }
        }
        self.node(0, None)
    }

    fn node(&mut self, id: usize, parent: Option<usize>) -> Result<()> {
        let node = &self.tree.nodes[id];
        let wishes = self.comments(node)?;
        self.key(id, node)?;
        let is_text = self.templated[id] && string_of(&node.value).is_some_and(text::has_code);
        if is_text && wishes.value.is_none() {
            self.text_value(node)?;
            let part = self.part(node, parent, Pattern::Hole(node.place), 0, wishes.overrides);
            self.writer
                .instruction(&format!("set({part}, __ytt.close())"), node.place);
        } else if wishes.value.is_some() || self.patterns.is_simple(id) {
            let mut holes = Vec::new();
            let pattern = self.patterns.pattern(id, wishes.value, &mut holes);
            let part = self.part(
                node,
                parent,
                pattern,
                self.patterns.size(id),
                wishes.overrides,
            );
            self.writer.call("set", Some(part), &holes, node.place);
        } else {
            let part = self.part(
                node,
                parent,
                Pattern::Shared(node.value.clone()),
                0,
                wishes.overrides,
            );
            self.writer.call("start", Some(part), &[], node.place);
            for child in &node.children {
                self.node(*child, Some(part))?;
            }
        }
        if wishes.ends {
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
        overrides: bool,
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
            _ => Shape::Scalar,
        };
        let place = Location::new(&self.stream.source, node.place);
        self.writer.part(Part {
            kind,
            parent,
            pattern,
            shape,
            overrides,
            place,
            size,
        })
    }

    /// Writes the code lines of a node, then its annotations.
    ///
    /// The annotations follow every code line, wherever they are written, so that they run right before the node
    /// starts and for this node alone. An annotation above `#@ if/end` is inside the block, and one above `#@ for`
    /// runs once a turn:
    ///
    /// ```text
    /// #@overlay/match by="name"        for n in names:
    /// #@ for n in names:          ->       __ytt.annotate(0, by="name")
    /// - name: #@ n                         __ytt.start(1)
    /// ```
    fn comments(&mut self, node: &TemplateNode) -> Result<Wishes> {
        let wishes = self.code_lines(node)?;
        for comment in &node.comments {
            if let Some(name) = comment.annotation_name(&self.stream.source)
                && !is_compiled_away(name)
            {
                self.writer.annotation(name, comment.content, comment.span);
            }
        }
        Ok(wishes)
    }

    /// Writes the code lines of a node in their order.
    fn code_lines(&mut self, node: &TemplateNode) -> Result<Wishes> {
        let mut wishes = Wishes::default();
        let source = &self.stream.source;
        for comment in &node.comments {
            match comment.kind {
                CommentKind::Value => {
                    if let Some(earlier) = wishes.value.replace(comment.content) {
                        self.writer.code("", earlier);
                    }
                }
                CommentKind::Annotation(name) => {
                    wishes.overrides |= source.slice(name) == OVERRIDE;
                }
                CommentKind::Code | CommentKind::Short => {
                    if wishes.ends {
                        let message =
                            "expected a node after code that ends with it, found more code";
                        return Err(Diagnostic::error(Code::ScriptSyntax, message)
                            .at(Location::new(source, comment.span), "")
                            .help("write the block with an `end` of its own"));
                    }
                    wishes.ends = write_code(self.writer, self.stream, comment);
                }
            }
        }
        Ok(wishes)
    }

    /// Writes the key of an entry that is a text template.
    fn key(&mut self, id: usize, node: &TemplateNode) -> Result<()> {
        let Some(text) = key_of(node).filter(|text| self.templated[id] && text::has_code(text))
        else {
            return Ok(());
        };
        let NodeKind::Entry(key) = &node.kind else {
            return Ok(());
        };
        self.text(text, key, node.place)?;
        self.writer.instruction("key(__ytt.close())", node.place);
        Ok(())
    }

    fn text_value(&mut self, node: &TemplateNode) -> Result<()> {
        let text = string_of(&node.value).unwrap_or_default();
        self.text(text, &node.value, node.place)
    }

    fn text(&mut self, text: &str, scalar: &Node, place: Span) -> Result<()> {
        let spelled = spelling::decode(scalar);
        let map = spelled.map_or_else(OffsetMap::default, |spelled| spelled.map);
        self.writer.instruction("text()", place);
        write_text(self.writer, text, &map, place)
    }
}

/// Whether an annotation asks something of the compiler, and is not there when the program runs.
fn is_compiled_away(name: &str) -> bool {
    matches!(name, OVERRIDE | TEXT_TEMPLATED)
}

/// Writes a line of code. Returns whether its block ends with the node that it belongs to.
fn write_code(writer: &mut Writer<'_>, stream: &Stream, comment: &Comment) -> bool {
    if !matches!(comment.kind, CommentKind::Code | CommentKind::Short) {
        return false;
    }
    let code = stream.source.slice(comment.content);
    let word = code
        .split(|c: char| !c.is_ascii_alphabetic())
        .next()
        .unwrap_or_default();
    let ends = matches!(word, "if" | "elif" | "else" | "for" | "while" | "def")
        && code
            .get(word.len()..)
            .is_some_and(|rest| rest.starts_with("/end"));
    if !ends {
        writer.code("", comment.content);
        return false;
    }
    let rest = Span::new(
        comment.content.start() + word.len() + "/end".len(),
        comment.content.end(),
    );
    writer.code(word, rest);
    true
}

fn is_null(value: &Node) -> bool {
    matches!(value.value(), Some(Value::Null))
}

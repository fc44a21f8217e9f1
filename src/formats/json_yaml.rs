//! JSON and YAML, based on the parsers and printers of `yaml`.

use std::sync::Arc;

use super::language::{DocumentFormat, Language, LenientText, ParsedText, ScalarSyntax};
use crate::source::{Code, Diagnostic, Result, Source};
use crate::yaml::{
    CollectionStyle, Content, Node, ScalarStyle, Stream, Syntax, TextEdit, canonical_json,
    canonical_node, check_json, faithful, is_json_number, looks_like_json, parse_data, parse_json,
    spelling,
};

pub(super) static JSON: Language = Language {
    name: "json",
    title: "JSON",
    summary: "JSON",
    extensions: &["json", "jsonc", "json5", "ndjson", "jsonl"],
    syntax: Some(Syntax::Json),
    scalars: ScalarSyntax {
        only_text: false,
        is_typed: |text| matches!(text, "true" | "false" | "null") || is_json_number(text),
        is_time: |_| false,
        fraction: |_| None,
    },
    read: |source| Ok(Box::new(parse_json(source)?)),
    read_blank: |source| Ok(blank(source, Syntax::Json)),
    read_leniently: read_flow_yaml,
    text_keys: true,
    check: check_json,
    write: canonical_json,
    canonical: canonical_json,
    separator: "\n",
    offsets: |node| spelling::decode(node).map(|spelled| spelled.map),
    excerpt: faithful::excerpt,
};

pub(super) static YAML: Language = Language {
    name: "yaml",
    title: "YAML",
    summary: "YAML",
    extensions: &["yaml", "yml"],
    syntax: Some(Syntax::Yaml),
    scalars: ScalarSyntax {
        only_text: false,
        is_typed: |text| !text.is_empty(),
        is_time: |_| false,
        fraction: |_| None,
    },
    read: |source| Ok(Box::new(parse_data(source)?)),
    read_blank: |source| Ok(blank(source, Syntax::Yaml)),
    read_leniently: |_, _| None,
    text_keys: false,
    check: |_, _| Ok(()),
    write: |root| Ok(faithful::write(&root.in_block_style(), Syntax::Yaml)),
    canonical: canonical_node,
    separator: "---\n",
    offsets: |node| spelling::decode(node).map(|spelled| spelled.map),
    excerpt: faithful::excerpt,
};

impl ParsedText for Stream {
    fn format(&self) -> DocumentFormat {
        self.syntax.into()
    }

    fn source(&self) -> &Arc<Source> {
        &self.source
    }

    fn roots(&self) -> Vec<Arc<Node>> {
        let documents = self.documents.iter();
        documents
            .map(|document| Arc::clone(&document.root))
            .collect()
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        let warnings = Stream::warnings(self).into_iter();
        warnings.map(|warning| *warning).collect()
    }

    fn has_aliases(&self) -> bool {
        self.has_aliases
    }

    fn edits(&self, roots: &[Arc<Node>]) -> Vec<TextEdit> {
        faithful::edits(self, roots)
    }

    /// Adds new documents below the existing text. In practice that text contains no document: it
    /// is empty or a comment.
    fn extended(&self, roots: &[Arc<Node>]) -> Option<String> {
        if roots.len() <= self.documents.len() {
            return None;
        }
        let (kept, added) = roots.split_at(self.documents.len());
        let mut text = faithful::print(self, kept);
        for root in added {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&faithful::write(root, self.syntax));
        }
        Some(text)
    }
}

fn blank(source: &Arc<Source>, syntax: Syntax) -> Box<dyn ParsedText> {
    Box::new(Stream {
        source: Arc::clone(source),
        syntax,
        documents: Vec::new(),
        comments: Vec::new(),
        has_aliases: false,
        lenient: Vec::new(),
    })
}

/// Parses a text in the given grammar, or otherwise in the one that it appears to have.
///
/// A text that begins with a brace or a bracket is JSON if it parses as JSON, and flow YAML
/// otherwise: `{a: x} # note` is YAML. If neither parses, the error is that of JSON, because the
/// text looks like JSON.
///
/// # Errors
/// The errors of [`parse_json`] and [`parse_data`].
pub fn parse_as(source: &Arc<Source>, syntax: Option<Syntax>) -> Result<Stream> {
    match syntax {
        Some(Syntax::Json) => parse_json(source),
        Some(Syntax::Yaml) => parse_data(source),
        None if looks_like_json(source.text()) => {
            parse_json(source).or_else(|error| parse_data(source).map_err(|_| error))
        }
        None => parse_data(source),
    }
}

/// Reads JSON that only a YAML parser accepts, such as `{"level": debug}`.
///
/// Programs often parse their "JSON" with a YAML library, so such texts exist and work. Their
/// content is kept, and new values are written as JSON.
fn read_flow_yaml(source: &Arc<Source>, error: &Diagnostic) -> Option<LenientText> {
    if error.code != Code::JsonSyntax {
        return None;
    }
    let stream = parse_data(source).ok()?;
    let [document] = &stream.documents[..] else {
        return None;
    };
    let style = match &document.root.content {
        Content::Mapping(mapping) => mapping.style,
        Content::Sequence(sequence) => sequence.style,
        Content::Scalar(_) | Content::Alias(_) => return None,
    };
    if style != CollectionStyle::Flow {
        return None;
    }
    let warning = not_strict(error);
    let stream = Stream {
        syntax: Syntax::Json,
        ..stream
    };
    Some((Box::new(stream), warning))
}

/// Returns the warning for a text that only a YAML parser accepts although its key or format is
/// JSON.
fn not_strict(error: &Diagnostic) -> Box<Diagnostic> {
    let mut warning = Diagnostic::warning(
        error.code,
        "the text is not strict JSON; it is kept as it is",
    )
    .note(error.message.clone())
    .help("correct the text, or set `format: yaml` if YAML is meant");
    warning.labels = error.labels.clone();
    warning
}

/// Checks a text that was read as YAML although its key suggests JSON. Returns the warning about
/// it.
///
/// # Errors
/// The error of a JSON parser, if the text is broken JSON rather than YAML.
pub(super) fn check_yaml_for_json(stream: &Stream, key: &str) -> Result<Option<Box<Diagnostic>>> {
    let Err(error) = parse_json(&stream.source) else {
        return Ok(None);
    };
    let roots = stream.documents.iter().map(|document| &document.root);
    if roots.clone().any(|root| is_broken(root, false)) {
        return Err(error);
    }
    // JSON5 has keys without quotes.
    let is_json5 =
        key.to_ascii_lowercase().ends_with(".json5") && looks_like_json(stream.source.text());
    let is_text = roots
        .clone()
        .all(|root| root.resolved().as_scalar().is_some());
    Ok((!is_json5 && !is_text).then(|| not_strict(&error)))
}

/// Returns whether a value looks like JSON with a mistake. YAML reads such a value, but nobody
/// would write it in YAML:
///
/// ```text
/// {"port":}                    a value is missing between brackets
/// {"port": {{ .Values.port }}} a mapping is a key
/// "port": 80,                  a comma at the end of a line
/// ```
fn is_broken(node: &Node, in_brackets: bool) -> bool {
    let is_flow = |style| in_brackets || style == CollectionStyle::Flow;
    match &node.content {
        Content::Mapping(mapping) => {
            let in_brackets = is_flow(mapping.style);
            mapping.entries.iter().any(|entry| {
                entry.key.resolved().as_scalar().is_none() || is_broken(&entry.value, in_brackets)
            })
        }
        Content::Sequence(sequence) => {
            let in_brackets = is_flow(sequence.style);
            let mut items = sequence.items.iter();
            items.any(|item| is_broken(&item.value, in_brackets))
        }
        Content::Scalar(scalar) if scalar.style == ScalarStyle::Plain => {
            let text = node.text().unwrap_or("");
            match in_brackets {
                true => text.is_empty(),
                false => text.ends_with([',', '}', ']']),
            }
        }
        Content::Scalar(_) | Content::Alias(_) => false,
    }
}

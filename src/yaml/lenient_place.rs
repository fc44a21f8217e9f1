//! The places at which a text is YAML for ytt and kustomize, but not by YAML 1.2.
//!
//! Such a text is read (see [`repair`](super::repair)), and each place becomes a warning: another
//! program may refuse the text, or read another value.

use crate::source::{Code, Diagnostic, Location, Source, Span};
use std::sync::Arc;

/// A place at which a text is not YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LenientPlace {
    /// The bytes in the original text.
    pub span: Span,
    /// The kind of deviation.
    pub kind: LenientKind,
}

/// The ways in which a text can deviate from YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LenientKind {
    /// `"a"# note`.
    CommentWithoutBlank,
    /// `"it\'s"`.
    EscapedSingleQuote,
    /// A tab before a continuation line.
    TabBeforeLine,
    /// A byte order mark on the line below `---`.
    ByteOrderMark,
    /// A dash alone between brackets.
    DashInBrackets,
    /// `&a:b`, an anchor without a blank before its value.
    AnchorWithoutBlank,
    /// `*a: b`, an alias without a blank before its colon.
    AliasWithoutBlank,
}

impl LenientPlace {
    /// Returns the warning about the place.
    pub(super) fn warning(self, source: &Arc<Source>) -> Box<Diagnostic> {
        let (message, help) = match self.kind {
            LenientKind::CommentWithoutBlank => (
                "this comment is not valid YAML: there is no blank before it",
                "put a blank before the `#`",
            ),
            LenientKind::EscapedSingleQuote => (
                "this escape is not valid YAML: `\\'`",
                "write `'` without the backslash",
            ),
            LenientKind::TabBeforeLine => (
                "this tab is not valid YAML: it indents a line",
                "indent the line with spaces",
            ),
            LenientKind::ByteOrderMark => (
                "this byte order mark is not valid YAML: it is not at the start of the text",
                "remove it: files that were joined often contain one",
            ),
            LenientKind::DashInBrackets => (
                "this `-` is not valid YAML: between brackets it needs quotes",
                "write `\"-\"`",
            ),
            LenientKind::AnchorWithoutBlank => (
                "in YAML 1.2, the name of this anchor includes what follows it",
                "put a blank after the name",
            ),
            LenientKind::AliasWithoutBlank => (
                "this alias is not valid YAML: there is no blank before its colon",
                "put a blank before the `:`",
            ),
        };
        let note = match self.kind {
            LenientKind::ByteOrderMark => "kustomize accepts it; other programs may not",
            LenientKind::AnchorWithoutBlank => {
                "ytt and kustomize end the name here; other programs may not"
            }
            _ => "ytt and kustomize accept it; other programs may not",
        };
        Diagnostic::warning(Code::YamlSyntax, message)
            .at(Location::new(source, self.span), "")
            .note(note)
            .help(help)
    }
}

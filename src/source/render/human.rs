//! The human form: the source lines of each label, underlined, with notes and help below.
//!
//! ```text
//! error[path-not-found]: unable to find field "b.lsit"     title
//!  --> app.yaml:7:12                                       origin, one for each view
//!   |
//! 7 |   b:                                                 excerpt of the source
//!   |   ^ `b` has no field `lsit`                          label
//!   |
//!   = note: ...
//!   = help: did you mean `list`?
//! ```
//!
//! `annotate-snippets` draws it. It would need the whole file, which can be one line of 20 MB, and
//! it prints control characters as they are. So it gets an [`Excerpt`]: a few lines, cut and made
//! visible. The positions that it computes refer to the excerpt and are wrong, so it gets a
//! placeholder ([`ORIGIN`]) instead of the file name, and [`fill_in_origins`] replaces it by the
//! real position.

use std::sync::Arc;

use annotate_snippets::renderer::Renderer;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Snippet};

use crate::source::{Diagnostic, Label, Severity, Source, Span};

use super::excerpt::{Excerpt, MAX_LINES};
use super::place::PrintedPlace;
use super::visible::{visible_line, visible_lines};

/// The placeholder for the file name, which [`fill_in_origins`] replaces. It is a noncharacter,
/// which [`visible`](super::visible::visible) never returns, so it cannot appear in user text.
const ORIGIN: char = '\u{ffff}';

/// A width larger than any excerpt, so that `annotate-snippets` does not cut lines a second time.
const UNCUT: usize = 1 << 20;

/// Returns the text of the diagnostics, with an empty line between them.
pub(super) fn render(diagnostics: &[Diagnostic], color: bool, width: usize) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.term_width(UNCUT);
    let mut text = String::new();
    for (index, diagnostic) in diagnostics.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(&report(diagnostic, &renderer, width));
    }
    text
}

fn report(diagnostic: &Diagnostic, renderer: &Renderer, width: usize) -> String {
    let views = views(&diagnostic.labels);
    let (notes, help) = (diagnostic.notes.iter(), diagnostic.help.iter());
    let title = level(diagnostic.severity)
        .primary_title(visible_lines(&diagnostic.message))
        .id(diagnostic.code.name());
    let group = Group::with_title(title)
        .elements(views.iter().map(|view| view.snippet(width)))
        .elements(notes.map(|note| Level::NOTE.message(visible_lines(note))))
        .elements(help.map(|help| Level::HELP.message(visible_lines(help))));
    fill_in_origins(&renderer.render(&[group]), &views) + "\n"
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    }
}

/// The labels of one snippet: they are in the same file, and not too far from the first of them.
///
/// Labels further away get a separate snippet, because `annotate-snippets` processes every line
/// between two labels.
struct View<'a> {
    source: Arc<Source>,
    labels: Vec<PlacedLabel<'a>>,
}

struct PlacedLabel<'a> {
    kind: AnnotationKind,
    place: PrintedPlace,
    text: &'a str,
}

/// Groups the labels into views, in the order of their first labels.
fn views(labels: &[Label]) -> Vec<View<'_>> {
    let mut views: Vec<View<'_>> = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let kind = if index == 0 {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let placed = PlacedLabel {
            kind,
            place: PrintedPlace::of(&label.location),
            text: &label.text,
        };
        match views.iter_mut().find(|view| view.accepts(&placed.place)) {
            Some(view) => view.labels.push(placed),
            None => views.push(View {
                source: Arc::clone(&placed.place.source),
                labels: vec![placed],
            }),
        }
    }
    views
}

impl View<'_> {
    /// Returns whether a label at `place` can be shown in this view.
    fn accepts(&self, place: &PrintedPlace) -> bool {
        let Some(first) = self.labels.first() else {
            return false;
        };
        let distance = first.place.start().line.abs_diff(place.start().line);
        Arc::ptr_eq(&self.source, &place.source) && distance <= MAX_LINES
    }

    fn snippet(&self, width: usize) -> Snippet<'static, Annotation<'static>> {
        let spans: Vec<Span> = self.labels.iter().map(|label| label.place.span).collect();
        let excerpt = Excerpt::new(&self.source, &spans, width);
        let annotations = self.labels.iter().zip(excerpt.ranges);
        Snippet::source(excerpt.text)
            .line_start(excerpt.first_line)
            .path(ORIGIN.to_string())
            .annotations(
                annotations.map(|(label, range)| label.kind.span(range).label(label.text())),
            )
    }
}

impl PlacedLabel<'_> {
    /// Returns the text next to the underlined source, if there is any.
    fn text(&self) -> Option<String> {
        let text = visible_line(self.text);
        let inside = self
            .place
            .inside
            .map(|inside| format!("line {}, column {} inside", inside.line, inside.column));
        match (text.is_empty(), inside) {
            (true, inside) => inside,
            (false, None) => Some(text),
            (false, Some(inside)) => Some(format!("{text} ({inside})")),
        }
    }
}

/// Replaces each [`ORIGIN`], with the wrong position after it, by the origin of its view.
///
/// ```text
/// --> <ORIGIN>:2:5        ->       --> app.yaml:7:12
/// ```
fn fill_in_origins(text: &str, views: &[View<'_>]) -> String {
    let mut parts = text.split(ORIGIN);
    let mut result = parts.next().unwrap_or("").to_owned();
    for (part, view) in parts.zip(views) {
        if let Some(label) = view.labels.first() {
            result.push_str(&label.place.origin());
        }
        let is_position = |character: char| character == ':' || character.is_ascii_digit();
        result.push_str(part.trim_start_matches(is_position));
    }
    result
}

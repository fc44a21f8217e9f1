//! The form for people: each place with its lines of the file, underlined, and the notes and remedies below.
//!
//! The drawing is done by `annotate-snippets`. It is given [`Excerpt`]s instead of whole files, and since it would count
//! columns in those, the lines that name a file and a position are filled in afterwards.

use std::sync::Arc;

use annotate_snippets::renderer::Renderer;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Snippet};

use crate::source::{Diagnostic, Label, Severity, Source, Span};

use super::excerpt::{Excerpt, MAX_LINES};
use super::place::Place;
use super::short::origin;
use super::visible::{visible, visible_line};

/// Stands for a file name until [`fill_in_origins`]: a noncharacter, which never gets out of [`visible`].
const ORIGIN: char = '\u{ffff}';

/// Wider than any excerpt, so that `annotate-snippets` does not cut lines a second time.
const UNCUT: usize = 1 << 20;

/// Prints diagnostics, with an empty line between them.
pub(super) fn render(diagnostics: &[Diagnostic], color: bool, width: usize) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.term_width(UNCUT);
    let reports: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| report(diagnostic, &renderer, width))
        .collect();
    reports.join("\n")
}

fn report(diagnostic: &Diagnostic, renderer: &Renderer, width: usize) -> String {
    let views = views(&diagnostic.labels);
    let title = level(diagnostic.severity)
        .primary_title(visible(&diagnostic.message))
        .id(diagnostic.code.name());
    let group = Group::with_title(title)
        .elements(views.iter().map(|view| view.snippet(width)))
        .elements(
            diagnostic
                .notes
                .iter()
                .map(|note| Level::NOTE.message(visible(note))),
        )
        .elements(
            diagnostic
                .help
                .iter()
                .map(|help| Level::HELP.message(visible(help))),
        );
    fill_in_origins(&renderer.render(&[group]), &views) + "\n"
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    }
}

/// Labels that are shown in one snippet: they stand in the same file and not too far from the first of them.
struct View<'a> {
    source: Arc<Source>,
    labels: Vec<PlacedLabel<'a>>,
}

struct PlacedLabel<'a> {
    kind: AnnotationKind,
    place: Place,
    text: &'a str,
}

/// Sorts the labels into views, which stand in the order of their first labels.
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
            place: Place::of(&label.location),
            text: &label.text,
        };
        match views
            .iter_mut()
            .find(|view| view.has_room_for(&placed.place))
        {
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
    fn has_room_for(&self, place: &Place) -> bool {
        let line = |place: &Place| place.source.line(place.span.start());
        let near = |first: &PlacedLabel<'_>| line(&first.place).abs_diff(line(place)) <= MAX_LINES;
        Arc::ptr_eq(&self.source, &place.source) && self.labels.first().is_some_and(near)
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
    /// What stands beside the underlined text, if anything.
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

/// Replaces each [`ORIGIN`], together with the position that was printed after it, by the origin of its view.
fn fill_in_origins(text: &str, views: &[View<'_>]) -> String {
    let mut parts = text.split(ORIGIN);
    let mut result = parts.next().unwrap_or("").to_owned();
    for (part, view) in parts.zip(views) {
        result.extend(view.labels.first().map(|label| origin(&label.place)));
        result.push_str(
            part.trim_start_matches(|character: char| {
                character == ':' || character.is_ascii_digit()
            }),
        );
    }
    result
}

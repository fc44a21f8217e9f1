//! Prints answers as trees, for people.

use std::sync::Arc;

use super::link::{ExplainedObject, Explanation, Input, InputKind, Link, LinkKind};
use super::secrets::{self, is_shown_code};
use crate::golang::json::encode_node;
use crate::source::{Location, Span, quoted_name, visible_line};
use crate::yaml::{Node, is_equal};

/// The maximum number of characters of a value.
const LONGEST_VALUE: usize = 60;

/// The maximum number of characters of a line of a file.
const LONGEST_LINE: usize = 100;

/// Prints answers as trees, with an empty line between them.
pub fn print(explanations: &[Explanation], shows_secrets: bool) -> String {
    if !shows_secrets {
        secrets::hide(explanations);
    }
    let mut text = String::new();
    for explanation in explanations {
        if !text.is_empty() {
            text.push('\n');
        }
        let is_hidden = explanation.is_secret && !shows_secrets;
        let value = match &explanation.value {
            Some(value) => format!(" = {}", shown_value(value, is_hidden)),
            None => "  removed".to_owned(),
        };
        let path = visible_line(&explanation.path);
        text.push_str(&format!("{}{path}{value}\n", title(&explanation.object)));
        let printer = TreePrinter {
            is_hidden,
            shows_secrets,
        };
        printer.links(&mut text, "", &explanation.links);
    }
    text
}

/// Returns the name of an object and a blank, as a question names it: `Deployment/web `. Returns
/// nothing for a document that is not an object.
fn title(object: &ExplainedObject) -> String {
    if object.kind.is_empty() {
        return String::new();
    }
    format!("{} ", visible_line(&object.id().short()))
}

/// Returns a value on one line.
fn shown_value(value: &Arc<Node>, is_hidden: bool) -> String {
    if is_hidden {
        return "…".to_owned();
    }
    // YAML has values that JSON cannot express.
    let text = match encode_node(value) {
        Ok(text) => text,
        Err(_) => value.text().unwrap_or_default().to_owned(),
    };
    cut(&visible_line(text.trim_end()), LONGEST_VALUE)
}

/// Returns the text that the user typed, without the value if it must not be shown.
pub(super) fn shown_text(link: &Link, text: &str, is_hidden: bool) -> String {
    match text.split_once('=') {
        _ if !is_hidden || link.kind == LinkKind::Environment => text.to_owned(),
        Some((key, _)) if link.kind == LinkKind::Flag => format!("{key}=…"),
        _ if is_shown_code(link) => text.to_owned(),
        _ => "…".to_owned(),
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most).collect();
    short.push('…');
    short
}

struct TreePrinter {
    /// Whether the values of the whole answer are hidden.
    is_hidden: bool,
    shows_secrets: bool,
}

impl TreePrinter {
    /// Prints links, each with its excerpt and its inputs. Recursive: the explainer bounds the
    /// depth of inputs.
    fn links(&self, text: &mut String, indent: &str, links: &[Link]) {
        for (index, link) in links.iter().enumerate() {
            let is_last = index + 1 == links.len();
            let (branch, below) = branches(is_last);
            text.push_str(&format!("{indent}{branch}{}\n", self.line(link)));
            let indent = format!("{indent}{below}");
            if let Some(place) = &link.place
                && !is_flag(link.kind)
            {
                excerpt(text, &indent, place);
            }
            self.inputs(text, &indent, &link.inputs);
        }
    }

    fn inputs(&self, text: &mut String, indent: &str, inputs: &[Input]) {
        for (index, input) in inputs.iter().enumerate() {
            let (branch, below) = branches(index + 1 == inputs.len());
            let name = match &input.kind {
                InputKind::DataValue { library, key } => match library {
                    Some(library) => format!("data value {key} of the library {library}"),
                    None => format!("data value {key}"),
                },
                InputKind::Field { object, path } => format!("from {}{path}", title(object)),
            };
            let value = match &input.value {
                Some(value) => format!(" = {}", shown_value(value, self.hides(&input.links))),
                None => String::new(),
            };
            text.push_str(&format!("{indent}{branch}{}{value}\n", visible_line(&name)));
            self.links(text, &format!("{indent}{below}"), &input.links);
        }
    }

    /// Returns whether the value of these links is hidden: the newest link decides.
    fn hides(&self, links: &[Link]) -> bool {
        let is_secret = links.first().is_some_and(|link| link.is_secret);
        self.is_hidden || (is_secret && !self.shows_secrets)
    }

    fn line(&self, link: &Link) -> String {
        let is_hidden = self.is_hidden || (link.is_secret && !self.shows_secrets);
        let mut line = link.kind.title().to_owned();
        match (&link.place, &link.text) {
            (_, Some(typed)) if is_flag(link.kind) => {
                let typed = shown_text(link, typed, is_hidden);
                line.push_str(&format!("  {}", visible_line(&typed)));
            }
            (Some(place), _) => line.push_str(&format!("  {}", shown_place(place))),
            (None, _) => {}
        }
        let change = match (&link.before, &link.after) {
            // The text around the value was written again and contains the same value.
            (Some(before), Some(after)) if is_equal(before, after) => {
                format!("{} as before", shown_value(after, is_hidden))
            }
            (Some(before), Some(after)) => format!(
                "{} → {}",
                shown_value(before, is_hidden),
                shown_value(after, is_hidden)
            ),
            (None, Some(after)) => shown_value(after, is_hidden),
            (Some(before), None) => format!("{} → removed", shown_value(before, is_hidden)),
            (None, None) => String::new(),
        };
        format!("{line}  {change}")
    }
}

/// Returns whether a value was given on the command line or in the environment, not in a file.
fn is_flag(kind: LinkKind) -> bool {
    matches!(kind, LinkKind::Flag | LinkKind::Environment)
}

fn branches(is_last: bool) -> (&'static str, &'static str) {
    match is_last {
        true => ("└─ ", "   "),
        false => ("├─ ", "│  "),
    }
}

/// Returns a place as `file:line:column`.
pub(super) fn shown_place(place: &Location) -> String {
    let place = place.in_file();
    let start = place.line_column();
    format!(
        "{}:{}:{}",
        quoted_name(place.source.shown_name()),
        start.line,
        start.column
    )
}

/// Prints the first line of a place.
fn excerpt(text: &mut String, indent: &str, place: &Location) {
    let place = place.in_file();
    let number = place.source.line(place.span.start());
    let line: Span = place.source.line_span(number);
    let shown = place.source.shown(line);
    let shown = visible_line(shown.trim_end());
    if shown.trim().is_empty() {
        return;
    }
    text.push_str(&format!(
        "{indent}{number:>6} │ {}\n",
        cut(&shown, LONGEST_LINE)
    ));
}

//! The form for GitHub Actions: a workflow command for each diagnostic. GitHub shows it next to the
//! line in a pull request.
//!
//! ```text
//! ::error file=config/app.yml,line=4,endLine=4,col=3,endColumn=9,title=data-value::expected …%0A…
//! ```
//!
//! A command is one line. `%` and line breaks are escaped everywhere, and `:` and `,` also in
//! properties. This follows
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions> and the
//! runner's own toolkit. So text from a file can neither end a command nor start one.

use super::place::PrintedPlace;
use super::repository::RepositoryPaths;
use super::visible::{visible, visible_line};
use crate::source::{Diagnostic, Severity};

/// Returns the command of a diagnostic.
pub(super) fn line(diagnostic: &Diagnostic, paths: &RepositoryPaths) -> String {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut properties = Vec::new();
    if let Some(label) = diagnostic.labels.first() {
        let place = PrintedPlace::of(&label.location);
        let (start, end) = (place.start(), place.end());
        if let Some(file) = paths.file(place.source.shown_name()) {
            properties.push(("file", visible_line(&file)));
            properties.push(("line", start.line.to_string()));
            properties.push(("endLine", end.line.to_string()));
            // GitHub ignores columns of a range over several lines.
            if start.line == end.line {
                properties.push(("col", start.column.to_string()));
                properties.push(("endColumn", end.column.to_string()));
            }
        }
    }
    properties.push(("title", diagnostic.code.name().to_owned()));
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| format!("{name}={}", escaped_property(value)))
        .collect();
    let message = escaped(&visible(&message(diagnostic, paths)));
    format!("::{command} {}::{message}\n", properties.join(","))
}

/// Returns the message with its notes, help and further places.
fn message(diagnostic: &Diagnostic, paths: &RepositoryPaths) -> String {
    let mut text = diagnostic.message.clone();
    for (index, label) in diagnostic.labels.iter().enumerate() {
        let place = PrintedPlace::of(&label.location);
        match (index, label.text.is_empty()) {
            (0, true) => {}
            // The first place is the place of the annotation itself.
            (0, false) => text.push_str(&format!("\n{}", label.text)),
            _ => {
                let name = place.name();
                let file = paths.file(name).unwrap_or_else(|| name.to_owned());
                text.push_str(&format!("\n{file}:{}: {}", place.start().line, label.text));
            }
        }
    }
    for note in &diagnostic.notes {
        text.push_str(&format!("\n= note: {note}"));
    }
    for help in &diagnostic.help {
        text.push_str(&format!("\n= help: {help}"));
    }
    text
}

/// Escapes the message of a command.
fn escaped(text: &str) -> String {
    // The percent sign comes first, because it begins the escapes of the others.
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes the value of a property.
fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Code, Location, Source, Span};

    #[test]
    fn a_text_from_outside_neither_ends_nor_begins_a_command() {
        let source = Source::new("a,b:c%.yml", "x: 1\n").unwrap();
        let diagnostic = Diagnostic::warning(Code::Config, "100% wrong:\n::error::no\r\nmore")
            .at(Location::new(&source, Span::new(0, 1)), "here, too: yes")
            .help("line one\nline two");
        let paths = RepositoryPaths::default();
        assert_eq!(
            line(&diagnostic, &paths),
            "::warning file=a%2Cb%3Ac%25.yml,line=1,endLine=1,col=1,endColumn=2,title=config::100%25 \
             wrong:%0A::error::no%0Amore%0Ahere, too: yes%0A= help: line one%0Aline two\n"
        );
    }

    #[test]
    fn what_was_read_from_standard_input_has_no_file() {
        let source = Source::new("<stdin>", "x: 1\n").unwrap();
        let diagnostic = Diagnostic::error(Code::Config, "wrong")
            .at(Location::new(&source, Span::new(0, 1)), "");
        let line = line(&diagnostic, &RepositoryPaths::default());
        assert_eq!(line, "::error title=config::wrong\n");
    }
}

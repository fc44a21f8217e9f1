//! Runs the commands in a document and compares their output with the output that the document
//! shows.
//!
//! In a Markdown block marked `console`, a line that starts with `$ ` is a command. The lines up to
//! the next command are its output, standard output and standard error together. `? 1` as the first
//! of these lines means that the command exits with 1. In the output, a line `...` matches any
//! lines, and `[..]` any text in a line; trailing blanks are ignored. Each command runs in its own
//! shell.

use std::fs;
use std::ops::Range;
use std::path::Path;

use super::workspace::Outcome;

/// A command of a document.
pub(crate) struct Command {
    /// The command line, without `$ `.
    pub(crate) line: String,
    /// The number of the block that contains it.
    pub(crate) block: usize,
    /// The range of lines in the document that show its output.
    pub(crate) shown: Range<usize>,
}

/// Runs the commands of a document in order and returns those whose output differs from the
/// document. With `UPDATE=1`, writes their output into the document instead. `name` is the
/// document's name in messages. `run` executes a line; if it returns `None`, that command and the
/// rest of its block are skipped.
pub(crate) fn check(
    document: &Path,
    name: &str,
    run: impl Fn(&str) -> Option<Outcome>,
) -> Vec<String> {
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    let text = fs::read_to_string(document).expect("a document can be read");
    let lines: Vec<&str> = text.lines().collect();
    let commands = commands(&lines);
    let mut runs: Vec<(&Command, String)> = Vec::new();
    let mut left_out = None;
    for command in commands.iter() {
        if left_out == Some(command.block) {
            continue;
        }
        match run(&command.line) {
            Some(outcome) => runs.push((command, printed(&outcome))),
            None => left_out = Some(command.block),
        }
    }
    let differs = |(command, printed): &(&Command, String)| {
        !lines_match(
            &lines[command.shown.clone()],
            &printed.lines().collect::<Vec<_>>(),
        )
    };
    let wrong: Vec<(&Command, String)> = runs.into_iter().filter(differs).collect();
    if !update || wrong.is_empty() {
        return wrong
            .iter()
            .map(|(command, printed)| fault(name, &lines, command, printed))
            .collect();
    }
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    for (command, printed) in wrong.iter().rev() {
        let printed = without_checkout(printed);
        lines.splice(
            command.shown.clone(),
            printed.lines().map(|line| line.trim_end().to_owned()),
        );
    }
    fs::write(document, lines.join("\n") + "\n").expect("a document can be written");
    Vec::new()
}

/// Replaces each path into this checkout by `[..]`: no document may contain one.
fn without_checkout(printed: &str) -> String {
    let mut parts = printed.split(env!("CARGO_MANIFEST_DIR"));
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(char::is_whitespace).unwrap_or(part.len());
        text.push_str("[..]");
        text.push_str(&part[end..]);
    }
    text
}

/// Returns the output of a command, preceded by its exit code if that is not 0.
fn printed(outcome: &Outcome) -> String {
    let code = if outcome.code == 0 {
        String::new()
    } else {
        format!("? {}\n", outcome.code)
    };
    format!("{code}{}{}", outcome.stdout, outcome.stderr)
}

fn fault(name: &str, lines: &[&str], command: &Command, printed: &str) -> String {
    let shown = lines[command.shown.clone()].join("\n");
    let number = command.shown.start;
    format!(
        "{name}:{number}: `{}` shows\n{shown}\n--- but prints\n{printed}---",
        command.line
    )
}

/// Returns the commands in the `console` blocks of a document.
pub(crate) fn commands(lines: &[&str]) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut block = 0;
    let mut inside = false;
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with("```") {
            inside = !inside && *line == "```console";
            block += 1;
        } else if let Some(typed) = line.strip_prefix("$ ").filter(|_| inside) {
            commands.push(Command {
                line: typed.to_owned(),
                block,
                shown: number + 1..number + 1,
            });
        } else if let Some(command) = commands
            .last_mut()
            .filter(|command| inside && command.block == block)
        {
            match line
                .strip_prefix("> ")
                .filter(|_| command.shown.is_empty() && command.line.ends_with('\\'))
            {
                Some(continued) => {
                    command.line = format!("{}\n{continued}", command.line);
                    command.shown = number + 1..number + 1;
                }
                None => command.shown.end = number + 1,
            }
        }
    }
    commands
}

/// Returns whether the lines in the document match the printed lines.
fn lines_match(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => {
            (0..=printed.len()).any(|skipped| lines_match(rest, &printed[skipped..]))
        }
        Some((first, rest)) => match printed.split_first() {
            Some((line, others)) => line_matches(first, line) && lines_match(rest, others),
            None => false,
        },
    }
}

/// Returns whether a line in the document matches a printed line.
fn line_matches(shown: &str, printed: &str) -> bool {
    let Some((start, rest)) = shown.split_once("[..]") else {
        return shown.trim_end() == printed.trim_end();
    };
    let Some(tail) = printed.strip_prefix(start) else {
        return false;
    };
    tail.char_indices()
        .map(|(at, _)| at)
        .chain([tail.len()])
        .any(|at| line_matches(rest, &tail[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_output_may_omit_lines_and_parts_of_lines() {
        let cases: &[(&[&str], &str, bool)] = &[
            (&["a", "b"], "a\nb\n", true),
            (&["a"], "a\nb\n", false),
            (&["a", ""], "a  \n \n", true),
            (&["a", "..."], "a\nb\nc\n", true),
            (&["...", "c"], "a\nb\nc\n", true),
            (&["...", "b"], "a\nb\nc\n", false),
            (&["took [..] ms"], "took 12 ms\n", true),
            (&["took [..] ms"], "took 12 s\n", false),
            (&["[..]a[..]a"], "a\n", false),
            (&[], "", true),
            (&[], "a\n", false),
        ];
        for (shown, printed, expected) in cases {
            assert_eq!(
                lines_match(shown, &printed.lines().collect::<Vec<_>>()),
                *expected,
                "{shown:?} and {printed:?}"
            );
        }
    }
}

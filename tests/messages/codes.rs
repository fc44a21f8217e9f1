//! `docs/diagnostics.md`: every diagnostic code with its summary, an example from the recorded
//! sessions, and the fix.

use std::fmt::Write as _;
use std::fs;

use inlay::source::Code;

use crate::common::console::commands;
use crate::common::workspace::repository;
use crate::{entries, record_sessions, updates};

const DOCUMENT: &str = "docs/diagnostics.md";

const HEAD: &str = "# Diagnostics

Every error and warning has a code, which is printed in brackets after the severity: `error[path-not-found]`. Codes are
stable from release to release. They are the thing to search for, and the `code` field of `--diagnostics json`. This page
explains each of them; [Messages](command-line.md#messages) describes the printed forms.

This file is generated: `UPDATE=1 cargo test --test messages` writes it from `src/source/code.rs`, the recorded messages
in `testdata/messages`, and the fixes in `tests/messages/codes.rs`.
";

#[test]
fn the_document_is_generated_from_the_table_of_codes() {
    let path = repository().join(DOCUMENT);
    let generated = document();
    if updates() {
        fs::write(&path, &generated).expect("the document can be written");
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        recorded == generated,
        "{DOCUMENT} is out of date; run `UPDATE=1 cargo test --test messages`"
    );
}

#[test]
fn every_code_has_an_example() {
    let examples = examples();
    let missing: Vec<&str> = Code::ALL
        .iter()
        .filter(|code| example(**code, &examples).is_none())
        .map(|code| code.name())
        .collect();
    // Differences are diagnostics for programs only. The other code means a bug in Inlay
    // itself: a session that prints it would be a bug to fix, not a message to record.
    assert_eq!(
        missing,
        [Code::Difference.name(), Code::Internal.name()],
        "codes without a recorded message"
    );
}

fn document() -> String {
    let examples = examples();
    let mut text = HEAD.to_owned();
    for code in Code::ALL {
        let _ = write!(text, "\n## {}\n\n{}\n", code.name(), code.summary());
        if let Some(example) = example(*code, &examples) {
            let _ = write!(text, "\n```text\n{example}\n```\n");
        }
        let _ = write!(text, "\n**Fix.** {}\n", fix(*code));
    }
    text
}

/// Returns every diagnostic that a session shows in the human-readable form.
fn examples() -> Vec<String> {
    record_sessions();
    let mut examples = Vec::new();
    for folder in entries(&repository().join("testdata/messages")) {
        let session = fs::read_to_string(folder.join("session.md")).expect("a session can be read");
        let lines: Vec<&str> = session.lines().collect();
        for command in commands(&lines) {
            examples.extend(diagnostics(&lines[command.shown]));
        }
    }
    examples
}

/// Splits the output of a command into diagnostics. Each begins with its severity and ends before
/// an empty line or the next diagnostic.
fn diagnostics(lines: &[&str]) -> Vec<String> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    let mut is_inside = false;
    for line in lines {
        if line.starts_with("error[") || line.starts_with("warning[") {
            found.push(vec![line]);
            is_inside = true;
        } else if line.is_empty() || *line == "..." {
            is_inside = false;
        } else if let Some(diagnostic) = found.last_mut().filter(|_| is_inside) {
            diagnostic.push(line);
        }
    }
    found.iter().map(|lines| lines.join("\n")).collect()
}

/// Returns the most instructive short example of a code: one with a place and with help, if it
/// exists.
fn example(code: Code, examples: &[String]) -> Option<&String> {
    let mark = format!("[{}]: ", code.name());
    let is_example = |text: &&String| {
        text.lines()
            .next()
            .is_some_and(|first| first.contains(&mark))
            && !text.contains("[..]")
    };
    examples.iter().filter(is_example).min_by_key(|text| {
        let lacks_help = !text.contains("= help: ");
        let lacks_place = !text.contains("--> ");
        (lacks_place, lacks_help, text.lines().count(), text.len())
    })
}

/// Returns the advice to a user for a diagnostic, in Markdown.
fn fix(code: Code) -> &'static str {
    match code {
        Code::YamlSyntax => {
            "Correct the text at the place shown. Frequent causes are a tab in the indentation, a missing space after `:`, \
             and a value with `: ` or ` #` in it that needs quotes."
        }
        Code::JsonSyntax => {
            "Correct the text at the place shown. Comments and trailing commas are accepted; single quotes and keys without \
             quotes are not. If the text is YAML, set `format: yaml`."
        }
        Code::TomlSyntax => "Correct the text at the place shown; TOML 1.1 is accepted.",
        Code::Limit => {
            "If the input is meant to be that large, raise the limit as the message says. Otherwise look for a loop that \
             does not end, or for aliases of aliases. [Limits](limits.md) describes each limit."
        }
        Code::Tag => "Remove the tag, or change the text so that it has the type of the tag.",
        Code::MergeKey => {
            "Give `<<` a mapping or a list of mappings, usually an alias such as `*defaults`. If `<<` is meant as an \
             ordinary key, put it in quotes."
        }
        Code::DuplicateKey => "Remove one of the two entries.",
        Code::PathSyntax => {
            "Correct the path; [Field paths](field-paths.md) has the syntax. On a command line, put the path in quotes."
        }
        Code::PathNotFound => {
            "Correct the path: the message names the deepest part that exists. To add what is missing, set \
             `create: true` (`--create`); to allow that it is missing, set `ignoreMissing: true`."
        }
        Code::NotADocument => {
            "End the path at the string, or name the format of its text with `format`. A string whose text is in no known \
             format can only be replaced as a whole."
        }
        Code::ValueDoesNotFit => {
            "Give a value of the expected kind, or change how it is converted with the options `type`, `format` or \
             `encoding` of the target."
        }
        Code::Patch => {
            "Correct the operation or the directive; [Patches](structured-edits.md#patches) describes them."
        }
        Code::Config => {
            "Correct the field of the configuration; [The configuration](configuration.md) lists all fields."
        }
        Code::UnknownKind => {
            "Use `apiVersion: inlay.dev/v1alpha1` and `kind: Inlay`, or one of the \
             [other kinds](configuration.md#other-kinds)."
        }
        Code::Selector => {
            "Correct the selector: the message says which part matches nothing and what exists instead. To allow that \
             nothing is selected, set `ignoreMissing: true` (`allowMissing: true` for a patch)."
        }
        Code::Option => {
            "Remove the option, or use it on a value that it applies to; see [Options](field-paths.md#options)."
        }
        Code::ScriptSyntax => {
            "Correct the code at the place shown. Every block ends with `end`, and a comment that is not code starts with \
             `#!`."
        }
        Code::UndefinedName => "Correct the name, define it, or `load` it.",
        Code::Script => "Correct the code; the notes show the functions that were being called.",
        Code::Annotation => {
            "Write the annotation or the argument that the message suggests, or remove it. `--strict-annotations` turns these warnings into errors."
        }
        Code::Overlay => {
            "Correct the annotation, or tell the overlay how many matches to expect with `expects` or `missing_ok`; \
             [Overlays](overlays.md) describes both."
        }
        Code::Schema => "Correct the schema document; [Schemas](schema.md) lists the annotations.",
        Code::DataValue => {
            "Correct the name or the type of the value, or declare the value in the schema."
        }
        Code::Validation => "Give a value that satisfies the rule shown.",
        Code::Load => {
            "Correct the path or the name in `load`. A path is relative to the file; `/` at its start is the root of the \
             library, and `@ytt:` is a built-in module."
        }
        Code::Library => {
            "Correct the path, the call or the reference; [Private libraries](data-values.md#private-libraries) describes \
             them."
        }
        Code::DataValues => {
            "Give plain YAML with `--data-values-file`, and files with `#@data/values` with `--file`; \
             [Data values](data-values.md) explains the difference."
        }
        Code::ResourceList => {
            "Call Inlay as a function through kpt or kustomize, or pass a ResourceList on standard input. To edit plain \
             files, use `inlay run`."
        }
        Code::Resource => {
            "Give the object `apiVersion`, `kind` and `metadata.name`, or choose another `behavior` for the generator."
        }
        Code::File => "Correct the path, or make the file accessible.",
        Code::Flag => "Correct the flag; `inlay help COMMAND` lists all flags.",
        Code::Strict => "Put the scalar in quotes, or write it in its full form: `true` for `yes`.",
        Code::Output => "Choose another output, or make room for it.",
        Code::Difference => {
            "Run the same command without `--check`, and commit what it writes; [Comparing](comparing.md) shows how to see \
             the differences first."
        }
        Code::Internal => {
            "Please report it, with the input that causes it. It is never your mistake."
        }
    }
}

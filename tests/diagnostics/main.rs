//! The printed forms of diagnostics. Each case is a folder of `testdata/diagnostics` with one file
//! for each form; `UPDATE=1 cargo test` records them anew.

#![allow(clippy::unwrap_used)]

mod cases;
mod properties;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

use inlay::source::{Code, Diagnostic, DiagnosticFormat, Location, Renderer, Span};

use cases::{end_of, file};

/// Returns the forms of one case, each with the name of its file.
fn forms(diagnostics: &[Diagnostic]) -> [(&'static str, String); 5] {
    let render = |format| Renderer::new(format).render(diagnostics);
    [
        ("human.txt", render(DiagnosticFormat::Human)),
        ("short.txt", render(DiagnosticFormat::Short)),
        ("json.jsonl", render(DiagnosticFormat::Json)),
        ("github.txt", render(DiagnosticFormat::Github)),
        ("sarif.json", render(DiagnosticFormat::Sarif)),
    ]
}

/// Returns the text without its `ESC [ … m` sequences.
fn without_styles(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/diagnostics")
}

#[test]
fn every_case_is_printed_as_recorded() {
    for (name, diagnostics) in cases::all() {
        for (form, printed) in forms(&diagnostics) {
            let path = folder().join(name).join(form);
            if env::var_os("UPDATE").is_some() {
                fs::create_dir_all(folder().join(name)).unwrap();
                fs::write(&path, &printed).unwrap();
            }
            let recorded = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                printed == recorded,
                "{}: recorded\n{recorded}\nprinted\n{printed}",
                path.display()
            );
        }
    }
}

#[test]
fn every_recorded_case_is_run() {
    let recorded = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let run = cases::all().into_iter().map(|(name, _)| name.to_owned());
    assert_eq!(
        recorded.collect::<BTreeSet<_>>(),
        run.collect::<BTreeSet<_>>()
    );
}

#[test]
fn no_diagnostics_give_no_text() {
    // SARIF is left out: a log without results closes the alerts of earlier runs.
    let formats = DiagnosticFormat::ALL.into_iter();
    for format in formats.filter(|format| *format != DiagnosticFormat::Sarif) {
        assert_eq!(Renderer::new(format).render(&[]), "");
    }
}

#[test]
fn color_adds_escapes_and_nothing_else() {
    for (name, diagnostics) in cases::all() {
        let plain = Renderer::new(DiagnosticFormat::Human);
        let styled = Renderer {
            color: true,
            ..plain
        }
        .render(&diagnostics);
        assert!(styled.contains("\x1b[1m"), "{name} has no escape");
        assert_eq!(
            without_styles(&styled),
            plain.render(&diagnostics),
            "{name}"
        );
    }
}

#[test]
fn a_label_in_a_line_of_20_megabytes_prints_little() {
    let item = "{\"key\":\"漢字\"},";
    let text = item.repeat(20_000_000 / item.len() + 1);
    let source = file("big.json", &text);
    let middle = text.len() / 2 / item.len() * item.len();
    let error = Diagnostic::error(Code::JsonSyntax, "expected a string")
        .at(
            Location::new(&source, Span::new(middle, middle + item.len())),
            "here",
        )
        .at(
            Location::new(&source, Span::new(1, text.len())),
            "in all this",
        )
        .at(end_of(&source), "before this");
    for (form, printed) in forms(&[*error]) {
        assert!(
            printed.len() < 4000,
            "{form} has {} bytes:\n{printed}",
            printed.len()
        );
    }
}

#[test]
fn a_narrow_renderer_still_shows_the_place() {
    let source = file("minified.json", &"[1,2,3],".repeat(100));
    let error = Diagnostic::error(Code::Config, "expected a map")
        .at(Location::new(&source, Span::new(80, 87)), "");
    let narrow = Renderer {
        width: 0,
        ..Renderer::new(DiagnosticFormat::Human)
    };
    assert!(
        narrow
            .render(&[*error])
            .contains("1 | …],[1,2,3],[1,2,3],[1,2,3],[…\n  |            ^^^^^^^\n")
    );
}

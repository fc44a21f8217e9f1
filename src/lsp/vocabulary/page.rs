//! The page of the documentation that is made of the tables.

use std::fmt::Write as _;

use super::{ANNOTATIONS, MODULES};

const INTRODUCTION: &str = "\
# Annotations and modules

All annotations with their arguments, and all modules with their functions, as completion and hover show them in
[editors](editors.md). The guides describe how they are used: [data values](data-values.md), [schemas](schema.md),
[overlays](overlays.md). Differences from ytt are in [a list](differences-ytt.md).

This page is made of the tables of the language server; `UPDATE=1 cargo test --test editors` writes it again.
";

/// Returns the text of `docs/language.md`: every annotation, argument, module and function.
pub fn language_page() -> String {
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n## Annotations\n\n| annotation | argument | |\n| --- | --- | --- |\n");
    for annotation in &ANNOTATIONS {
        let summary = cell(annotation.summary);
        let _ = writeln!(page, "| `@{}` | | {summary} |", annotation.name);
        for argument in annotation.arguments {
            let summary = cell(argument.summary);
            let _ = writeln!(page, "| | `{}` | {summary} |", argument.name);
        }
    }
    page.push_str("\n## Modules\n");
    for module in &MODULES {
        let _ = write!(page, "\n### @ytt:{}\n\n{}\n", module.name, module.summary);
        page.push_str("\n| | |\n| --- | --- |\n");
        for member in module.members {
            let code = format!("{}.{}{}", module.name, member.name, member.signature);
            let _ = writeln!(page, "| `{}` | {} |", cell(&code), cell(member.summary));
        }
    }
    page
}

/// Returns a cell of a table, in which a bar would begin the next one.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

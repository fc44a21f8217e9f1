//! The flags that give data values, and the order in which they count.

use std::sync::Arc;

use super::ValuesDocument;
use super::argument::{Argument, Divider};
use super::file;
use super::reference::LibraryReference;
use crate::source::world::{World, source_of};
use crate::source::{Code, Diagnostic, Diagnostics, Result, Source, Span};
use crate::workspace::InputReader;

/// What the flags were given, each in the order of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueFlags {
    /// `--data-values-file [LIBRARY:]PATH`
    pub files: Vec<String>,
    /// `--data-values-env [LIBRARY:]PREFIX`
    pub variables: Vec<String>,
    /// `--data-values-env-yaml [LIBRARY:]PREFIX`
    pub yaml_variables: Vec<String>,
    /// `--data-value [LIBRARY:]KEY=VALUE`
    pub values: Vec<String>,
    /// `--data-value-yaml [LIBRARY:]KEY=YAML`
    pub yaml_values: Vec<String>,
    /// `--data-value-file [LIBRARY:]KEY=PATH`
    pub value_files: Vec<String>,
}

impl ValueFlags {
    /// Reads what the flags name. The documents stand in the order in which they count, whatever the order of different
    /// flags on the command line: files, variables, values, and last the contents of files. `strict` is for all YAML.
    ///
    /// What is wrong with a flag goes to `diagnostics`, and the flag is left out.
    pub fn read(
        &self,
        reader: &InputReader<'_>,
        world: &dyn World,
        strict: bool,
        diagnostics: &mut Diagnostics,
    ) -> Vec<ValuesDocument> {
        let mut documents = Vec::new();
        for argument in &self.files {
            file::read(argument, reader, world, strict, &mut documents, diagnostics);
        }
        let variables = world.variables();
        for (prefixes, is_yaml) in [(&self.variables, false), (&self.yaml_variables, true)] {
            for prefix in prefixes {
                let values = from_variables(prefix, &variables, is_yaml, strict);
                documents.extend(
                    values
                        .into_iter()
                        .filter_map(|value| diagnostics.take(value)),
                );
            }
        }
        documents.extend(
            self.values
                .iter()
                .filter_map(|argument| diagnostics.take(value(argument))),
        );
        documents.extend(
            self.yaml_values
                .iter()
                .filter_map(|argument| diagnostics.take(yaml_value(argument, strict))),
        );
        let contents = self
            .value_files
            .iter()
            .map(|argument| value_file(argument, reader, world));
        documents.extend(contents.filter_map(|content| diagnostics.take(content)));
        documents
    }
}

/// `KEY=VALUE` as it was typed.
struct Assignment {
    source: Arc<Source>,
    argument: Argument,
    value: Span,
}

impl Assignment {
    /// Reads `[LIBRARY:]KEY=VALUE`; `name` is what messages call the text. `None` where no `=` stands in it.
    fn read(argument: &str, name: impl Into<Box<str>>) -> Result<Option<Assignment>> {
        let Some(equals) = argument.find('=') else {
            return Ok(None);
        };
        let source = source(name, argument)?;
        let (target, key) = LibraryReference::divide(&argument[..equals])?;
        // `key+=value` asks to add the key if it is not there, which is done anyway.
        let end = equals - usize::from(key.ends_with('+') && key.len() > 1);
        let keys = Argument::new(
            &source,
            Span::new(equals - key.len(), end),
            Divider::Dot,
            target,
        )?;
        Ok(Some(Assignment {
            value: Span::new(equals + 1, argument.len()),
            argument: keys,
            source,
        }))
    }
}

fn value(argument: &str) -> Result<ValuesDocument> {
    match Assignment::read(argument, "(data-value arg)")? {
        Some(assignment) => Ok(assignment.argument.text(assignment.value)),
        None => Err(no_value("--data-value", "KEY=VALUE", argument)),
    }
}

fn yaml_value(argument: &str, strict: bool) -> Result<ValuesDocument> {
    match Assignment::read(argument, "(data-value-yaml arg)")? {
        Some(assignment) => assignment.argument.yaml(assignment.value, strict),
        None => Err(no_value("--data-value-yaml", "KEY=VALUE", argument)),
    }
}

fn value_file(
    argument: &str,
    reader: &InputReader<'_>,
    world: &dyn World,
) -> Result<ValuesDocument> {
    let name = format!("(data-value-file arg) {argument}");
    let Some(assignment) = Assignment::read(argument, name)? else {
        return Err(no_value("--data-value-file", "KEY=PATH", argument)
            .note("the content of the file becomes one value, a string")
            .help(format!(
                "to give a file of data values: `--data-values-file {argument}`"
            )));
    };
    let path = assignment.source.slice(assignment.value);
    reader.refuse_url(path, || {
        format!("--data-value-file {}", argument.replace(path, "-"))
    })?;
    let content = source_of(path.to_owned(), reader.file(path)?.read(world)?)?;
    Ok(assignment.argument.content(content.text()))
}

/// The values of the variables whose names start with the prefix and an underscore, in the order of their names.
fn from_variables(
    argument: &str,
    variables: &[(String, Option<String>)],
    is_yaml: bool,
    strict: bool,
) -> Vec<Result<ValuesDocument>> {
    let (target, prefix) = match LibraryReference::divide(argument) {
        Ok((_, "")) => {
            let message = format!("expected a prefix of names of variables, found `{argument}`");
            return vec![Err(Diagnostic::error(Code::Flag, message).help(
                "with the prefix `APP`, the variable `APP_db__port` gives the value `db.port`",
            ))];
        }
        Ok(divided) => divided,
        Err(error) => return vec![Err(error)],
    };
    let flag = if is_yaml {
        "data-values-env-yaml"
    } else {
        "data-values-env"
    };
    let named = variables.iter().filter_map(|(name, value)| {
        name.strip_prefix(prefix)?.strip_prefix('_')?;
        Some((name, value.as_deref()))
    });
    let document = |(name, value): (&String, Option<&str>)| {
        let Some(value) = value else {
            let message =
                format!("expected UTF-8 text in the variable `{name}`, found other bytes");
            return Err(Diagnostic::error(Code::Flag, message));
        };
        let source = source(format!("({flag} arg) {prefix}"), &format!("{name}={value}"))?;
        let keys = Span::new(prefix.len() + 1, name.len());
        let argument = Argument::new(&source, keys, Divider::Underscores, target.clone())?;
        let value = Span::new(name.len() + 1, source.text().len());
        if is_yaml {
            argument.yaml(value, strict)
        } else {
            Ok(argument.text(value))
        }
    };
    named.map(document).collect()
}

fn source(name: impl Into<Box<str>>, text: &str) -> Result<Arc<Source>> {
    Source::new(name, text).map_err(|length| {
        Diagnostic::error(
            Code::Limit,
            format!("a data value has {length} bytes, and 4 GiB is the limit"),
        )
    })
}

fn no_value(flag: &str, form: &str, argument: &str) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Flag,
        format!("expected `{flag} {form}`, found no `=` in `{argument}`"),
    )
}

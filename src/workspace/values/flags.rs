//! The flags that set data values, and the order in which they are applied.

use std::cell::LazyCell;
use std::sync::Arc;

use super::argument::{ArgumentKeys, KeySeparator};
use super::document::ValuesDocument;
use super::file;
use super::reference::{AddressedArgument, LibraryReference};
use crate::source::world::{World, source_of};
use crate::source::{
    Code, Diagnostic, Diagnostics, Location, Reported, Result, Source, Span, collect_all,
};
use crate::workspace::file::InputFile;
use crate::workspace::input::InputReader;

/// The arguments of the flags, each in the order of the command line. The fields have the names of
/// the flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataValuesFlags {
    /// `--data-values-file [LIBRARY:]PATH`
    pub data_values_files: Vec<String>,
    /// `--data-values-env [LIBRARY:]PREFIX`
    pub data_values_env: Vec<String>,
    /// `--data-values-env-yaml [LIBRARY:]PREFIX`
    pub data_values_env_yaml: Vec<String>,
    /// `--data-value [LIBRARY:]KEY=VALUE`
    pub data_values: Vec<String>,
    /// `--data-value-yaml [LIBRARY:]KEY=YAML`
    pub data_values_yaml: Vec<String>,
    /// `--data-value-file [LIBRARY:]KEY=PATH`
    pub data_value_files: Vec<String>,
}

impl DataValuesFlags {
    /// Reads the values of the flags, in the order in which they are applied. `files` are Data
    /// Values Files from other sources, which come first.
    ///
    /// The order does not depend on the order of different flags on the command line: files,
    /// variables, values, contents of files (docs/data-values.md, "Which value counts"). With
    /// `strict`, all YAML must be in the strict subset.
    ///
    /// # Errors
    /// Reports the mistakes of all flags.
    pub fn read(
        &self,
        files: &[InputFile],
        reader: &InputReader<'_>,
        world: &dyn World,
        strict: bool,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<ValuesDocument>, Reported> {
        // A flag that fails is reported, and the others are still read.
        let mut read = Vec::new();
        for file in files {
            let own = file::read_file(file, world, strict, diagnostics);
            read.push(diagnostics.check(own));
        }
        for argument in &self.data_values_files {
            read.push(file::read(argument, reader, world, strict, diagnostics));
        }

        // Read at most once, so that all flags see the same environment.
        let variables = LazyCell::new(|| world.variables());
        for argument in &self.data_values_env {
            let form = VariableForm::Text;
            read.push(from_variables(argument, &variables, form, diagnostics));
        }
        for argument in &self.data_values_env_yaml {
            let form = VariableForm::Yaml { strict };
            read.push(from_variables(argument, &variables, form, diagnostics));
        }

        let mut read_one = |document: Result<_>, diagnostics: &mut Diagnostics| {
            read.push(diagnostics.check(document.map(|document| vec![document])));
        };
        for argument in &self.data_values {
            read_one(text_value(argument), diagnostics);
        }
        for argument in &self.data_values_yaml {
            let document = yaml_value(argument, strict, diagnostics);
            read_one(document, diagnostics);
        }
        for argument in &self.data_value_files {
            read_one(file_value(argument, reader, world), diagnostics);
        }
        let documents = collect_all(read)?;
        Ok(documents.into_iter().flatten().collect())
    }
}

/// `KEY=VALUE` as the user typed it.
struct KeyAndValue {
    source: Arc<Source>,
    keys: ArgumentKeys,
    value: Span,
}

impl KeyAndValue {
    /// Reads `[LIBRARY:]KEY=VALUE`. Returns `None` if there is no `=`. `name` is the name of the
    /// text in messages.
    fn read(argument: &str, name: impl Into<Box<str>>) -> Result<Option<KeyAndValue>> {
        // Use the first `=`, because values may contain more.
        let Some(equals) = argument.find('=') else {
            return Ok(None);
        };
        let source = source(name, argument)?;
        let addressed = LibraryReference::split_from(&argument[..equals])?;
        let key = addressed.rest;
        if let Some((before, after)) = key.split_once(':') {
            return Err(misplaced_colon(
                argument,
                &argument[..equals],
                before,
                after,
            ));
        }
        // In ytt, `key+=value` adds a key that the library does not declare. In Inlay, flags always
        // may do that.
        let end = equals - usize::from(key.ends_with('+') && key.len() > 1);
        let span = Span::new(equals - key.len(), end);
        let keys = ArgumentKeys::new(&source, span, KeySeparator::Dot, addressed.target)?;
        Ok(Some(KeyAndValue {
            value: Span::new(equals + 1, argument.len()),
            keys,
            source,
        }))
    }
}

/// Returns the error for a colon that is not at the end of a library reference.
fn misplaced_colon(argument: &str, keys: &str, before: &str, after: &str) -> Box<Diagnostic> {
    if keys.starts_with('@') {
        let message = format!("expected one `:`, after the library, found two in `{keys}`");
        return Diagnostic::error(Code::Library, message)
            .note(format!("in the argument `{argument}`"))
            .help("name a library in a library as `@outer@inner:key=value`");
    }
    let found = match before {
        "" => "nothing".to_owned(),
        _ => format!("`{before}`"),
    };
    let message = format!("expected a reference to a library before `:`, found {found}");
    Diagnostic::error(Code::Library, message)
        .note(format!("in the argument `{argument}`"))
        .help(format!(
            "for the value `{after}` of a library, write `@LIBRARY:{after}=…`"
        ))
}

fn text_value(argument: &str) -> Result<ValuesDocument> {
    match KeyAndValue::read(argument, "(data-value arg)")? {
        Some(given) => Ok(given.keys.with_text(given.value)),
        None => Err(no_value("--data-value", "KEY=VALUE", argument)),
    }
}

fn yaml_value(
    argument: &str,
    strict: bool,
    diagnostics: &mut Diagnostics,
) -> Result<ValuesDocument> {
    match KeyAndValue::read(argument, "(data-value-yaml arg)")? {
        Some(given) => given.keys.with_yaml(given.value, strict, diagnostics),
        None => Err(no_value("--data-value-yaml", "KEY=VALUE", argument)),
    }
}

fn file_value(
    argument: &str,
    reader: &InputReader<'_>,
    world: &dyn World,
) -> Result<ValuesDocument> {
    let name = format!("(data-value-file arg) {argument}");
    let Some(given) = KeyAndValue::read(argument, name)? else {
        return Err(no_value("--data-value-file", "KEY=PATH", argument)
            .note("the content of the file becomes one value, a string")
            .help(format!(
                "to give a file of data values: `--data-values-file {argument}`"
            )));
    };
    let path = given.source.slice(given.value);
    reader.refuse_url(path, || {
        format!("--data-value-file {}", argument.replace(path, "-"))
    })?;
    let content = source_of(path.to_owned(), reader.file(path)?.read(world)?)?;
    Ok(given.keys.with_content(content.text()))
}

/// The form of variable values.
#[derive(Clone, Copy)]
enum VariableForm {
    Text,
    Yaml { strict: bool },
}

/// Returns the values of the variables whose names start with the prefix and an underscore, sorted
/// by name.
///
/// # Errors
/// Reports an invalid prefix, and every variable without a value.
fn from_variables(
    argument: &str,
    variables: &[(String, Option<String>)],
    form: VariableForm,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<ValuesDocument>, Reported> {
    let prefix = diagnostics.check(variable_prefix(argument))?;
    // The prefix `APP` matches `APP_…` but not `APPLE_…`.
    let is_wanted = |name: &str| {
        let rest = name.strip_prefix(prefix.rest);
        rest.is_some_and(|rest| rest.starts_with('_'))
    };
    let wanted = variables.iter().filter(|(name, _)| is_wanted(name));
    collect_all(wanted.map(|(name, value)| {
        let document = from_variable(&prefix, name, value.as_deref(), form, diagnostics);
        diagnostics.check(document)
    }))
}

fn variable_prefix(argument: &str) -> Result<AddressedArgument<'_>> {
    let prefix = LibraryReference::split_from(argument)?;
    if prefix.rest.is_empty() {
        let message = format!("expected a prefix of names of variables, found `{argument}`");
        return Err(Diagnostic::error(Code::Flag, message)
            .help("with the prefix `APP`, the variable `APP_db__port` gives the value `db.port`"));
    }
    Ok(prefix)
}

/// Returns the value of a variable: `PREFIX_db__port=5432` sets `db.port`.
fn from_variable(
    prefix: &AddressedArgument<'_>,
    name: &str,
    value: Option<&str>,
    form: VariableForm,
    diagnostics: &mut Diagnostics,
) -> Result<ValuesDocument> {
    let Some(value) = value else {
        let message = format!("expected UTF-8 text in the variable `{name}`, found other bytes");
        return Err(Diagnostic::error(Code::Flag, message));
    };
    let flag = match form {
        VariableForm::Text => "data-values-env",
        VariableForm::Yaml { .. } => "data-values-env-yaml",
    };
    let source = source(
        format!("({flag} arg) {}", prefix.rest),
        &format!("{name}={value}"),
    )?;
    let value = Span::new(name.len() + 1, source.text().len());
    // Environment variables can contain passwords, and messages may be kept in a log. Hide the value
    // before the keys are read, because a mistake in them is shown with the whole variable.
    diagnostics.keep_secret(Location::new(&source, value));
    // The keys follow the prefix and its underscore.
    let keys = Span::new(prefix.rest.len() + 1, name.len());
    let keys = ArgumentKeys::new(
        &source,
        keys,
        KeySeparator::Underscores,
        prefix.target.clone(),
    )?;
    match form {
        VariableForm::Text => Ok(keys.with_text(value)),
        VariableForm::Yaml { strict } => keys.with_yaml(value, strict, diagnostics),
    }
}

fn source(name: impl Into<Box<str>>, text: &str) -> Result<Arc<Source>> {
    Source::new(name, text).map_err(|length| {
        let message = format!("a data value has {length} bytes, and 4 GiB is the limit");
        Diagnostic::error(Code::Limit, message)
    })
}

fn no_value(flag: &str, form: &str, argument: &str) -> Box<Diagnostic> {
    let message = format!("expected `{flag} {form}`, found no `=` in `{argument}`");
    Diagnostic::error(Code::Flag, message)
}

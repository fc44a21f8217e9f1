//! The messages of the program, found in its source.
//!
//! A message is a string that is passed to `Diagnostic::error` or `Diagnostic::warning`. Three
//! steps find most of them:
//!
//! 1. a literal or a `format!` in the call itself, or in a field `message: …`;
//! 2. a variable in the call: the literals of its `let` in the same function;
//! 3. a parameter in the call: that function reports messages too, and its callers are searched in
//!    the same way.
//!
//! Messages with `Code::Internal` are left out.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenTree};

use crate::common::rust_source::{
    SourceFile, group, ident, is_ident, is_path_separator, is_punct, split_at_commas, string_value,
};

/// A function that reports one of its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Reporter {
    /// The folder in which its callers are searched, such as `src/script/`.
    scope: String,
    /// The `Type` of `Type::name`, if it is an associated function without `self`.
    qualifier: Option<String>,
    name: String,
    /// The index of the reported argument, not counting `self`.
    argument: usize,
}

/// A function of the program.
struct Function {
    scope: String,
    qualifier: Option<String>,
    name: String,
    /// The names of its parameters, without `self`.
    parameters: Vec<String>,
    body: Vec<TokenTree>,
}

/// Returns the patterns of all messages as the source contains them: `{…}` matches any text.
pub(crate) fn messages(files: &[SourceFile]) -> BTreeSet<String> {
    let mut functions = Vec::new();
    let mut found = BTreeSet::new();
    for file in files {
        let tokens = file.program();
        let scope = file.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        find_functions(&tokens, &format!("{scope}/"), None, &mut functions);
        find_message_fields(&tokens, &mut found);
    }
    let mut reporters: BTreeSet<Reporter> = ["error", "warning"]
        .into_iter()
        .map(|name| Reporter {
            scope: "src/".to_owned(),
            qualifier: Some("Diagnostic".to_owned()),
            name: name.to_owned(),
            argument: 1,
        })
        .collect();
    // A caller of a reporter may become a reporter as well, so repeat until no new one is found.
    loop {
        let before = reporters.len();
        for function in &functions {
            let known = reporters.clone();
            search(&function.body, function, &known, &mut reporters, &mut found);
        }
        if reporters.len() == before {
            return found;
        }
    }
}

fn find_functions(
    tokens: &[TokenTree],
    scope: &str,
    qualifier: Option<&str>,
    functions: &mut Vec<Function>,
) {
    for (at, token) in tokens.iter().enumerate() {
        if is_ident(token, "fn") {
            functions.extend(function_at(tokens, at, scope, qualifier));
        }
        if is_ident(token, "impl") {
            let end =
                (at..tokens.len()).find(|end| group(&tokens[*end], Delimiter::Brace).is_some());
            if let Some(end) = end {
                let name = implemented_type(&tokens[at + 1..end]);
                let inner = group(&tokens[end], Delimiter::Brace).unwrap_or_default();
                find_functions(&inner, scope, name.as_deref(), functions);
            }
        } else if let Some(inner) = group(token, Delimiter::Brace)
            && qualifier.is_none()
        {
            find_functions(&inner, scope, None, functions);
        }
    }
}

/// Returns `Type` of `impl<'a> Trait for Type<'a>`.
fn implemented_type(head: &[TokenTree]) -> Option<String> {
    let after_for = head.iter().position(|token| is_ident(token, "for"));
    let head = after_for.map_or(head, |at| &head[at + 1..]);
    let mut nesting = 0;
    for token in head {
        if is_punct(token, '<') {
            nesting += 1;
        } else if is_punct(token, '>') {
            nesting -= 1;
        } else if let Some(name) =
            ident(token).filter(|name| nesting == 0 && name.starts_with(char::is_uppercase))
        {
            return Some(name);
        }
    }
    None
}

fn function_at(
    tokens: &[TokenTree],
    at: usize,
    scope: &str,
    qualifier: Option<&str>,
) -> Option<Function> {
    let name = ident(tokens.get(at + 1)?)?;
    let list = (at + 2..tokens.len())
        .find_map(|at| Some((at, group(&tokens[at], Delimiter::Parenthesis)?)));
    let (list_end, list) = list?;
    let body = (list_end + 1..tokens.len())
        .take_while(|at| !is_punct(&tokens[*at], ';'))
        .find_map(|at| group(&tokens[at], Delimiter::Brace))?;
    let mut has_self = false;
    let mut parameters = Vec::new();
    for parameter in split_at_commas(&list) {
        let colon = parameter.iter().position(|token| is_punct(token, ':'));
        has_self |= colon.is_none() && parameter.iter().any(|token| is_ident(token, "self"));
        if let Some(name) = colon.and_then(|colon| ident(parameter.get(colon.checked_sub(1)?)?)) {
            parameters.push(name);
        }
    }
    Some(Function {
        scope: scope.to_owned(),
        qualifier: qualifier.filter(|_| !has_self).map(str::to_owned),
        name,
        parameters,
        body,
    })
}

/// Searches `tokens`, which are part of `function`, for calls of reporters.
fn search(
    tokens: &[TokenTree],
    function: &Function,
    known: &BTreeSet<Reporter>,
    reporters: &mut BTreeSet<Reporter>,
    found: &mut BTreeSet<String>,
) {
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(inner) = token else {
            continue;
        };
        let inner: Vec<TokenTree> = inner.stream().into_iter().collect();
        if let Some(argument) = reported_argument(tokens, at, &inner, function, known) {
            let literals = literals(&argument);
            if literals.is_empty() {
                follow_variables(&argument, function, reporters, found);
            }
            found.extend(literals);
        }
        search(&inner, function, known, reporters, found);
    }
}

/// Returns the argument that the call at `at` reports, if it calls a reporter.
fn reported_argument(
    tokens: &[TokenTree],
    at: usize,
    arguments: &[TokenTree],
    function: &Function,
    known: &BTreeSet<Reporter>,
) -> Option<Vec<TokenTree>> {
    let name = ident(tokens.get(at.checked_sub(1)?)?)?;
    let qualifier = at
        .checked_sub(4)
        .filter(|from| is_path_separator(tokens, from + 1))
        .and_then(|from| ident(&tokens[from]));
    let qualifier = match qualifier.as_deref() {
        Some("Self") => function.qualifier.clone(),
        _ => qualifier.filter(|name| name.starts_with(char::is_uppercase)),
    };
    let reporter = known.iter().find(|reporter| {
        reporter.name == name
            && reporter.qualifier == qualifier
            && function.scope.starts_with(&reporter.scope)
    })?;
    let arguments = split_at_commas(arguments);
    // A message for a bug in Inlay cannot be shown without the bug.
    if arguments[0].iter().any(|token| is_ident(token, "Internal")) {
        return None;
    }
    arguments
        .get(reporter.argument)
        .map(|argument| argument.to_vec())
}

/// Follows the variables of an argument to their `let`, or to the callers of the function whose
/// parameters they are.
fn follow_variables(
    argument: &[TokenTree],
    function: &Function,
    reporters: &mut BTreeSet<Reporter>,
    found: &mut BTreeSet<String>,
) {
    for name in identifiers(argument) {
        let of_let = let_values(&function.body, &name);
        if !of_let.is_empty() {
            found.extend(of_let.iter().flat_map(|value| literals(value)));
        } else if let Some(argument) = function.parameters.iter().position(|own| *own == name) {
            reporters.insert(Reporter {
                scope: function.scope.clone(),
                qualifier: function.qualifier.clone(),
                name: function.name.clone(),
                argument,
            });
        }
    }
}

/// Returns the values of every `let name = …;`.
fn let_values(tokens: &[TokenTree], name: &str) -> Vec<Vec<TokenTree>> {
    let mut values = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(inner) = token {
            let inner: Vec<TokenTree> = inner.stream().into_iter().collect();
            values.extend(let_values(&inner, name));
        }
        if is_ident(token, "let")
            && tokens
                .get(at + 1)
                .is_some_and(|token| is_ident(token, name))
        {
            let value = tokens[at + 2..]
                .iter()
                .take_while(|token| !is_punct(token, ';'));
            values.push(value.cloned().collect());
        }
    }
    values
}

/// Adds the messages in `message: …`, which fill the fields of errors that become diagnostics
/// later.
fn find_message_fields(tokens: &[TokenTree], found: &mut BTreeSet<String>) {
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(inner) = token {
            let inner: Vec<TokenTree> = inner.stream().into_iter().collect();
            find_message_fields(&inner, found);
        }
        let is_field = is_ident(token, "message")
            && tokens.get(at + 1).is_some_and(|token| is_punct(token, ':'))
            && !is_path_separator(tokens, at + 1);
        if is_field {
            let value: Vec<TokenTree> = tokens[at + 2..]
                .iter()
                .take_while(|token| !is_punct(token, ','))
                .cloned()
                .collect();
            found.extend(literals(&value));
        }
    }
}

fn identifiers(tokens: &[TokenTree]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for token in tokens {
        if let TokenTree::Group(inner) = token {
            let inner: Vec<TokenTree> = inner.stream().into_iter().collect();
            names.extend(identifiers(&inner));
        }
        names.extend(ident(token));
    }
    names
}

/// Returns the messages among the literals of an expression. In a `format!`, only the pattern
/// counts: its other literals are parts of the message. A literal of fewer than two words is a
/// separator or a name.
fn literals(tokens: &[TokenTree]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        found.extend(string_value(token).filter(|text| has_two_words(text)));
        let TokenTree::Group(inner) = token else {
            continue;
        };
        let inner: Vec<TokenTree> = inner.stream().into_iter().collect();
        let is_format =
            at >= 2 && is_punct(&tokens[at - 1], '!') && is_ident(&tokens[at - 2], "format");
        let inner = if is_format {
            &inner[..inner.len().min(1)]
        } else {
            &inner[..]
        };
        found.extend(literals(inner));
    }
    found
}

fn has_two_words(text: &str) -> bool {
    let mut words = text.split(|character: char| !character.is_alphabetic());
    words.by_ref().filter(|word| word.len() > 1).take(2).count() == 2 && text.trim().contains(' ')
}

//! The shapes of a call and of a definition, for messages about arguments that do not fit.

use super::lexer::{self, StarlarkToken, StarlarkTokenKind};

/// The arguments of a call that are visible in its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallShape {
    /// The called expression: `f` in `f(1)`.
    pub callee: String,
    /// The number of positional arguments.
    pub positional: usize,
    /// The names of the named arguments.
    pub named: Vec<String>,
    /// Whether `*x` or `**x` passes further arguments that are not visible in the text.
    pub has_star: bool,
}

/// One parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterShape {
    /// Its name.
    pub name: String,
    /// Whether it has a default.
    pub is_optional: bool,
}

/// The parameters of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionShape {
    /// The parameters that can be passed by position or by name.
    pub positional: Vec<ParameterShape>,
    /// The parameters that can only be passed by name.
    pub named: Vec<ParameterShape>,
    /// Whether it has `*args`.
    pub has_rest: bool,
    /// Whether it has `**kwargs`.
    pub has_named_rest: bool,
}

/// Returns the shape of a call, such as `f(1, x=2)`. `None` if the text is not a call.
pub fn call_shape(text: &str) -> Option<CallShape> {
    let tokens = code_tokens(text);
    // The arguments are in the last pair of brackets: `a.b[0](1)`.
    let open = opening_of_last(&tokens)?;
    let mut shape = CallShape {
        callee: text
            .get(..tokens.get(open)?.span.start())
            .unwrap_or_default()
            .trim()
            .to_owned(),
        ..CallShape::default()
    };
    for part in parts(&tokens, open) {
        match part {
            [] => {}
            [star, ..] if star.is(b'*') => shape.has_star = true,
            [name, equals, ..] if is_named(name, equals, part) => {
                shape.named.push(name.text(text).to_owned());
            }
            _ => shape.positional += 1,
        }
    }
    Some(shape)
}

/// Returns the shape of the definition at the start of a text, such as `def f(a, b=1):`.
pub fn function_shape(text: &str) -> Option<FunctionShape> {
    let tokens = code_tokens(text);
    let open = tokens.iter().position(|token| token.is(b'('))?;
    let mut shape = FunctionShape::default();
    let mut is_named_only = false;
    for part in parts(&tokens, open) {
        match part {
            [first, second, ..] if first.is(b'*') && second.is(b'*') => {
                shape.has_named_rest = true;
            }
            [first, rest @ ..] if first.is(b'*') => {
                shape.has_rest |= !rest.is_empty();
                is_named_only = true;
            }
            [name, rest @ ..] => {
                let parameter = ParameterShape {
                    name: name.text(text).to_owned(),
                    is_optional: rest.first().is_some_and(|token| token.is(b'=')),
                };
                match is_named_only {
                    true => shape.named.push(parameter),
                    false => shape.positional.push(parameter),
                }
            }
            [] => {}
        }
    }
    Some(shape)
}

fn code_tokens(text: &str) -> Vec<StarlarkToken> {
    let tokens = lexer::tokens(text).into_iter();
    tokens.filter(StarlarkToken::is_code).collect()
}

/// Returns the index of the bracket that the last token closes.
fn opening_of_last(tokens: &[StarlarkToken]) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().rev() {
        if token.closes() {
            depth += 1;
        } else if token.opens() {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return token.is(b'(').then_some(index);
        }
    }
    None
}

/// Returns the tokens between the commas of a bracket.
fn parts(tokens: &[StarlarkToken], open: usize) -> Vec<&[StarlarkToken]> {
    let mut parts = Vec::new();
    let mut depth = 0usize;
    let mut start = open + 1;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        let is_end = depth == 0;
        if is_end || depth == 1 && token.is(b',') {
            parts.push(tokens.get(start..index).unwrap_or_default());
            start = index + 1;
        }
        if is_end {
            break;
        }
    }
    parts
}

/// Returns whether an argument starts with `name=`. The comparison `name ==` does not count.
fn is_named(name: &StarlarkToken, equals: &StarlarkToken, part: &[StarlarkToken]) -> bool {
    let is_comparison = part.get(2).is_some_and(|next| next.is(b'='));
    name.kind == StarlarkTokenKind::Word && equals.is(b'=') && !is_comparison
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_arguments_of_a_call() {
        let table: &[(&str, &str, usize, &[&str], bool)] = &[
            ("f()", "f", 0, &[], false),
            ("f(1, (2, 3), x=4)", "f", 2, &["x"], false),
            ("a.b[0](1,)", "a.b[0]", 1, &[], false),
            ("f(x == 1, lambda: 2)", "f", 2, &[], false),
            ("f(1, *a, **b)", "f", 1, &[], true),
        ];
        for (text, callee, positional, named, has_star) in table {
            let shape = call_shape(text).unwrap_or_default();
            let expected = CallShape {
                callee: (*callee).to_owned(),
                positional: *positional,
                named: named.iter().map(|name| (*name).to_owned()).collect(),
                has_star: *has_star,
            };
            assert_eq!(shape, expected, "{text}");
        }
        assert_eq!(call_shape("x + 1"), None);
    }

    #[test]
    fn reads_the_parameters_of_a_definition() {
        let shape = function_shape("def f(a, b=(1, 2), *c, d, e=1, **g):").unwrap_or_default();
        let names = |parameters: &[ParameterShape]| -> Vec<(String, bool)> {
            let pairs = parameters.iter();
            pairs
                .map(|one| (one.name.clone(), one.is_optional))
                .collect()
        };
        let pair = |name: &str, is_optional| (name.to_owned(), is_optional);
        assert_eq!(
            names(&shape.positional),
            [pair("a", false), pair("b", true)]
        );
        assert_eq!(names(&shape.named), [pair("d", false), pair("e", true)]);
        assert!(shape.has_rest && shape.has_named_rest);
    }
}

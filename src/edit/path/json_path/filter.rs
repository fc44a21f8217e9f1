//! The filters of a JSONPath (RFC 9535, 2.3.5): `[?@.name == "web" && length(@.ports) > 1]`.

use super::JsonPathParser;
use super::pattern::compile_pattern;
use crate::edit::path::types::{
    Comparison, Expression, FieldPath, MatchScope, Operand, SubQuery, TextPattern,
};
use crate::regexp::Regex;
use crate::source::suggest::did_you_mean;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::Node;

/// The functions of RFC 9535, 2.4.
const FUNCTIONS: [&str; 5] = ["length", "count", "match", "search", "value"];

impl JsonPathParser<'_> {
    /// Parses conditions with `||` between them. `&&` binds more strongly.
    pub(super) fn logical_or(&mut self) -> Result<Expression> {
        self.joined("||", Self::logical_and, Expression::Or)
    }

    fn logical_and(&mut self) -> Result<Expression> {
        self.joined("&&", Self::basic, Expression::And)
    }

    /// Parses one part, or several with the same operator between them.
    fn joined(
        &mut self,
        operator: &str,
        part: fn(&mut Self) -> Result<Expression>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Expression> {
        let mut parts = vec![part(self)?];
        loop {
            let before = self.at;
            self.skip_blanks();
            if !self.eat(operator) {
                self.at = before;
                break;
            }
            self.skip_blanks();
            parts.push(part(self)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => join(parts),
        })
    }

    /// Parses a condition without `||` and `&&`: a comparison, a test, or an expression in
    /// parentheses, each of the last two possibly negated.
    fn basic(&mut self) -> Result<Expression> {
        let negated = self.eat("!");
        self.skip_blanks();
        let expression = if self.eat("(") {
            self.nested(|parser| {
                parser.skip_blanks();
                let inner = parser.logical_or()?;
                parser.skip_blanks();
                parser.expect(")")?;
                Ok(inner)
            })?
        } else {
            self.comparison_or_test(negated)?
        };
        Ok(if negated {
            Expression::Not(Box::new(expression))
        } else {
            expression
        })
    }

    /// Parses a comparison, or a test: a path or a function on its own. Only a test can be negated
    /// without parentheses.
    fn comparison_or_test(&mut self, negated: bool) -> Result<Expression> {
        let start = self.at;
        if let Some(scope) = self.pattern_function() {
            return self.pattern_test(scope);
        }
        let left = self.operand()?;
        let after = self.at;
        self.skip_blanks();
        let operator = Comparison::ALL.into_iter().find(|(word, _)| self.eat(word));
        let Some((_, comparison)) = operator.filter(|_| !negated) else {
            self.at = after;
            return self.existence_test(left, negated);
        };
        self.skip_blanks();
        let right_start = self.at;
        let right = self.operand()?;
        for (operand, at) in [(&left, start), (&right, right_start)] {
            self.check_comparable(operand, at)?;
        }
        Ok(Expression::Compare(left, comparison, right))
    }

    /// Returns the test of an operand that is not compared: whether its path leads to a value.
    ///
    /// # Errors
    /// The operand is not a path.
    fn existence_test(&mut self, operand: Operand, negated: bool) -> Result<Expression> {
        match operand {
            Operand::Query(query) => Ok(Expression::Exists(query)),
            _ if negated => {
                Err(self.expected("a path, `match(…)` or `search(…)` after `!`, or parentheses"))
            }
            _ => {
                self.skip_blanks();
                Err(self.expected("a comparison"))
            }
        }
    }

    /// Refuses a path that may lead to several values, which cannot be compared.
    fn check_comparable(&self, operand: &Operand, at: usize) -> Result<()> {
        match operand {
            Operand::Query(SubQuery {
                singular: false, ..
            }) => {
                let place = JsonPathParser { at, ..*self };
                Err(place.expected("a path that leads to one value at most").help(
                    "compare what `value(…)`, `count(…)` or `length(…)` makes of it, or ask in a filter of its own",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Consumes `match(` or `search(`. Returns how much of the text a pattern must match, or `None`
    /// if neither comes next.
    fn pattern_function(&mut self) -> Option<MatchScope> {
        if self.eat("match(") {
            Some(MatchScope::Whole)
        } else if self.eat("search(") {
            Some(MatchScope::Part)
        } else {
            None
        }
    }

    /// Parses the arguments of `match` and `search`, and the closing parenthesis.
    fn pattern_test(&mut self, scope: MatchScope) -> Result<Expression> {
        self.nested(|parser| {
            let text = parser.argument()?;
            parser.expect(",")?;
            parser.skip_blanks();
            let pattern = parser.argument()?;
            parser.expect(")")?;
            let pattern = match pattern.literal_text() {
                Some(text) => TextPattern::Literal(parser.compiled(text, scope)?),
                // A value that is not text matches nothing (RFC 9535, 2.4.6).
                None => TextPattern::Computed(pattern),
            };
            Ok(Expression::Matches {
                text,
                pattern,
                scope,
            })
        })
    }

    fn compiled(&self, pattern: &str, scope: MatchScope) -> Result<Regex> {
        compile_pattern(pattern, scope).map_err(|error| {
            let message = format!("expected a pattern in `{}`: {error}", self.text);
            Diagnostic::error(Code::PathSyntax, message)
        })
    }

    /// Parses an argument that is a value, with the blanks around it.
    fn argument(&mut self) -> Result<Operand> {
        self.skip_blanks();
        let start = self.at;
        let operand = self.operand()?;
        self.check_comparable(&operand, start)?;
        self.skip_blanks();
        Ok(operand)
    }

    /// Parses one side of a comparison, or an argument.
    fn operand(&mut self) -> Result<Operand> {
        let rest = self.rest();
        match rest.chars().next() {
            Some('@' | '$') => self.query().map(Operand::Query),
            Some('\'' | '"') => self
                .quoted()
                .map(|text| Operand::Literal(Node::string(text))),
            Some('-' | '0'..='9') => match self.number() {
                Some(number) => Ok(Operand::Literal(Node::plain(number))),
                None => Err(self.expected("a number")),
            },
            Some('a'..='z') => self.word(),
            _ => Err(self.expected("a path, a value or a function")),
        }
    }

    /// Parses `true`, `false`, `null` or a function that returns a value.
    fn word(&mut self) -> Result<Operand> {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let word = &rest[..end];
        if matches!(word, "true" | "false" | "null") {
            self.at += end;
            return Ok(Operand::Literal(Node::plain(word)));
        }
        if !rest[end..].starts_with('(') {
            return Err(self.expected("a path, a value or a function"));
        }
        let read: fn(&mut Self) -> Result<Operand> = match word {
            "length" => |parser| Ok(Operand::Length(Box::new(parser.argument()?))),
            "count" => |parser| parser.path_argument().map(Operand::Count),
            "value" => |parser| parser.path_argument().map(Operand::Value),
            _ => {
                return Err(self
                    .expected("a function")
                    .help_if(did_you_mean(word, FUNCTIONS)));
            }
        };
        self.at += end + 1;
        self.nested(|parser| {
            let operand = read(parser)?;
            parser.expect(")")?;
            Ok(operand)
        })
    }

    /// Parses an argument of a function that has to be a path.
    fn path_argument(&mut self) -> Result<SubQuery> {
        self.skip_blanks();
        if !self.rest().starts_with(['@', '$']) {
            return Err(self.expected("a path"));
        }
        let query = self.query()?;
        self.skip_blanks();
        Ok(query)
    }

    /// Parses a path in a filter.
    fn query(&mut self) -> Result<SubQuery> {
        let start = self.at;
        let absolute = self.rest().starts_with('$');
        self.at += 1;
        let parsed = self.nested(Self::segments)?;
        // The path in the filter has a text of its own, which begins at `start`.
        let ends = parsed.ends.into_iter().map(|end| end - start).collect();
        Ok(SubQuery {
            path: FieldPath::new(&self.text[start..self.at], parsed.segments, ends),
            absolute,
            singular: parsed.is_singular,
        })
    }
}

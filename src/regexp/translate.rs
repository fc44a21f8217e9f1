//! Translates a Go pattern to the syntax of the `regex` crate.
//!
//! The translator reads the pattern piece by piece and writes the translation of each piece. It
//! needs no syntax tree: only a repetition depends on the piece before it, which [`Before`]
//! remembers.

use std::collections::HashSet;

use super::class;
use super::error::{RegexpError, RegexpProblem};
use super::escape;
use super::pattern::PatternCursor;

/// The maximum count of a repetition in Go.
const MAX_REPEAT: u32 = 1000;

/// The prefix of group names in the translation. Go allows a digit at the start of a name, which
/// the crate refuses.
pub(super) const GROUP_PREFIX: char = '_';

/// Translates a Go pattern.
pub(super) fn translate(pattern: &str) -> Result<String, RegexpError> {
    let mut translator = Translator {
        pattern: PatternCursor::new(pattern),
        output: String::with_capacity(pattern.len()),
        open_groups: Vec::new(),
        repeats: 1,
        repeats_before: 1,
        atom_repeats: 1,
        names: HashSet::new(),
        before: Before::Nothing,
    };
    while translator.step()? {}
    match translator.open_groups.is_empty() {
        true => Ok(translator.output),
        false => Err(RegexpError::new(RegexpProblem::MissingParenthesis, pattern)),
    }
}

/// The kind of the previous piece, which decides whether it can be repeated.
#[derive(Clone, Copy)]
enum Before {
    /// The start of the pattern or of an alternative.
    Nothing,
    /// A piece that can be repeated.
    Atom,
    /// A repetition that starts at this offset. It cannot be repeated again, unlike in the crate.
    Repetition(usize),
}

struct Translator<'a> {
    pattern: PatternCursor<'a>,
    output: String,
    /// For each open group, the value of `repeats` before the group.
    open_groups: Vec<u32>,
    /// The repeat count of the most repeated piece in the innermost group, that is, the product of
    /// all counts around it: 12 in `(a{3}b){4}`.
    repeats: u32,
    /// The value of `repeats` without the last piece.
    repeats_before: u32,
    /// The repeat count of the last piece.
    atom_repeats: u32,
    names: HashSet<&'a str>,
    before: Before,
}

impl Translator<'_> {
    /// Translates one piece of the pattern. Returns `false` at the end of the pattern.
    fn step(&mut self) -> Result<bool, RegexpError> {
        let Some(next) = self.pattern.peek() else {
            return Ok(false);
        };
        match next {
            '(' => self.open_group()?,
            ')' => self.close_group()?,
            '|' => self.operator(Before::Nothing),
            '^' | '$' | '.' => self.operator(Before::Atom),
            '*' | '+' | '?' => {
                let start = self.pattern.offset();
                self.pattern.next();
                self.repetition(start, &next.to_string())?;
            }
            '{' => self.braces()?,
            '[' => {
                let class = class::bracketed(&mut self.pattern)?;
                self.atom(&class);
            }
            '\\' => self.escape()?,
            _ => {
                self.pattern.next();
                self.literal(next);
            }
        }
        Ok(true)
    }

    /// Copies an operator of one character with the same meaning in both syntaxes.
    fn operator(&mut self, before: Before) {
        self.output.extend(self.pattern.next());
        self.before = before;
        self.repeats_before = self.repeats;
        self.atom_repeats = 1;
    }

    fn atom(&mut self, text: &str) {
        self.output.push_str(text);
        self.before = Before::Atom;
        self.repeats_before = self.repeats;
        self.atom_repeats = 1;
    }

    fn literal(&mut self, character: char) {
        let mut buffer = [0; 4];
        self.atom(&regex::escape(character.encode_utf8(&mut buffer)));
    }

    /// Reads the start of a group, such as `(`, `(?i:` or `(?P<name>`.
    fn open_group(&mut self) -> Result<(), RegexpError> {
        let start = self.pattern.offset();
        self.pattern.next();
        self.before = Before::Nothing;
        if !self.pattern.eat("?") {
            self.output.push('(');
            self.open();
            return Ok(());
        }
        if self.pattern.eat("P<") || self.pattern.eat("<") {
            return self.named_group(start);
        }
        let flags = self
            .pattern
            .eat_while(|c| matches!(c, 'i' | 'm' | 's' | 'U' | '-'));
        let end = self.pattern.next();
        let sensible = flags.matches('-').count() <= 1 && !flags.ends_with('-');
        match end {
            Some(':') if sensible => self.open(),
            Some(')') if sensible => {}
            _ => {
                return Err(self
                    .pattern
                    .error(RegexpProblem::InvalidPerlOperator, start));
            }
        }
        // The crate requires a flag here. `(?)` changes nothing, so it is left out.
        if !(flags.is_empty() && end == Some(')')) {
            self.output.push_str(self.pattern.since(start));
        }
        Ok(())
    }

    /// Reads `name>` and writes the start of a named group.
    fn named_group(&mut self, start: usize) -> Result<(), RegexpError> {
        let Some(name) = self.pattern.eat_until(">") else {
            self.pattern.eat_rest();
            return Err(self
                .pattern
                .error(RegexpProblem::InvalidNamedCapture, start));
        };
        let valid = name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
        if !valid || name.is_empty() {
            return Err(self
                .pattern
                .error(RegexpProblem::InvalidNamedCapture, start));
        }
        if !self.names.insert(name) {
            return Err(RegexpError::new(RegexpProblem::InvalidNamedCapture, name));
        }
        self.output.push_str(&format!("(?P<{GROUP_PREFIX}{name}>"));
        self.open();
        Ok(())
    }

    /// Starts counting the repetitions inside a group.
    fn open(&mut self) {
        self.open_groups
            .push(std::mem::replace(&mut self.repeats, 1));
    }

    fn close_group(&mut self) -> Result<(), RegexpError> {
        let Some(outside) = self.open_groups.pop() else {
            return Err(RegexpError::new(
                RegexpProblem::UnexpectedParenthesis,
                self.pattern.text(),
            ));
        };
        let inside = std::mem::replace(&mut self.repeats, outside);
        self.operator(Before::Atom);
        self.atom_repeats = inside;
        self.repeats = self.repeats.max(inside);
        Ok(())
    }

    /// Writes a repetition that starts at `start`. A `?` after it makes it lazy.
    fn repetition(&mut self, start: usize, operator: &str) -> Result<(), RegexpError> {
        let lazy = self.pattern.eat("?");
        match self.before {
            Before::Nothing => {
                return Err(self
                    .pattern
                    .error(RegexpProblem::MissingRepeatArgument, start));
            }
            Before::Repetition(first) => {
                return Err(self.pattern.error(RegexpProblem::InvalidRepetition, first));
            }
            Before::Atom => {}
        }
        self.output.push_str(operator);
        if lazy {
            self.output.push('?');
        }
        self.before = Before::Repetition(start);
        Ok(())
    }

    /// Reads `{2}`, `{2,}` or `{2,3}`. Anything else in braces is plain text in Go.
    fn braces(&mut self) -> Result<(), RegexpError> {
        let start = self.pattern.offset();
        let mut ahead = self.pattern;
        ahead.next();
        let body = ahead.eat_while(|c| c.is_ascii_digit() || c == ',');
        let (least, most) = body.split_once(',').unwrap_or((body, body));
        if ahead.eat("}") && is_count(least) && (most.is_empty() || is_count(most)) {
            self.pattern = ahead;
            return self.counted(start, least, most);
        }
        self.pattern.next();
        self.literal('{');
        Ok(())
    }

    /// Writes a counted repetition. An empty `most` means that there is no upper bound.
    fn counted(&mut self, start: usize, least: &str, most: &str) -> Result<(), RegexpError> {
        let fits = match (count(least), count(most)) {
            (Some(_), None) => most.is_empty(),
            (Some(least), Some(most)) => least <= most,
            (None, _) => false,
        };
        if !fits {
            return Err(self.pattern.error(RegexpProblem::InvalidRepeatCount, start));
        }
        // Go expands each repetition, so it limits the product of nested counts.
        let times = count(most).or(count(least)).unwrap_or(0);
        let repeats = self.atom_repeats.saturating_mul(times.max(1));
        if times >= 2 && repeats > MAX_REPEAT && matches!(self.before, Before::Atom) {
            return Err(self.pattern.error(RegexpProblem::InvalidRepeatCount, start));
        }
        // A piece with the count 0 is not expanded: `(a{1000}){0}` may be repeated again.
        let repeats = if count(most) == Some(0) { 1 } else { repeats };
        self.repeats = self.repeats_before.max(repeats);
        self.repetition(start, self.pattern.since(start))
    }

    /// Translates a piece that begins with a backslash: quoted text, an assertion, a class or a
    /// character.
    fn escape(&mut self) -> Result<(), RegexpError> {
        let start = self.pattern.offset();
        if self.pattern.eat(r"\Q") {
            let literal = self
                .pattern
                .eat_until(r"\E")
                .unwrap_or_else(|| self.pattern.eat_rest());
            for character in literal.chars() {
                self.literal(character);
            }
            return Ok(());
        }
        // Word boundaries are those of ASCII in Go.
        for (escape, translated) in [
            (r"\A", r"\A"),
            (r"\z", r"\z"),
            (r"\b", r"(?-u:\b)"),
            (r"\B", r"(?-u:\B)"),
        ] {
            if self.pattern.eat(escape) {
                self.atom(translated);
                return Ok(());
            }
        }
        // `\C` is a single byte in RE2, and Go refuses it.
        if self.pattern.eat(r"\C") {
            return Err(self.pattern.error(RegexpProblem::InvalidEscape, start));
        }
        match escape::class(&mut self.pattern)? {
            Some(class) => self.atom(&class),
            None => {
                let character = escape::character(&mut self.pattern)?;
                self.literal(character);
            }
        }
        Ok(())
    }
}

/// Parses a count; `None` if it is empty or larger than Go allows.
fn count(digits: &str) -> Option<u32> {
    let count = digits.parse().ok()?;
    (count <= MAX_REPEAT).then_some(count)
}

/// Returns whether Go reads the text as a count: digits without leading zeros.
fn is_count(text: &str) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0'))
}

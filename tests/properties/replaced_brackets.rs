//! Collections in brackets that are edited, or replaced by others: elements of both versions keep
//! their bytes and their comments.

use inlay::yaml::{Syntax, faithful};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::choices::Choices;
use crate::document::{choices, configuration, read, values};
use crate::replaced_lists::{Numbers, has_comment, node_of, with_value};
use crate::value::Value;

/// A collection in brackets, and the text between its children.
#[derive(Clone, Debug)]
struct Bracketed {
    syntax: Syntax,
    /// The children without commas and comments, each with its text; those of a mapping have keys.
    children: Vec<(Option<String>, Value, String)>,
    /// A comment on the line of each child, if each child has its own line.
    comments: Vec<String>,
    has_lines: bool,
}

impl Bracketed {
    fn text(&self) -> String {
        let mut text = String::new();
        let last = self.children.len() - 1;
        for (number, (_, _, child)) in self.children.iter().enumerate() {
            let comma = if number == last { "" } else { "," };
            let comment = &self.comments[number];
            text += &match self.has_lines {
                true => format!("\n    {child}{comma}{comment}"),
                false if number == 0 => format!("{child}{comma}"),
                false => format!(" {child}{comma}"),
            };
        }
        let end = if self.has_lines { "\n  " } else { "" };
        let [open, close] = self.brackets();
        match self.syntax {
            Syntax::Yaml => {
                format!("a: 'x' # a\nlist: {open}{text}{end}{close} # on list\nz: [1,  2]\n")
            }
            Syntax::Json => format!(
                "{{\n  \"a\": 1.0, // a\n  \"list\": {open}{text}{end}{close},\n  \"z\": [1,  2]\n}}"
            ),
        }
    }

    fn brackets(&self) -> [char; 2] {
        match self.children[0].0 {
            Some(_) => ['{', '}'],
            None => ['[', ']'],
        }
    }

    fn value(&self, children: Vec<(Option<String>, Value)>) -> Value {
        if self.brackets() == ['[', ']'] {
            return Value::List(children.into_iter().map(|(_, value)| value).collect());
        }
        let entry = |(key, value): (Option<String>, Value)| (key.unwrap_or_default(), value);
        Value::Map(children.into_iter().map(entry).collect())
    }
}

/// Checks that the remaining members have their bytes and comments, and that nothing else has
/// changed.
fn check_brackets(list: &Bracketed, stays: &[(bool, bool)], text: &str) -> TestCaseResult {
    let before = list.text();
    let (start, end) = before.split_once("list").expect("the list");
    let end = end
        .find("\n  \"z\"")
        .or_else(|| end.find(" # on list"))
        .map(|at| &end[at..])
        .expect("an end");
    prop_assert!(
        text.starts_with(start) && text.ends_with(end),
        "\n{}\n---- became ----\n{}",
        before,
        text
    );
    for (((_, _, child), comment), (stays, _)) in
        list.children.iter().zip(&list.comments).zip(stays)
    {
        let is_there = text.contains(child.as_str());
        let is_commented = list.has_lines && !comment.is_empty();
        let has_comment = is_commented && has_comment(text, comment);
        prop_assert_eq!(is_there, *stays, "{} in\n{}\n{}", child, text, before);
        prop_assert_eq!(
            has_comment,
            *stays && is_commented,
            "{} in\n{}\n{}",
            comment,
            text,
            before
        );
    }
    if stays.iter().any(|(stays, _)| *stays) && !list.has_lines {
        prop_assert_eq!(
            text.lines().count(),
            before.lines().count(),
            "\n{}\n---- became ----\n{}",
            before,
            text
        );
    }
    Ok(())
}

/// Generates a collection in brackets. For each child, it also generates whether the child stays,
/// and whether a new one follows it.
fn bracketed() -> impl Strategy<Value = (Bracketed, Vec<(bool, bool)>, Choices)> {
    choices().prop_map(|mut choices| {
        let mut numbers = Numbers::default();
        let syntax = choices.one_of(&[Syntax::Yaml, Syntax::Json]);
        let is_mapping = choices.once_in(2);
        let has_lines = choices.once_in(2);
        let mut list = Bracketed {
            syntax,
            children: Vec::new(),
            comments: Vec::new(),
            has_lines,
        };
        let mut stays = Vec::new();
        for _ in 0..1 + choices.pick(5) {
            let number = numbers.next();
            let (value, text) = match (choices.pick(4), syntax) {
                (0, _) => (Value::Word(format!("{number}.50")), format!("{number}.50")),
                (1, _) => (
                    Value::List(vec![Value::Word(number.to_string())]),
                    format!("[  {number}]"),
                ),
                (_, Syntax::Yaml) => (Value::Text(format!("v{number}")), format!("'v{number}'")),
                (_, Syntax::Json) => (
                    Value::Text(format!("v/{number}")),
                    format!("\"v\\/{number}\""),
                ),
            };
            let key = is_mapping.then(|| format!("k{number}"));
            let text = match (&key, syntax) {
                (None, _) => text,
                (Some(key), Syntax::Yaml) => format!("{key}:  {text}"),
                (Some(key), Syntax::Json) => format!("\"{key}\" : {text}"),
            };
            list.children.push((key, value, text));
            let comment = match (choices.pick(3), syntax) {
                (0, _) => String::new(),
                (_, Syntax::Yaml) => format!(" # c{}", numbers.next()),
                (1, Syntax::Json) => format!(" // c{}", numbers.next()),
                (_, Syntax::Json) => format!("  /* c{} */", numbers.next()),
            };
            list.comments.push(comment);
            stays.push((!choices.once_in(3), choices.once_in(4)));
        }
        (list, stays, choices)
    })
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn what_is_in_both_stays_between_its_brackets((list, stays, mut choices) in bracketed()) {
        let mut new = Vec::new();
        for (number, ((stays, is_followed), (key, value, _))) in stays.iter().zip(&list.children).enumerate() {
            if *stays {
                new.push((key.clone(), value.clone()));
            }
            if *is_followed {
                let value = Value::Text(format!("new{number}"));
                new.push((key.as_ref().map(|_| format!("new{number}")), value));
            }
        }
        let wanted = list.value(new);
        let node = node_of(&wanted, &mut choices);
        let before = list.text();
        let replaced = |text: &str| {
            let stream = read(text, list.syntax);
            faithful::print(&stream, &[with_value(&stream.documents[0].root, "list", &node)])
        };
        let text = replaced(&before);
        let mut found = values(&text, list.syntax).remove(0).children()[1].clone();
        if let (Value::List(_), Value::Map(entries)) = (&found, &wanted)
            && entries.is_empty()
        {
            found = wanted.clone();
        }
        prop_assert_eq!(&found, &wanted, "\n{}\n---- became ----\n{}", before, text);
        prop_assert_eq!(&replaced(&text), &text, "the second time");

        check_brackets(&list, &stays, &text)?;
    }

    #[test]
    fn comments_of_members_are_removed_with_them((list, stays, _) in bracketed()) {
        let before = list.text();
        let stream = read(&before, list.syntax);
        let root = &stream.documents[0].root;
        let old = root.get("list").expect("the list");
        let is_kept = |place: usize| stays[place].0;
        let new = match (old.as_mapping(), old.as_sequence()) {
            (Some(mapping), _) => old.with_entries(kept(&mapping.entries, is_kept)),
            (_, Some(sequence)) => old.with_items(kept(&sequence.items, is_kept)),
            _ => unreachable!("the list is a collection"),
        };
        let text = faithful::print(&stream, &[with_value(root, "list", &new)]);
        let kept: Vec<(bool, bool)> = stays.iter().map(|(stays, _)| (*stays, false)).collect();
        check_brackets(&list, &kept, &text)?;
    }
}

/// Returns the elements at the kept positions.
fn kept<T: Clone>(elements: &[T], is_kept: impl Fn(usize) -> bool) -> Vec<T> {
    let elements = elements.iter().enumerate();
    let kept = elements.filter(|(place, _)| is_kept(*place));
    kept.map(|(_, element)| element.clone()).collect()
}

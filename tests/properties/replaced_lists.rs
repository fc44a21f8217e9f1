//! Lists that are edited, or replaced by others: items of both versions keep their lines and their
//! comments.
//!
//! The lists are written line by line, each item with its own comments, so that the text after the
//! edit can be compared with the lines of the items. All values and all comments of a text differ.

use std::sync::Arc;

use inlay::yaml::{Entry, Item, Node, Syntax, faithful, relink};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::choices::Choices;
use crate::document::{choices, configuration, read, values, written};
use crate::value::Value;

/// An item of a list, and the lines that contain it.
#[derive(Clone, Debug)]
struct WrittenItem {
    value: Value,
    /// The comments directly above it, its lines, and the deeper comments below it.
    lines: Vec<String>,
    /// Blank lines and comments that belong to no item, between this item and the next.
    behind: Vec<String>,
}

/// A list under the key `list`, or a list that is a whole document.
#[derive(Clone, Debug)]
struct WrittenList {
    items: Vec<WrittenItem>,
    /// The lines before the items.
    above: Vec<String>,
    /// The lines after the items.
    below: Vec<String>,
    indent: usize,
    is_root: bool,
    newline: &'static str,
}

impl WrittenList {
    fn text(&self) -> String {
        let margin = " ".repeat(self.indent);
        let mut lines = self.above.clone();
        for (number, item) in self.items.iter().enumerate() {
            let is_last = number + 1 == self.items.len();
            let behind: &[String] = if is_last { &[] } else { &item.behind };
            for line in item.lines.iter().chain(behind) {
                lines.push(if line.is_empty() {
                    String::new()
                } else {
                    format!("{margin}{line}")
                });
            }
        }
        lines.extend(self.below.clone());
        lines
            .iter()
            .fold(String::new(), |text, line| text + line + self.newline)
    }

    /// Returns the lines of an item as the text contains them.
    fn lines_of(&self, item: &WrittenItem) -> String {
        let margin = " ".repeat(self.indent);
        let lines = item.lines.iter();
        lines.fold(String::new(), |text, line| {
            text + &margin + line + self.newline
        })
    }

    /// Returns the text with `new` in place of the list.
    fn replaced(&self, text: &str, new: &Arc<Node>) -> String {
        self.with_version(text, |_| Arc::clone(new))
    }

    /// Returns the text with another version of the list.
    fn with_version(&self, text: &str, version: impl Fn(&Arc<Node>) -> Arc<Node>) -> String {
        let stream = read(text, Syntax::Yaml);
        let root = &stream.documents[0].root;
        let list = if self.is_root {
            Some(root)
        } else {
            root.get("list")
        };
        let new = &version(list.expect("the list"));
        let changed = if self.is_root {
            Arc::clone(new)
        } else {
            with_value(root, "list", new)
        };
        faithful::print(&stream, &[relink(&changed)])
    }
}

pub(crate) fn with_value(root: &Arc<Node>, key: &str, value: &Arc<Node>) -> Arc<Node> {
    let mapping = root.as_mapping().expect("a mapping");
    let mut entries = mapping.entries.to_vec();
    for entry in &mut entries {
        if entry.key.text() == Some(key) {
            let key = Arc::clone(&entry.key);
            let value = Arc::clone(value);
            *entry = Entry { key, value };
        }
    }
    root.with_entries(entries)
}

/// A counter that makes values and comments distinct.
#[derive(Default)]
pub(crate) struct Numbers(usize);

impl Numbers {
    pub(crate) fn next(&mut self) -> usize {
        self.0 += 1;
        self.0
    }

    /// Returns a comment for the end of a line; often an empty one.
    fn comment(&mut self, choices: &mut Choices) -> String {
        match choices.pick(3) {
            0 => String::new(),
            1 => format!("  # c{}", self.next()),
            _ => format!(" #c{}", self.next()),
        }
    }
}

fn scalar(numbers: &mut Numbers, choices: &mut Choices) -> (Value, String) {
    let number = numbers.next();
    let text = |text: String| Value::Text(text);
    match choices.pick(8) {
        0 => (text(format!("v{number}")), format!("v{number}")),
        1 => (text(format!("v{number}")), format!("'v{number}'")),
        2 => (text(format!("v{number}")), format!("\"v{number}\"")),
        3 => (text(format!("é{number}")), format!("\"\\u00e9{number}\"")),
        4 => (Value::Word(number.to_string()), number.to_string()),
        5 => (text(number.to_string()), format!("'{number}'")),
        6 => (Value::Word(format!("{number}.50")), format!("{number}.50")),
        _ => (text(format!("--v{number}=x y")), format!("--v{number}=x y")),
    }
}

fn entries(numbers: &mut Numbers, choices: &mut Choices) -> Vec<(String, Value)> {
    (0..1 + choices.pick(3))
        .map(|_| (format!("k{}", numbers.next()), scalar(numbers, choices).0))
        .collect()
}

/// Returns the value of an item and its lines; the first line follows the dash.
fn item_lines(numbers: &mut Numbers, choices: &mut Choices) -> (Value, Vec<String>) {
    match choices.pick(6) {
        0 | 1 => {
            let (value, text) = scalar(numbers, choices);
            (value, vec![format!("{text}{}", numbers.comment(choices))])
        }
        2 => {
            let mut lines = Vec::new();
            let mut entries = Vec::new();
            for number in 0..2 + choices.pick(3) {
                if number > 0 && choices.once_in(4) {
                    lines.push(format!("# c{}", numbers.next()));
                }
                let key = format!("k{}", numbers.next());
                let (value, text) = scalar(numbers, choices);
                lines.push(format!("{key}: {text}{}", numbers.comment(choices)));
                entries.push((key, value));
            }
            (Value::Map(entries), lines)
        }
        3 => {
            let (one, first) = scalar(numbers, choices);
            let (two, second) = scalar(numbers, choices);
            let lines = vec![
                format!("- {first}{}", numbers.comment(choices)),
                format!("- {second}{}", numbers.comment(choices)),
            ];
            (Value::List(vec![one, two]), lines)
        }
        4 => {
            let number = numbers.next();
            let lines = vec![
                format!("|{}", numbers.comment(choices)),
                format!("line {number}"),
                "# not a comment".to_owned(),
            ];
            let text = format!("line {number}\n# not a comment\n");
            (Value::Text(text), lines)
        }
        _ => {
            let (value, text) = scalar(numbers, choices);
            let key = format!("k{}", numbers.next());
            let line = format!("{{{key}:   {text}}}{}", numbers.comment(choices));
            (Value::Map(vec![(key, value)]), vec![line])
        }
    }
}

fn written_item(numbers: &mut Numbers, choices: &mut Choices) -> WrittenItem {
    let mut lines = Vec::new();
    for _ in 0..choices.one_of(&[0, 0, 1, 2]) {
        lines.push(format!("# c{}", numbers.next()));
    }
    let (value, own) = item_lines(numbers, choices);
    let gap = choices.one_of(&[" ", " ", " ", "   "]);
    let margin = " ".repeat(1 + gap.len());
    let is_scalar_of_lines = own[0].starts_with('|');
    for (number, line) in own.iter().enumerate() {
        let head = if number == 0 {
            format!("-{gap}")
        } else {
            margin.clone()
        };
        lines.push(format!("{head}{line}"));
    }
    if !is_scalar_of_lines && choices.once_in(6) {
        lines.push(format!("{margin}# c{}", numbers.next()));
    }
    let behind = match choices.pick(8) {
        _ if is_scalar_of_lines => Vec::new(),
        0 => vec![String::new()],
        1 => vec![
            String::new(),
            format!("# free{}", numbers.next()),
            String::new(),
        ],
        _ => Vec::new(),
    };
    WrittenItem {
        value,
        lines,
        behind,
    }
}

fn written_list(choices: &mut Choices) -> WrittenList {
    let mut numbers = Numbers::default();
    let count = 1 + choices.pick(6);
    let items = (0..count)
        .map(|_| written_item(&mut numbers, choices))
        .collect();
    let is_root = choices.once_in(5);
    let line = |text: &str| text.to_owned();
    let (above, below) = match choices.pick(4) {
        _ if is_root => (vec![line("# about the file"), String::new()], Vec::new()),
        0 => (vec![line("list:")], Vec::new()),
        1 => (
            vec![line("a: 'x' # a"), line("list:   # on list")],
            vec![line("z: [1,  2]")],
        ),
        2 => (
            vec![line("a: &x {b:  1} # a"), line("list:")],
            vec![String::new(), line("# about z"), line("z: *x")],
        ),
        _ => (
            vec![line("--- # marker"), line("list:")],
            vec![line("..."), line("# end")],
        ),
    };
    WrittenList {
        items,
        above,
        below,
        indent: if is_root {
            0
        } else {
            choices.one_of(&[0, 2, 4])
        },
        is_root,
        newline: choices.one_of(&["\n", "\n", "\n", "\r\n"]),
    }
}

/// An item of the new list.
#[derive(Clone, Debug)]
enum NewItem {
    /// The old item at this index.
    Same(usize),
    /// The old mapping at this index, with another value under its last key.
    Changed(usize),
    New(Value),
}

/// Returns a version of the list in which some items are removed, some are changed, and some are
/// new.
fn new_items(list: &WrittenList, choices: &mut Choices) -> Vec<NewItem> {
    let mut numbers = Numbers(1000);
    let mut items = Vec::new();
    for (place, item) in list.items.iter().enumerate() {
        let is_large_mapping = matches!(&item.value, Value::Map(entries) if entries.len() > 2);
        match choices.pick(8) {
            0 => {}
            1 => items.push(NewItem::New(scalar(&mut numbers, choices).0)),
            2 => {
                items.push(NewItem::Same(place));
                items.push(NewItem::New(Value::Map(entries(&mut numbers, choices))));
            }
            3 if is_large_mapping => items.push(NewItem::Changed(place)),
            _ => items.push(NewItem::Same(place)),
        }
    }
    // A comment above the first item of a document can be about the document, so it does not move.
    if !list.is_root && items.len() > 1 && choices.once_in(4) {
        let (one, other) = (choices.pick(items.len()), choices.pick(items.len()));
        items.swap(one, other);
    }
    items
}

fn value_of(list: &WrittenList, new: &[NewItem]) -> Value {
    let item = |item: &NewItem| match item {
        NewItem::Same(place) => list.items[*place].value.clone(),
        NewItem::Changed(place) => {
            let value = &list.items[*place].value;
            let last = value.children().len() - 1;
            value.with(&[last], &Value::Text("changed".to_owned()))
        }
        NewItem::New(value) => value.clone(),
    };
    Value::List(new.iter().map(item).collect())
}

/// Returns the value as a created node, or as one from another text, in other quotes.
pub(crate) fn node_of(value: &Value, choices: &mut Choices) -> Arc<Node> {
    if choices.once_in(2) {
        return value.node();
    }
    let sample = written(
        vec![value.clone()],
        choices.one_of(&[Syntax::Yaml, Syntax::Json]),
        choices,
    );
    let root = Arc::clone(&sample.parse().documents[0].root);
    // A text that shares values with itself is outside the scope of this test, and so is one that
    // has lost a line break at its end.
    if sample.text.contains(['&', '!']) || Value::of(&root) != *value {
        return value.node();
    }
    root
}

/// Returns the new version of a list as an edit of its items creates it: it reuses their nodes.
fn edited(list: &Arc<Node>, new: &[NewItem]) -> Arc<Node> {
    let old = &list.as_sequence().expect("a list").items;
    let item = |item: &NewItem| match item {
        NewItem::Same(place) => old[*place].clone(),
        NewItem::Changed(place) => {
            let Item { start, value } = old[*place].clone();
            let mut entries = value.as_mapping().expect("a mapping").entries.to_vec();
            let last = entries.len() - 1;
            entries[last].value = Node::string("changed");
            let value = value.with_entries(entries);
            Item { start, value }
        }
        NewItem::New(value) => Item {
            start: None,
            value: value.node(),
        },
    };
    list.with_items(new.iter().map(item).collect::<Vec<_>>())
}

/// Generates a list, its new version, and choices for the style of the new version.
fn replaced_list() -> impl Strategy<Value = (WrittenList, Vec<NewItem>, Choices)> {
    choices().prop_map(|mut choices| {
        let list = written_list(&mut choices);
        let new = new_items(&list, &mut choices);
        (list, new, choices)
    })
}

fn comments(lines: &[String]) -> impl Iterator<Item = &str> {
    lines
        .iter()
        .filter(|line| !line.contains("# not a comment"))
        .filter_map(|line| {
            let at = line.find('#')?;
            Some(&line[at..])
        })
}

/// Returns whether a text has a comment at the end of one of its lines.
pub(crate) fn has_comment(text: &str, comment: &str) -> bool {
    text.lines().any(|line| line.ends_with(comment))
}

fn check_lines(list: &WrittenList, new: &[NewItem], text: &str) -> TestCaseResult {
    let mut from = 0;
    let mut is_kept = vec![false; list.items.len()];
    for item in new {
        match item {
            NewItem::Same(place) => {
                let lines = list.lines_of(&list.items[*place]);
                let at = text[from..].find(&lines);
                prop_assert!(
                    at.is_some(),
                    "the lines\n{}are not in\n{}\n{}",
                    lines,
                    text,
                    list.text()
                );
                from += at.unwrap_or(0) + lines.len();
                is_kept[*place] = true;
            }
            NewItem::Changed(place) => {
                for comment in comments(&list.items[*place].lines) {
                    prop_assert!(
                        has_comment(text, comment),
                        "{} is not in\n{}",
                        comment,
                        text
                    );
                }
                is_kept[*place] = true;
            }
            NewItem::New(_) => {}
        }
    }
    for (item, is_kept) in list.items.iter().zip(is_kept) {
        for comment in comments(&item.lines) {
            let is_there = has_comment(text, comment);
            prop_assert!(
                is_kept || !is_there,
                "{} is left in\n{}\n{}",
                comment,
                text,
                list.text()
            );
        }
    }
    Ok(())
}

fn check_surroundings(list: &WrittenList, text: &str) -> TestCaseResult {
    let joined = |lines: &[String]| {
        lines
            .iter()
            .fold(String::new(), |text, line| text + line + list.newline)
    };
    prop_assert!(
        text.starts_with(&joined(&list.above)),
        "above:\n{}\n{}",
        text,
        list.text()
    );
    prop_assert!(
        text.ends_with(&joined(&list.below)),
        "below:\n{}\n{}",
        text,
        list.text()
    );
    prop_assert!(
        list.newline == "\n" || text.matches('\n').count() == text.matches("\r\n").count(),
        "{:?}",
        text
    );
    let (_, rest) = list.items.split_last().expect("an item");
    for comment in rest.iter().flat_map(|item| comments(&item.behind)) {
        prop_assert!(
            has_comment(text, comment),
            "{} is lost in\n{}\n{}",
            comment,
            text,
            list.text()
        );
    }
    Ok(())
}

fn check_list(list: &WrittenList, new: &[NewItem], text: &str) -> TestCaseResult {
    let wanted = value_of(list, new);
    let mut found = values(text, Syntax::Yaml).remove(0);
    if let Value::Map(entries) = &found {
        let entry = entries.iter().find(|(key, _)| key == "list");
        found = entry.expect("the list").1.clone();
    }
    prop_assert_eq!(
        &found,
        &wanted,
        "\n{}\n---- became ----\n{}",
        list.text(),
        text
    );
    if new.iter().all(|item| matches!(item, NewItem::New(_))) {
        return Ok(());
    }
    check_lines(list, new, text)?;
    check_surroundings(list, text)?;
    let dash = format!("{}- ", " ".repeat(list.indent));
    let items = text.lines().filter(|line| line.starts_with(&dash)).count();
    prop_assert!(
        items >= new.len(),
        "\n{}\n---- became ----\n{}",
        list.text(),
        text
    );
    Ok(())
}

proptest! {
    #![proptest_config(configuration())]

    #[test]
    fn what_is_in_both_lists_keeps_its_lines((list, new, mut choices) in replaced_list()) {
        let node = node_of(&value_of(&list, &new), &mut choices);
        let text = list.replaced(&list.text(), &node);
        check_list(&list, &new, &text)?;
        prop_assert_eq!(&list.replaced(&text, &node), &text, "the second time");
    }

    #[test]
    fn comments_of_items_are_removed_and_moved_with_them((list, new, _) in replaced_list()) {
        let text = list.with_version(&list.text(), |before| edited(before, &new));
        check_list(&list, &new, &text)?;
    }

    #[test]
    fn a_new_item_has_the_shape_of_those_beside_it((is_flow, gap, indent, count) in siblings()) {
        let margin = " ".repeat(indent);
        let dash = format!("{margin}-{gap}");
        let inner = format!("{margin} {gap}");
        let item = |number: usize| match is_flow {
            true => format!("{dash}{{ name: 'a{number}', port: {number} }}\n"),
            false => format!("{dash}name: 'a{number}'\n{inner}port: {number}\n"),
        };
        let written = |numbers: std::ops::Range<usize>| {
            numbers.fold("list:\n".to_owned(), |text, number| text + &item(number)) + "z: 1\n"
        };
        let before = written(0..count);
        let stream = read(&before, Syntax::Yaml);
        let root = &stream.documents[0].root;
        let list = root.get("list").expect("the list");
        let entries = [
            ("name".to_owned(), Value::Text(format!("a{count}"))),
            ("port".to_owned(), Value::Word(count.to_string())),
        ];
        let mut items = list.as_sequence().expect("a list").items.to_vec();
        items.push(Item { start: None, value: Value::Map(entries.to_vec()).node() });
        let text = faithful::print(&stream, &[with_value(root, "list", &list.with_items(items))]);
        // A block item is not a copy of its neighbors, so its strings have no quotes.
        let wanted = match is_flow {
            true => written(0..count + 1),
            false => written(0..count + 1).replace(&format!("'a{count}'"), &format!("a{count}")),
        };
        prop_assert_eq!(text, wanted);
    }
}

/// Generates the form of a list: whether its items are in braces, the gap after their dashes, their
/// indentation and their number.
fn siblings() -> impl Strategy<Value = (bool, &'static str, usize, usize)> {
    let gap = prop::sample::select(vec![" ", "  ", "   "]);
    (any::<bool>(), gap, 0..5_usize, 1..4_usize)
}

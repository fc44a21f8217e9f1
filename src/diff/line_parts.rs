//! Splits two texts into parts that are compared one after the other.
//!
//! The search for the differences visits all lines that are left after each difference, which takes
//! quadratic time for a text with many of them. So a long text is cut first, at places where both
//! texts certainly have the same lines:
//!
//! ```text
//! before          after           anchors
//! kind: A         kind: A
//! name: a         name: a         name: a, because both texts have the line once
//! x: 1            x: 2
//! kind: A         kind: A
//! name: b         name: b         name: b
//! x: 1            x: 2
//! ```
//!
//! Parts are long, and short texts are compared as a whole.

use std::collections::HashMap;
use std::ops::Range;

use crate::source::steps;

/// The number of lines after which a part ends at the next anchor.
const PART_LINES: usize = 1_000;

/// The number of lines up to which texts are compared as a whole.
const WHOLE_LINES: usize = 4_000;

/// Lines of two texts that are compared with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LinePart {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

impl LinePart {
    fn is_longer_than(&self, lines: usize) -> bool {
        self.before.len().max(self.after.len()) > lines
    }
}

/// A line before and a line after that begin the same lines, which are nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Anchor {
    before: usize,
    after: usize,
}

/// Returns the parts of two texts in which they can differ, in order. The lines between them are
/// equal.
pub(super) fn parts(before: &[&str], after: &[&str]) -> Vec<LinePart> {
    let shorter = before.len().min(after.len());
    let equal = |(before, after): &(&&str, &&str)| before == after;
    let start = before.iter().zip(after).take_while(equal).count();
    let end = before.iter().rev().zip(after.iter().rev());
    let end = end.take(shorter - start).take_while(equal).count();
    // A difference can be shown at several places if the lines around it are equal to its own. So
    // some of these lines are kept.
    let start = start.saturating_sub(PART_LINES);
    let end = end.saturating_sub(PART_LINES);
    let mut rest = LinePart {
        before: start..before.len() - end,
        after: start..after.len() - end,
    };
    let mut parts = Vec::new();
    if rest.is_longer_than(WHOLE_LINES) {
        for anchor in anchors(before, after, &rest) {
            let part = LinePart {
                before: rest.before.start..anchor.before,
                after: rest.after.start..anchor.after,
            };
            if part.is_longer_than(PART_LINES) {
                parts.push(part);
                rest.before.start = anchor.before;
                rest.after.start = anchor.after;
            }
        }
    }
    parts.push(rest);
    parts
}

/// Returns anchors that are in the same order in both texts.
fn anchors(before: &[&str], after: &[&str], within: &LinePart) -> Vec<Anchor> {
    let mut known = HashMap::new();
    let before = numbers(&before[within.before.clone()], &mut known);
    let after = numbers(&after[within.after.clone()], &mut known);
    // Two objects can have the same name, but the lines above the name differ. Where almost every
    // line changes, only single lines are the same.
    let mut anchors = unique::<1>(&before, &after);
    anchors.extend(unique::<3>(&before, &after));
    anchors.sort_unstable();
    let mut ordered = longest_increasing(&anchors);
    for anchor in &mut ordered {
        anchor.before += within.before.start;
        anchor.after += within.after.start;
    }
    ordered
}

/// Returns a number for each line. Equal lines have the same number.
fn numbers<'l>(lines: &[&'l str], known: &mut HashMap<&'l str, usize>) -> Vec<usize> {
    steps::count(lines.len());
    let mut numbers = Vec::with_capacity(lines.len());
    for line in lines {
        let new = known.len();
        numbers.push(*known.entry(*line).or_insert(new));
    }
    numbers
}

/// The number of places of some lines in a text.
#[derive(Clone, Copy)]
enum Places {
    None,
    One(usize),
    Several,
}

/// Returns the places where both texts have the same `N` lines, which are nowhere else.
fn unique<const N: usize>(before: &[usize], after: &[usize]) -> Vec<Anchor> {
    let mut places: HashMap<[usize; N], [Places; 2]> = HashMap::new();
    for (side, lines) in [before, after].into_iter().enumerate() {
        for (at, lines) in windows::<N>(lines) {
            let found = &mut places.entry(lines).or_insert([Places::None; 2])[side];
            *found = match found {
                Places::None => Places::One(at),
                _ => Places::Several,
            };
        }
    }
    let mut anchors = Vec::new();
    // In the order of the text, and not of the map.
    for (at, lines) in windows::<N>(before) {
        if let Some([Places::One(_), Places::One(after)]) = places.get(&lines) {
            anchors.push(Anchor {
                before: at,
                after: *after,
            });
        }
    }
    anchors
}

fn windows<const N: usize>(lines: &[usize]) -> impl Iterator<Item = (usize, [usize; N])> {
    let windows = lines.windows(N).enumerate();
    windows.filter_map(|(at, lines)| Some((at, lines.try_into().ok()?)))
}

/// Returns the most anchors whose lines after increase, of anchors in the order of their lines
/// before.
///
/// The anchors that end an increasing series are kept by the length of the series: `ends[n]` is the
/// one with the lowest line after, of all series of `n + 1` anchors.
fn longest_increasing(anchors: &[Anchor]) -> Vec<Anchor> {
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(anchors.len());
    for (index, anchor) in anchors.iter().enumerate() {
        let length = ends.partition_point(|end| anchors[*end].after < anchor.after);
        previous.push(length.checked_sub(1).map(|longest| ends[longest]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut series = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        series.push(anchors[index]);
        next = previous[index];
    }
    series.reverse();
    series
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(lines: impl Iterator<Item = usize>) -> Vec<String> {
        lines.map(|line| format!("line {line}\n")).collect()
    }

    fn parts_of(before: &[String], after: &[String]) -> Vec<LinePart> {
        let texts = |lines: &[String]| -> Vec<&'static str> {
            let lines = lines.iter().cloned();
            lines.map(|line| &*line.leak()).collect()
        };
        parts(&texts(before), &texts(after))
    }

    #[test]
    fn cuts_a_long_text_where_both_sides_are_equal() {
        let before = numbered(0..5_000);
        let change = |line: usize| {
            if line.is_multiple_of(10) {
                line + 9_000
            } else {
                line
            }
        };
        let after = numbered((0..5_000).map(change));
        let parts = parts_of(&before, &after);
        assert!((3..=5).contains(&parts.len()), "{parts:?}");
        for pair in parts.windows(2) {
            assert_eq!(pair[0].before.end, pair[1].before.start);
            assert_eq!(pair[0].after.end, pair[1].after.start);
            let (old, new) = (pair[1].before.start, pair[1].after.start);
            assert_eq!(before[old], after[new]);
        }
    }

    #[test]
    fn leaves_out_equal_lines_far_from_a_difference() {
        let before = numbered(0..9_000);
        let mut after = before.clone();
        after.insert(4_000, "new\n".to_owned());
        let expected = LinePart {
            before: 3_000..5_000,
            after: 3_000..5_001,
        };
        assert_eq!(parts_of(&before, &after), [expected]);
    }

    #[test]
    fn a_short_text_is_one_part() {
        let (before, after) = (numbered(0..500), numbered(1..400));
        let expected = LinePart {
            before: 0..500,
            after: 0..399,
        };
        assert_eq!(parts_of(&before, &after), [expected]);
    }

    #[test]
    fn a_moved_block_is_no_anchor() {
        let anchors = [(0, 5), (1, 6), (2, 0), (3, 1), (4, 2)];
        let anchors = anchors.map(|(before, after)| Anchor { before, after });
        assert_eq!(longest_increasing(&anchors), anchors[2..]);
    }
}

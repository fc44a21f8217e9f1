//! The algorithm: each part finds the elements that it means, and does to them what its annotations say.
//!
//! Parts of one collection are applied one after the other, each on what those before it have made. A part that fails
//! leaves its elements as they were, and the parts beside it are still tried, so that one run shows all that is wrong.

use std::sync::Arc;

use super::Same;
use super::comparison::{mismatch, spelled};
use super::elements::{Documents, Elements, End, Entries, Insertion, Items};
use super::instruction::{
    Count, Defaults, Instruction, Operation, Structured, Target, a_type, error,
};
use super::matcher::{Matcher, Subject};
use super::near_miss;
use super::part::{Children, Kind, Part};
use super::structured::Place;
use super::trail::{Trail, line};
use crate::edit::Format;
use crate::script::{Arguments, Caller, Value};
use crate::source::{Code, Diagnostic, Location, Result};
use crate::yaml::{Content, Node, Value as Scalar, is_equal};

/// What is wrong, part by part.
pub(super) type Faults = Vec<Box<Diagnostic>>;

/// What comes of applying parts.
pub(super) type Outcome<T> = std::result::Result<T, Faults>;

/// So many places of elements are shown with their lines; others are named.
const SHOWN: usize = 4;

/// Applies parts.
pub(super) struct Overlaying<'o, 'c, 'v> {
    pub(super) caller: &'o mut Caller<'c, 'v>,
    /// Where the elements stand that are at hand, from the outermost object in.
    pub(super) places: Vec<Place>,
    /// How many strings were made for documents: how each is spelled depends on where it stands.
    pub(super) new_strings: usize,
    /// Which of two values that say the same stays.
    pub(super) same: Same,
}

impl<'o, 'c, 'v> Overlaying<'o, 'c, 'v> {
    pub(super) fn new(caller: &'o mut Caller<'c, 'v>) -> Overlaying<'o, 'c, 'v> {
        Overlaying {
            caller,
            places: Vec::new(),
            new_strings: 0,
            same: Same::Left,
        }
    }

    /// Applies an overlay to the documents that it matches.
    pub(super) fn document(&mut self, documents: &mut Documents, part: &Part<'v>) -> Outcome<()> {
        self.part(documents, &Trail { part, outer: None })
    }

    /// Applies an overlay to all documents there are, without asking which it matches.
    pub(super) fn only_document(
        &mut self,
        documents: &mut Documents,
        part: &Part<'v>,
    ) -> Outcome<()> {
        let trail = Trail { part, outer: None };
        let instruction = part
            .unmatched_instruction(self.caller)
            .map_err(|error| vec![trail.locate(error)])?;
        let matched = documents.positions();
        self.operate(documents, &trail, instruction, &matched)
    }

    /// Applies an overlay that is a mapping or a list to a value.
    pub(super) fn root(&mut self, left: &Arc<Node>, right: &Arc<Node>) -> Outcome<Arc<Node>> {
        let part = Part::value(right);
        let trail = Trail {
            part: &part,
            outer: None,
        };
        self.places.push(Place::root(left, Format::Yaml));
        let merged = self.merged(left, &trail, Defaults::default());
        self.places.pop();
        merged
    }

    /// Whether a value takes the place of an element.
    fn is_news(&self, left: &Arc<Node>, value: &Arc<Node>) -> bool {
        match self.same {
            Same::Left => !is_equal(left, value),
            Same::Right => !Arc::ptr_eq(left, value),
        }
    }

    /// Applies the last part of `trail`.
    fn part<E: Elements>(&mut self, elements: &mut E, trail: &Trail<'_, 'v>) -> Outcome<()> {
        let part = trail.part;
        let instruction = part
            .instruction(self.caller)
            .map_err(|error| vec![trail.locate(error)])?;
        let matched = self
            .matched(elements, part, &instruction.target)
            .map_err(|error| vec![trail.locate(error)])?;
        if let Target::Key(count) | Target::By(_, count) = &instruction.target {
            match count.accepts(matched.len(), self.caller) {
                Ok(true) => {}
                Ok(false) if count.skips => return Ok(()),
                Ok(false) => {
                    return Err(vec![trail.locate(wrong_number(
                        elements,
                        part,
                        instruction,
                        count,
                        &matched,
                    ))]);
                }
                Err(error) => return Err(vec![trail.locate(error)]),
            }
        }
        self.operate(elements, trail, instruction, &matched)
    }

    /// The positions of the elements that a part means.
    fn matched<E: Elements>(
        &mut self,
        elements: &mut E,
        part: &Part<'v>,
        target: &Target<'v>,
    ) -> Result<Vec<usize>> {
        match (target, &part.key) {
            (Target::None, _) | (Target::Key(_), None) => Ok(Vec::new()),
            (Target::Key(_), Some(key)) => Ok(elements.with_key(key)),
            (Target::By(Matcher::All, _), _) => Ok(elements.positions()),
            // A number is that of one element: no other need be asked.
            (Target::By(Matcher::Index(index), _), _) if E::KIND != Kind::Entry => {
                let at = usize::try_from(*index)
                    .ok()
                    .filter(|at| *at < elements.count());
                Ok(at.into_iter().collect())
            }
            (Target::By(matcher, _), _) => {
                let mut matched = Vec::new();
                for at in elements.positions() {
                    let subject = Subject {
                        index: elements.index(at),
                        left: elements.value(at),
                        right: &part.value,
                    };
                    match matcher.accepts(subject, self.caller) {
                        Ok(true) => matched.push(at),
                        Ok(false) => {}
                        Err(error) if error.code == Code::Overlay && !error.labels.is_empty() => {
                            return Err(error);
                        }
                        Err(error) => {
                            return Err(error.at(elements.place(at), "when this was looked at"));
                        }
                    }
                }
                Ok(matched)
            }
        }
    }

    fn operate<E: Elements>(
        &mut self,
        elements: &mut E,
        trail: &Trail<'_, 'v>,
        instruction: &Instruction<'v>,
        matched: &[usize],
    ) -> Outcome<()> {
        let part = trail.part;
        let (defaults, structured) = (instruction.defaults, instruction.structured);
        let located = |error| vec![trail.locate(error)];
        match instruction.operation {
            Operation::Merge if structured.is_some() && part.value.as_scalar().is_some() => {
                let found = part.value.described();
                let error = error(format!(
                    "expected a mapping or a list for the document in a string, found {found}"
                ));
                return Err(located(
                    error.help("to replace the whole document, add `#@overlay/replace`"),
                ));
            }
            Operation::Merge if matched.is_empty() && E::KIND != Kind::Document => {
                let value = self.added_value(None, trail, instruction)?;
                elements
                    .add(value, End::Last, part, self.caller)
                    .map_err(located)?;
            }
            Operation::Merge => {
                for &at in matched {
                    let merge =
                        |this: &mut Self, left: &Arc<Node>| this.merged(left, trail, defaults);
                    let value = self.at_element(elements, at, trail, structured, merge)?;
                    if self.is_news(elements.value(at), &value) {
                        elements.set(at, value, self.caller).map_err(located)?;
                    }
                }
            }
            Operation::Remove => elements.remove(matched),
            Operation::Replace { via, or_add } => {
                for &at in matched {
                    let replace = |this: &mut Self, left: &Arc<Node>| {
                        this.right(Some(left), trail, defaults, via)
                    };
                    let value = self.at_element(elements, at, trail, structured, replace)?;
                    if self.is_news(elements.value(at), &value)
                        || !part.other_annotations().is_empty()
                    {
                        elements
                            .replace(at, value, part, self.caller)
                            .map_err(located)?;
                    }
                }
                // Several cannot have one key: each keeps its own.
                if let [only] = *matched {
                    elements.rename(only, part, self.caller).map_err(located)?;
                }
                if matched.is_empty() && or_add {
                    let value = self.added_value(via, trail, instruction)?;
                    elements
                        .add(value, End::First, part, self.caller)
                        .map_err(located)?;
                }
            }
            Operation::Insert { before, after, via } => {
                let mut values = Vec::with_capacity(matched.len());
                for &at in matched.iter().filter(|_| before || after) {
                    let left = Arc::clone(elements.value(at));
                    let make = |this: &mut Self| this.right(Some(&left), trail, defaults, via);
                    let value = self.new_value(trail, structured, make)?;
                    values.push(Insertion {
                        at,
                        value,
                        before,
                        after,
                    });
                }
                elements
                    .insert(values, part, self.caller)
                    .map_err(located)?;
            }
            Operation::Append => {
                let value = self.added_value(None, trail, instruction)?;
                elements
                    .add(value, End::Last, part, self.caller)
                    .map_err(located)?;
            }
            Operation::Assert { via } => {
                for &at in matched {
                    let place = elements.place(at);
                    let assert = |this: &mut Self, left: &Arc<Node>| {
                        this.assert(left, place, part, via).map_err(located)?;
                        Ok(this
                            .onto(left, trail, defaults)?
                            .unwrap_or_else(|| Arc::clone(left)))
                    };
                    let value = self.at_element(elements, at, trail, structured, assert)?;
                    if self.is_news(elements.value(at), &value) {
                        elements.set(at, value, self.caller).map_err(located)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What `edit` makes of an element, or of the document in it.
    fn at_element<E: Elements>(
        &mut self,
        elements: &E,
        at: usize,
        trail: &Trail<'_, 'v>,
        structured: Option<Structured>,
        edit: impl FnOnce(&mut Self, &Arc<Node>) -> Outcome<Arc<Node>>,
    ) -> Outcome<Arc<Node>> {
        let left = Arc::clone(elements.value(at));
        let place = match (E::KIND, self.places.last()) {
            (Kind::Entry | Kind::Item, Some(outer)) => outer.below(elements.index(at), &left),
            _ => Place::root(&left, Format::Yaml),
        };
        self.places.push(place);
        let outcome = self.edited(&left, trail, structured, edit);
        self.places.pop();
        outcome
    }

    /// The value of the last part of `trail` where it is added.
    pub(super) fn added_value(
        &mut self,
        via: Option<Value<'v>>,
        trail: &Trail<'_, 'v>,
        instruction: &Instruction<'v>,
    ) -> Outcome<Arc<Node>> {
        let make = |this: &mut Self| this.right(None, trail, instruction.defaults, via);
        self.new_value(trail, instruction.structured, make)
    }

    /// What `left` becomes with the last part of `trail` merged into it.
    fn merged(
        &mut self,
        left: &Arc<Node>,
        trail: &Trail<'_, 'v>,
        defaults: Defaults<'v>,
    ) -> Outcome<Arc<Node>> {
        match self.onto(left, trail, defaults)? {
            Some(value) => Ok(value),
            None => self.made(trail, defaults),
        }
    }

    /// Merges the last part of `trail` into `left`. `None` where its value takes the place of `left` whole.
    fn onto(
        &mut self,
        left: &Arc<Node>,
        trail: &Trail<'_, 'v>,
        defaults: Defaults<'v>,
    ) -> Outcome<Option<Arc<Node>>> {
        let left = left.resolved();
        let children = trail
            .part
            .children(defaults, self.caller)
            .map_err(|error| vec![trail.locate(error)])?;
        match (children, &left.content) {
            (Children::None, _) => Ok(None),
            (Children::Entries(parts), Content::Mapping(mapping)) => {
                let mut entries =
                    Entries::new(left, mapping).map_err(|error| vec![trail.locate(error)])?;
                self.each(parts, trail, &mut entries)?;
                Ok(Some(entries.finish()))
            }
            (Children::Items(parts), Content::Sequence(sequence)) => {
                let mut items = Items::new(left, sequence);
                self.each(parts, trail, &mut items)?;
                Ok(Some(items.finish()))
            }
            _ if left.value() == Some(Scalar::Null) => Ok(None),
            _ => {
                let is_structured = trail
                    .part
                    .instruction(self.caller)
                    .is_ok_and(|own| own.structured.is_some());
                Err(vec![trail.locate(wrong_kind(
                    left,
                    &trail.part.value,
                    is_structured,
                ))])
            }
        }
    }

    /// Applies each of `parts`, which are children of the last part of `trail`.
    fn each<E: Elements>(
        &mut self,
        parts: &[Part<'v>],
        trail: &Trail<'_, 'v>,
        elements: &mut E,
    ) -> Outcome<()> {
        let mut faults = Vec::new();
        for part in parts {
            if let Err(mut found) = self.part(elements, &trail.child(part)) {
                faults.append(&mut found);
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }

    /// The value that the last part of `trail` puts somewhere: its own, or what `via` makes of the left and its own.
    pub(super) fn right(
        &mut self,
        left: Option<&Arc<Node>>,
        trail: &Trail<'_, 'v>,
        defaults: Defaults<'v>,
        via: Option<Value<'v>>,
    ) -> Outcome<Arc<Node>> {
        let Some(via) = via else {
            return self.made(trail, defaults);
        };
        let value = self
            .ask(via, left, trail.part)
            .and_then(|answer| self.caller.node(answer));
        let value = value.map_err(|error| {
            let place = left.and_then(|left| left.location());
            vec![trail.locate(error.at(place, "called for this"))]
        })?;
        let made = Part::value(&value);
        self.made(
            &Trail {
                part: &made,
                outer: Some(trail),
            },
            Defaults::default(),
        )
    }

    fn ask(
        &mut self,
        via: Value<'v>,
        left: Option<&Arc<Node>>,
        part: &Part<'v>,
    ) -> Result<Value<'v>> {
        let left = left.map_or_else(Value::none, |left| self.caller.value(left));
        let positional = vec![left, self.caller.value(&part.value)];
        self.caller.call(
            via,
            &Arguments {
                positional,
                named: Vec::new(),
            },
        )
    }

    fn assert(
        &mut self,
        left: &Arc<Node>,
        place: Option<Location>,
        part: &Part<'v>,
        via: Option<Value<'v>>,
    ) -> Result<()> {
        let Some(via) = via else {
            return match mismatch(left, &part.value) {
                None => Ok(()),
                Some(mismatch) => Err(error(mismatch.message())
                    .at(mismatch.right(), "asserted here")
                    .at(mismatch.left().or(place), "found here")),
            };
        };
        let answer = self.ask(via, Some(left), part)?;
        let found = match spelled(left) {
            found if left.as_scalar().is_some() => format!("found {found}"),
            _ => "found this".to_owned(),
        };
        let pair = answer.as_tuple().or_else(|| answer.as_list());
        let (holds, reason) = match pair.as_deref() {
            Some([holds, reason]) => (holds.as_bool(), reason.as_str().map(Some)),
            Some(_) => (None, None),
            None if answer.is_none() => (Some(true), Some(None)),
            None => (answer.as_bool(), Some(None)),
        };
        match (holds, reason) {
            (Some(true), Some(_)) => Ok(()),
            (Some(false), Some(None)) => Err(error(
                "expected the assertion to hold, found that it does not",
            )
            .at(place, found)),
            (Some(false), Some(Some(reason))) => Err(error(format!(
                "expected the assertion to hold, found: {reason}"
            ))
            .at(place, found)),
            _ => {
                let message = "expected the function of the assertion to return a boolean, a boolean with a text, or None";
                Err(error(format!("{message}, found {}", a_type(answer))).at(place, found))
            }
        }
    }
}

/// The complaint about another number of elements than expected.
fn wrong_number<'v, E: Elements>(
    elements: &E,
    part: &Part<'v>,
    instruction: &Instruction<'v>,
    count: &Count<'v>,
    matched: &[usize],
) -> Box<Diagnostic> {
    let (one, many) = E::KIND.words();
    let found = matched.len();
    let mut error = error(format!(
        "expected {}, found {found}",
        count.expected(one, many)
    ));
    if matched.is_empty() {
        return near_miss::explain(error, elements, part, &instruction.target);
    }
    let places: Vec<Location> = matched
        .iter()
        .filter_map(|at| elements.place(*at))
        .collect();
    for place in places.iter().take(SHOWN) {
        error = error.at(place.clone(), "matches");
    }
    if places.len() > SHOWN {
        let others: Vec<String> = places.iter().skip(SHOWN).map(line).collect();
        error = error.note(format!("also matched: {}", others.join(", ")));
    }
    error.help(format!(
        "say how many are meant: `expects={found}` or `expects=\"1+\"`"
    ))
}

/// The complaint about a mapping or list on something else.
fn wrong_kind(left: &Arc<Node>, right: &Arc<Node>, is_structured: bool) -> Box<Diagnostic> {
    let (wanted, found) = (right.kind(), left.described());
    let error = error(format!(
        "expected a {wanted} to apply a {wanted} to, found {found}"
    ))
    .at(left.location(), found);
    let error = match left.value() {
        _ if is_structured => error.note("this is the document that the string holds"),
        Some(Scalar::String(_)) => error.help(format!(
            "to apply it to the document that the string holds, annotate the {wanted} with `#@overlay/structured`"
        )),
        _ => error,
    };
    error.help(format!(
        "to put the {wanted} in its place, annotate it with `#@overlay/replace`"
    ))
}

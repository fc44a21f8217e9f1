//! The quotes that new strings are written in, where those around them have quotes without need.

use std::sync::Arc;

use super::Printer;
use super::align::Part;
use crate::yaml::node::{Node, ScalarStyle, Text};
use crate::yaml::spelling::{Place, encode};
use crate::yaml::value::is_plain_string;

impl Printer<'_> {
    /// The quotes that all strings of a collection have, if one of them has no need of them.
    pub(super) fn habitual_quotes(&self, parts: &[Part<'_>]) -> Option<ScalarStyle> {
        let mut habit = None;
        let mut by_choice = false;
        for value in parts.iter().map(|part| part.value) {
            let Some(text) = value.as_str() else { continue };
            let style = value.as_scalar()?.style;
            if !matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)
                || habit.is_some_and(|own| own != style)
            {
                return None;
            }
            habit = Some(style);
            by_choice |= is_plain_string(text, false);
        }
        habit.filter(|_| by_choice)
    }

    /// A new string in the quotes given, where its own text asks for no other style.
    pub(super) fn quoted(
        &self,
        value: &Arc<Node>,
        quotes: Option<ScalarStyle>,
        place: &Place<'_>,
    ) -> Option<String> {
        let text = value.as_str()?;
        let scalar = value.as_scalar()?;
        let is_bare = value.origin.is_none() || scalar.style == ScalarStyle::Plain;
        let is_new = self.is_foreign(value) && !matches!(scalar.text, Text::Derived(_));
        let quotes = quotes.filter(|_| is_bare && is_new && !text.contains('\n'))?;
        Some(encode(text, quotes, place))
    }

    /// Whether a node was not parsed from the text that is printed.
    pub(super) fn is_foreign(&self, node: &Node) -> bool {
        node.origin
            .as_ref()
            .is_none_or(|origin| !Arc::ptr_eq(&origin.source, self.source))
    }
}

//! Finds the place where a step is written: the line of an overlay, the operation of a patch, or
//! the line of a file that a generator reads.

use std::sync::Arc;

use super::history::Explainer;
use super::versions::string_depth;
use crate::edit::{Documents, PathStep};
use crate::provenance::{Hole, JournalStep, WrittenEdit};
use crate::source::{Location, Span};
use crate::yaml::Node;

impl Explainer {
    /// Returns the place in a step that is about a value of `root`, or else about the innermost
    /// collection around it. If there is none, returns the place of the whole step.
    pub(super) fn written_place(
        &self,
        step: &JournalStep,
        root: &Arc<Node>,
        steps: &[PathStep],
    ) -> Option<Location> {
        let written = || {
            let written = step.written.as_ref()?;
            self.place_in_file(written, root, steps)
                .or_else(|| self.versions.deepest_place_in(written, root, steps))
        };
        written_edit(&step.edits, steps)
            .or_else(written)
            .or_else(|| step.place.clone())
    }

    /// Returns the expression that made a value in the tree of a step. It is needed for an overlay
    /// on a document in a string: the object contains only text there, not the node that the
    /// expression made.
    pub(super) fn written_hole(
        &self,
        step: &JournalStep,
        root: &Arc<Node>,
        steps: &[PathStep],
    ) -> Option<&Hole> {
        if self.has_no_holes() {
            return None;
        }
        let written = step.written.as_ref()?;
        let own = self.versions.steps_in(written, root, steps)?;
        let (hole, rest) = self.hole(written, &own)?;
        rest.is_empty().then_some(hole)
    }

    /// Returns whether the tree of a step contains a value.
    pub(super) fn is_written(
        &self,
        step: &JournalStep,
        root: &Arc<Node>,
        steps: &[PathStep],
    ) -> bool {
        let steps_in = |written| self.versions.steps_in(written, root, steps);
        step.written.as_ref().and_then(steps_in).is_some()
    }

    /// Returns the place of a value in a string whose text is a whole file. A generator copies the
    /// file into the object without parsing it, so the string has only the place of the file.
    ///
    /// ```text
    /// place of the string   the whole file `config.yaml`
    /// steps                 data, config.yaml, server, port
    /// place of `port`       config.yaml:2
    /// ```
    fn place_in_file(
        &self,
        written: &Arc<Node>,
        root: &Arc<Node>,
        steps: &[PathStep],
    ) -> Option<Location> {
        let depth = string_depth(root, steps)?;
        let (outer, inner) = steps.split_at_checked(depth)?;
        let place = self.versions.deepest_place_in(written, root, outer)?;
        let source = place.source;
        if place.span != Span::new(0, source.text().len()) {
            return None;
        }
        let format = self.versions.format_of(root, steps, depth)?;
        let file = self.versions.file(&source, || {
            let documents = Documents::read(&source, Some(format)).ok()?;
            match documents.roots().as_slice() {
                [only] => Some(Arc::clone(only)),
                _ => None,
            }
        })?;
        self.versions.value_at(&file, inner)?.location()
    }
}

/// Returns the place of the last edit of a value or of a collection that contains it. If there is
/// none, returns the place of the last edit inside the value.
fn written_edit(edits: &[WrittenEdit], steps: &[PathStep]) -> Option<Location> {
    let is_step = |(key, step): (&String, &PathStep)| match step {
        PathStep::Key(own) => **own == **key,
        // `-` is the item after the last one.
        PathStep::Index(own) => key == "-" || *key == own.to_string(),
    };
    let is_on_the_way = |edit: &&WrittenEdit| edit.keys.iter().zip(steps).all(is_step);
    let is_around = |edit: &&WrittenEdit| edit.keys.len() <= steps.len() && is_on_the_way(edit);
    let edit = edits.iter().rfind(is_around);
    let edit = edit.or_else(|| edits.iter().rfind(is_on_the_way))?;
    Some(edit.place.clone())
}

//! The places of the images of an object.
//!
//! kustomize changes an object once for each entry, in two searches. To search once for all entries,
//! the images are noted first, in the order in which the searches visit them. An image that both
//! searches visit is one place with two visits, and every entry that matches changes it twice.
//!
//! Invariant: the same searches visit the same places again, because an image is only replaced by
//! another scalar.

use std::sync::Arc;

use crate::kustomize::field_spec::{is_null, text_over};
use crate::source::{Location, Result, Source, Span, steps};
use crate::yaml::Node;

/// The images that the searches visited.
#[derive(Debug)]
pub(super) struct ImagePlaces<'s> {
    pub(super) images: Vec<VisitedImage>,
    /// The index of the image of each visit; `None` for a null.
    visits: Vec<Option<usize>>,
    /// The source of the marks.
    marks: &'s Arc<Source>,
}

/// An image at one place of an object.
#[derive(Debug)]
pub(super) struct VisitedImage {
    /// The image as it is.
    pub(super) node: Arc<Node>,
    /// How often the searches visit it.
    pub(super) visits: usize,
}

impl ImagePlaces<'_> {
    /// Starts with no image. `marks` is a source that no object is from.
    pub(super) fn new(marks: &Arc<Source>) -> ImagePlaces<'_> {
        ImagePlaces {
            images: Vec::new(),
            visits: Vec::new(),
            marks,
        }
    }

    /// Notes a visit. Returns a mark, which the search puts in the place of the image, so that a
    /// later visit recognizes the place: nodes are shared, so their addresses are not enough.
    ///
    /// # Errors
    /// [`Code::ValueDoesNotFit`](crate::source::Code::ValueDoesNotFit) for a collection.
    pub(super) fn visit(&mut self, image: &Arc<Node>) -> Result<Option<Arc<Node>>> {
        steps::count(1);
        if is_null(image) {
            self.visits.push(None);
            return Ok(None);
        }
        if let Some(known) = self.marked(image) {
            self.images[known].visits += 1;
            self.visits.push(Some(known));
            return Ok(None);
        }
        // An empty text changes nothing, but a collection is an error.
        text_over(image, "")?;
        let new = self.images.len();
        self.visits.push(Some(new));
        self.images.push(VisitedImage {
            node: Arc::clone(image),
            visits: 1,
        });
        let place = Location::new(self.marks, Span::at(new));
        Ok(Some(Node::string("").at_place(&place)))
    }

    /// Returns the index of the image that a mark is for.
    fn marked(&self, node: &Node) -> Option<usize> {
        let origin = node.origin.as_ref()?;
        let is_mark = Arc::ptr_eq(&origin.source, self.marks);
        is_mark.then(|| origin.span.start())
    }

    /// Returns the new images in the order in which the same searches visit their places again.
    /// Each is returned at the first visit.
    pub(super) fn written(
        &self,
        mut images: Vec<Option<Arc<Node>>>,
    ) -> impl Iterator<Item = Option<Arc<Node>>> {
        let visits = self.visits.iter();
        visits.map(move |visit| images.get_mut((*visit)?)?.take())
    }
}

//! Finds images and changes them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::config::ImageConfig;
use super::index::ImageIndex;
use super::places::{ImagePlaces, VisitedImage};
use super::reference::ImageReference;
use crate::kubernetes::{EntryRecorder, Resource};
use crate::kustomize::field_spec::{
    FieldSpec, FieldSpecPath, KindPattern, LeafEdit, edit_node, in_object, text_over,
};
use crate::regexp::{self, Regex};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result, Source};
use crate::yaml::{Content, Entry, Node, ScalarStyle, ScalarTyping, relink};

/// The keys whose lists contain containers, anywhere in an object.
const CONTAINERS: [&str; 2] = ["containers", "initContainers"];

/// The pattern for the tag and digest after the name of an image.
const TAG_AND_DIGEST: &str = "(:[a-zA-Z0-9_.{}-]*)?\
    (@[a-zA-Z0-9]+([+._-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]*)?$";

/// A kind whose objects only describe fields, and contain no images.
const CUSTOM_RESOURCE: &str = "CustomResourceDefinition";

/// Changes images by all entries of a list.
#[derive(Clone, Debug)]
pub struct ImageTransformer {
    entries: Vec<ImageChange>,
    index: ImageIndex,
    field_specs: Arc<Vec<FieldSpec>>,
    /// The field of a container.
    in_container: FieldSpec,
}

/// The images that an entry changes, and how they change.
#[derive(Clone, Debug)]
struct ImageChange {
    /// `None` if the name is not a regular expression, so that it matches nothing.
    pattern: Option<Regex>,
    /// The name as written.
    name: String,
    location: Option<Location>,
    new_name: String,
    new_tag: String,
    tag_suffix: String,
    digest: String,
}

impl ImageTransformer {
    /// Creates the transformer of a list of entries.
    ///
    /// Warns about a name that is not a regular expression: in kustomize, it matches nothing.
    pub fn new(
        entries: Vec<ImageConfig>,
        field_specs: Arc<Vec<FieldSpec>>,
        diagnostics: &mut Diagnostics,
    ) -> ImageTransformer {
        let entries = entries.into_iter();
        let entries: Vec<ImageChange> = entries
            .map(|entry| ImageChange::new(entry, diagnostics))
            .collect();
        ImageTransformer {
            index: ImageIndex::new(entries.iter().map(|entry| entry.pattern.as_ref())),
            entries,
            field_specs,
            in_container: FieldSpec {
                kinds: KindPattern::default(),
                path: FieldSpecPath::parse("image"),
                create: false,
                location: None,
            },
        }
    }

    /// Returns the number of entries.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Changes the images of all objects, by one entry after the other.
    ///
    /// As in kustomize, images are searched twice: in every list of containers at any depth, and in
    /// the fields of the field specs. An image that both searches find is changed twice, so a
    /// `tagSuffix` is added twice.
    ///
    /// An entry that matches no image is reported as a warning.
    ///
    /// # Errors
    /// Reports every object in which the value of an image is not a text.
    pub fn apply(
        &self,
        resources: &mut [Resource],
        recorder: EntryRecorder<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let marks = Source::empty();
        let mut is_matched = vec![false; self.entries.len()];
        let mut outcome = Ok(());
        for resource in resources {
            if resource.kind() == CUSTOM_RESOURCE {
                continue;
            }
            let places = ImagePlaces::new(&marks);
            if let Err(error) = self.apply_to(resource, places, recorder, &mut is_matched) {
                outcome = Err(diagnostics.report(error));
            }
        }
        outcome?;
        for (entry, is_matched) in self.entries.iter().zip(is_matched) {
            if !is_matched && entry.pattern.is_some() {
                diagnostics.push(entry.no_image());
            }
        }
        Ok(())
    }

    /// Changes the images of one object: notes their places, computes the new images, and writes
    /// these. With a recorder, the changes of each entry are written and recorded separately.
    fn apply_to(
        &self,
        resource: &mut Resource,
        mut places: ImagePlaces<'_>,
        recorder: EntryRecorder<'_>,
        is_matched: &mut [bool],
    ) -> Result<()> {
        self.search(resource, &mut |image| places.visit(image))?;
        // The searches also write a missing list, which belongs to the first entry.
        let unchanged = vec![None; places.images.len()];
        let mut writes = BTreeMap::from([(0, unchanged.clone())]);
        for (place, image) in places.images.iter().enumerate() {
            for (entry, changed) in self.changes_of(image, is_matched)? {
                let write = if recorder.is_on() { entry } else { 0 };
                let images = writes.entry(write).or_insert_with(|| unchanged.clone());
                images[place] = Some(changed);
            }
        }
        for (entry, images) in writes {
            let mut images = places.written(images);
            match self.search(resource, &mut |_| Ok(images.next().flatten()))? {
                Some(node) if resource.has_aliases => resource.node = relink(&node),
                Some(node) => resource.node = node,
                None => {}
            }
            recorder.record(entry, resource);
        }
        Ok(())
    }

    /// Returns what the entries that match an image make of it, in order.
    fn changes_of(
        &self,
        image: &VisitedImage,
        is_matched: &mut [bool],
    ) -> Result<Vec<(usize, Arc<Node>)>> {
        let mut changes = Vec::new();
        let mut node = Arc::clone(&image.node);
        let mut candidates = self.index.candidates(node.text().unwrap_or_default());
        let mut next = 0;
        while let Some(&entry) = candidates.get(next) {
            next += 1;
            let change = &self.entries[entry];
            let before = Arc::clone(&node);
            for _ in 0..image.visits {
                if !change.is_meant(&node) {
                    break;
                }
                is_matched[entry] = true;
                if let Some(changed) = change.over(&node)? {
                    node = changed;
                }
            }
            if Arc::ptr_eq(&before, &node) {
                continue;
            }
            changes.push((entry, Arc::clone(&node)));
            if before.text() != node.text() {
                candidates = self.index.candidates(node.text().unwrap_or_default());
                next = candidates.partition_point(|candidate| *candidate <= entry);
            }
        }
        Ok(changes)
    }

    /// Visits the images of an object by both searches. Returns the new object, or `None` if
    /// nothing changes.
    fn search(&self, resource: &Resource, change: &mut LeafEdit<'_>) -> Result<Option<Arc<Node>>> {
        let mut changed = self
            .search_node(&resource.node, change)
            .map_err(|error| error.about(resource.object_reference()))?;
        let id = resource.id();
        let specs = self.field_specs.iter();
        for spec in specs.filter(|spec| spec.kinds.matches(id)) {
            let node = changed.as_ref().unwrap_or(&resource.node);
            let further = edit_node(node, spec, None, change)
                .map_err(|error| in_object(error, resource, spec))?;
            changed = further.or(changed);
        }
        Ok(changed)
    }

    /// Changes the lists of containers in a node and inside it. Returns `None` if nothing changes.
    fn search_node(
        &self,
        node: &Arc<Node>,
        change: &mut LeafEdit<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let own = node.resolved();
        let changed = match &own.content {
            Content::Scalar(_) | Content::Alias(_) => None,
            Content::Sequence(_) => own.try_map_values(|item| self.search_node(item, change))?,
            Content::Mapping(mapping) => {
                let mut values = Vec::new();
                for (position, entry) in mapping.entries.iter().enumerate() {
                    let value = self.search_entry(entry, change)?;
                    values.extend(value.map(|value| (position, value)));
                }
                own.with_values(values)
            }
        };
        Ok(changed.map(|changed| changed.anchored(node.anchor())))
    }

    /// Changes the lists of containers in the value of an entry. If the value itself is such a
    /// list, the values inside it are changed first.
    fn search_entry(&self, entry: &Entry, change: &mut LeafEdit<'_>) -> Result<Option<Arc<Node>>> {
        let inner = self.search_node(&entry.value, change)?;
        let key = entry.key.resolved().text();
        if !key.is_some_and(|key| CONTAINERS.contains(&key)) {
            return Ok(inner);
        }
        let value = inner.as_ref().unwrap_or(&entry.value);
        let outer = self.change_containers(value, change)?;
        Ok(outer.or(inner))
    }

    /// Changes the image of each container, if the value is a list.
    fn change_containers(
        &self,
        containers: &Arc<Node>,
        change: &mut LeafEdit<'_>,
    ) -> Result<Option<Arc<Node>>> {
        if containers.resolved().as_sequence().is_none() {
            return Ok(None);
        }
        edit_node(containers, &self.in_container, None, change)
    }
}

/// Returns an unchanged image without a type, because kustomize writes it again. Returns `None` if
/// it has quotes.
fn without_type(image: &Node) -> Option<Arc<Node>> {
    let scalar = image.as_scalar()?;
    let is_typed = scalar.style == ScalarStyle::Plain && !image.is_untyped();
    is_typed.then(|| image.with_typing(ScalarTyping::Untyped))
}

impl ImageChange {
    fn new(config: ImageConfig, diagnostics: &mut Diagnostics) -> ImageChange {
        let name = config.name.unwrap_or_default();
        // As in kustomize, the name is not put in parentheses: `a|b` matches every image that begins
        // with `a` and every image that ends with `b`.
        let pattern = match regexp::compile(&format!("^{}{TAG_AND_DIGEST}", name.value)) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                let message = format!("the image name `{}` matches nothing: {error}", name.value);
                diagnostics.push(
                    Diagnostic::warning(Code::Config, message)
                        .at(name.location.clone(), "")
                        .note("kustomize reads the name as a part of a regular expression")
                        .help("put a backslash before characters such as `(` and `[`"),
                );
                None
            }
        };
        ImageChange {
            pattern,
            name: name.value,
            location: name.location,
            new_name: config.new_name.unwrap_or_default(),
            new_tag: config.new_tag.unwrap_or_default(),
            tag_suffix: config.tag_suffix.unwrap_or_default(),
            digest: config.digest.unwrap_or_default(),
        }
    }

    /// Returns whether the entry changes an image.
    fn is_meant(&self, image: &Node) -> bool {
        let pattern = self.pattern.as_ref();
        pattern
            .zip(image.text())
            .is_some_and(|(pattern, text)| pattern.is_match(text))
    }

    /// Returns the image that replaces one that is meant, or `None` to keep it.
    fn over(&self, old: &Node) -> Result<Option<Arc<Node>>> {
        let written = text_over(old, &self.changed(old.text().unwrap_or_default()))?;
        Ok(written.or_else(|| without_type(old)))
    }

    fn changed(&self, text: &str) -> String {
        let mut image = ImageReference::split(text);
        if !self.new_name.is_empty() {
            image.name.clone_from(&self.new_name);
        }
        // A new tag without a digest removes the old digest, and a new digest without a tag removes
        // the old tag: both identify the old version of the image.
        if !self.new_tag.is_empty() || !self.digest.is_empty() {
            image.tag.clone_from(&self.new_tag);
            image.digest.clone_from(&self.digest);
        } else if !self.tag_suffix.is_empty() {
            image.tag.push_str(&self.tag_suffix);
            image.digest.clear();
        }
        image.joined()
    }

    fn no_image(&self) -> Box<Diagnostic> {
        let message = format!("no container has an image `{}`", self.name);
        Diagnostic::warning(Code::Selector, message)
            .at(self.location.clone(), "the entry changes nothing")
            .help("write the name as the objects do, with its registry and without a tag")
    }
}

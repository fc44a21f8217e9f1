//! Finds images and changes them.

use std::sync::Arc;

use super::config::ImageConfig;
use super::reference::ImageReference;
use crate::kubernetes::Resource;
use crate::kustomize::field_spec::{
    FieldSpec, FieldSpecPath, KindPattern, LeafEdit, edit_node, edit_object, is_null, text_over,
};
use crate::regexp::{self, Regex};
use crate::source::{Code, Diagnostic, Diagnostics, Location, Reported, Result};
use crate::yaml::{Content, Entry, Node, ScalarStyle, ScalarTyping, relink};

/// The keys whose lists contain containers, anywhere in an object.
const CONTAINERS: [&str; 2] = ["containers", "initContainers"];

/// The pattern for the tag and digest after the name of an image.
const TAG_AND_DIGEST: &str = "(:[a-zA-Z0-9_.{}-]*)?\
    (@[a-zA-Z0-9]+([+._-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]*)?$";

/// A kind whose objects only describe fields, and contain no images.
const CUSTOM_RESOURCE: &str = "CustomResourceDefinition";

/// A change of the images with a name.
#[derive(Clone, Debug)]
pub struct ImageTransformer {
    image: ImageChange,
    /// The name as written.
    name: String,
    location: Option<Location>,
    field_specs: Arc<Vec<FieldSpec>>,
    /// The field of a container.
    in_container: FieldSpec,
}

/// The images that change, and how they do.
#[derive(Clone, Debug)]
struct ImageChange {
    /// `None` if the name is not a regular expression, so that it matches nothing.
    pattern: Option<Regex>,
    new_name: String,
    new_tag: String,
    tag_suffix: String,
    digest: String,
}

impl ImageTransformer {
    /// Creates the transformer of an entry.
    ///
    /// Warns about a name that is not a regular expression: in kustomize, it matches nothing.
    pub fn new(
        config: ImageConfig,
        field_specs: Arc<Vec<FieldSpec>>,
        diagnostics: &mut Diagnostics,
    ) -> ImageTransformer {
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
        ImageTransformer {
            image: ImageChange {
                pattern,
                new_name: config.new_name.unwrap_or_default(),
                new_tag: config.new_tag.unwrap_or_default(),
                tag_suffix: config.tag_suffix.unwrap_or_default(),
                digest: config.digest.unwrap_or_default(),
            },
            name: name.value,
            location: name.location,
            field_specs,
            in_container: FieldSpec {
                kinds: KindPattern::default(),
                path: FieldSpecPath::parse("image"),
                create: false,
                location: None,
            },
        }
    }

    /// Changes the images of all objects.
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
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let mut is_matched = false;
        let mut outcome = Ok(());
        for resource in resources {
            if resource.kind() == CUSTOM_RESOURCE {
                continue;
            }
            if let Err(error) = self.apply_to(resource, &mut is_matched) {
                outcome = Err(diagnostics.report(error));
            }
        }
        outcome?;
        if !is_matched && self.image.pattern.is_some() {
            diagnostics.push(self.no_image());
        }
        Ok(())
    }

    fn apply_to(&self, resource: &mut Resource, is_matched: &mut bool) -> Result<()> {
        let mut change = |old: &Arc<Node>| self.image.over(old, is_matched);
        let changed = self
            .search(&resource.node, &mut change)
            .map_err(|error| error.about(resource.object_reference()))?;
        match changed {
            Some(node) if resource.has_aliases => resource.node = relink(&node),
            Some(node) => resource.node = node,
            None => {}
        }
        edit_object(resource, &self.field_specs, None, &mut change)?;
        Ok(())
    }

    /// Changes the lists of containers in a node and inside it. Returns `None` if nothing changes.
    fn search(&self, node: &Arc<Node>, change: &mut LeafEdit<'_>) -> Result<Option<Arc<Node>>> {
        let own = node.resolved();
        let changed = match &own.content {
            Content::Scalar(_) | Content::Alias(_) => None,
            Content::Sequence(_) => own.try_map_values(|item| self.search(item, change))?,
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
        let inner = self.search(&entry.value, change)?;
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

    fn no_image(&self) -> Box<Diagnostic> {
        let message = format!("no container has an image `{}`", self.name);
        Diagnostic::warning(Code::Selector, message)
            .at(self.location.clone(), "the entry changes nothing")
            .help("write the name as the objects do, with its registry and without a tag")
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
    /// Returns the image that replaces another one, or `None` to keep it.
    fn over(&self, old: &Node, is_matched: &mut bool) -> Result<Option<Arc<Node>>> {
        let text = old.text().filter(|_| !is_null(old));
        let pattern = self.pattern.as_ref();
        let is_meant = |text: &str| pattern.is_some_and(|pattern| pattern.is_match(text));
        match text {
            Some(text) if is_meant(text) => {
                *is_matched = true;
                let written = text_over(old, &self.changed(text))?;
                Ok(written.or_else(|| without_type(old)))
            }
            Some(_) => Ok(None),
            // A collection is an error, even if the entry does not match.
            None if is_null(old) => Ok(None),
            None => text_over(old, ""),
        }
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
}

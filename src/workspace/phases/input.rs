//! The input of a build.

use std::sync::{Arc, OnceLock};

use super::content::SharedContents;
use crate::overlay::EqualValues;
use crate::provenance::Recorder;
use crate::schema::Schema;
use crate::source::world::World;
use crate::template;
use crate::workspace::file::InputFile;
use crate::workspace::values::ValuesDocument;
use crate::yaml::Node;

/// The input of a build.
#[derive(Clone, Copy)]
pub struct BuildInput<'i> {
    /// The files, in order.
    pub files: &'i [InputFile],
    /// Documents that come before those of the files. Overlays change them, and they contain no
    /// code.
    pub resources: &'i [Arc<Node>],
    /// The data values from outside. Later ones win.
    pub data_values: &'i [ValuesDocument],
    /// The file system and environment for reading files.
    pub world: &'i dyn World,
    /// The options for templates and YAML.
    pub options: BuildOptions,
    /// Records the origin of each value.
    pub recorder: Recorder<'i>,
    /// The contents that builds of the same files share; `None` for a single build.
    pub shared: Option<&'i SharedContents>,
    /// Receives the schema and data values of the build, if they are shown next to its output.
    pub findings: Option<&'i ValuesFindings>,
}

/// The schema and the data values of a build. They are available even if a later phase fails, so
/// that a form can show them while a template is wrong.
#[derive(Debug, Default)]
pub struct ValuesFindings {
    schema: OnceLock<Schema>,
    values: OnceLock<Arc<Node>>,
}

impl ValuesFindings {
    /// Returns the schema; `None` if the build failed earlier, or did not need it.
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.get()
    }

    /// Returns the data values that templates see; `None` if the build failed earlier, or did not
    /// need them.
    pub fn values(&self) -> Option<&Arc<Node>> {
        self.values.get()
    }

    /// Stores the findings, unless an earlier build has already stored some.
    pub(super) fn keep(&self, schema: Schema, values: Option<&Arc<Node>>) {
        let _ = self.schema.set(schema);
        if let Some(values) = values {
            let _ = self.values.set(Arc::clone(values));
        }
    }
}

impl<'i> BuildInput<'i> {
    /// Creates the input for a build of only these files: without data values from outside, with
    /// the default options, and without a recorder.
    pub fn of_files(files: &'i [InputFile], world: &'i dyn World) -> BuildInput<'i> {
        BuildInput {
            files,
            resources: &[],
            data_values: &[],
            world,
            options: BuildOptions::default(),
            recorder: Recorder::off(),
            shared: None,
            findings: None,
        }
    }
}

/// The options for templates and YAML. The fields have the names of ytt's flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BuildOptions {
    /// Accept only the strict subset of YAML.
    pub strict: bool,
    /// Accept comments in templates that are neither code nor `#!`. In plain files they are always
    /// accepted.
    pub ignore_unknown_comments: bool,
    /// Let the later of two equal keys in a template override the earlier one. In plain files, this
    /// is always the case.
    pub implicit_map_key_overrides: bool,
    /// Reject annotations, and arguments of annotations, that ytt ignores. Otherwise they are
    /// warnings.
    pub strict_annotations: bool,
    /// Record which data values each expression reads.
    pub records: bool,
    /// Skip the validations of schemas. Types are still checked.
    pub dangerous_data_values_disable_validation: bool,
    /// Give replaced values the place of the overlay, for `-o pos`. The result must not be printed
    /// faithfully.
    pub overlay_places: bool,
    /// The output is only printed as [`OutputFormat::Yaml`], so trees need not be kept where
    /// nothing can change them.
    ///
    /// [`OutputFormat::Yaml`]: crate::workspace::output::OutputFormat::Yaml
    pub reprints: bool,
}

impl BuildOptions {
    /// Returns the node that is kept for equal values in overlays on documents.
    pub(super) fn equal_values(self) -> EqualValues {
        match self.overlay_places {
            true => EqualValues::TakeRightAndPlace,
            false => EqualValues::KeepLeft,
        }
    }

    /// Returns the node that is kept for equal values in overlays on data values.
    pub(super) fn equal_data_values(self) -> EqualValues {
        match self.overlay_places {
            true => EqualValues::TakeRightAndPlace,
            false => EqualValues::TakeRight,
        }
    }

    /// Returns the options for compiling templates.
    pub(super) fn template(self) -> template::TemplateOptions {
        template::TemplateOptions {
            ignore_unknown_comments: self.ignore_unknown_comments,
            implicit_map_key_overrides: self.implicit_map_key_overrides,
            records: self.records,
        }
    }
}

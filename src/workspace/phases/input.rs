//! What a build is given.

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
    /// Documents that come before those of the files. Overlays change them; nothing in them is
    /// code.
    pub resources: &'i [Arc<Node>],
    /// The data values from outside; later ones win.
    pub data_values: &'i [ValuesDocument],
    /// Where files are read.
    pub world: &'i dyn World,
    /// How templates and YAML are read.
    pub options: BuildOptions,
    /// Where the build records what made each value.
    pub recorder: Recorder<'i>,
    /// What builds of the same files share; `None` for a build on its own.
    pub shared: Option<&'i SharedContents>,
    /// Where the build leaves its schema and data values, if somebody shows them beside its output.
    pub findings: Option<&'i ValuesFindings>,
}

/// The schema and the data values that a build found on its way. They are there also if a later
/// phase fails, so that a form can show them while a template is wrong.
#[derive(Debug, Default)]
pub struct ValuesFindings {
    schema: OnceLock<Schema>,
    values: OnceLock<Arc<Node>>,
}

impl ValuesFindings {
    /// Returns the schema; `None` if the build failed before, or did not need it.
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.get()
    }

    /// Returns the data values that templates see; `None` if the build failed before, or did not
    /// need them.
    pub fn values(&self) -> Option<&Arc<Node>> {
        self.values.get()
    }

    /// Keeps what the first build found that gets this.
    pub(super) fn keep(&self, schema: Schema, values: Option<&Arc<Node>>) {
        let _ = self.schema.set(schema);
        if let Some(values) = values {
            let _ = self.values.set(Arc::clone(values));
        }
    }
}

impl<'i> BuildInput<'i> {
    /// Returns the input of a build of these files alone: without data values from outside, with
    /// the default options, and without a record.
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

/// How templates and YAML are read. The fields are named like ytt's flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BuildOptions {
    /// Accept only the strict subset of YAML.
    pub strict: bool,
    /// Accept comments in templates that are neither code nor `#!`. In plain files they are always
    /// accepted.
    pub ignore_unknown_comments: bool,
    /// Let the later of two equal keys in a template override the earlier. In plain files it always
    /// does.
    pub implicit_map_key_overrides: bool,
    /// Refuse annotations and arguments of annotations that ytt ignores. Otherwise they are
    /// warnings.
    pub strict_annotations: bool,
    /// Record which data values each expression reads.
    pub records: bool,
    /// Skip the validations of schemas. Types are checked all the same.
    pub dangerous_data_values_disable_validation: bool,
    /// Let what an overlay replaces have the place of the overlay, for `-o pos`. The result must
    /// not be printed faithfully.
    pub overlay_places: bool,
    /// Nothing is done with the output but to print it as [`OutputFormat::Yaml`], so trees are not
    /// kept where nothing can change them.
    ///
    /// [`OutputFormat::Yaml`]: crate::workspace::output::OutputFormat::Yaml
    pub reprints: bool,
}

impl BuildOptions {
    /// Returns what an overlay on documents does with values that it does not change.
    pub(super) fn equal_values(self) -> EqualValues {
        match self.overlay_places {
            true => EqualValues::TakeRightAndPlace,
            false => EqualValues::KeepLeft,
        }
    }

    /// Returns what an overlay on data values does with values that it does not change.
    pub(super) fn equal_data_values(self) -> EqualValues {
        match self.overlay_places {
            true => EqualValues::TakeRightAndPlace,
            false => EqualValues::TakeRight,
        }
    }

    /// Returns the options that decide how a template is compiled.
    pub(super) fn template(self) -> template::TemplateOptions {
        template::TemplateOptions {
            ignore_unknown_comments: self.ignore_unknown_comments,
            implicit_map_key_overrides: self.implicit_map_key_overrides,
            records: self.records,
        }
    }
}

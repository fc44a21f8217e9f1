//! The inputs of a command, which its output must not replace.
//!
//! `inlay -f config -d c.yml --output-file c.yml` would lose the data values, and the next run
//! would have another input.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::arguments::BuildArguments;
use crate::source::world::{World, real_place};
use crate::source::{Code, Diagnostic, Result};
use crate::workspace::output::OutputFile;

/// The canonical paths of inputs.
#[derive(Default)]
pub(super) struct InputPlaces {
    places: HashSet<PathBuf>,
}

impl InputPlaces {
    /// Collects the inputs at these paths. Inputs that are not on disk are ignored.
    pub(super) fn new<'p>(
        world: &dyn World,
        paths: impl IntoIterator<Item = &'p Path>,
    ) -> InputPlaces {
        let mut places = HashSet::new();
        for path in paths {
            places.extend(world.canonical(path).ok());
        }
        InputPlaces { places }
    }

    /// Returns whether an input is at `place`, which need not exist.
    pub(super) fn contains(&self, world: &dyn World, place: &Path) -> bool {
        let real = world.canonical(place);
        real.is_ok_and(|real| self.places.contains(&real))
    }

    /// Checks that an output at `place` replaces no input. `help` suggests another place.
    ///
    /// # Errors
    /// Fails if there is an input at `place`.
    pub(super) fn refuse(&self, world: &dyn World, place: &Path, help: &str) -> Result<()> {
        if !self.contains(world, place) {
            return Ok(());
        }
        let message = format!("the output `{}` would replace an input", place.display());
        Err(Diagnostic::error(Code::Output, message).help(help))
    }

    /// Checks that an output at `place` is not inside one of these inputs, which are folders whose
    /// files are all read. The next run would read it as input, and refuse to replace it. `help`
    /// suggests another place.
    ///
    /// # Errors
    /// Fails if the place is inside an input folder.
    pub(super) fn refuse_inside(&self, world: &dyn World, place: &Path, help: &str) -> Result<()> {
        if self.path_in_input(world, place).is_none() {
            return Ok(());
        }
        let message = format!(
            "the output `{}` is inside an input folder: the next run would read it as input",
            place.display()
        );
        Err(Diagnostic::error(Code::Output, message).help(help))
    }

    /// Returns a warning about an output folder inside an input folder: the next run reads its
    /// files, and writes them below it once more.
    pub(super) fn warn_about_nesting(
        &self,
        world: &dyn World,
        folder: &Path,
    ) -> Option<Box<Diagnostic>> {
        let below = self.path_in_input(world, folder)?;
        let message = format!(
            "the output folder `{}` is inside an input folder: the next run reads its files as input",
            folder.display()
        );
        let below = below.display();
        Some(Diagnostic::warning(Code::Output, message).help(format!(
            "write to another folder, or exclude it: `--file-mark '{below}/**/*:exclude=true'`"
        )))
    }

    /// Returns the path of a place below the input folder that it is in. The place usually does not
    /// exist in the first run.
    fn path_in_input(&self, world: &dyn World, place: &Path) -> Option<PathBuf> {
        let real = real_place(world, place)?;
        let mut around = real.ancestors().skip(1);
        let input = around.find(|around| self.places.contains(*around))?;
        Some(real.strip_prefix(input).unwrap_or(&real).to_owned())
    }

    /// Checks that no file in `folder` replaces a template that is an input. Plain YAML may be
    /// replaced, as by ytt: the next run has the same result.
    ///
    /// # Errors
    /// Fails if one of the files would replace a template.
    pub(super) fn refuse_replacing_templates(
        &self,
        world: &dyn World,
        folder: &Path,
        files: &[OutputFile],
    ) -> Result<()> {
        for file in files {
            let place = folder.join(file.path.as_str());
            if self.contains(world, &place) && is_template(world, &place) {
                let message = format!("the output `{}` would replace a template", place.display());
                return Err(Diagnostic::error(Code::Output, message)
                    .help("write to another folder than that of the input"));
            }
        }
        Ok(())
    }
}

/// Returns whether a file may contain code: that of YAML, or of text templates. A file that cannot
/// be read has none that could be lost.
fn is_template(world: &dyn World, place: &Path) -> bool {
    let text = world.read_regular(place).unwrap_or_default();
    let mut pairs = text.windows(2);
    pairs.any(|pair| matches!(pair, b"#@" | b"(@"))
}

/// Checks that a build whose output replaces files has an input. Without one, a forgotten `-f`
/// would empty the files.
///
/// # Errors
/// Fails if a flag names an output, but none names an input.
pub(super) fn check_has_input(arguments: &BuildArguments) -> Result<()> {
    let input = &arguments.input;
    let has_input = !input.files.is_empty()
        || !input.kustomizations.is_empty()
        || input.bulk_in.as_ref().is_some_and(|text| !text.is_empty());
    // These flags print to standard output, with or without input.
    let inspects = arguments.files_inspect
        || arguments.data_values_inspect
        || arguments.data_values_schema_inspect;
    if has_input || inspects {
        return Ok(());
    }
    let folder = arguments.output_files.as_ref();
    let outputs = [
        ("--matrix", arguments.matrix.is_some()),
        ("--output-file", arguments.output_file.output_file.is_some()),
        (
            "--output-files",
            folder.is_some_and(|folder| !folder.is_empty()),
        ),
        (
            "--dangerous-emptied-output-directory",
            arguments.dangerous_emptied_output_directory.is_some(),
        ),
    ];
    match outputs.into_iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => {
            let message = format!("nothing to build: `{flag}` names an output without an input");
            Err(Diagnostic::error(Code::Flag, message)
                .help("name the input with `-f`, or a kustomization with `-k`"))
        }
        None => Ok(()),
    }
}

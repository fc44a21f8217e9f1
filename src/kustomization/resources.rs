//! The first step of a kustomization: the files and folders that `resources` lists.

use super::accumulate::KustomizationBuild;
use super::accumulator::Accumulator;
use super::file::{self, KustomizationKind};
use super::place::Place;
use super::{objects, remote};
use crate::kubernetes::{Resource, start_records};
use crate::source::world::{Folder, cleaned};
use crate::source::{Code, Diagnostic, Reported};
use crate::typed::Spanned;

impl KustomizationBuild<'_> {
    /// Adds the objects of every entry of `resources`.
    ///
    /// # Errors
    /// Reports every entry that cannot be read or built, and objects with the same id.
    pub(super) fn add_resources(
        &mut self,
        entries: &[Spanned<String>],
        place: &Place,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        let mut outcome = Ok(());
        for entry in entries {
            if let Err(reported) = self.add_resource(entry, place, into) {
                outcome = Err(reported);
            }
            if self.diagnostics.is_full() {
                break;
            }
        }
        outcome
    }

    fn add_resource(
        &mut self,
        entry: &Spanned<String>,
        place: &Place,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        if let Some(refusal) = remote::refusal(entry) {
            return Err(self.diagnostics.report(refusal));
        }
        let path = cleaned(&place.shown.join(&entry.value));
        if entry.value.is_empty() || self.world.is_folder(&path) {
            let base = self.build_folder(entry, place)?;
            return self.append_accumulator(entry, base, into);
        }
        let folder = place.folder(self.world);
        let objects = self.read_file(entry, &folder)?;
        self.append(entry, objects, into)
    }

    /// Returns the objects of a file.
    fn read_file(
        &mut self,
        entry: &Spanned<String>,
        folder: &Folder<'_>,
    ) -> Result<Vec<Resource>, Reported> {
        let source = folder
            .path(&entry.value)
            .and_then(|path| folder.read(&path));
        let source = self
            .diagnostics
            .check(source.map_err(|error| error.at(entry.location.clone(), "named here")))?;
        let mut objects = objects::read(&source, self.diagnostics)?;
        self.note_kinds(&objects);
        self.origins.record_file(&mut objects, source.name());
        start_records(&mut objects, self.recorder);
        Ok(objects)
    }

    /// Builds the kustomization in a folder that `resources` lists.
    fn build_folder(
        &mut self,
        entry: &Spanned<String>,
        place: &Place,
    ) -> Result<Accumulator, Reported> {
        let base = self.enter(entry, place)?;
        let file = file::read(self.world, &base.shown, self.diagnostics)?;
        if file.kind == KustomizationKind::Component {
            let message = format!(
                "expected kind != 'Component' for path '{}'",
                base.shown.display()
            );
            return Err(self.diagnostics.report(
                Diagnostic::error(Code::Config, message)
                    .at(entry.location.clone(), "")
                    .help("list it under `components`"),
            ));
        }
        self.accumulate(&base, &file, Accumulator::default())
    }

    /// Returns the folder that an entry names.
    pub(super) fn enter(
        &mut self,
        entry: &Spanned<String>,
        place: &Place,
    ) -> Result<Place, Reported> {
        let child = place.child(self.world, &entry.value);
        self.diagnostics
            .check(child.map_err(|error| error.at(entry.location.clone(), "named here")))
    }

    /// Adds objects that an entry names.
    fn append(
        &mut self,
        entry: &Spanned<String>,
        objects: Vec<Resource>,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        let appended = into.append(objects);
        self.diagnostics
            .check(appended.map_err(|error| error.at(entry.location.clone(), "named here")))
    }

    /// Adds what a base collected: objects, field specs and variables.
    fn append_accumulator(
        &mut self,
        entry: &Spanned<String>,
        base: Accumulator,
        into: &mut Accumulator,
    ) -> Result<(), Reported> {
        self.append(entry, base.resources, into)?;
        into.specs.merge(base.specs, self.diagnostics)?;
        into.variables.merge(base.variables, self.diagnostics)
    }
}

//! kustomize's own generator tests, as whole builds: `kustomize/generators.json`.
//!
//! The generators of each kustomization are copied word for word into a configuration of Inlay. If
//! a build consists of generators only, `inlay run` executes all of them. Every other build is run
//! by the real kustomize, which calls Inlay as its plugin for each configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::Failed;
use serde::Deserialize;
use tempfile::TempDir;

use crate::Case;
use crate::common::clients::lacks_a_client;
use crate::common::compare::same_text;
use crate::common::program::Call;
use crate::kustomization::{self, Kustomization};

#[derive(Deserialize)]
struct Build {
    name: String,
    files: BTreeMap<String, String>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    path: String,
    expected: Option<String>,
    error: Option<String>,
}

/// Returns all generator tests.
pub(crate) fn cases(corpus: &Path) -> Result<Vec<Case>, Failed> {
    let text = fs::read_to_string(corpus.join("kustomize/generators.json"))?;
    let builds: Vec<Build> = serde_json::from_str(&text)?;
    let case = |build: Build| Case {
        suite: "kustomize/generators".to_owned(),
        name: build.name.clone(),
        lacks_a_client: build.needs_kustomize() && lacks_a_client("kustomize build"),
        run: Box::new(move || build.run()),
    };
    Ok(builds.into_iter().map(case).collect())
}

impl Build {
    fn run(&self) -> Result<(), Failed> {
        self.steps.iter().try_for_each(|step| {
            let (succeeded, output, errors) = match self.chain(&step.path) {
                Some(chain) => self.run_alone(&chain)?,
                None => self.build(&step.path)?,
            };
            match (&step.expected, &step.error) {
                (Some(_), _) if !succeeded => {
                    Err(format!("success expected; standard error:\n{errors}").into())
                }
                (Some(expected), _) => same_text(
                    "standard output",
                    expected.trim_start_matches('\n'),
                    &output,
                ),
                (None, Some(error)) if succeeded => {
                    Err(format!("an error expected: {error}").into())
                }
                (None, _) => Ok(()),
            }
        })
    }

    /// Returns whether a step uses more than generators, so that only kustomize can build it.
    fn needs_kustomize(&self) -> bool {
        self.steps
            .iter()
            .any(|step| self.chain(&step.path).is_none())
    }

    /// Returns the folders of the kustomizations that lead to the one at `path`, the deepest first.
    /// Returns `None` if one of them contains more than generators or includes more than one
    /// folder.
    fn chain(&self, path: &str) -> Option<Vec<String>> {
        let folder = if path == "." { "" } else { path };
        let kustomization = self.kustomization(folder)?;
        let mut chain = match &kustomization.only_generators()?[..] {
            [] => Vec::new(),
            [base] => self.chain(&joined(folder, base)?)?,
            _ => return None,
        };
        chain.push(folder.to_owned());
        Some(chain)
    }

    fn kustomization(&self, folder: &str) -> Option<Kustomization<'_>> {
        let path = if folder.is_empty() {
            kustomization::FILE.to_owned()
        } else {
            format!("{folder}/{}", kustomization::FILE)
        };
        self.files.get(&path).map(|text| Kustomization::new(text))
    }

    /// Executes the generators of a chain, one configuration after the other.
    fn run_alone(&self, chain: &[String]) -> Result<(bool, String, String), Failed> {
        let folder = TempDir::new()?;
        write_all(folder.path(), self.files.iter())?;
        let configurations = chain
            .iter()
            .filter_map(|place| self.kustomization(place)?.configuration(place));
        let configurations: Vec<String> = configurations.collect();
        fs::write(
            folder.path().join("inlay.yaml"),
            configurations.join("---\n"),
        )?;
        let answer = Call::new(&["run", "inlay.yaml"]).run_in(folder.path())?;
        Ok((answer.code == Some(0), answer.output, answer.errors))
    }

    /// Builds with kustomize. Each kustomization refers to its generators as a configuration in a
    /// file beside it.
    fn build(&self, path: &str) -> Result<(bool, String, String), Failed> {
        let folder = TempDir::new()?;
        write_all(folder.path(), self.files.iter())?;
        for (file, text) in &self.files {
            let Some(place) = file.strip_suffix(kustomization::FILE) else {
                continue;
            };
            let kustomization = Kustomization::new(text);
            if let Some(configuration) = kustomization.configuration("") {
                let place = folder.path().join(place);
                fs::write(place.join(kustomization::CONFIGURATION), configuration)?;
                fs::write(place.join(kustomization::FILE), kustomization.with_plugin())?;
            }
        }
        let output = Command::new("kustomize")
            .args(["build", "--enable-alpha-plugins", "--reorder", "none", path])
            .current_dir(folder.path())
            .env(
                "KUSTOMIZE_PLUGIN_HOME",
                Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin"),
            )
            .env("INLAY_BIN", env!("CARGO_BIN_EXE_inlay"))
            .stdin(Stdio::null())
            .output()?;
        Ok((
            output.status.success(),
            String::from_utf8(output.stdout)?,
            String::from_utf8(output.stderr)?,
        ))
    }
}

/// Writes files into a folder.
pub(crate) fn write_all<'f>(
    folder: &Path,
    files: impl Iterator<Item = (&'f String, &'f String)>,
) -> Result<(), Failed> {
    let mut folders = BTreeSet::new();
    for (name, text) in files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder).to_owned();
        if folders.insert(parent.clone()) {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

/// Resolves `path` relative to `folder`.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

//! kustomize's own tests of whole builds: `kustomize/builds.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use serde::Deserialize;
use tempfile::TempDir;

use crate::Case;
use crate::common::compare::same_text;
use crate::common::program::Call;
use crate::generators::write_all;

#[derive(Deserialize)]
struct RecordedBuild {
    name: String,
    files: BTreeMap<String, String>,
    args: Vec<String>,
    /// Standard output of a build that succeeds.
    output: Option<String>,
    /// Standard error of a build that fails.
    error: Option<String>,
}

/// Returns all recorded builds.
pub(crate) fn cases(corpus: &Path) -> Result<Vec<Case>, Failed> {
    let text = fs::read_to_string(corpus.join("kustomize/builds.json"))?;
    let builds: Vec<RecordedBuild> = serde_json::from_str(&text)?;
    let case = |build: RecordedBuild| Case {
        suite: "kustomize/builds".to_owned(),
        name: build.name.clone(),
        lacks_a_client: false,
        run: Box::new(move || build.run()),
    };
    Ok(builds.into_iter().map(case).collect())
}

impl RecordedBuild {
    fn run(&self) -> Result<(), Failed> {
        let folder = TempDir::new()?;
        write_all(folder.path(), self.files.iter())?;
        let mut arguments = vec!["kustomize", "build"];
        arguments.extend(self.args.iter().map(String::as_str));
        let answer = Call::new(&arguments).run_in(folder.path())?;
        match (&self.output, &self.error) {
            (Some(output), _) if answer.code == Some(0) => {
                same_text("standard output", output, &answer.output)
            }
            (Some(_), _) => {
                Err(format!("success expected; standard error:\n{}", answer.errors).into())
            }
            (None, Some(error)) if answer.code != Some(1) => {
                Err(format!("the error expected: {error}\nfound: {}", answer.errors).into())
            }
            (None, Some(_)) if !answer.output.is_empty() => {
                Err("a build that fails prints nothing".into())
            }
            (None, Some(_)) => Ok(()),
            (None, None) => Err("the case says neither output nor error".into()),
        }
    }
}

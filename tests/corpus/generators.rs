//! kustomize's own generator tests, whole builds: `kustomize/generators.json`.

use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use serde::Deserialize;

use crate::Case;

#[derive(Deserialize)]
struct Build {
    name: String,
}

/// Every generator test. They are counted, and fail if they are demanded, until there is a command that builds.
pub(crate) fn cases(corpus: &Path) -> Result<Vec<Case>, Failed> {
    let text = fs::read_to_string(corpus.join("kustomize/generators.json"))?;
    let builds: Vec<Build> = serde_json::from_str(&text)?;
    let case = |build: Build| Case {
        suite: "kustomize/generators".to_owned(),
        name: build.name,
        run: Box::new(|| Err("a command that runs whole builds expected, there is none yet".into())),
    };
    Ok(builds.into_iter().map(case).collect())
}

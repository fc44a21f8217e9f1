//! The command lines of `helm`, in the order in which kustomize writes them.

use std::path::Path;

use super::config::HelmChartConfig;

/// Returns the arguments that print the objects of a chart.
///
/// ```text
/// template web /app/charts/web --namespace shop -f /tmp/…/web-kustomize-values.yaml --include-crds
/// ```
pub(super) fn template(chart: &HelmChartConfig, folder: &Path, values: &[&Path]) -> Vec<String> {
    let mut arguments = vec!["template".to_owned()];
    match given(&chart.release_name) {
        Some(release) => arguments.push(release.to_owned()),
        None => arguments.push("--generate-name".to_owned()),
    }
    arguments.push(text(folder));
    let mut add = |flag: &str, value: &str| {
        arguments.extend([flag.to_owned(), value.to_owned()]);
    };
    if let Some(namespace) = given(&chart.namespace) {
        add("--namespace", namespace);
    }
    if let Some(template) = given(&chart.name_template) {
        add("--name-template", template);
    }
    for file in values {
        add("-f", &text(file));
    }
    for version in chart.api_versions.iter().flatten() {
        add("--api-versions", version);
    }
    if let Some(version) = given(&chart.kube_version) {
        add("--kube-version", version);
    }
    let switches = [
        (chart.include_crds, "--include-crds"),
        (chart.skip_tests, "--skip-tests"),
        (chart.skip_hooks, "--no-hooks"),
        (chart.debug, "--debug"),
        (chart.devel, "--devel"),
    ];
    for (is_on, flag) in switches {
        if is_on == Some(true) {
            arguments.push(flag.to_owned());
        }
    }
    arguments
}

/// Returns the command that downloads a chart to the folder in which kustomize searches it. It is
/// shown to the user: Inlay does not download anything.
pub(super) fn pull(chart: &HelmChartConfig, home: &Path) -> String {
    let name = given(&chart.name).unwrap_or_default();
    let mut command = format!("helm pull --untar --untardir {}", home.display());
    match given(&chart.repo) {
        // A registry has no index of names.
        Some(repo) if repo.starts_with("oci://") => {
            command.push_str(&format!(" {}/{name}", repo.trim_end_matches('/')));
        }
        Some(repo) => command.push_str(&format!(" --repo {repo} {name}")),
        None => command.push_str(&format!(" --repo URL {name}")),
    }
    if let Some(version) = given(&chart.version) {
        command.push_str(&format!(" --version {version}"));
    }
    if chart.devel == Some(true) {
        command.push_str(" --devel");
    }
    command
}

/// Returns the first number of the first version in a text: `3` of `v3.14.2+gc309b6f`.
pub(super) fn major_version(text: &str) -> Option<&str> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    let mut versions = words.filter_map(|word| word.trim_matches('.').split_once('.'));
    versions.next().map(|(major, _)| major)
}

/// Returns a text that is not empty; an empty one counts as absent.
pub(super) fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_major_version() {
        for (text, expected) in [
            ("v3.14.2+gc309b6f", Some("3")),
            ("Client: v2.17.0+g", Some("2")),
            ("4.0.0\n", Some("4")),
            ("helm", None),
            ("version 3", None),
        ] {
            assert_eq!(major_version(text), expected, "{text}");
        }
    }

    #[test]
    fn names_the_command_that_downloads_a_chart() {
        let chart = |repo: &str| HelmChartConfig {
            name: Some("web".to_owned()),
            repo: Some(repo.to_owned()),
            version: Some("1.2".to_owned()),
            ..HelmChartConfig::default()
        };
        let home = Path::new("charts");
        assert_eq!(
            pull(&chart("https://charts.example"), home),
            "helm pull --untar --untardir charts --repo https://charts.example web --version 1.2"
        );
        assert_eq!(
            pull(&chart("oci://charts.example/a/"), home),
            "helm pull --untar --untardir charts oci://charts.example/a/web --version 1.2"
        );
    }
}

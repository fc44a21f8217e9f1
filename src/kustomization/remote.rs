//! Recognizes resources that kustomize would download.
//!
//! Inlay does not access the network. Such a resource is refused before a file with its name is
//! searched, and the message says how to get it as a folder.

use super::config::KustomizationConfig;
use crate::source::{Code, Diagnostic, Diagnostics, Reported};
use crate::typed::Spanned;

/// Returns the error for a path that kustomize downloads or clones, and `None` for other paths.
pub(super) fn refusal(path: &Spanned<String>) -> Option<Box<Diagnostic>> {
    let error = refused(&path.value)?;
    Some(error.at(path.location.clone(), ""))
}

/// Refuses the addresses of components and the URLs of files in a kustomization. Addresses in other
/// lists are refused when their entries are loaded.
///
/// # Errors
/// Reports each of them.
pub(super) fn refuse_addresses(
    config: &KustomizationConfig,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for component in config.components.iter().flatten() {
        if let Some(refusal) = refusal(component) {
            outcome = Err(diagnostics.report(refusal));
        }
    }
    for path in file_paths(config) {
        if is_url(&path.value)
            && let Some(refusal) = refusal(path)
        {
            outcome = Err(diagnostics.report(refusal));
        }
    }
    outcome
}

/// Returns the paths of files in a kustomization.
fn file_paths(config: &KustomizationConfig) -> Vec<&Spanned<String>> {
    let mut paths = Vec::new();
    paths.extend(config.crds.iter().flatten());
    paths.extend(config.configurations.iter().flatten());
    for patch in config.patches.iter().flatten() {
        paths.extend(&patch.value.path);
    }
    if let Some(old_patches) = &config.patches_json6902 {
        for patch in &old_patches.value {
            paths.extend(&patch.value.path);
        }
    }
    paths
}

/// Returns whether kustomize downloads a file with this path.
fn is_url(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path.starts_with("https://") || path.starts_with("http://")
}

/// Returns the error for a path that kustomize downloads or clones, without a place.
pub(super) fn refused(path: &str) -> Option<Box<Diagnostic>> {
    if !is_remote(path) {
        return None;
    }
    let message = format!("`{path}` is a remote resource, which Inlay does not load");
    Some(
        Diagnostic::error(Code::File, message)
            .note("a build without the network gives the same result on every machine")
            .help("copy it into a folder, for example with `kustomize localize`, and name that folder"),
    )
}

/// Returns whether kustomize treats a path as an address: a URL, a Git repository, or a path below
/// `github.com`.
pub(super) fn is_remote(path: &str) -> bool {
    let (path, _query) = path.split_once('?').unwrap_or((path, ""));
    let lower = path.to_ascii_lowercase();
    let lower = lower.strip_prefix("git::").unwrap_or(&lower);
    let schemes = ["ssh://", "https://", "http://", "file://"];
    if schemes.iter().any(|scheme| lower.starts_with(scheme)) {
        return true;
    }
    if lower.starts_with("github.com/") || lower.starts_with("github.com:") {
        // A repository has an owner and a name.
        return lower["github.com/".len()..].contains('/');
    }
    has_user(lower)
}

/// Returns whether a path starts with `user@host:` or `user@host/`.
fn has_user(path: &str) -> bool {
    let Some((user, rest)) = path.split_once('@') else {
        return false;
    };
    let mut letters = user.chars();
    let is_user = letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_user && rest.contains([':', '/'])
}

#[cfg(test)]
mod tests {
    use super::is_remote;

    #[test]
    fn recognizes_what_kustomize_downloads() {
        for path in [
            "https://example.com/a.yaml",
            "HTTP://example.com/a.yaml",
            "git::https://example.com/o/r",
            "ssh://git@example.com/o/r",
            "git@example.com:o/r",
            "github.com/o/r//base?ref=v1",
            "file:///o/r",
        ] {
            assert!(is_remote(path), "{path}");
        }
        for path in [
            "base",
            "../a.yaml",
            "gh:a/b",
            "x.y/a/b",
            "x:y/z",
            "github.com/a",
            "a@b",
        ] {
            assert!(!is_remote(path), "{path}");
        }
    }
}

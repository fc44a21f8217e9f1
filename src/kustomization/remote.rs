//! Recognizes resources that kustomize would download.
//!
//! Inlay has no client for the network. Such a resource is refused before a file with its name is
//! looked for, with the way to have it in a folder.

use super::config::KustomizationConfig;
use crate::source::{Code, Diagnostic, Diagnostics, Reported};
use crate::typed::Spanned;

/// Returns the error for a path that kustomize downloads or clones, and `None` for other paths.
pub(super) fn refusal(path: &Spanned<String>) -> Option<Box<Diagnostic>> {
    let error = refused(&path.value)?;
    Some(error.at(path.location.clone(), ""))
}

/// Refuses the addresses that a kustomization gives for components, and the URLs that it gives for
/// files. Those in other lists are refused when their turn comes.
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
    for file in file_paths(config).filter(|path| is_url(&path.value)) {
        if let Some(refusal) = refusal(file) {
            outcome = Err(diagnostics.report(refusal));
        }
    }
    outcome
}

/// Returns the files that a kustomization names with their places.
fn file_paths(config: &KustomizationConfig) -> impl Iterator<Item = &Spanned<String>> {
    let lists = [&config.crds, &config.configurations].into_iter().flatten();
    let old_patches = config
        .patches_json6902
        .iter()
        .flat_map(|field| &field.value);
    let patches = config.patches.iter().flatten().chain(old_patches);
    let patches = patches.filter_map(|patch| patch.value.path.as_ref());
    lists.flatten().chain(patches)
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

/// Returns whether kustomize takes a path for an address: a URL, a repository of git, or a path
/// below `github.com`.
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

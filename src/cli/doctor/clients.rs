//! The programs that call Inlay, and their requirements.

use std::path::PathBuf;

use crate::source::world::{World, reason};

/// A program that can call Inlay.
pub(super) struct Client {
    pub(super) name: &'static str,
    /// The arguments with which it prints its version.
    arguments: &'static [&'static str],
    /// Limitations of its use with Inlay.
    pub(super) needs: &'static str,
}

pub(super) const CLIENTS: [Client; 4] = [
    Client {
        name: "kustomize",
        arguments: &["version"],
        needs: "plugins need `--enable-alpha-plugins`, functions also `--enable-exec`: without it, \
                kustomize leaves them out without a message",
    },
    Client {
        name: "kubectl",
        arguments: &["version", "--client"],
        needs: "`kubectl kustomize` has no `--enable-exec` and leaves functions out without a \
                message; it runs the installed plugin with `--enable-alpha-plugins`",
    },
    Client {
        name: "kpt",
        arguments: &["version"],
        needs: "`kpt fn render` needs `--allow-exec` for an `exec` of a Kptfile",
    },
    Client {
        name: "helm",
        arguments: &["version", "--short"],
        needs: "`inlay kustomize` calls it for `helmCharts`, with `--enable-helm`",
    },
];

/// The result of searching for a client.
pub(super) enum Found {
    /// It is not on `PATH`.
    Missing,
    /// It was found and prints this version.
    There { place: PathBuf, version: String },
    /// It was found but cannot be run.
    Broken { place: PathBuf, reason: String },
}

impl Client {
    /// Searches for the client, and asks it for its version.
    pub(super) fn find(&self, world: &dyn World) -> Found {
        let Some(place) = world.find_program(self.name) else {
            return Found::Missing;
        };
        match world.ask_program(&place, self.arguments) {
            Ok(text) => Found::There {
                version: version(&text),
                place,
            },
            Err(error) => Found::Broken {
                place,
                reason: reason(&error),
            },
        }
    }
}

/// Extracts the versions from a program's output: `Client Version: v1.32.4` and
/// `Kustomize Version: v5.5.0` become `v1.32.4, Kustomize Version: v5.5.0`.
fn version(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let all = lines.join(", ");
    all.strip_prefix("Client Version: ")
        .unwrap_or(&all)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortens_what_programs_print() {
        let kubectl = "Client Version: v1.32.4\nKustomize Version: v5.5.0\n";
        assert_eq!(version(kubectl), "v1.32.4, Kustomize Version: v5.5.0");
        assert_eq!(version("v5.8.2\n"), "v5.8.2");
    }
}

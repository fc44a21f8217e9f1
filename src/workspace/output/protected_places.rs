//! Decides which folders must never be emptied.
//!
//! `--dangerous-emptied-output-directory` deletes everything in a folder, and it is easy to type a
//! wrong argument. A folder is rejected if it is, or contains, something that no build creates: a
//! home folder, a system folder, an input, a repository. The output of an earlier build contains
//! none of these.

use std::path::{Path, PathBuf};

/// The places that must not be deleted. All paths are canonical.
pub(super) struct ProtectedPlaces {
    /// The working folder.
    pub(super) working_folder: PathBuf,
    /// The home folders of the users.
    pub(super) homes: Vec<PathBuf>,
    /// The paths on the command line, with all files that were found there.
    pub(super) named: Vec<PathBuf>,
}

impl ProtectedPlaces {
    /// Returns the reason why the folder `real` must not be emptied, if there is one.
    pub(super) fn in_folder(&self, real: &Path) -> Option<String> {
        if real.parent().is_none() {
            return Some("it is the root of the file system".to_owned());
        }
        if is_system_folder(real) {
            return Some("it is a folder of the system".to_owned());
        }
        if self.working_folder.starts_with(real) {
            return Some("it contains the working folder".to_owned());
        }
        if let Some(home) = self.homes.iter().find(|home| home.starts_with(real)) {
            return Some(format!("it contains the home `{}`", home.display()));
        }
        let named = self.named.iter().find(|place| place.starts_with(real))?;
        Some(format!("it contains the input `{}`", named.display()))
    }
}

/// Folders that belong to the system together with all their subfolders.
const TREES: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "proc",
    "sbin",
    "sys",
    "usr/bin",
    "usr/include",
    "usr/lib",
    "usr/lib32",
    "usr/lib64",
    "usr/sbin",
    "usr/share",
    "nix",
    "var/lib",
    "var/log",
    "var/spool",
    "applications",
    "library",
    "system",
    "private/etc",
    "private/var/db",
    "windows",
    "program files",
    "program files (x86)",
    "programdata",
];

/// Folders that belong to the system together with their direct subfolders: `/home/me`,
/// `/usr/local`.
const PARENTS: &[&str] = &[
    "home",
    "users",
    "usr",
    "usr/local",
    "var",
    "volumes",
    "private/var",
];

/// Folders that belong to the system, but whose subfolders do not: `/tmp/out`, `/srv/out`.
const ALONE: &[&str] = &[
    "lost+found",
    "media",
    "mnt",
    "opt",
    "private",
    "private/tmp",
    "root",
    "run",
    "srv",
    "tmp",
    "var/tmp",
];

/// Returns whether a folder belongs to the operating system or to its users. `real` is canonical.
///
/// The lists combine all operating systems: on Linux too, a folder `/Users` belongs to someone.
fn is_system_folder(real: &Path) -> bool {
    let mut names = Vec::new();
    for part in real.components() {
        if let std::path::Component::Normal(name) = part {
            // Windows and macOS ignore case.
            names.push(name.to_string_lossy().to_lowercase());
        }
    }
    let below = |listed: &&str| {
        let listed: Vec<&str> = listed.split('/').collect();
        let starts = names.len() >= listed.len() && names.iter().zip(&listed).all(|(a, b)| a == b);
        starts.then(|| names.len() - listed.len())
    };
    let depths = |list: &'static [&'static str]| list.iter().filter_map(below);
    depths(TREES).next().is_some()
        || depths(PARENTS).any(|depth| depth <= 1)
        || depths(ALONE).any(|depth| depth == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // This does not access the disk.

    #[test]
    fn knows_the_folders_of_the_system() {
        let system = [
            "/etc",
            "/etc/kubernetes",
            "/usr",
            "/usr/local",
            "/usr/lib/x",
            "/var",
            "/var/lib/a/b",
            "/home",
            "/home/me",
            "/root",
            "/tmp",
            "/Users/me",
            "/opt",
            "/bin",
            "/dev/shm",
            "/proc/1",
            "/Windows/System32",
            "/var/tmp",
            "/private/tmp",
            "/mnt",
        ];
        for folder in system {
            assert!(is_system_folder(Path::new(folder)), "{folder}");
        }
        let own = [
            "/out",
            "/workspace",
            "/workspace/out",
            "/home/me/project/out",
            "/root/out",
            "/tmp/out",
            "/usr/src/app/out",
            "/srv/out",
            "/opt/app/out",
            "/builds/etc",
            "/var/tmp/out",
            "/etcetera",
            "/var/folders/x/T/out",
            "/data",
        ];
        for folder in own {
            assert!(!is_system_folder(Path::new(folder)), "{folder}");
        }
    }

    #[test]
    fn names_what_is_in_the_folder() {
        let protected_places = ProtectedPlaces {
            working_folder: PathBuf::from("/code/project"),
            homes: vec![PathBuf::from("/export/people/me"), PathBuf::from("/")],
            named: vec![PathBuf::from("/code/inputs/a.yml")],
        };
        let table = [
            ("/", Some("it is the root of the file system")),
            ("/etc", Some("it is a folder of the system")),
            ("/code", Some("it contains the working folder")),
            ("/code/project", Some("it contains the working folder")),
            (
                "/export/people/me",
                Some("it contains the home `/export/people/me`"),
            ),
            ("/export", Some("it contains the home `/export/people/me`")),
            (
                "/code/inputs",
                Some("it contains the input `/code/inputs/a.yml`"),
            ),
            ("/code/project/out", None),
            ("/export/people/me/out", None),
            ("/out", None),
        ];
        for (folder, expected) in table {
            assert_eq!(
                protected_places.in_folder(Path::new(folder)).as_deref(),
                expected,
                "{folder}"
            );
        }
    }
}

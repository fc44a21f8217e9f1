//! Finds the home folders of the users of the system.

use std::path::PathBuf;

/// Returns the home folders in the system's list of users. macOS and Windows have no such file, but
/// their home folders are all in one folder.
pub(super) fn homes() -> Vec<PathBuf> {
    let list = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut homes = homes_in(&list);
    // The list above contains what the system would answer without these variables. Querying the
    // system would load the libraries of its user database, which is impossible in a static
    // program.
    let variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    homes.extend(std::env::var_os(variable).map(PathBuf::from));
    homes
}

/// Returns the home folders in a list with the format of `/etc/passwd`:
/// `name:x:1000:1000:comment:/home:shell`.
fn homes_in(list: &str) -> Vec<PathBuf> {
    let homes = list.lines().filter_map(|line| line.split(':').nth(5));
    homes
        .filter(|home| home.starts_with('/'))
        .map(PathBuf::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_homes_of_a_list_of_users() {
        let list =
            "root:x:0:0:root:/root:/bin/sh\n# comment\nme:x:1:1:A, B:/export/me:/bin/sh\nbad\n";
        assert_eq!(homes_in(list), ["/root", "/export/me"].map(PathBuf::from));
    }
}

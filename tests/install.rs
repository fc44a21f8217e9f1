//! Runs `install.sh` against releases on a local server: valid, damaged and missing ones.
//!
//! The program of these releases is a small script, because the installer only moves and starts it.
//! `tools/try-install` installs the real program in the same way.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

const VERSION: &str = "9.9.9";
const TARGET: &str = "x86_64-unknown-linux-musl";

/// A release on a server, and the folder to install it in.
struct Release {
    folder: TempDir,
    port: u16,
}

impl Release {
    /// Publishes the version [`VERSION`] for [`TARGET`] at the address that a release on GitHub
    /// has.
    fn publish() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = folder.path().join("files");
        let stem = stem();
        let unpacked = folder.path().join("unpacked");
        write_program(&unpacked.join(&stem), "echo inlay version 9.9.9");
        fs::create_dir_all(&files).unwrap();
        pack(&unpacked, &stem, &files.join(archive()));
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let release = Self { folder, port };
        release.write_checksums(&[(release.checksum(), archive())]);
        thread::spawn(move || serve(&listener, &files));
        release
    }

    fn archive_path(&self) -> PathBuf {
        self.folder.path().join("files").join(archive())
    }

    fn checksum(&self) -> String {
        let digest = Sha256::digest(fs::read(self.archive_path()).unwrap());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn write_checksums(&self, lines: &[(String, String)]) {
        let text: String = lines
            .iter()
            .map(|(checksum, name)| format!("{checksum}  {name}\n"))
            .collect();
        fs::write(self.folder.path().join("files/SHA256SUMS"), text).unwrap();
    }

    /// Returns the folder in which the program is installed. Its name contains a space, as home
    /// folders on macOS and Windows can.
    fn bin(&self) -> PathBuf {
        self.folder.path().join("my programs")
    }

    fn installer(&self, shell: &str) -> Command {
        let mut command = Command::new(shell);
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh"))
            .env_remove("INLAY_VERSION")
            .env(
                "INLAY_BASE_URL",
                format!("http://127.0.0.1:{}/releases", self.port),
            )
            .env("INLAY_TARGET", TARGET)
            .env("INLAY_INSTALL_DIR", self.bin())
            .env("TMPDIR", self.folder.path());
        command
    }

    fn install(&self) -> Output {
        self.installer("sh").output().unwrap()
    }

    /// Asserts that the installer ends with `code`, prints `message` and leaves nothing behind.
    fn refuses(&self, output: &Output, code: i32, message: &str) {
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(message), "{errors}");
        assert!(!self.bin().join("inlay").exists());
        self.left_nothing();
    }

    /// Asserts that the folder for temporary files is unchanged.
    fn left_nothing(&self) {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "my programs")
            .collect();
        names.sort();
        assert_eq!(names, ["files", "unpacked"]);
    }
}

fn stem() -> String {
    format!("inlay-v{VERSION}-{TARGET}")
}

fn archive() -> String {
    format!("{}.tar.gz", stem())
}

/// Writes a program `inlay` into `folder` that runs the shell command `line`.
fn write_program(folder: &Path, line: &str) {
    fs::create_dir_all(folder).unwrap();
    let program = folder.join("inlay");
    fs::write(&program, format!("#!/bin/sh\n{line}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

fn pack(parent: &Path, name: &str, archive: &Path) {
    let status = Command::new("tar")
        .arg("-czf")
        .arg(archive)
        .arg("-C")
        .arg(parent)
        .arg(name)
        .status()
        .unwrap();
    assert!(status.success());
}

/// Answers requests for the files of a release until the test ends.
fn serve(listener: &TcpListener, files: &Path) {
    for connection in listener.incoming() {
        answer(connection.unwrap(), files);
    }
}

fn answer(mut connection: TcpStream, files: &Path) {
    let mut lines = BufReader::new(connection.try_clone().unwrap()).lines();
    let request = lines.next().unwrap().unwrap();
    // The headers have to be read: closing a connection with unread bytes resets it.
    for line in lines {
        if line.unwrap().is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap();
    let newest = format!("/releases/tag/v{VERSION}");
    let download = format!("/releases/download/v{VERSION}/");
    let (status, body) = if path == "/releases/latest" {
        (format!("302 Found\r\nLocation: {newest}"), Vec::new())
    } else if path == newest {
        ("200 OK".to_owned(), Vec::new())
    } else {
        let file = path.strip_prefix(&download).map(|name| files.join(name));
        match file.and_then(|file| fs::read(file).ok()) {
            Some(bytes) => ("200 OK".to_owned(), bytes),
            None => ("404 Not Found".to_owned(), Vec::new()),
        }
    };
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let written =
        connection
            .write_all(head.as_bytes())
            .and_then(|()| match request.starts_with("HEAD") {
                true => Ok(()),
                false => connection.write_all(&body),
            });
    // A client may close the connection before it has read an unwanted answer.
    drop(written);
}

#[test]
fn the_newest_release_is_installed_with_any_shell() {
    for shell in ["sh", "dash", "bash", "busybox"] {
        if shell != "sh" && Command::new(shell).arg("-c").arg(":").output().is_err() {
            continue;
        }
        let release = Release::publish();
        let mut command = match shell {
            "busybox" => {
                let mut busybox = Command::new("busybox");
                let installer = release.installer("sh");
                busybox.arg("sh").args(installer.get_args());
                for (name, value) in installer.get_envs() {
                    if let Some(value) = value {
                        busybox.env(name, value);
                    }
                }
                busybox
            }
            _ => release.installer(shell),
        };
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{shell}: {errors}");
        assert!(
            errors.contains("inlay version 9.9.9 installed as"),
            "{errors}"
        );
        assert!(errors.contains("add it to your PATH"), "{errors}");
        let installed = Command::new(release.bin().join("inlay")).output().unwrap();
        assert_eq!(installed.stdout, b"inlay version 9.9.9\n");
        release.left_nothing();
    }
}

#[test]
fn a_program_that_is_there_is_replaced_as_a_whole() {
    let release = Release::publish();
    write_program(&release.bin(), "echo old");
    assert!(release.install().status.success());
    let names: Vec<_> = fs::read_dir(release.bin())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["inlay"]);
    let text = fs::read_to_string(release.bin().join("inlay")).unwrap();
    assert!(text.contains("9.9.9"), "{text}");
}

#[test]
fn a_damaged_archive_is_not_installed() {
    let release = Release::publish();
    let mut bytes = fs::read(release.archive_path()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(release.archive_path(), bytes).unwrap();
    let output = release.install();
    release.refuses(&output, 4, "the checksum of");
}

#[test]
fn an_archive_without_its_own_checksum_is_not_installed() {
    let release = Release::publish();
    let of_signature = (release.checksum(), format!("{}.sig", archive()));
    let of_other = (release.checksum(), format!("x{}", archive()));
    release.write_checksums(&[of_signature, of_other]);
    let output = release.install();
    release.refuses(&output, 4, "SHA256SUMS has no line for");
}

#[test]
fn a_release_that_does_not_exist_is_a_failed_download() {
    let release = Release::publish();
    let output = release
        .installer("sh")
        .env("INLAY_VERSION", "1.2.3")
        .output()
        .unwrap();
    release.refuses(&output, 3, "cannot download");
}

#[test]
fn a_program_that_does_not_run_here_leaves_the_old_one() {
    let release = Release::publish();
    let unpacked = release.folder.path().join("unpacked");
    write_program(&unpacked.join(stem()), "exit 126");
    pack(&unpacked, &stem(), &release.archive_path());
    release.write_checksums(&[(release.checksum(), archive())]);
    let output = release.install();
    release.refuses(&output, 2, "does not run on this machine");
}

#[test]
fn the_program_is_tried_in_its_folder_because_temporary_folders_may_forbid_programs() {
    let release = Release::publish();
    let unpacked = release.folder.path().join("unpacked");
    let only_there = "case $0 in */'my programs'/*) echo inlay ;; *) exit 126 ;; esac";
    write_program(&unpacked.join(stem()), only_there);
    pack(&unpacked, &stem(), &release.archive_path());
    release.write_checksums(&[(release.checksum(), archive())]);
    let output = release.install();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    release.left_nothing();
}

#[test]
fn other_users_can_run_the_program_with_any_file_mode_mask() {
    let release = Release::publish();
    let installer = release.installer("sh");
    let mut command = Command::new("sh");
    command
        .args(["-c", "umask 077; exec sh \"$1\"", "sh"])
        .args(installer.get_args());
    for (name, value) in installer.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let program = fs::metadata(release.bin().join("inlay")).unwrap();
    assert_eq!(program.permissions().mode() & 0o777, 0o755);
}

#[test]
fn a_folder_with_the_name_of_the_program_is_an_error() {
    let release = Release::publish();
    fs::create_dir_all(release.bin().join("inlay")).unwrap();
    let output = release.install();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("is a folder"), "{errors}");
    let inside = fs::read_dir(release.bin().join("inlay")).unwrap();
    assert_eq!(inside.count(), 0);
    release.left_nothing();
}

#[test]
fn a_plain_address_of_another_machine_is_refused() {
    let release = Release::publish();
    for address in [
        "http://example.com/releases",
        "ftp://127.0.0.1/",
        "http://127.0.0.1.example.com:1/",
        "http://127.0.0.1:80@example.com/",
    ] {
        let output = release
            .installer("sh")
            .env("INLAY_BASE_URL", address)
            .output()
            .unwrap();
        release.refuses(&output, 1, "has to start with https://");
    }
}

#[test]
fn an_installer_that_arrives_incomplete_does_nothing() {
    let release = Release::publish();
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh")).unwrap();
    let last_line = text.trim_end().rfind('\n').unwrap();
    for end in [text.len() / 2, last_line] {
        let cut = release.folder.path().join("unpacked/cut.sh");
        fs::write(&cut, &text[..end]).unwrap();
        let whole = release.installer("sh");
        let mut command = Command::new("sh");
        command.arg(&cut);
        for (name, value) in whole.get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        command.output().unwrap();
        assert!(!release.bin().exists());
    }
}

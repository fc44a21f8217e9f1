//! The effects of an output folder on a disk: nothing outside it changes, and no valuable folder is
//! emptied.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use inlay::source::Code;
use inlay::source::world::{Disk, World, WorldLayer};
use inlay::workspace::VirtualPath;
use inlay::workspace::output::{OutputFile, OutputFolder};

fn file(path: &str, content: &str) -> OutputFile {
    OutputFile {
        path: VirtualPath::new(path).unwrap(),
        content: content.into(),
    }
}

#[test]
fn files_are_written_below_the_folder_and_others_are_kept() {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().join("new/out");
    let folder = OutputFolder::kept(&Disk, root.to_str().unwrap());
    let first = folder.write(&[file("a/b.yml", "x"), file("c.yml", "x")]);
    assert_eq!(first.unwrap(), [root.join("a/b.yml"), root.join("c.yml")]);
    fs::write(root.join("kept"), "kept").unwrap();
    let second = folder.write(&[file("a/b.yml", "y")]);
    assert_eq!(second.unwrap(), [root.join("a/b.yml")]);
    let names = fs::read_dir(&root).unwrap().count();
    assert_eq!(names, 3, "nothing temporary is left");
    assert_eq!(fs::read_to_string(root.join("a/b.yml")).unwrap(), "y");
    assert_eq!(fs::read_to_string(root.join("kept")).unwrap(), "kept");
}

#[test]
fn nothing_is_written_through_a_link_out_of_the_folder() {
    let temporary = tempfile::tempdir().unwrap();
    let (root, outside) = (
        temporary.path().join("out"),
        temporary.path().join("outside"),
    );
    let folder = OutputFolder::kept(&Disk, root.to_str().unwrap());
    fs::create_dir(&root).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "old").unwrap();
    symlink(&outside, root.join("folder")).unwrap();
    symlink(outside.join("file"), root.join("file")).unwrap();
    assert_eq!(
        folder
            .write(&[file("file", "new"), file("folder/new/file", "new")])
            .unwrap_err()
            .code,
        Code::Output
    );
    assert!(
        root.join("file").is_symlink(),
        "all files are written or none"
    );
    folder.write(&[file("file", "new")]).unwrap();
    assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "old");
    assert_eq!(fs::read_to_string(root.join("file")).unwrap(), "new");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn all_files_are_written_or_none() {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().join("out");
    fs::create_dir_all(root.join("folder.yml")).unwrap();
    fs::create_dir(root.join("closed")).unwrap();
    fs::write(root.join("a.yml"), "old").unwrap();
    fs::set_permissions(root.join("closed"), fs::Permissions::from_mode(0o500)).unwrap();
    let folder = OutputFolder::kept(&Disk, root.to_str().unwrap());
    let mut places = vec!["folder.yml"];
    // Nothing is closed to the superuser.
    if fs::write(root.join("closed/probe"), "").is_err() {
        places.extend(["closed/b.yml", "closed/new/b.yml"]);
    }
    for place in places {
        let error = folder
            .write(&[file("a.yml", "new"), file(place, "new")])
            .unwrap_err();
        assert_eq!(error.notes, ["the output folder is unchanged"], "{place}");
        let kept = fs::read_to_string(root.join("a.yml")).unwrap();
        assert_eq!(kept, "old", "{place}");
        let names = fs::read_dir(&root).unwrap().count();
        assert_eq!(names, 3, "{place}: nothing temporary is left");
    }
}

#[test]
fn an_emptied_folder_has_only_what_is_written() {
    let temporary = tempfile::tempdir().unwrap();
    let (root, outside) = (
        temporary.path().join("out"),
        temporary.path().join("outside"),
    );
    fs::create_dir_all(root.join("old/deep")).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "old").unwrap();
    symlink(&outside, root.join("link")).unwrap();
    let named = [temporary.path().join("input.yml")];
    OutputFolder::emptied(&Disk, root.to_str().unwrap(), &named)
        .unwrap()
        .write(&[file("a.yml", "x")])
        .unwrap();
    let names: Vec<_> = fs::read_dir(&root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["a.yml"]);
    assert!(
        outside.join("file").exists(),
        "a link is removed, not followed"
    );
}

/// Only folders of this test are used. `src/workspace/output/precious.rs` tests, without a disk,
/// that system folders are rejected.
#[test]
fn a_folder_with_content_that_matters_is_not_emptied() {
    let temporary = tempfile::tempdir().unwrap();
    let inputs = temporary.path().join("config/inputs");
    fs::create_dir_all(&inputs).unwrap();
    fs::write(inputs.join("input.yml"), "a: 1").unwrap();
    symlink(
        temporary.path().join("config"),
        temporary.path().join("link"),
    )
    .unwrap();
    for repository in ["top/.git", "deep/a/b/.git"] {
        fs::create_dir_all(temporary.path().join(repository)).unwrap();
        fs::write(temporary.path().join(repository).join("HEAD"), "").unwrap();
    }
    fs::create_dir(temporary.path().join("submodule")).unwrap();
    fs::write(temporary.path().join("submodule/.git"), "gitdir: x").unwrap();
    for folder in ["bare", "mirrors/bare.git"] {
        let bare = temporary.path().join(folder);
        fs::create_dir_all(bare.join("objects")).unwrap();
        fs::create_dir_all(bare.join("refs")).unwrap();
        fs::write(bare.join("HEAD"), "ref: refs/heads/main").unwrap();
    }
    let named = [inputs.join("input.yml")];
    let below = |path: &str| temporary.path().join(path).to_str().unwrap().to_owned();
    let refused = [
        String::new(),
        below(""),
        below("config"),
        below("config/inputs"),
        below("link"),
        below("config/inputs/../."),
        below("nosuch/../config"),
        below("nosuch/../out"),
        below("top"),
        below("deep"),
        below("submodule"),
        below("bare"),
        below("mirrors"),
    ];
    for path in refused {
        let error = OutputFolder::emptied(&Disk, &path, &named)
            .err()
            .map(|error| error.code);
        assert_eq!(error, Some(Code::Output), "{path}");
    }
    assert!(inputs.join("input.yml").exists());
}

/// A disk with another file system at one place.
struct Mounted(PathBuf);

impl WorldLayer for Mounted {
    fn beneath(&self) -> &dyn World {
        &Disk
    }

    fn is_mount_point(&self, real: &Path) -> bool {
        real == self.0
    }
}

#[test]
fn a_folder_with_a_mount_point_at_any_depth_is_not_emptied() {
    let temporary = tempfile::tempdir().unwrap();
    let out = fs::canonicalize(temporary.path()).unwrap().join("out");
    fs::create_dir_all(out.join("a/volume/b")).unwrap();
    fs::write(out.join("a/volume/b/data"), "").unwrap();
    let emptied = |mounted: PathBuf| {
        let world = Mounted(mounted);
        let folder = OutputFolder::emptied(&world, out.to_str().unwrap(), &[]);
        folder.map(drop).map_err(|error| error.message)
    };
    assert_eq!(emptied(out.join("a/other")), Ok(()));
    for mounted in [out.clone(), out.join("a/volume"), out.join("a/volume/b")] {
        let message = emptied(mounted.clone()).unwrap_err();
        let reason = if mounted == out {
            "it is a mount point".to_owned()
        } else {
            format!("it contains the mount point `{}`", mounted.display())
        };
        assert!(message.ends_with(&reason), "{message}");
    }
}

#[test]
fn a_link_that_leads_to_no_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link.yaml");
    let input = folder.path().join("a.yml");
    fs::write(&input, "a: 1\n").unwrap();
    for target in ["nothing.yaml", "/proc/self/fd/1"] {
        symlink(target, &link).unwrap();
        let outcome = Command::new(env!("CARGO_BIN_EXE_inlay"))
            .args(["build", "-f"])
            .arg(&input)
            .arg("--output-file")
            .arg(&link)
            .output()
            .unwrap();
        assert_eq!(outcome.status.code(), Some(1), "{target}");
        assert!(link.is_symlink(), "{target}");
        let errors = String::from_utf8_lossy(&outcome.stderr);
        assert!(
            errors.contains("is a link that leads to no file"),
            "{errors}"
        );
        fs::remove_file(&link).unwrap();
    }
}

#[test]
fn an_output_does_not_replace_its_template() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        fs::write(folder.path().join(path), text).unwrap();
    };
    let run = || {
        Command::new(env!("CARGO_BIN_EXE_inlay"))
            .args(["build", "-f", ".", "--output-files", "."])
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    write("plain.yml", "a:   1\n");
    assert!(run().status.success(), "plain YAML may be replaced");
    write("template.yml", "a: #@ 1 + 1\n");
    let outcome = run();
    assert_eq!(outcome.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&outcome.stderr);
    assert!(errors.contains("would replace a template"), "{errors}");
    let kept = fs::read_to_string(folder.path().join("template.yml")).unwrap();
    assert_eq!(kept, "a: #@ 1 + 1\n");
}

#[test]
fn the_output_of_a_kustomization_does_not_replace_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        (
            "kustomization.yaml",
            "namePrefix: x-\nresources: [v1_configmap_x-a.yaml]\n",
        ),
        (
            "v1_configmap_x-a.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a} # kept\n",
        ),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let run = |output: &str| {
        let outcome = Command::new(env!("CARGO_BIN_EXE_inlay"))
            .args(["kustomize", ".", "-o", output])
            .current_dir(folder.path())
            .output()
            .unwrap();
        String::from_utf8_lossy(&outcome.stderr).into_owned()
    };
    // The last one would write a file for each object.
    for output in ["kustomization.yaml", "./v1_configmap_x-a.yaml", "."] {
        let errors = run(output);
        assert!(errors.contains("would replace an input"), "{errors}");
        for (name, text) in files {
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text);
        }
    }
    for _ in 0..2 {
        assert_eq!(run("out.yaml"), "", "an output may replace an earlier one");
    }
}

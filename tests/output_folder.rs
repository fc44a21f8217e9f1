//! What an output folder lets happen on a disk: nothing out of it, and nothing dear emptied.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use inlay::source::Code;
use inlay::source::world::Disk;
use inlay::workspace::output::{OutputFile, OutputFolder};
use inlay::workspace::{InputFile, VirtualPath};

fn file(path: &str, content: &str) -> OutputFile {
    OutputFile {
        path: VirtualPath::new(path).unwrap(),
        content: content.into(),
    }
}

fn input(place: &Path) -> InputFile {
    InputFile::on_disk(VirtualPath::new("input.yml").unwrap(), place.to_owned())
}

#[test]
fn files_are_written_below_the_folder_and_others_are_kept() {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().join("new/out");
    let folder = OutputFolder::kept(&Disk, root.to_str().unwrap()).unwrap();
    fs::write(root.join("kept"), "kept").unwrap();
    assert_eq!(
        folder.write(&file("a/b.yml", "x")).unwrap(),
        root.join("a/b.yml")
    );
    assert_eq!(
        folder.write(&file("a/b.yml", "y")).unwrap(),
        root.join("a/b.yml")
    );
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
    let folder = OutputFolder::kept(&Disk, root.to_str().unwrap()).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "old").unwrap();
    symlink(&outside, root.join("folder")).unwrap();
    symlink(outside.join("file"), root.join("file")).unwrap();
    assert_eq!(
        folder
            .write(&file("folder/new/file", "new"))
            .unwrap_err()
            .code,
        Code::Output
    );
    folder.write(&file("file", "new")).unwrap();
    assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "old");
    assert_eq!(fs::read_to_string(root.join("file")).unwrap(), "new");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
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
    let inputs = [input(&temporary.path().join("input.yml"))];
    OutputFolder::emptied(&Disk, root.to_str().unwrap(), &inputs)
        .unwrap()
        .write(&file("a.yml", "x"))
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

#[test]
fn a_folder_that_holds_what_is_dear_is_not_emptied() {
    let temporary = tempfile::tempdir().unwrap();
    let inputs = temporary.path().join("config/inputs");
    fs::create_dir_all(&inputs).unwrap();
    fs::write(inputs.join("input.yml"), "a: 1").unwrap();
    symlink(
        temporary.path().join("config"),
        temporary.path().join("link"),
    )
    .unwrap();
    let input = [input(&inputs.join("input.yml"))];
    let here = std::env::current_dir().unwrap();
    let above = here.parent().unwrap().to_str().unwrap();
    let below = |path: &str| temporary.path().join(path).to_str().unwrap().to_owned();
    let refused = [
        "/".to_owned(),
        "//".to_owned(),
        ".".to_owned(),
        "./".to_owned(),
        String::new(),
        "..".to_owned(),
        above.to_owned(),
        below(""),
        below("config"),
        below("config/inputs"),
        below("link"),
        below("config/inputs/../."),
    ];
    for path in refused {
        let error = OutputFolder::emptied(&Disk, &path, &input)
            .err()
            .map(|error| error.code);
        assert_eq!(error, Some(Code::Output), "{path}");
    }
    assert!(inputs.join("input.yml").exists());
}

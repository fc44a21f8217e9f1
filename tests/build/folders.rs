//! Output folders, and links in input folders.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::{Place, assert_fails, assert_prints};

#[test]
fn output_folders_get_texts_and_yaml_files_that_say_something() {
    let place = Place::new();
    let outcome = place.shell("umask 027; inlay -f config --output-files ./out/");
    assert_prints(
        &outcome,
        "creating: out/note.txt\ncreating: out/a.yml\ncreating: out/nested/b.yaml\n",
        "a new folder",
    );
    assert_eq!(place.read("out/nested/b.yaml"), "b:\n- 1\n- 2\n");
    assert_eq!(place.read("out/note.txt"), "text\n");
    let mode = |name: &str| {
        fs::metadata(place.path(name))
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!((mode("out/nested"), mode("out/a.yml")), (0o750, 0o640));

    let _ = place.shell("chmod 600 out/a.yml; inlay -f config --output-files out");
    assert_eq!(mode("out/a.yml"), 0o600, "a file keeps its permissions");

    assert_prints(
        &place.shell("inlay -f one.yml --output-files out"),
        "creating: out/one.yml\n",
        "beside what is there",
    );
    assert_eq!(place.read("out/a.yml"), "a: x\n");
    let line = "inlay -f one.yml --dangerous-emptied-output-directory out --output-files other";
    assert_prints(&place.shell(line), "creating: out/one.yml\n", "emptied");
    assert!(!place.path("out/a.yml").exists() && !place.path("other").exists());
}

#[test]
fn a_folder_that_a_kustomization_reads_is_never_emptied() {
    let place = Place::new();
    let files = [
        ("top/kustomization.yaml", "resources: [../base]\n"),
        ("base/kustomization.yaml", "resources: [object.yaml]\n"),
        (
            "base/object.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n",
        ),
    ];
    for (name, text) in files {
        let path = place.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    for folder in ["top", "base"] {
        let line = format!("inlay -k top --dangerous-emptied-output-directory {folder}");
        let outcome = place.shell(&line);
        assert_eq!(outcome.code, 1, "{line}");
        let reason = format!("the folder `{folder}` cannot be emptied: it contains the input");
        assert!(outcome.stderr.contains(&reason), "{}", outcome.stderr);
    }
    assert!(place.path("base/object.yaml").exists());
}

#[test]
fn a_folder_with_important_content_is_never_emptied() {
    let place = Place::new();
    // Only folders of this test are used. Unit tests of `src/workspace/output` check, in memory,
    // how the guard treats real ones.
    for (folder, phrase) in [
        (".", "cannot be emptied"),
        ("./", "cannot be emptied"),
        ("''", "expected an output folder, found an empty path"),
        ("config", "cannot be emptied"),
        ("config/nested", "cannot be emptied"),
        ("$PWD", "cannot be emptied"),
        ("config/../config", "cannot be emptied"),
    ] {
        let line = format!("inlay -f config --dangerous-emptied-output-directory {folder}");
        assert_fails(&place.shell(&line), 1, &["error[output]", phrase], &line);
    }
    assert_eq!(place.read("config/data.md"), "data\n");
    assert!(place.path("home").exists());
}

#[test]
fn a_run_that_fails_leaves_the_output_folder_as_it_is() {
    let place = Place::new();
    place.shell("mkdir out && echo old > out/old");
    let lines = [
        "inlay -f wrong.yml --dangerous-emptied-output-directory out",
        "inlay -f one.yml -f config/../one.yml --dangerous-emptied-output-directory out",
        "inlay -f one.yml --file-mark one.yml:path=../one.yml --dangerous-emptied-output-directory out",
    ];
    for line in lines {
        assert_fails(&place.shell(line), 1, &["error["], line);
        assert_eq!(place.read("out/old"), "old\n", "{line}");
    }
}

#[test]
fn links_that_stay_below_a_folder_are_read() {
    let place = Place::new();
    // The layout of a mounted ConfigMap.
    let version = place.path("volume/..2026_11_22");
    fs::create_dir_all(&version).expect("a folder can be made");
    fs::write(version.join("app.yml"), "app: true\n").expect("a file can be written");
    symlink("..2026_11_22", place.path("volume/..data")).expect("a link can be made");
    symlink("..data/app.yml", place.path("volume/app.yml")).expect("a link can be made");
    assert_prints(&place.shell("inlay -f volume"), "app: true\n", "a volume");
    assert_prints(
        &place.shell("inlay -f volume --files-inspect"),
        "- app.yml\n",
        "a volume",
    );

    // The file is below the working folder, but not below the folder that is read.
    symlink("../one.yml", place.path("volume/one.yml")).expect("a link can be made");
    assert_fails(
        &place.shell("inlay -f volume"),
        1,
        &["the link `volume/one.yml` points to"],
        "a link out of the folder",
    );
}

#[test]
fn links_are_followed_only_where_that_is_allowed() {
    let place = Place::new();
    fs::create_dir(place.path("links")).expect("a folder can be made");
    symlink(place.path("one.yml"), place.path("links/link.yml")).expect("a link can be made");
    symlink(place.path("config"), place.path("folder")).expect("a link can be made");
    for line in [
        "inlay -f links",
        "inlay -f links/link.yml",
        "inlay -f links --allow-symlink-destination config,home",
    ] {
        assert_fails(
            &place.shell(line),
            1,
            &["the link `links/link.yml` points to", "one.yml"],
            line,
        );
    }
    let allowed = [
        "inlay -f links --allow-symlink-destination config,one.yml",
        "inlay -f links --allow-symlink-destination .",
        "inlay -f links --dangerous-allow-all-symlink-destinations",
    ];
    for line in allowed {
        assert_prints(&place.shell(line), "one: true\n", line);
    }
    assert_fails(
        &place.shell("inlay -f folder"),
        1,
        &["the link `folder` points to"],
        "a link to a folder is a link",
    );
    assert_prints(
        &place.shell("inlay -f folder/nested"),
        "b:\n- 1\n- 2\n",
        "a folder behind a link that was typed",
    );
}

//! `--faithful`: text that no overlay changes keeps its bytes.

use std::fs;

use crate::{Place, assert_fails, assert_prints};

/// Text that a faithful build has to keep: comments, quotes, spaces, an empty document, and no line
/// break at the end.
const PLAIN: &str = "# head\nkind:   Deployment # kept\nspec: {replicas: 1,  paused: 'no'} # one\n---\n# nothing\n---\n\
                     # goes with its document\nkind: Secret\n---\nkind: \"Service\"";

const OVERLAYS: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n\
                        #@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})\n---\nspec:\n  replicas: 3\n\
                        #@overlay/match by=overlay.subset({\"kind\": \"Secret\"})\n#@overlay/remove\n---\n\
                        #@overlay/match by=overlay.subset({\"kind\": \"Service\"})\n#@overlay/insert before=True\n---\n\
                        kind: New\n";

#[test]
fn a_faithful_build_changes_only_what_overlays_change() {
    let place = Place::new();
    fs::write(place.path("plain.yml"), PLAIN).expect("a file can be written");
    fs::write(place.path("overlays.yml"), OVERLAYS).expect("a file can be written");
    fs::write(place.path("template.yml"), "#@ x = 1\n---\nx:   #@ x\n")
        .expect("a file can be written");
    let expected = "# head\nkind:   Deployment # kept\nspec: {replicas: 3,  paused: 'no'} # one\n---\nkind: New\n---\n\
                    # nothing\n---\nkind: \"Service\"";
    let line = "inlay build --faithful -f plain.yml -f overlays.yml -f template.yml";
    assert_prints(
        &place.shell(line),
        &format!("{expected}\n---\nx: 1\n"),
        "standard output",
    );
    let outcome = place.shell(&format!("{line} --output-files out"));
    assert_prints(
        &outcome,
        "creating: out/plain.yml\ncreating: out/template.yml\n",
        "a folder",
    );
    assert_eq!(place.read("out/plain.yml"), expected);
}

#[test]
fn a_faithful_build_writes_files_without_code_byte_for_byte() {
    let place = Place::new();
    let texts = [
        ("in/a.yml", PLAIN),
        ("in/b.yml", "# only a comment\n"),
        ("in/c.yaml", "\u{feff}a: 1\r\nb:\r\n    - 0x10 # hex\r\n"),
        ("in/d/e.yml", "--- # marker\n&x a: *x\n...\n"),
        ("in/f.txt", "text\n"),
    ];
    fs::create_dir_all(place.path("in/d")).expect("a folder can be made");
    for (name, text) in texts {
        fs::write(place.path(name), text).expect("a file can be written");
    }
    let outcome = place.shell(
        "inlay build --faithful -f in --output-files out >&2 && diff -r in out && echo same",
    );
    assert_prints(&outcome, "same\n", "every file");
    assert_prints(
        &place.shell("inlay build --faithful -f in/b.yml"),
        "",
        "comments alone are no output",
    );
}

#[test]
fn a_faithful_build_prints_yaml() {
    let place = Place::new();
    for format in ["json", "pos"] {
        let line = format!("inlay build --faithful -f one.yml -o {format}");
        assert_fails(
            &place.shell(&line),
            1,
            &["`--faithful` prints YAML only"],
            &line,
        );
    }
    assert_prints(
        &place.shell("inlay build --faithful -f one.yml -o yaml"),
        "one: yes\n",
        "YAML",
    );
}

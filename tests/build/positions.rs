//! `-o pos`: values with the positions in the source that set them.

use std::fs;

use crate::{Place, assert_prints};

#[test]
fn what_an_overlay_replaces_has_the_place_of_the_overlay() {
    let place = Place::new();
    let base =
        "a: 1\nb:\n  c: 2\n  by: name\nlist:\n- name: x\n  v: 1\n- 2\nempty:\nwhole: {d: 1}\n";
    let overlay = r#"#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.all
---
a: 1
b:
  c: 3
  #@overlay/match missing_ok=True
  new: 4
  #@overlay/match by=lambda key, left, right: left == "name"
  other: function
list:
#@overlay/match by=overlay.index(0)
- v: 5
#@overlay/match by=overlay.index(1)
- 6
#@overlay/append
- 7
empty:
  e: 8
#@overlay/replace
whole:

  f: 9
#@overlay/match missing_ok=True
code: #@ {"g": [10]}
"#;
    fs::write(place.path("base.yml"), base).expect("a file can be written");
    fs::write(place.path("o.yml"), overlay).expect("a file can be written");
    let expected = "          base.yml:1 | [doc]
             o.yml:4 |   a: 1
          base.yml:2 |   b:
             o.yml:6 |     c: 3
            o.yml:10 |     by: function
             o.yml:8 |     new: 4
          base.yml:5 |   list:
          base.yml:6 |     [0]
          base.yml:6 |       name: x
            o.yml:13 |       v: 5
            o.yml:15 |     [1] 6
            o.yml:17 |     [2] 7
            o.yml:18 |   empty:
            o.yml:19 |     e: 8
            o.yml:21 |   whole:
            o.yml:23 |     f: 9
            o.yml:25 |   code:
            o.yml:25 |     g:
            o.yml:25 |       [0] 10
";
    assert_prints(
        &place.shell("inlay -f base.yml -f o.yml -o pos"),
        expected,
        "places of an overlay",
    );
}

#[test]
fn data_values_have_the_place_where_they_were_given_last() {
    let place = Place::new();
    let files = [
        ("schema.yml", "#@data/values-schema\n---\na: {b: 1, c: 2}\n"),
        ("values.yml", "#@data/values\n---\na:\n  b: 3\n"),
        ("plain.yml", "a: {c: 4}\n"),
    ];
    for (name, text) in files {
        fs::write(place.path(name), text).expect("a file can be written");
    }
    let expected = "          schema.yml:2 | [doc]
          schema.yml:3 |   a:
          values.yml:4 |     b: 3
           plain.yml:1 |     c: 4
";
    assert_prints(
        &place.shell("inlay -f schema.yml -f values.yml -d plain.yml --data-values-inspect -o pos"),
        expected,
        "places of data values",
    );
}

#[test]
fn positions_are_printed_beside_the_values() {
    let place = Place::new();
    fs::write(
        place.path("p.yml"),
        "# c\na: {b: 1}\n---\n- x\n- |\n  y\n  z\n",
    )
    .expect("a file can be written");
    let expected = [
        "          p.yml:1 | [doc]",
        "          p.yml:2 |   a:",
        "          p.yml:2 |     b: 1",
        "          p.yml:3 | [doc]",
        "          p.yml:4 |   [0] x",
        "          p.yml:5 |   [1]",
        "                  |     |",
        "  y",
        "  z\n",
    ];
    assert_prints(
        &place.shell("inlay -f p.yml -o pos"),
        &expected.join("\n"),
        "positions",
    );
}

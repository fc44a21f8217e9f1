//! Limits: the document that lists them, and the options that raise them.
//!
//! `UPDATE=1 cargo test --test limits` writes `docs/limits.md` from the table in
//! `src/source/limits.rs`.

#![allow(clippy::expect_used)]

#[path = "common"]
mod common {
    pub(crate) mod workspace;
}

use std::fs;

use common::workspace::{Outcome, repository, shell};
use inlay::source::limits::{LIMITS, LimitRow};
use tempfile::TempDir;

#[test]
fn the_document_lists_the_table() {
    let path = repository().join("docs/limits.md");
    let expected = document();
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, &expected).expect("the document can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "UPDATE=1 cargo test --test limits");
}

fn document() -> String {
    let mut text = "# Limits\n\n\
        A limit stops input that takes far more work than its size suggests: aliases of aliases, a loop that never ends,\n\
        a value that contains others many times. Ordinary input stays below the limits. Each has a smallest value, and\n\
        most of them grow with the number of bytes that were read: the limit is the larger of the two.\n\n\
        | name | smallest value | for each byte that was read | what it counts |\n\
        | --- | --- | --- | --- |\n"
        .to_owned();
    for row in &LIMITS {
        text.push_str(&table_row(row));
    }
    text.push_str(
        "\nThe error names the limit that was reached. A limit can be set in three ways. If several of them set it, the\n\
        last one in this list is used:\n\n\
        | where | form |\n\
        | --- | --- |\n\
        | the environment | `INLAY_LIMITS=memory=8000000000,nodes=20000000` |\n\
        | the command line | `--limit memory=8000000000`, any number of times |\n\
        | a [configuration](configuration.md) | `spec: {limits: {memory: 8000000000}}`, for everything after this configuration is read |\n\n\
        A limit that is set is the same for inputs of any size, and it may also be lower than the smallest value. The\n\
        caller of a [function or plugin](integration.md) gives no flags; there, `spec.limits` sets a limit, or the\n\
        variable, if the host passes it on. A run reports at most 20 errors.\n\n\
        Other limits cannot be changed, because they keep recursion within the stack: 255 levels of nested collections,\n\
        5,000 nested calls, 200 nested brackets in a program, 80 levels in TOML. A text has at most 4 GiB, a range in a\n\
        program at most 10,000,000 numbers, and an integer at most 1,000 digits.\n\n\
        One operation takes longer than its limits suggest: a dictionary that a template fills with hundreds of\n\
        thousands of long keys with the same beginning. 100,000 keys take a quarter of a second, 600,000 take 16\n\
        seconds; see [Performance](performance.md#where-the-time-goes).\n\n\
        `--threads N` and `INLAY_THREADS` set how many threads a run uses. The output does not depend on it.\n",
    );
    text
}

fn table_row(row: &LimitRow) -> String {
    let LimitRow {
        name,
        default,
        per_byte,
        counts,
        ..
    } = row;
    let per_byte = match per_byte {
        0 => "–".to_owned(),
        count => count.to_string(),
    };
    format!("| `{name}` | {default} | {per_byte} | {counts} |\n")
}

fn run(script: &str) -> Outcome {
    let folder = TempDir::new().expect("a folder");
    let list = "a: #@ [0] * 20\n";
    fs::write(folder.path().join("list.yml"), list).expect("a file can be written");
    let aliases = "a: &a [1, 2, 3]\nb: [*a, *a, *a]\n";
    fs::write(folder.path().join("aliases.yml"), aliases).expect("a file can be written");
    let config = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: a}\nspec:\n  limits: {list: 10}\n  files: {list.yml: 'a: #@ [0] * 20'}\n";
    fs::write(folder.path().join("config.yaml"), config).expect("a file can be written");
    let resources = r#"{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [], "functionConfig": {"apiVersion": "inlay.dev/v1alpha1", "kind": "Inlay", "metadata": {"name": "a"}, "spec": {"limits": {"list": 10}, "files": {"list.yml": "a: #@ [0] * 20"}}}}"#;
    fs::write(folder.path().join("list.json"), resources).expect("a file can be written");
    shell(folder.path(), folder.path(), script)
}

#[test]
fn each_way_to_set_a_limit_counts_and_the_message_names_the_flag() {
    for script in [
        "inlay -f list.yml --limit list=10",
        "INLAY_LIMITS=nodes=500,list=10 inlay -f list.yml",
        "INLAY_LIMITS=list=1000 inlay -f list.yml --limit list=10",
        "INLAY_LIMITS=list=10 inlay --diagnostics short -f list.yml",
        // The configuration overrides the flag, so the message names the field.
        "inlay run config.yaml aliases.yml --limit list=1000",
        // Nobody can give a flag to a function.
        "inlay < list.json",
    ] {
        let outcome = run(script);
        assert_eq!(outcome.code, 1, "{script}: {}", outcome.stderr);
        let remedy = match script {
            script if script.contains("short") => "(limit `list`)",
            script if script.contains("-f list.yml") => "`--limit list=20`",
            _ => "`spec: {limits: {list: 20}}`",
        };
        for part in [
            "a list of at most 10 items, found 20 (limit `list`)",
            remedy,
        ] {
            assert!(
                outcome.stderr.contains(part),
                "{script}: {}",
                outcome.stderr
            );
        }
    }
    let outcome = run("INLAY_LIMITS=list=10 inlay -f list.yml --limit list=20");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

#[test]
fn a_function_answers_also_if_a_limit_cannot_be_set() {
    for script in [
        "INLAY_LIMITS=steps=x inlay < list.json",
        "INLAY_THREADS=0 inlay < list.json",
        "inlay --limit x=1 < list.json",
    ] {
        let outcome = run(script);
        assert_eq!(outcome.code, 1, "{script}: {}", outcome.stderr);
        for part in [
            "\"kind\": \"ResourceList\"",
            "\"results\"",
            "\"severity\": \"error\"",
        ] {
            assert!(
                outcome.stdout.contains(part),
                "{script}: {}",
                outcome.stdout
            );
        }
    }
}

#[test]
fn aliases_are_limited_by_the_same_table() {
    let outcome = run("inlay -f aliases.yml --limit nodes=5");
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.contains("`--limit nodes=10`"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn limits_grow_with_the_input() {
    // More than a million values in 4 MB of text. A smaller text may not contain so many.
    let values = "echo 'text: |' > values.yml; seq 110000 | sed 's/.*/  k&: [1, 2, 3, 4, 5, 6, 7, 8, 9]/' >> values.yml";
    let template = "printf '#@ load(\"@ytt:data\", \"data\")\\n#@ load(\"@ytt:yaml\", \"yaml\")\\n---\\na: #@ yaml.decode(data.values.text)\\n' > t.yml";
    let script = format!("{values}; {template}; inlay -f t.yml -d values.yml | tail -n 1");
    let outcome = run(&script);
    assert_eq!((outcome.code, &*outcome.stderr), (0, ""));
    assert_eq!(outcome.stdout, "  - 9\n");
}

#[test]
fn a_wrong_limit_is_an_error() {
    for (script, part) in [
        ("inlay -f list.yml --limit lists=1", "did you mean `list`?"),
        ("inlay -f list.yml --limit list=0", "above 0"),
        ("INLAY_LIMITS=list inlay -f list.yml", "INLAY_LIMITS"),
        ("INLAY_THREADS=many inlay -f list.yml", "INLAY_THREADS"),
        ("inlay -f list.yml --threads 0", "--threads"),
    ] {
        let outcome = run(script);
        assert_ne!(outcome.code, 0, "{script}");
        assert!(
            outcome.stderr.contains(part),
            "{script}: {}",
            outcome.stderr
        );
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_output() {
    let make = "seq 40000 | sed 's/.*/---\\nkind: A&\\na: {b: [1, 2]}/' > many.yml";
    let script = format!(
        "{make}; for n in 1 2 7; do inlay -f many.yml --threads $n | cksum; done | sort -u | wc -l"
    );
    let outcome = run(&script);
    assert_eq!(outcome.stdout.trim(), "1", "{}", outcome.stderr);
}

#[test]
fn overlays_change_documents_that_were_printed_while_others_were_built() {
    let loops = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ for n in range(1000):\n---\n\
                 number: #@ n\n#@ if n == 300:\na:\n  b: #@ n\n#@ end\n#@ end\n";
    let overlay = "#@overlay/match by=overlay.subset({\"number\": 700})\n---\n\
                   #@overlay/match missing_ok=True\nchanged: 1\n";
    let script = format!(
        "cat > loop.yml <<'E'\n{loops}{overlay}E\n\
         for n in 1 2 7; do inlay -f loop.yml --threads $n > out$n; done; cmp out1 out2 && \
         cmp out1 out7 && grep -c changed out2 && grep -c '^number: ' out2"
    );
    let outcome = run(&script);
    assert_eq!(outcome.stdout, "1\n1000\n", "{}", outcome.stderr);
}

//! No step of a run takes time that grows with the square of its input.
//!
//! Each case runs for some size and for twice that size, in this process and in memory. The test
//! compares counts, not seconds: the bytes that were allocated, and the steps that debug builds
//! count (`inlay::source::steps`). Twice the input may take at most [`MOST`] times as much of
//! either. A quadratic step takes four times as much.
//!
//! A new case is a function that creates the input for a size, and a row in [`CASES`].

#![allow(clippy::expect_used)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use inlay::diff::{DiffStyle, OutputChange, OutputComparison};
use inlay::krm;
use inlay::kustomization::{self, KustomizationOptions};
use inlay::provenance::Recorder;
use inlay::source::world::{Memory, SymlinkDestinations};
use inlay::source::{DiagnosticFormat, Diagnostics, Renderer, Source, parallel, steps};
use inlay::workspace::output::OutputFormat;
use inlay::workspace::{
    BuildInput, BuildOptions, DataValuesFlags, InputFile, InputReader, VirtualPath, build,
};
use inlay::yaml::{faithful, parse_json};

/// The maximum factor by which the cost of twice the input may exceed the cost of the input. Parts
/// with a cost of n·√n, which grow by a factor of 2.8, are allowed because they are small beside
/// the rest.
const MOST: f64 = 2.3;

/// The size of an input that costs little more than an empty one.
const SMALL: usize = 8;

/// An allocator that counts the allocated bytes and otherwise delegates to the system.
struct CountingAllocator;

static ALLOCATED: AtomicU64 = AtomicU64::new(0);

// SAFETY: every method passes its arguments on to the system's allocator unchanged.
#[allow(unsafe_code, reason = "an allocator can only be written this way")]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A growing vector is not copied for each element, so only the growth counts.
        let growth = size.saturating_sub(layout.size());
        ALLOCATED.fetch_add(growth as u64, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The work of a case.
enum Work {
    /// A KRM function: the `spec` of its functionConfig, and its items.
    Function { spec: String, items: Vec<String> },
    /// A build of files, with data values files and flags.
    Build {
        files: Vec<(&'static str, String)>,
        values: Vec<String>,
        flags: Vec<String>,
        format: OutputFormat,
    },
    /// A kustomization in the folder `app`.
    Kustomization { files: Vec<(&'static str, String)> },
    /// The texts of the items of a JSON list, as `inlay get` prints them.
    Excerpts { text: String },
    /// The unified diff of a file.
    Difference { before: String, after: String },
}

/// A case: its name, the smaller size, and a function that creates the input for a size.
type Case = (&'static str, usize, fn(usize) -> Work);

const CASES: &[Case] = &[
    ("dense lists", 2_000, dense_lists),
    ("keys of a data values file", 4_000, values_file),
    (
        "keys given twice in a data values file",
        2_000,
        repeated_values,
    ),
    ("keys given twice in a file", 2_000, repeated_keys),
    ("data-values overlays that add keys", 250, values_overlays),
    ("schema overlays that add keys", 250, schema_overlays),
    ("flags for data values", 500, values_flags),
    ("list items matched by name", 300, items_by_name),
    ("list items matched by number", 300, items_by_port),
    ("list items added by name", 300, items_added),
    ("list items inserted by name", 300, items_inserted),
    ("list items removed by name", 300, items_removed),
    ("overlays on one mapping", 300, overlays_on_mapping),
    ("overlays on one list", 300, overlays_on_list),
    ("overlays that select one document", 300, overlays_by_name),
    (
        "overlays on one document in a string",
        200,
        structured_overlays,
    ),
    (
        "overlays that add to a document in a string",
        200,
        structured_additions,
    ),
    ("overlay parts that match nothing", 1_000, wrong_parts),
    ("removals and additions in flow style", 1_000, flow_edits),
    ("paths into TOML", 400, |size| {
        paths(size, "a.toml", |key| format!("{key} = \"v\""))
    }),
    ("tables of TOML", 400, toml_tables),
    ("paths into properties", 400, |size| {
        paths(size, "a.properties", |key| format!("{key}=v"))
    }),
    ("paths into an environment file", 400, |size| {
        paths(size, "a.env", |key| format!("{key}=v"))
    }),
    ("paths into INI", 400, |size| {
        paths(size, "a.ini", |key| format!("{key}=v"))
    }),
    ("paths into JSON", 400, json_paths),
    ("paths into YAML", 400, |size| {
        paths(size, "a.yaml", |key| format!("{key}: v"))
    }),
    ("keys created in TOML", 400, |size| {
        created(size, "a.toml", "x = 1")
    }),
    ("keys created in JSON", 400, |size| {
        created(size, "a.json", "{}")
    }),
    ("all keys of TOML", 1_000, |size| {
        all(size, "a.toml", "*", |at| format!("k{at} = 1\n"))
    }),
    ("all dotted keys of TOML", 1_000, |size| {
        all(size, "a.toml", "a.*.c", |at| format!("a.k{at}.c = 1\n"))
    }),
    ("all tables of TOML", 1_000, |size| {
        all(size, "a.toml", "*.k", |at| format!("[t{at}]\nk = 1\n"))
    }),
    ("all lists of TOML", 1_000, |size| {
        all(size, "a.toml", "*.0", |at| format!("k{at} = [1]\n"))
    }),
    ("all inline tables of TOML", 1_000, |size| {
        let items = each(size, |at| format!("{{k = {at}}}, "));
        replaced_in("a.toml", "a.*.k", &format!("a = [{items}]\n"))
    }),
    ("tables added to TOML", 300, |size| {
        added_sections(size, "a.toml", |at| format!("[t{at}]\nk = 1\n\n"))
    }),
    ("sections added to INI", 300, |size| {
        added_sections(size, "a.ini", |at| format!("[t{at}]\nk = 1\n\n"))
    }),
    ("all keys of properties", 1_000, |size| {
        all(size, "a.properties", "*", |at| format!("k{at}=v\n"))
    }),
    ("all keys of an environment file", 1_000, |size| {
        all(size, "a.env", "*", |at| format!("k{at}=v\n"))
    }),
    ("all sections of INI", 1_000, |size| {
        all(size, "a.ini", "*.k", |at| format!("[s{at}]\nk = v\n"))
    }),
    ("items of JSON on one line", 1_000, |size| Work::Excerpts {
        text: format!("[{}{{}}]", each(size, |at| format!("{{\"k\":{at}}},"))),
    }),
    (
        "items of JSON on one line that lose a key",
        1_000,
        lost_keys,
    ),
    (
        "items of JSON on one line of a block scalar",
        1_000,
        |size| {
            let items = each(size, |at| format!("{{\"k\":{at}}},"));
            replaced_in("a.json", "*.k", &format!("[{items}{{\"k\":0}}]\n"))
        },
    ),
    ("filters on one list", 300, filters),
    ("filters with chains of keys", 300, deep_filters),
    ("targets by patterns", 300, pattern_targets),
    ("targets by the ends of names", 300, suffix_targets),
    ("targets by labels", 300, label_targets),
    ("strategic patches of one object", 300, strategic_patches),
    ("strategic patches of one list", 300, list_patches),
    ("values merged into one document", 200, merged_values),
    ("values that a schema lists", 300, |size| {
        let listed = each(size, |at| format!("\"c{at}\","));
        let schema =
            format!("#@data/values-schema\n---\nl:\n#@schema/validation one_of=[{listed}]\n- ''\n");
        Work::Build {
            files: vec![("a.yml", "a: 1\n".to_owned()), ("schema.yml", schema)],
            values: vec![format!("l:\n{}", each(size, |at| format!("- c{at}\n")))],
            flags: Vec::new(),
            format: OutputFormat::Yaml,
        }
    }),
    ("differences of a file", 1_000, |size| {
        let text = |value: &str| each(size, |at| config_map(&format!("a{at}"), value));
        Work::Difference {
            before: text("k: v\n"),
            after: text("k: w\n"),
        }
    }),
    ("differences of Secrets", 2_000, |size| {
        let text = |value: &str| {
            each(size, |at| {
                format!("---\nkind: Secret\nmetadata: {{name: a{at}}}\ndata: {{k: {value}}}\n")
            })
        };
        Work::Difference {
            before: text("dg=="),
            after: text("dw=="),
        }
    }),
    ("images of a kustomization", 200, |size| {
        kustomization(
            "images",
            size,
            |at| format!("{{name: r.io/i{at}, newTag: b}}"),
            |at| deployment(at, &format!("r.io/i{at}:a")),
        )
    }),
    ("images of one object", 200, images_of_one_object),
    ("replicas of a kustomization", 200, |size| {
        kustomization(
            "replicas",
            size,
            |at| format!("{{name: d{at}, count: 2}}"),
            |at| deployment(at, "a"),
        )
    }),
    ("patches of a kustomization by name", 200, |size| {
        patched(size, |at| format!("name: a{at}"), |_| String::new())
    }),
    ("patches of a kustomization by kind", 200, |size| {
        patched(size, |at| format!("kind: K{at}"), |_| String::new())
    }),
    ("patches of a kustomization by namespace", 200, |size| {
        patched(
            size,
            |at| format!("name: a.*, namespace: n{at}"),
            |at| format!("namespace: n{at}"),
        )
    }),
    ("patches of a kustomization by label", 200, |size| {
        patched(
            size,
            |at| format!("labelSelector: l{at}"),
            |at| format!("labels: {{l{at}: x}}"),
        )
    }),
    ("patches of a kustomization by annotation", 200, |size| {
        patched(
            size,
            |at| format!("annotationSelector: a=x{at}"),
            |at| format!("annotations: {{a: x{at}}}"),
        )
    }),
    ("strategic patches of a kustomization", 200, |size| {
        kustomization(
            "patches",
            size,
            |at| {
                format!("{{patch: '{{apiVersion: v1, kind: K{at}, metadata: {{name: a}}, k: w}}'}}")
            },
            |at| format!("apiVersion: v1\nkind: K{at}\nmetadata: {{name: a}}\nk: v\n"),
        )
    }),
    (
        "objects that patches of a kustomization delete",
        200,
        |size| {
            kustomization(
                "patches",
                size,
                |at| {
                    format!(
                        "{{patch: '{{$patch: delete, apiVersion: v1, kind: K, metadata: {{name: a{at}}}}}'}}"
                    )
                },
                |at| format!("apiVersion: v1\nkind: K\nmetadata: {{name: a{at}}}\n"),
            )
        },
    ),
    ("variables of a kustomization", 200, |size| {
        kustomization(
            "vars",
            size,
            |at| {
                format!(
                    "{{name: V{at}, objref: {{apiVersion: apps/v1, kind: Deployment, name: d{at}}}}}"
                )
            },
            |at| deployment(at, &format!("$(V{at})")),
        )
    }),
    ("objects that a replacement rejects", 200, |size| {
        let rejected = each(size, |at| {
            format!("    - {{name: a{at}}}\n    - {{labelSelector: app=x{at}}}\n")
        });
        let items = (0..size).map(|at| config_map(&format!("b{at}"), "k: v\n"));
        Work::Function {
            spec: format!(
                "replacements:\n- sourceValue: w\n  targets:\n  - select: {{kind: ConfigMap}}\n    \
                 fieldPaths: [data.k]\n    reject:\n{rejected}"
            ),
            items: items.collect(),
        }
    }),
    ("sources of replacements by kind", 200, |size| {
        kustomization(
            "replacements",
            size,
            |at| {
                format!(
                    "{{source: {{kind: K{at}, fieldPath: k}}, targets: [{{select: {{kind: K{at}}}, fieldPaths: [l]}}]}}"
                )
            },
            |at| format!("apiVersion: v1\nkind: K{at}\nmetadata: {{name: a}}\nk: v\nl: w\n"),
        )
    }),
    (
        "items of a kustomization that lack a key",
        300,
        items_without_a_key,
    ),
    (
        "items of a kustomization of which some lack a key",
        300,
        items_with_some_keys,
    ),
    (
        "items of a kustomization with a key twice",
        300,
        items_with_a_key_twice,
    ),
];

#[test]
fn twice_the_input_takes_about_twice_the_work() {
    // With one thread, the counts are the same in every run.
    parallel::set_threads(1);
    let wanted = std::env::var("SCALE").unwrap_or_default();
    let mut faults = Vec::new();
    // Objects that are created once per process, such as tables of built-in functions, are created
    // now.
    for make in [values_overlays, overlays_by_name, strategic_patches] {
        cost(make(SMALL));
    }
    for (name, size, make) in CASES.iter().filter(|(name, ..)| name.contains(&wanted)) {
        // The fixed cost of every run, however small its input, would hide the growth of the rest.
        let fixed = cost(make(SMALL));
        let (once, twice) = (cost(make(*size)), cost(make(size * 2)));
        let ratio = |count: fn(&Cost) -> u64| {
            let [fixed, once, twice] = [&fixed, &once, &twice].map(|cost| count(cost) as f64);
            (twice - fixed) / (once - fixed)
        };
        let (bytes, steps) = (ratio(|cost| cost.bytes), ratio(|cost| cost.steps));
        println!("{name:46} {size:6}: bytes x{bytes:.2}, steps x{steps:.2}");
        if bytes > MOST || steps > MOST {
            faults.push(format!("{name}: bytes x{bytes:.2}, steps x{steps:.2}"));
        }
    }
    assert!(
        faults.is_empty(),
        "more than x{MOST}:\n{}",
        faults.join("\n")
    );
}

/// The cost of a run.
struct Cost {
    bytes: u64,
    steps: u64,
}

fn cost(work: Work) -> Cost {
    let before = (ALLOCATED.load(Ordering::Relaxed), steps::counted());
    match work {
        Work::Function { spec, items } => call(&spec, &items),
        Work::Build {
            files,
            values,
            flags,
            format,
        } => render(&files, &values, &flags, format),
        Work::Kustomization { files } => kustomize(&files),
        Work::Excerpts { text } => excerpts(text),
        Work::Difference { before, after } => difference(&before, &after),
    }
    Cost {
        bytes: ALLOCATED.load(Ordering::Relaxed) - before.0,
        steps: steps::counted() - before.1,
    }
}

fn call(spec: &str, items: &[String]) {
    let mut text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n".to_owned();
    text.push_str("functionConfig:\n  apiVersion: inlay.dev/v1alpha1\n  kind: Inlay\n");
    text.push_str("  metadata: {name: scale}\n  spec:\n");
    text.push_str(&indented(spec, "    "));
    text.push_str("items:\n");
    for item in items {
        let lines = indented(item, "  ");
        text.push_str(&format!("-{}", &lines[1..]));
    }
    let source = Source::new("input", text).expect("the text is short");
    let mut diagnostics = Diagnostics::default();
    let answer = krm::call(&source, &Memory::default(), &mut diagnostics);
    let pieces = answer.pieces().count();
    assert!(
        pieces > 1 && diagnostics.outcome().is_ok(),
        "{}",
        shown(&diagnostics)
    );
}

fn kustomize(files: &[(&'static str, String)]) {
    let files = files.iter().map(|(path, text)| (*path, text.as_str()));
    let world = Memory::with_files(files);
    let mut diagnostics = Diagnostics::default();
    let options = KustomizationOptions::default();
    let folder = Path::new("app");
    let built = kustomization::build(&world, folder, &options, Recorder::off(), &mut diagnostics);
    let printed = built.and_then(|resources| kustomization::print(&resources, &mut diagnostics));
    assert!(printed.is_ok(), "{}", shown(&diagnostics));
}

fn excerpts(text: String) {
    let source = Source::new("a.json", text).expect("the text is short");
    let stream = parse_json(&source).expect("a JSON text");
    let list = stream.documents[0].root.as_sequence().expect("a list");
    for item in &list.items {
        steps::count(1);
        assert!(!faithful::excerpt(&item.value).is_empty());
    }
}

fn difference(before: &str, after: &str) {
    let style = DiffStyle {
        color: false,
        shows_secrets: false,
    };
    let change = OutputChange::text("a.yaml", before, after);
    let shown = OutputComparison::new([change]).unified(style);
    assert!(!shown.is_empty());
}

fn render(
    files: &[(&'static str, String)],
    values: &[String],
    flags: &[String],
    format: OutputFormat,
) {
    let file = |(path, text): &(&'static str, String)| {
        InputFile::in_memory(VirtualPath::new(path).expect("a path"), text.as_str())
    };
    let inputs: Vec<InputFile> = files.iter().map(file).collect();
    let own = |text: &String| {
        InputFile::in_memory(
            VirtualPath::new("values.yml").expect("a path"),
            text.as_str(),
        )
    };
    let own: Vec<InputFile> = values.iter().map(own).collect();
    let world = Memory::default();
    let mut diagnostics = Diagnostics::default();
    let reader = InputReader::new(&world, SymlinkDestinations::All);
    let given = DataValuesFlags {
        data_values: flags.to_vec(),
        ..DataValuesFlags::default()
    };
    let data_values = given.read(&own, &reader, &world, false, &mut diagnostics);
    let input = BuildInput {
        files: &inputs,
        resources: &[],
        data_values: &data_values.expect("the values can be read"),
        world: &world,
        options: BuildOptions::default(),
        recorder: Recorder::off(),
        shared: None,
        findings: None,
    };
    match build(&input, &mut diagnostics) {
        Ok(rendered) => assert!(!rendered.text(format).expect("a text").concat().is_empty()),
        // One case tests a large number of mistakes.
        Err(_) => assert!(
            diagnostics.as_slice().len() >= SMALL,
            "{}",
            shown(&diagnostics)
        ),
    }
}

fn shown(diagnostics: &Diagnostics) -> String {
    Renderer::new(DiagnosticFormat::Short).render(diagnostics.as_slice())
}

// --- inputs ---

/// Concatenates the pieces for all numbers below `size`.
fn each(size: usize, piece: impl Fn(usize) -> String) -> String {
    (0..size).map(piece).collect()
}

fn indented(text: &str, indent: &str) -> String {
    let mut result = String::new();
    for line in text.lines() {
        writeln!(result, "{indent}{line}").expect("a string can be written");
    }
    result
}

fn files(files: Vec<(&'static str, String)>) -> Work {
    Work::Build {
        files,
        values: Vec::new(),
        flags: Vec::new(),
        format: OutputFormat::Yaml,
    }
}

const LOAD: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n";
const ALL: &str = "#@overlay/match by=overlay.all\n---\n";

/// Returns a build of a document with overlays on it.
fn overlaid(document: String, overlays: String) -> Work {
    files(vec![
        ("a.yml", format!("---\n{document}")),
        ("overlay.yml", format!("{LOAD}{overlays}")),
    ])
}

fn config_map(name: &str, data: &str) -> String {
    let data = indented(data, "  ");
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  labels: {{app: {name}}}\ndata:\n{data}"
    )
}

/// Returns a function with a replacement that writes one value at paths of the ConfigMap `a`.
fn replaced(paths: impl Iterator<Item = String>, options: &str, data: &str) -> Work {
    let mut spec = "replacements:\n- source: {kind: ConfigMap, name: source, fieldPath: data.H}\n  targets:\n  - select: {kind: ConfigMap, name: a}\n".to_owned();
    spec.push_str(options);
    spec.push_str("    fieldPaths:\n");
    for path in paths {
        writeln!(spec, "    - '{path}'").expect("a string can be written");
    }
    Work::Function {
        spec,
        items: vec![config_map("source", "H: hello\n"), config_map("a", data)],
    }
}

/// Returns a function with a replacement that has one target per number, each in its own ConfigMap.
fn targeted(size: usize, select: impl Fn(usize) -> String) -> Work {
    let mut items = vec![config_map("source", "H: hello\n")];
    items.extend((0..size).map(|at| config_map(&format!("a{at}"), "k: v\n")));
    let targets = each(size, |at| {
        format!(
            "  - select: {{kind: ConfigMap, {}}}\n    fieldPaths: [data.k]\n",
            select(at)
        )
    });
    let source = "replacements:\n- source: {kind: ConfigMap, name: source, fieldPath: data.H}\n";
    let spec = format!("{source}  targets:\n{targets}");
    Work::Function { spec, items }
}

fn named_items(size: usize) -> String {
    format!(
        "l:\n{}",
        each(size, |at| format!("- name: n{at}\n  port: {at}\n  v: 1\n"))
    )
}

// --- the cases ---

/// Returns a build of short lines and deep nesting, which are mostly nodes. Because of the tag, the
/// parser crate reads them.
fn dense_lists(size: usize) -> Work {
    let item = |at| format!("- - {at}\n  - {{a: [b, {{c: d}}]}}\n  - !x e\n");
    files(vec![("a.yml", each(size, item))])
}

fn values_file(size: usize) -> Work {
    let template = "#@ load(\"@ytt:data\", \"data\")\n---\na: #@ data.values.k1\n".to_owned();
    Work::Build {
        files: vec![("a.yml", template)],
        values: vec![each(size, |at| format!("k{at}: {at}\n"))],
        flags: Vec::new(),
        format: OutputFormat::Yaml,
    }
}

/// Returns a build in which the last lines set each key again.
fn repeated_values(size: usize) -> Work {
    let keys = each(size, |at| format!("k{at}: {at}\n"));
    let template = "#@ load(\"@ytt:data\", \"data\")\n---\na: #@ data.values.k1\n".to_owned();
    Work::Build {
        files: vec![("a.yml", template)],
        values: vec![format!("{keys}{keys}")],
        flags: Vec::new(),
        format: OutputFormat::Yaml,
    }
}

fn repeated_keys(size: usize) -> Work {
    let keys = each(size, |at| format!("k{at}: {at}\n"));
    files(vec![("a.yml", format!("{keys}{keys}"))])
}

fn values_overlays(size: usize) -> Work {
    let added = |at| format!("#@data/values\n---\n#@overlay/match missing_ok=True\nk{at}: {at}\n");
    let values = format!("#@data/values\n---\nx: 1\n{}", each(size, added));
    files(vec![("a.yml", "a: 1\n".to_owned()), ("values.yml", values)])
}

fn schema_overlays(size: usize) -> Work {
    let added =
        |at| format!("#@data/values-schema\n---\n#@overlay/match missing_ok=True\nk{at}: {at}\n");
    let schema = format!("#@data/values-schema\n---\nx: 1\n{}", each(size, added));
    files(vec![("a.yml", "a: 1\n".to_owned()), ("schema.yml", schema)])
}

fn values_flags(size: usize) -> Work {
    let values = each(size, |at| format!("k{at}: 0\n"));
    Work::Build {
        files: vec![
            ("a.yml", "a: 1\n".to_owned()),
            ("values.yml", format!("#@data/values\n---\n{values}")),
        ],
        values: Vec::new(),
        flags: (0..size).map(|at| format!("k{at}=1")).collect(),
        format: OutputFormat::Yaml,
    }
}

fn items_by_name(size: usize) -> Work {
    let part = |at| format!("#@overlay/match by=\"name\"\n- name: n{at}\n  v: 2\n");
    overlaid(named_items(size), format!("{ALL}l:\n{}", each(size, part)))
}

fn items_by_port(size: usize) -> Work {
    let part = |at| format!("#@overlay/match by=\"port\"\n- port: {at}\n  v: 2\n");
    overlaid(named_items(size), format!("{ALL}l:\n{}", each(size, part)))
}

fn items_added(size: usize) -> Work {
    let part =
        |at| format!("#@overlay/match by=\"name\", missing_ok=True\n- name: m{at}\n  v: 2\n");
    overlaid(named_items(size), format!("{ALL}l:\n{}", each(size, part)))
}

fn items_inserted(size: usize) -> Work {
    let part =
        |at| format!("#@overlay/match by=\"name\"\n#@overlay/insert after=True\n- name: n{at}\n");
    overlaid(named_items(size), format!("{ALL}l:\n{}", each(size, part)))
}

fn items_removed(size: usize) -> Work {
    let part = |at| format!("#@overlay/match by=\"name\"\n#@overlay/remove\n- name: n{at}\n");
    let document = format!("x: 1\n{}", named_items(size));
    overlaid(document, format!("{ALL}l:\n{}", each(size, part)))
}

fn overlays_on_mapping(size: usize) -> Work {
    let document = format!("m:\n{}", each(size, |at| format!("  k{at}: 1\n")));
    overlaid(document, each(size, |at| format!("{ALL}m:\n  k{at}: 2\n")))
}

fn overlays_on_list(size: usize) -> Work {
    let overlay = |at| format!("{ALL}l:\n#@overlay/match by=\"name\"\n- name: n{at}\n  v: 2\n");
    overlaid(named_items(size), each(size, overlay))
}

fn overlays_by_name(size: usize) -> Work {
    let documents = each(size, |at| {
        format!("---\nkind: A\nmetadata:\n  name: n{at}\nx: 1\n")
    });
    let overlay = |at| {
        format!(
            "#@overlay/match by=overlay.subset({{\"kind\": \"A\", \"metadata\": {{\"name\": \"n{at}\"}}}})\n---\nx: 2\n"
        )
    };
    overlaid(documents, each(size, overlay))
}

fn json_text(size: usize) -> String {
    let entries = each(size, |at| format!(" \"k{at}\": \"v\",\n"));
    format!("{{\n{entries} \"x\": 1\n}}\n")
}

fn structured_overlays(size: usize) -> Work {
    let document = format!("data:\n  a.json: |\n{}", indented(&json_text(size), "    "));
    let overlay = |at| format!("{ALL}data:\n  #@overlay/structured\n  a.json:\n    k{at}: w\n");
    overlaid(document, each(size, overlay))
}

/// Returns an overlay that removes the only key of each item of a JSON text on one line.
fn lost_keys(size: usize) -> Work {
    let items = each(size, |at| format!("{{\"k\":{at}}},"));
    let document = format!("data:\n  a.json: '[{items}{{\"k\":0}}]'\n");
    let all = "    #@overlay/match by=overlay.all, expects=\"1+\"\n    -\n";
    let removal = "      #@overlay/remove\n      k:\n";
    let overlay = format!("{ALL}data:\n  #@overlay/structured\n  a.json:\n{all}{removal}");
    overlaid(document, overlay)
}

/// Returns an overlay that adds as many sections to a text as it has.
fn added_sections(size: usize, key: &str, section: fn(usize) -> String) -> Work {
    let text = indented(&each(size, section), "    ");
    let added = each(size, |at| {
        format!("    #@overlay/match missing_ok=True\n    s{at}: {{k: \"1\"}}\n")
    });
    overlaid(
        format!("data:\n  {key}: |\n{text}"),
        format!("{ALL}data:\n  #@overlay/structured\n  {key}:\n{added}"),
    )
}

fn structured_additions(size: usize) -> Work {
    let overlay = |at| {
        format!(
            "{ALL}data:\n  #@overlay/structured\n  a.json:\n    #@overlay/match missing_ok=True\n    k{at}: w\n"
        )
    };
    overlaid(
        "data:\n  a.json: '{\"x\": 1}'\n".to_owned(),
        each(size, overlay),
    )
}

fn wrong_parts(size: usize) -> Work {
    let document = each(size, |at| format!("a{at}: 1\n"));
    overlaid(
        document,
        format!("{ALL}{}", each(size, |at| format!("b{at}: 1\n"))),
    )
}

fn flow_edits(size: usize) -> Work {
    let document = format!("{{{}x: 1}}\n", each(size, |at| format!("a{at}: {at}, ")));
    let part =
        |at| format!("#@overlay/remove\na{at}:\n#@overlay/match missing_ok=True\nb{at}: 1\n");
    Work::Build {
        files: vec![
            ("a.yml", document),
            ("overlay.yml", format!("{LOAD}{ALL}{}", each(size, part))),
        ],
        values: Vec::new(),
        flags: Vec::new(),
        format: OutputFormat::Faithful,
    }
}

/// Returns a replacement at the paths of all values of a text with one key per line.
fn paths(size: usize, key: &str, line: fn(&str) -> String) -> Work {
    let text = each(size, |at| format!("{}\n", line(&format!("k{at}"))));
    let data = format!("{key}: |\n{}", indented(&text, "  "));
    let key = key.replace('.', "\\.");
    replaced((0..size).map(|at| format!("data.{key}.k{at}")), "", &data)
}

fn toml_tables(size: usize) -> Work {
    let text = each(size, |at| format!("[t{at}]\nk = \"v\"\n"));
    let data = format!("a.toml: |\n{}", indented(&text, "  "));
    replaced(
        (0..size).map(|at| format!("data.a\\.toml.t{at}.k")),
        "",
        &data,
    )
}

/// Returns a replacement at one path, which leads to all values of a text.
fn all(size: usize, key: &str, path: &str, line: fn(usize) -> String) -> Work {
    replaced_in(key, path, &each(size, line))
}

/// Returns a replacement at one path in a text.
fn replaced_in(key: &str, path: &str, text: &str) -> Work {
    let data = format!("{key}: |\n{}", indented(text, "  "));
    let path = format!("data.{}.{path}", key.replace('.', "\\."));
    replaced(std::iter::once(path), "", &data)
}

fn json_paths(size: usize) -> Work {
    let data = format!("a.json: |\n{}", indented(&json_text(size), "  "));
    replaced(
        (0..size).map(|at| format!("data.a\\.json.k{at}")),
        "",
        &data,
    )
}

fn created(size: usize, key: &str, text: &str) -> Work {
    let data = format!("{key}: '{text}'\n");
    let key = key.replace('.', "\\.");
    let paths = (0..size).map(|at| format!("data.{key}.k{at}"));
    replaced(paths, "    options: {create: true}\n", &data)
}

fn filters(size: usize) -> Work {
    let list = each(size, |at| format!("- {{name: n{at}, v: 1}}\n"));
    let data = format!("k: v\nl:\n{list}");
    let path = |at| format!("$.data.l[?@.name==\"n{at}\"].v");
    replaced((0..size).map(path), "", &data)
}

fn deep_filters(size: usize) -> Work {
    let list = each(size, |at| {
        format!("- {{metadata: {{name: n{at}}}, v: 1}}\n")
    });
    let data = format!("k: v\nl:\n{list}");
    let path = |at| format!("$.data.l[?@.metadata.name==\"n{at}\"].v");
    replaced((0..size).map(path), "", &data)
}

fn pattern_targets(size: usize) -> Work {
    targeted(size, |at| format!("name: 'a({at})'"))
}

fn suffix_targets(size: usize) -> Work {
    targeted(size, |at| format!("name: '.*a{at}'"))
}

fn label_targets(size: usize) -> Work {
    targeted(size, |at| format!("labelSelector: 'app=a{at}'"))
}

fn strategic_patches(size: usize) -> Work {
    let patch = |at| {
        format!(
            "- patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {{name: a}}\n    data: {{k{at}: w}}\n"
        )
    };
    Work::Function {
        spec: format!("patches:\n{}", each(size, patch)),
        items: vec![config_map("a", &each(size, |at| format!("k{at}: v\n")))],
    }
}

fn list_patches(size: usize) -> Work {
    let metadata = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n";
    let path = "spec:\n  template:\n    spec:\n      containers:\n";
    let containers = each(size, |at| {
        format!("      - name: c{at}\n        image: a\n")
    });
    let patch = |at| {
        let patch = format!("{metadata}{path}      - name: c{at}\n        image: b\n");
        format!("- patch: |-\n{}", indented(&patch, "    "))
    };
    Work::Function {
        spec: format!("patches:\n{}", each(size, patch)),
        items: vec![format!("{metadata}{path}{containers}")],
    }
}

/// Returns a build in which a patch's ports are merged with those of a Service, as kustomize merges
/// them.
fn ports(old: &str, new: &str) -> Work {
    let service = |ports: &str| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: a}}\nspec:\n  ports:\n{}",
            indented(ports, "  ")
        )
    };
    let kustomization = "resources: [object.yaml]\npatches: [{path: patch.yaml}]\n".to_owned();
    Work::Kustomization {
        files: vec![
            ("app/kustomization.yaml", kustomization),
            ("app/object.yaml", service(old)),
            ("app/patch.yaml", service(new)),
        ],
    }
}

fn items_without_a_key(size: usize) -> Work {
    let old = each(size, |at| format!("- {{port: {at}, protocol: TCP}}\n"));
    let new = each(size, |at| format!("- {{port: {at}, name: p{at}}}\n"));
    ports(&old, &new)
}

fn items_with_some_keys(size: usize) -> Work {
    let line = |at: usize| match at % 3 {
        0 => format!("- {{port: {at}}}\n"),
        1 => format!("- {{port: {at}, protocol: UDP}}\n"),
        _ => format!("- {{protocol: P{at}, name: p{at}}}\n"),
    };
    let new = each(size, |at| format!("- {{port: {at}, protocol: TCP}}\n"));
    ports(&each(size, line), &new)
}

fn items_with_a_key_twice(size: usize) -> Work {
    let line = |at| format!("- {{port: {at}, name: p{at}, protocol: TCP}}\n");
    let old = each(size, |at| line(at / 2));
    ports(&old, &each(size, line))
}

/// Returns a build of a kustomization with a list and as many objects as the list has entries.
fn kustomization(
    field: &str,
    size: usize,
    entry: impl Fn(usize) -> String,
    object: impl Fn(usize) -> String,
) -> Work {
    let entries = each(size, |at| format!("- {}\n", entry(at)));
    let objects = each(size, |at| format!("---\n{}", object(at)));
    let kustomization = format!("resources: [objects.yaml]\n{field}:\n{entries}");
    Work::Kustomization {
        files: vec![
            ("app/kustomization.yaml", kustomization),
            ("app/objects.yaml", objects),
        ],
    }
}

fn deployment(at: usize, image: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: d{at}}}\nspec:\n  replicas: 1\n  \
         template:\n    spec:\n      containers:\n      - {{name: c, image: '{image}'}}\n"
    )
}

fn images_of_one_object(size: usize) -> Work {
    let containers = each(size, |at| format!("  - {{name: c{at}, image: i{at}}}\n"));
    let object = "apiVersion: v1\nkind: K\nmetadata: {name: a}\nspec:\n  containers:\n";
    kustomization(
        "images",
        size,
        |at| format!("{{name: i{at}, newTag: b}}"),
        |at| match at {
            0 => format!("{object}{containers}"),
            _ => config_map(&format!("a{at}"), "k: v\n"),
        },
    )
}

/// Returns a build with a JSON patch for each object.
fn patched(
    size: usize,
    target: impl Fn(usize) -> String,
    metadata: impl Fn(usize) -> String,
) -> Work {
    let patch = r#"[{"op": "replace", "path": "/k", "value": "w"}]"#;
    let entry = |at| format!("{{target: {{{}}}, patch: '{patch}'}}", target(at));
    let object = |at: usize| {
        let metadata = metadata(at);
        format!("apiVersion: v1\nkind: K{at}\nmetadata:\n  name: a{at}\n  {metadata}\nk: v\n")
    };
    kustomization("patches", size, entry, object)
}

fn merged_values(size: usize) -> Work {
    let generator = |at| {
        format!(
            "- name: a\n  behavior: merge\n  mergeValues: [{{key: a.json}}]\n  literals:\n  - 'a.json={{\"k{at}\": 1}}'\n"
        )
    };
    let data = format!("a.json: |\n{}", indented(&json_text(size), "  "));
    Work::Function {
        spec: format!("configMapGenerator:\n{}", each(size, generator)),
        items: vec![config_map("a", &data)],
    }
}

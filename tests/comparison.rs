//! `--diff`, `--stat`, `--check` and `--against` of every command, and their exit codes.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod workspace;
}

use std::fs;
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};
#[cfg(target_os = "linux")]
use std::thread;
#[cfg(target_os = "linux")]
use std::time::Duration;

use common::workspace::{Outcome, shell, workspace};

/// A folder with the input of every command.
struct Try {
    root: PathBuf,
}

impl Try {
    fn new(name: &str) -> Try {
        let root = workspace(&format!("comparison-{name}"));
        let own = Try { root };
        own.write("config/app.yml", "kind: A\nmetadata: {name: a}\nsize: 1\n");
        own.write(
            "app/kustomization.yaml",
            "resources: [app.yaml]\nnamespace: shop\n",
        );
        own.write(
            "app/app.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  app.json: '{\"port\": 80}'\n",
        );
        own.write(
            "edit.yaml",
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: e}\nspec:\n  patches:\n  \
             - target: {kind: ConfigMap}\n    \
             patch: '[{\"op\": \"replace\", \"path\": \"/data/app.json/port\", \"value\": 81}]'\n",
        );
        own.write(
            "old/kustomization.yaml",
            "bases: []\nimageTags: []\nresources: []\n",
        );
        own
    }

    fn write(&self, name: &str, text: &str) {
        let place = self.root.join(name);
        fs::create_dir_all(place.parent().expect("a file is in a folder")).expect("a folder");
        fs::write(place, text).expect("a file can be written");
    }

    fn run(&self, line: &str) -> Outcome {
        shell(&self.root, &self.root, line)
    }

    fn code(&self, line: &str) -> i32 {
        let outcome = self.run(line);
        assert!(
            !outcome.stderr.contains("panicked"),
            "{line}: {}",
            outcome.stderr
        );
        outcome.code
    }
}

/// The commands, each with a line that brings the files up to date with its output, and a change
/// that breaks its input.
const COMMANDS: [(&str, &str, &str); 9] = [
    (
        "inlay -f config --output-files out",
        "inlay -f config --output-files out",
        "printf 'a: [' > config/app.yml",
    ),
    (
        "inlay build -f config --output-file out.yaml",
        "inlay build -f config --output-file out.yaml",
        "printf 'a: [' > config/app.yml",
    ),
    (
        "inlay build -f config --against base",
        "mkdir base && cp -r config base",
        "printf 'a: [' > base/config/app.yml",
    ),
    (
        "inlay kustomize app -o out.yaml",
        "inlay kustomize app -o out.yaml",
        "rm app/app.yaml",
    ),
    (
        "inlay run edit.yaml app/app.yaml",
        "inlay run edit.yaml app/app.yaml --in-place",
        "printf 'a: [' > app/app.yaml",
    ),
    (
        "inlay set app/app.yaml 'data.app\\.json.port=82'",
        "inlay set app/app.yaml 'data.app\\.json.port=82' --in-place",
        "printf 'a: [' > app/app.yaml",
    ),
    (
        "inlay delete app/app.yaml 'data.app\\.json.port' --ignore-missing",
        "inlay delete app/app.yaml 'data.app\\.json.port' --in-place",
        "printf 'a: [' > app/app.yaml",
    ),
    (
        "inlay fmt config/app.yml",
        "inlay fmt config/app.yml --in-place",
        "printf 'a: [' > config/app.yml",
    ),
    (
        "inlay kustomize fix old",
        "inlay kustomize fix old",
        "rm old/kustomization.yaml",
    ),
];

#[test]
fn every_command_distinguishes_same_different_usage_and_failure() {
    for (index, (command, equalize, spoil)) in COMMANDS.into_iter().enumerate() {
        let folder = Try::new(&format!("codes-{index}"));
        if command.contains("--against") {
            // Without the other copy, this is a failure; with a copy that differs, it is a
            // difference.
            assert_eq!(folder.code(&format!("{command} --check")), 3, "{command}");
            folder.write(
                "base/config/app.yml",
                "kind: A\nmetadata: {name: a}\nsize: 2\n",
            );
        }
        let flags = [
            "--check",
            "--diff --check",
            "--diff=semantic --check",
            "--stat --check",
        ];
        for flags in flags {
            let line = format!("{command} {flags}");
            let outcome = folder.run(&line);
            assert_eq!(outcome.code, 1, "{line}: {}", outcome.stderr);
            assert!(!outcome.stdout.is_empty(), "{line} shows the difference");
        }
        for flags in ["--diff", "--diff=semantic", "--stat"] {
            assert_eq!(folder.code(&format!("{command} {flags}")), 0, "{command}");
        }
        let usage = format!("{command} --diff=other --check");
        assert_eq!(folder.code(&usage), 2, "{usage}");
        folder.run("rm -rf base");
        let outcome = folder.run(equalize);
        assert_eq!(outcome.code, 0, "{equalize}: {}", outcome.stderr);
        for flags in flags {
            let line = format!("{command} {flags}");
            let outcome = folder.run(&line);
            let found = (outcome.code, outcome.stdout.as_str());
            assert_eq!(found, (0, ""), "{line}: {}", outcome.stderr);
        }
        folder.run(spoil);
        for flags in flags {
            assert_eq!(
                folder.code(&format!("{command} {flags}")),
                3,
                "{command} {flags}"
            );
        }
        assert_eq!(
            folder.code(&format!("{command} --stat")),
            3,
            "{command} --stat"
        );
    }
}

#[test]
fn comparing_writes_nothing() {
    for (index, (command, _, _)) in COMMANDS.into_iter().enumerate() {
        let folder = Try::new(&format!("writes-{index}"));
        folder.run("mkdir base && cp -r config base");
        let before = folder.run("find . -type f | sort | xargs md5sum").stdout;
        for flags in ["--check", "--diff", "--diff=semantic", "--stat"] {
            folder.run(&format!("{command} {flags}"));
            let after = folder.run("find . -type f | sort | xargs md5sum").stdout;
            assert_eq!(before, after, "{command} {flags}");
        }
    }
}

#[test]
fn a_build_needs_something_to_compare_with() {
    let folder = Try::new("target");
    for command in ["inlay -f config", "inlay kustomize app"] {
        let outcome = folder.run(&format!("{command} --check"));
        assert_eq!(outcome.code, 2);
        assert!(
            outcome.stderr.contains("nothing to compare with"),
            "{}",
            outcome.stderr
        );
    }
    let both = "inlay -f config --output-files out --against base";
    assert_eq!(folder.code(both), 2);
}

#[test]
fn an_emptied_folder_must_have_nothing_else() {
    let folder = Try::new("emptied");
    folder.run("inlay -f config --output-files out; touch out/old.yml");
    let kept = folder.run("inlay -f config --output-files out --check");
    assert_eq!((kept.code, kept.stdout.as_str()), (0, ""));
    let emptied = folder.run("inlay -f config --dangerous-emptied-output-directory out --check");
    assert_eq!(
        (emptied.code, emptied.stdout.as_str()),
        (1, "would delete out/old.yml\n")
    );
}

#[test]
fn a_kustomization_is_compared_with_a_folder_of_objects() {
    let folder = Try::new("objects");
    folder.run("mkdir out; inlay kustomize app -o out; sed -i s/80/90/ out/*");
    let outcome = folder.run("inlay kustomize app -o out --diff=semantic --check");
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(
        outcome
            .stdout
            .contains("v1 ConfigMap shop/a\n  ± data.app\\.json.port  90 → 80\n"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn another_copy_is_read_in_place_of_the_working_folder() {
    let folder = Try::new("against");
    folder.run("mkdir base; cp -r config app edit.yaml base; sed -i s/80/90/ base/app/app.yaml; rm base/config/app.yml; printf 'b: 1\\n' > base/config/b.yml");
    let run = folder.run("cd app && inlay kustomize . --diff=semantic --against ../base/app");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("± data.app\\.json.port  90 → 80"),
        "{}",
        run.stdout
    );
    let absolute = folder.run("inlay kustomize \"$PWD/app\" --stat --against base");
    assert!(
        absolute.stdout.contains("ConfigMap shop/a | 1 ±"),
        "{}{}",
        absolute.stdout,
        absolute.stderr
    );
    let build = folder.run("inlay -f config --against base --check --stat");
    assert_eq!(build.code, 1);
    assert!(
        build
            .stdout
            .contains("A a (app.yml) | added +\nb.yml         | removed -\n"),
        "{}",
        build.stdout
    );
    let overlaid = folder.run("inlay build -k app -f config --against base --diff=semantic");
    assert!(
        overlaid.stdout.contains("± data.app\\.json.port  90 → 80"),
        "{}{}",
        overlaid.stdout,
        overlaid.stderr
    );
    let edited = folder.run("inlay run edit.yaml app/app.yaml --against base --check");
    assert_eq!(
        (edited.code, edited.stdout.as_str()),
        (0, ""),
        "both set the port"
    );
}

#[test]
fn a_unified_diff_can_be_applied() {
    let folder = Try::new("patch");
    folder.run("inlay -f config --output-files out; sed -i 's/size: 1/size: 2/' config/app.yml; printf 'n: 1\\n' > config/new.yml");
    let line = "inlay -f config --output-files out --diff > change.patch; patch -p0 < change.patch; \
                inlay -f config --output-files out --check";
    let outcome = folder.run(line);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
}

#[test]
fn a_unified_diff_of_names_with_blanks_can_be_applied_by_patch_and_git() {
    let folder = Try::new("blanks");
    folder.run("mkdir 'my app' && cp app/app.yaml 'my app/my app.yaml' && cp -r 'my app' again");
    let make = "inlay run edit.yaml 'my app/my app.yaml' --diff > change.patch";
    let patched = format!("{make}; patch -p0 < change.patch; inlay run edit.yaml 'my app' --check");
    let outcome = folder.run(&patched);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    // git applies nothing outside its repository, so the folder becomes one.
    let applied = "git init -q . && rm -r 'my app' && mv again 'my app' && git apply -p0 change.patch && \
                   inlay run edit.yaml 'my app' --check";
    let outcome = folder.run(applied);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
}

#[test]
fn every_command_lists_its_exit_codes() {
    let folder = Try::new("codes");
    let help = folder.run("inlay --help").stdout;
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let (list, _) = list.split_once("\n\n").expect("the end of the list");
    let mut commands = Vec::new();
    for line in list.lines() {
        let name = line.split_whitespace().next().expect("a name");
        if line.starts_with("  ") && !line.starts_with("   ") && name != "help" {
            commands.push(name.to_owned());
        }
    }
    assert!(commands.len() > 10, "{commands:?}");
    let inner = [
        "explain build",
        "kustomize fix",
        "plugin install",
        "schema config",
    ];
    commands.extend(inner.map(str::to_owned));
    for command in commands {
        let text = folder
            .run(&format!("inlay {command} --help; inlay man {command}"))
            .stdout;
        assert_eq!(text.matches("Exit codes").count(), 2, "{command}: {text}");
    }
}

#[test]
fn colors_are_for_terminals_and_for_those_who_ask() {
    let folder = Try::new("color");
    for flags in ["--diff", "--diff=semantic"] {
        let line = format!("inlay run edit.yaml app/app.yaml {flags}");
        assert!(!folder.run(&line).stdout.contains('\x1b'));
        let always = folder.run(&format!("{line} --color always")).stdout;
        assert!(always.contains("\x1b["), "{always}");
    }
}

/// Returns the most memory that a command of `inlay` takes, in bytes.
#[cfg(target_os = "linux")]
fn most_memory(own: &Try, arguments: &[&str]) -> usize {
    let mut command = Command::new(env!("CARGO_BIN_EXE_inlay"));
    command.args(arguments).current_dir(&own.root);
    let mut child = command.stdout(Stdio::null()).spawn().expect("inlay starts");
    let place = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("a state").is_none() {
        // A process that has just ended has no memory.
        let status = fs::read_to_string(&place).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        most = kilobytes.unwrap_or(0).max(most);
        thread::sleep(Duration::from_millis(2));
    }
    most * 1024
}

#[test]
#[cfg(target_os = "linux")]
fn a_comparison_takes_little_more_memory_than_the_edit() {
    let own = Try::new("memory");
    let mut objects = String::new();
    let mut one = "data:\n".to_owned();
    for number in 0..6_000 {
        objects.push_str(&format!(
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m{number}\ndata:\n"
        ));
        for key in 0..20 {
            objects.push_str(&format!(
                "  key{key}: value {number} {key} of some length\n"
            ));
            one.push_str(&format!("  key{number}-{key}: value of some length\n"));
        }
    }
    own.write("objects.yaml", &objects);
    own.write("one.yaml", &one);
    // The flag, and how many times the size of the file it may take.
    for (file, size, edit, flag, times) in [
        ("objects.yaml", objects.len(), "data.key3=new", "--diff", 11),
        ("one.yaml", one.len(), "data.key7-7=new", "--stat", 7),
    ] {
        // Each thread has memory of its own, and how much is free depends on their order.
        let alone = most_memory(&own, &["set", file, edit, "--threads", "1"]);
        let compared = most_memory(&own, &["set", file, edit, "--threads", "1", flag]);
        let more = compared.saturating_sub(alone);
        assert!(
            alone > size && more < times * size,
            "{flag}: {more} bytes more than {alone} for a file of {size}"
        );
    }
}

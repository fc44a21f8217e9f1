//! Inlay as a function and as a plugin of kustomize and kubectl.

use std::fs;

use crate::common::clients::lacks_a_client;
use crate::{Example, assert_build};

#[test]
fn kustomize_calls_the_function() {
    assert_build(
        &Example::new("kustomize-function", "kustomize-function"),
        "kustomize build --enable-alpha-plugins --enable-exec .",
    );
}

#[test]
fn kustomize_and_kubectl_call_the_installed_plugin() {
    for line in [
        "kustomize build --enable-alpha-plugins .",
        "kubectl kustomize --enable-alpha-plugins .",
    ] {
        let example = Example::new("plugin-installed", "kustomize-plugin");
        let installed = example.shell("inlay plugin install --home ../../plugins");
        assert_eq!(
            installed.code, 0,
            "inlay plugin install: {}",
            installed.stderr
        );
        assert_build(
            &example,
            &format!("KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugins {line}"),
        );
    }
}

#[test]
fn kustomize_and_kubectl_find_the_plugin_in_the_home_folder() {
    for line in [
        "kustomize build --enable-alpha-plugins .",
        "kubectl kustomize --enable-alpha-plugins .",
    ] {
        let example = Example::new("plugin-at-home", "kustomize-plugin");
        let installed = example.shell("inlay plugin install");
        assert_eq!(
            installed.code, 0,
            "inlay plugin install: {}",
            installed.stderr
        );
        let plugin = "home/.config/kustomize/plugin/inlay.dev/v1alpha1/inlay/Inlay";
        assert!(
            example.workspace.join(plugin).is_file(),
            "{plugin} is installed"
        );
        assert_build(&example, line);
    }
}

#[test]
fn kustomize_and_kubectl_call_the_ready_plugin_of_the_repository() {
    for line in [
        "kustomize build --enable-alpha-plugins .",
        "kubectl kustomize --enable-alpha-plugins .",
    ] {
        let example = Example::new("plugin-ready", "kustomize-plugin");
        assert_build(
            &example,
            &format!("KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin {line}"),
        );
    }
}

#[test]
fn values_are_merged_when_kustomize_and_kubectl_call() {
    let lines = [
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kustomize build --enable-alpha-plugins overlay",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kubectl kustomize --enable-alpha-plugins overlay",
        "kustomize build --enable-alpha-plugins --enable-exec function",
    ];
    for line in lines {
        assert_build(&Example::new("merge-values", "merge-values"), line);
    }
}

#[test]
fn kustomize_names_and_merges_what_inlay_generates() {
    for (line, annotation) in [
        (
            "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kustomize build --enable-alpha-plugins .",
            "",
        ),
        (
            "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kubectl kustomize --enable-alpha-plugins .",
            "",
        ),
        (
            "kustomize build --enable-alpha-plugins --enable-exec .",
            "annotations: {config.kubernetes.io/function: \"exec: {path: inlay}\"}",
        ),
    ] {
        if lacks_a_client(line) {
            continue;
        }
        let example = Example::new("generates", "merge-values");
        let config = format!(
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: made\n  {annotation}\nspec:\n  configMapGenerator:\n  \
             - {{name: made, literals: [{{a: '1'}}]}}\n  - {{name: storefront, behavior: merge, literals: [b=2]}}\n"
        );
        fs::write(example.folder.join("inlay.yaml"), config)
            .expect("a configuration can be written");
        fs::write(
            example.folder.join("kustomization.yaml"),
            "resources: [base]\ngenerators: [inlay.yaml]\n",
        )
        .expect("a kustomization can be written");
        let outcome = example.shell(line);
        assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
        assert!(
            outcome
                .stdout
                .contains("  a: \"1\"\nkind: ConfigMap\nmetadata:\n  name: made-"),
            "{}",
            outcome.stdout
        );
        assert!(
            outcome
                .stdout
                .contains("data:\n  b: \"2\"\n  config.json: |"),
            "{}",
            outcome.stdout
        );
        assert!(!outcome.stdout.contains("needs-hash"), "{}", outcome.stdout);
    }
}

//! Configurations with overlays, patches and templates: the result is the same through every entry
//! point.

use crate::common::clients::lacks_a_client;
use crate::{Example, assert_build, assert_output, snapshot};

#[test]
fn an_overlay_of_a_configuration_changes_a_package_and_keeps_its_comments() {
    let example = Example::new("overlay-kpt", "overlay");
    let line = "kpt fn eval base --exec inlay --fn-config plugin/inlay.yaml";
    if lacks_a_client(line) {
        return;
    }
    let mut expected = snapshot(&example.folder.join("base"));
    for (path, text) in &mut expected {
        if path.ends_with("deployment.yaml") {
            *text = example.read("expected-deployment.yaml");
            assert!(
                text.contains("# enough to try it out"),
                "a comment on the line that changes"
            );
        }
    }
    let outcome = example.shell(line);
    assert_eq!(outcome.code, 0, "{line}: {}", outcome.stderr);
    assert_eq!(snapshot(&example.folder.join("base")), expected, "{line}");
}

#[test]
fn an_overlay_of_a_configuration_changes_a_build() {
    for line in [
        "kustomize build --enable-alpha-plugins --enable-exec function",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kustomize build --enable-alpha-plugins plugin",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kubectl kustomize --enable-alpha-plugins plugin",
    ] {
        assert_build(&Example::new("overlay-build", "overlay"), line);
    }
}

#[test]
fn an_overlay_of_a_configuration_changes_files() {
    let example = Example::new("overlay-run", "overlay");
    let outcome = example.shell("inlay run plugin/inlay.yaml base/deployment.yaml");
    assert_output(
        &outcome,
        &example.read("expected-deployment.yaml"),
        "inlay run",
    );
}

#[test]
fn patches_of_a_configuration_change_a_build() {
    for line in [
        "kustomize build --enable-alpha-plugins --enable-exec function",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kustomize build --enable-alpha-plugins plugin",
        "KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin kubectl kustomize --enable-alpha-plugins plugin",
    ] {
        assert_build(&Example::new("patches-build", "patches"), line);
    }
}

#[test]
fn patches_of_a_configuration_change_files_and_nothing_else_in_them() {
    let example = Example::new("patches-run", "patches");
    let outcome = example.shell("inlay run plugin/inlay.yaml base/resources.yaml");
    assert_output(
        &outcome,
        &example.read("expected-resources.yaml"),
        "inlay run",
    );
}

#[test]
fn the_configurations_of_plugin_and_function_are_equal() {
    for name in ["overlay", "patches"] {
        let example = Example::new("same", name);
        let spec = |file: &str| {
            example
                .read(file)
                .split_once("\nspec:")
                .map(|(_, spec)| spec.to_owned())
        };
        assert_eq!(
            spec("plugin/inlay.yaml"),
            spec("function/inlay.yaml"),
            "{name}"
        );
    }
}

#[test]
fn a_template_makes_resources_as_a_generator_and_as_a_transformer() {
    for client in ["kustomize build", "kubectl kustomize"] {
        for role in ["generators", "transformers"] {
            let example = Example::new("template-build", "template");
            let line = format!(
                "sed -i s/generators/{role}/ kustomization.yaml && \
                 KUSTOMIZE_PLUGIN_HOME=$PWD/../../plugin {client} --enable-alpha-plugins ."
            );
            if !lacks_a_client(&line) {
                assert_output(
                    &example.shell(&line),
                    &example.read("expected-build.yaml"),
                    &line,
                );
            }
        }
    }
}

#[test]
fn rendered_resources_come_last_and_stay_in_place_on_the_next_call() {
    let example = Example::new("template-twice", "template");
    let outcome = example
        .shell("inlay run inlay.yaml resources.yaml > once.yaml; inlay run inlay.yaml once.yaml");
    assert_output(
        &outcome,
        &example.read("expected.yaml"),
        "the second call changes nothing",
    );
    assert_eq!(
        (outcome.stderr.as_str(), example.read("once.yaml")),
        ("", example.read("expected.yaml"))
    );
}

//! The folder in which a function may read files.

use std::fs;

use crate::common::clients::lacks_a_client;
use crate::{Example, assert_output, snapshot};

/// An item of a list, as kustomize passes it.
const ITEM: &str = "\n- apiVersion: v1\n  kind: Service\n  \
                    metadata: {name: web, annotations: {kustomize.config.k8s.io/id: x}}";

/// Returns a ResourceList whose function generates a ConfigMap from the file `key`.
fn list_that_reads_a_file(items: &str, annotations: &str) -> String {
    format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {items}\nfunctionConfig:\n  \
         apiVersion: inlay.dev/v1alpha1\n  kind: Inlay\n  metadata:\n    name: c\n    annotations: {{{annotations}}}\n  \
         spec:\n    configMapGenerator:\n    - {{name: copy, files: [key]}}\n"
    )
}

#[test]
fn a_function_reads_only_below_the_folder_that_the_host_gives() {
    let example = Example::new("function-folder", "replace-in-json");
    let prepare = "echo private > key; mkdir -p package/sub kustomized; echo parent > package/key; echo own > package/sub/key
        echo mine > kustomized/key; echo 'resources: []' > kustomized/kustomization.yaml
        printf '%s\\n' 'apiVersion: inlay.dev/v1alpha1' 'kind: Inlay' 'metadata: {name: c}' > package/sub/inlay.yaml";
    assert_output(&example.shell(prepare), "", "files");
    let call = |items: &str, annotations: &str, command: &str| {
        let list = list_that_reads_a_file(items, annotations);
        example.shell(&format!(
            "inlay_list='{list}'; printf %s \"$inlay_list\" | {command}"
        ))
    };
    let kpt = format!(
        "internal.config.kubernetes.io/package-path: {}, internal.config.kubernetes.io/path: sub/inlay.yaml",
        example.folder.join("package").display()
    );
    let forged = format!(
        "internal.config.kubernetes.io/package-path: {}, internal.config.kubernetes.io/path: key",
        example.folder.display()
    );
    let allowed = [
        (kpt.as_str(), "inlay", "key: |\n      own"),
        (
            "",
            "INLAY_FUNCTION_FOLDER=package inlay",
            "key: |\n      parent",
        ),
        (
            "config.kubernetes.io/function: x",
            "(cd kustomized && inlay)",
            "key: |\n      mine",
        ),
    ];
    for (annotations, command, expected) in allowed {
        let outcome = call(ITEM, annotations, command);
        assert_eq!(outcome.code, 0, "{annotations}: {}", outcome.stderr);
        assert!(outcome.stdout.contains(expected), "{}", outcome.stdout);
    }
    let refused = [
        ("", "inlay"),
        ("internal.config.kubernetes.io/path: inlay.yaml", "inlay"),
        // Claims that anyone can write into a configuration, and that the disk does not confirm.
        (
            "internal.config.kubernetes.io/package-path: /, internal.config.kubernetes.io/path: inlay.yaml",
            "inlay",
        ),
        (forged.as_str(), "inlay"),
        ("config.kubernetes.io/function: x", "(cd package && inlay)"),
        ("", "INLAY_FUNCTION_FOLDER=/ inlay"),
        (
            "",
            "sh -c 'rm package/key; mkfifo package/key; INLAY_FUNCTION_FOLDER=package inlay'",
        ),
    ];
    for (annotations, command) in refused {
        let outcome = call(ITEM, annotations, command);
        assert_eq!(outcome.code, 1, "{annotations} {command}");
        assert!(!outcome.stdout.contains("private"), "{}", outcome.stdout);
    }
    // A list without items is not from kustomize: `kpt fn eval` passes it for an empty package.
    let outcome = call(
        "[]",
        "config.kubernetes.io/function: x",
        "(cd kustomized && inlay)",
    );
    assert_eq!(outcome.code, 1, "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("mine"), "{}", outcome.stdout);
}

/// `kpt fn eval` passes on the path that a configuration claims for its own file.
#[test]
fn kpt_gives_a_function_no_file_that_a_configuration_claims() {
    let line = "kpt fn eval package --exec inlay --fn-config config.yaml";
    if lacks_a_client(line) {
        return;
    }
    let example = Example::new("claimed-folder", "replace-in-json");
    let claims = [
        "config.kubernetes.io/function: x".to_owned(),
        format!(
            "internal.config.kubernetes.io/package-path: {}",
            example.folder.display()
        ),
        format!(
            "internal.config.kubernetes.io/package-path: {}, internal.config.kubernetes.io/path: private",
            example.folder.display()
        ),
    ];
    for claim in claims {
        let config = format!(
            "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: c\n  annotations: {{{claim}}}\n\
             spec:\n  configMapGenerator:\n  - {{name: copy, files: [private]}}\n"
        );
        let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n";
        fs::create_dir_all(example.folder.join("package")).expect("a folder");
        fs::write(example.folder.join("package/own.yaml"), object).expect("a file");
        fs::write(example.folder.join("config.yaml"), config).expect("a file");
        fs::write(example.folder.join("private"), "PRIVATE").expect("a file");
        let outcome = example.shell(line);
        assert_ne!(outcome.code, 0, "{claim}");
        for (_, text) in snapshot(&example.folder.join("package")) {
            assert!(!text.contains("PRIVATE"), "{claim}: {text}");
        }
    }
}

/// Without a package, objects have no path, and a kustomization may be where the user works.
#[test]
fn kpt_gives_a_function_no_file_if_the_objects_come_from_standard_input() {
    let line = "kpt fn eval - --exec inlay --fn-config config.yaml <objects.yaml";
    if lacks_a_client(line) {
        return;
    }
    let example = Example::new("objects-of-standard-input", "replace-in-json");
    let config = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata:\n  name: c\n  \
                  annotations: {config.kubernetes.io/function: x}\n\
                  spec:\n  configMapGenerator:\n  - {name: copy, files: [private]}\n";
    // kpt adds an index to the objects of a file, and none to those of a list.
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n";
    let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  \
                metadata: {name: own, annotations: {kustomize.config.k8s.io/id: x}}\n";
    fs::write(example.folder.join("kustomization.yaml"), "").expect("a file");
    fs::write(example.folder.join("config.yaml"), config).expect("a file");
    fs::write(example.folder.join("private"), "PRIVATE").expect("a file");
    for objects in [object, list] {
        fs::write(example.folder.join("objects.yaml"), objects).expect("a file");
        let outcome = example.shell(line);
        assert_ne!(outcome.code, 0, "{objects}");
        assert!(!outcome.stdout.contains("PRIVATE"), "{}", outcome.stdout);
    }
}

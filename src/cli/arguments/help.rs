//! What the help of each command says below its flags: examples, and the exit codes.

use clap::Command as Program;

pub(super) const EXAMPLES: &str = "\
Without a command, inlay takes the options of build. Without options either, it is a KRM function
and reads a ResourceList from standard input.

Examples:
  inlay -f config/ -v domain=example.com          render templates with a data value
  inlay -f manifests/ -f overlay.yml --faithful   apply an overlay, and keep everything else
  inlay run inlay.yaml manifests/ --diff          show what a configuration would change
  inlay explain build -f config/ -- 'Deployment/web spec.replicas'
                                                  show where a value comes from
  inlay get cm.yaml 'data.app\\.json.port'         print a value inside a JSON string
  inlay set cm.yaml 'data.app\\.json.port=8080'    print the file with another value there
  kpt fn eval manifests --exec inlay --fn-config inlay.yaml";

pub(super) const BUILD_EXAMPLES: &str = "\
Examples:
  inlay build -f config/ -f override.yml          print what the files render to, in their order
  inlay build -f config/ -d production.yml        use the data values of a file
  inlay build -f config/ -v name=shop --data-value-yaml replicas=3
  inlay build -f config/ --data-values-inspect    print the data values that templates see
  inlay build -f config/ --output-files out       write a folder, one file for each input file
  inlay build -f config/ --output-files out --check
  inlay build -f config/ --diff=semantic --against ../main
  inlay build -f config/ -o json                  print compact JSON
  curl -fsSL URL | inlay build -f base.yml=- -f config/";

pub(super) const FMT_EXAMPLES: &str = "\
Examples:
  inlay fmt config/                               print the files in the standard layout
  inlay fmt config/ --in-place                    write the files that have another layout
  inlay fmt config/ --check                       exit with 1 if a file has another layout
  inlay fmt config/ --diff                        show what would change";

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  inlay run inlay.yaml manifests/                 print the edited documents
  inlay run inlay.yaml manifests/ --diff          show what would change
  inlay run inlay.yaml manifests/ --check         exit with 1 if something would change
  inlay run inlay.yaml manifests/ --in-place      write the files that change
  kustomize build . | inlay run inlay.yaml -      edit what another program prints

A configuration:
  apiVersion: inlay.dev/v1alpha1
  kind: Inlay
  metadata: {name: hostname}
  spec:
    replacements:
    - source: {kind: ConfigMap, name: environment, fieldPath: data.HOSTNAME}
      targets:
      - select: {kind: ConfigMap, name: storefront}
        fieldPaths: ['data.config\\.json.server.hostname']";

pub(super) const KUSTOMIZE_EXAMPLES: &str = "\
Examples:
  inlay kustomize overlays/production             print the objects of a kustomization
  inlay kustomize build overlays/production       the same, with the words of kustomize
  inlay kustomize overlays/production -o out/     write a file for each object
  inlay kustomize overlays/production -o out/ --check
  inlay kustomize overlays/production --diff=semantic --against ../main";

pub(super) const FIX_EXAMPLES: &str = "\
Examples:
  inlay kustomize fix                             rewrite the file of this folder
  inlay kustomize fix overlays/production --diff  show what would change";

pub(super) const GET_EXAMPLES: &str = "\
Examples:
  inlay get deployment.yaml spec.replicas
  inlay get deployment.yaml 'spec.template.spec.containers.[name=web].image'
  inlay get cm.yaml 'data.app\\.json'                 the string
  inlay get cm.yaml 'data.app\\.json.server.port'     a value inside the string
  inlay get deployment.yaml spec -o json            a mapping as JSON
  inlay get all.yaml 'Deployment/web spec.replicas' one object of several";

pub(super) const DELETE_EXAMPLES: &str = "\
Examples:
  inlay delete deployment.yaml spec.replicas
  inlay delete cm.yaml 'data.app\\.json.debug' 'data.LEVEL' --in-place
  inlay delete app.yaml 'spec.containers.[name=sidecar]' --diff
  inlay delete app.yaml '$..resources' --ignore-missing
  inlay delete all.yaml 'Deployment/web spec.replicas'
  inlay delete a.yaml b.yaml metadata.namespace --in-place";

pub(super) const SET_EXAMPLES: &str = "\
Examples:
  inlay set deployment.yaml spec.replicas=3
  inlay set cm.yaml 'data.app\\.json.server.port=8080' 'data.LEVEL=debug' --in-place
  inlay set cm.yaml 'data.app\\.json.tags=[a, b]' --create
  inlay set all.yaml 'ConfigMap/app data.LEVEL=debug' --create
  inlay set a.yaml b.yaml metadata.namespace=shop --in-place
  inlay set a.yaml b.yaml metadata.namespace=shop --diff --check
  kubectl get cm app -o yaml | inlay set - 'data.LEVEL=debug' | kubectl apply -f -";

pub(super) const MIGRATE_EXAMPLES: &str = "\
Examples:
  inlay migrate overlays/production > overlays/production/inlay.yaml
  inlay run overlays/production/inlay.yaml overlays/production/app.yaml";

pub(super) const PLAYGROUND_EXAMPLES: &str = "\
Examples:
  inlay playground                                print the address of a page with examples
  inlay playground --open                         open it in the browser
  inlay playground config/ --open                 edit the files of a folder
  inlay playground config/ --read-only            render them without writing";

pub(super) const PLUGIN_EXAMPLES: &str = "\
Examples:
  inlay plugin install                            once, for kustomize and kubectl
  kustomize build --enable-alpha-plugins .
  kubectl kustomize --enable-alpha-plugins .";

/// The exit codes of the program, for its help.
const ALL_CODES: &str = "\
Exit codes:
  0   done; with --check, nothing would change
  1   an error; with --check, a difference
  2   the command line is wrong
  3   an error with --check, --diff, --stat or --against
  70  a bug in inlay";

/// Those of commands that compare.
const COMPARISON_CODES: &str = "\
Exit codes with --check: 0 same, 1 differs, 2 wrong command line, 3 another error. With --diff,
--stat or --against alone: 0 done, 2 wrong command line, 3 another error.";

/// Those of `inlay doctor`.
const DOCTOR_CODES: &str = "\
Exit codes: 0 nothing to repair, 1 something has to be repaired, or an error, 2 wrong command line.";

/// Those of all other commands.
const PLAIN_CODES: &str = "Exit codes: 0 done, 1 an error, 2 wrong command line.";

/// Adds the exit codes to the help of the program and of all its commands. The manual pages are made of
/// the help.
pub(super) fn with_exit_codes(program: Program) -> Program {
    let program = program.mut_subcommands(with_exit_codes_of_command);
    with_codes(program, ALL_CODES)
}

fn with_exit_codes_of_command(command: Program) -> Program {
    let command = command.mut_subcommands(with_exit_codes_of_command);
    let compares = command
        .get_arguments()
        .any(|argument| argument.get_id() == "check");
    let codes = match (command.get_name(), compares) {
        (_, true) => COMPARISON_CODES,
        ("doctor", _) => DOCTOR_CODES,
        _ => PLAIN_CODES,
    };
    with_codes(command, codes)
}

/// Adds exit codes below the examples, or in their place.
fn with_codes(command: Program, codes: &str) -> Program {
    let help = match command.get_after_help() {
        Some(examples) => format!("{examples}\n\n{codes}"),
        None => codes.to_owned(),
    };
    command.after_help(help)
}

//! Random `vars` and `replacements`.

use crate::objects::Object;
use crate::tree::Folder;

pub(crate) fn variables(folder: &mut Folder<'_>) {
    if !folder.random().chance(25) {
        return;
    }
    let mut text = String::new();
    for _ in 0..=folder.random().below(2) {
        let Some(object) = folder.pick(|_| true) else {
            break;
        };
        let Some(name) = folder.growth.variables.pop() else {
            break;
        };
        let field = match folder.random().below(8) {
            0 | 1 if object.namespace.is_some() => ", fieldref: {fieldPath: metadata.namespace}",
            2 => ", fieldref: {fieldPath: metadata.name}",
            3 => ", fieldref: {fieldpath: kind}",
            4 if object.kind == "Custom" => ", fieldref: {fieldPath: spec.img}",
            5 if object.kind == "Custom" && folder.random().may_fail => {
                ", fieldref: {fieldPath: 'spec.list[0].name'}"
            }
            6 if object.kind == "Secret" => ", fieldref: {fieldPath: data.a}",
            7 if object.kind == "Custom" && folder.random().may_fail => {
                ", fieldref: {fieldPath: spec.size}"
            }
            _ => "",
        };
        text.push_str(&format!(
            "- {{name: {name}, objref: {{apiVersion: {}, kind: {}, name: {}}}{field}}}\n",
            object.api_version, object.kind, object.name
        ));
    }
    if !text.is_empty() {
        folder.line(&format!("vars:\n{text}"));
    }
}

pub(crate) fn replacements(folder: &mut Folder<'_>) {
    if !folder.random().chance(20) {
        return;
    }
    let mut text = String::new();
    for number in 0..=folder.random().below(2) {
        let Some(entry) = replacement(folder) else {
            return;
        };
        if folder.random().chance(20) {
            let name = format!("replacement{number}.yaml");
            folder.write(&name, &entry);
            text.push_str(&format!("- path: {name}\n"));
        } else {
            let mut lines = entry.lines();
            let first = lines.next().unwrap_or_default();
            text.push_str(&format!("- {first}\n"));
            for line in lines {
                text.push_str(&format!("  {line}\n"));
            }
        }
    }
    folder.line(&format!("replacements:\n{text}"));
}

fn replacement(folder: &mut Folder<'_>) -> Option<String> {
    let source = folder.pick(|_| true)?;
    let path = match &*source.kind {
        "Deployment" | "StatefulSet" | "DaemonSet" if folder.random().chance(30) => {
            folder.random().one_of(&[
                "spec.template.spec.containers.[name=c].image",
                "spec.template.spec.containers.0.image",
                "spec.template.spec.containers.0",
                "spec.template.spec",
                "spec.template",
            ])
        }
        "Secret" if folder.random().chance(30) => "data.a",
        "Service" if folder.random().chance(60) => "kind",
        "Custom" if folder.random().chance(60) => {
            let paths = ["spec.img", "spec.deep", "spec.ref", "spec.map"];
            let count = 3 + usize::from(folder.random().may_fail);
            folder.random().one_of(&paths[..count])
        }
        _ => folder
            .random()
            .one_of(&["metadata.name", "metadata.name", ""]),
    };
    let mut text = format!("source: {{kind: {}, name: {}", source.kind, source.name);
    if !path.is_empty() {
        text.push_str(&format!(", fieldPath: \"{path}\""));
    }
    let is_scalar = !matches!(
        path,
        "spec.template.spec.containers.0" | "spec.template.spec" | "spec.template" | "spec.deep"
    );
    if is_scalar && folder.random().chance(12) {
        text.push_str(", options: {delimiter: \":\", index: 0}");
    }
    text.push_str("}\ntargets:\n");
    for _ in 0..=folder.random().below(2) {
        let target = target(folder, &source, path, is_scalar)?;
        text.push_str(&target);
    }
    Some(text)
}

/// Returns a target for the value at a path of `source`. A mapping is not copied into its own
/// object: kustomize creates the field first, so the copied value would contain it too.
fn target(
    folder: &mut Folder<'_>,
    source: &Object,
    path: &str,
    source_is_scalar: bool,
) -> Option<String> {
    let is_mapping = path.starts_with("spec.template") && !path.ends_with("image");
    let is_other = |object: &Object| object.name != source.name && object.kind != source.kind;
    let object = folder.pick(|object| !is_mapping || is_other(object))?;
    let random = folder.random();
    let kind = &object.kind;
    let select = match random.below(5) {
        0 => format!("{{kind: {kind}}}"),
        1 => format!("{{name: {}}}", object.name),
        2 => format!("{{kind: {kind}, {}}}", object.id()),
        _ => format!("{{kind: {kind}, name: {}}}", object.name),
    };
    let mut paths = vec!["metadata.annotations.x", "metadata.labels.new"];
    match &**kind {
        "Deployment" | "StatefulSet" | "DaemonSet" => paths.extend([
            "spec.template.spec.containers.*.image",
            "spec.template.spec.containers.[name=c].env.[name=A].value",
            "spec.template.spec.containers.[name=c].image",
            "spec.template.metadata.annotations.x",
            "spec.replicas",
        ]),
        "Custom" => paths.extend([
            "spec.ref",
            "spec.img",
            "spec.map",
            "spec.list.0.v",
            "spec.new",
        ]),
        "ConfigMap" => paths.extend(["data.a", "data.new"]),
        "Service" => paths.extend(["spec.type", "spec.ports.*.port"]),
        _ => {}
    }
    // kustomize keeps the type of a number and then cannot read its own output.
    let may_be_unreadable = ["spec.replicas", "spec.ports.*.port"];
    if !random.may_fail && random.chance(90) {
        paths.retain(|path| !may_be_unreadable.contains(path));
    }
    let path = random.one_of(&paths);
    let mut text = format!("- select: {select}\n  fieldPaths: [\"{path}\"]\n");
    if random.chance(15) {
        text.push_str(&format!("  reject: [{{name: {}}}]\n", object.name));
    }
    let is_scalar = source_is_scalar && path != "spec.map";
    let has_options = !random.may_fail || random.chance(92);
    if has_options && !is_scalar && !random.may_fail {
        text.push_str("  options: {create: true}\n");
    } else if has_options {
        let options = [
            "{create: true}",
            "{create: true}",
            "{create: true}",
            "{create: true}",
            "{create: true, delimiter: \"/\", index: 1}",
            "{create: true, delimiter: \":\", index: -1}",
            "{create: true, delimiter: \"-\", index: 0}",
        ];
        text.push_str(&format!("  options: {}\n", random.one_of(&options)));
    }
    Some(text)
}

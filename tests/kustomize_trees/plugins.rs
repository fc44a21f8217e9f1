//! Random configurations of kustomize's built-in plugins, in files, folders and inline texts.

use crate::patches::indented;
use crate::tree::Folder;

const TRANSFORMERS: [&str; 12] = [
    "kind: PrefixTransformer\nmetadata: {name: t}\nprefix: t-\nfieldSpecs: [{path: metadata/name, kind: Service}]",
    "kind: PrefixTransformer\nmetadata: {name: t}\nprefix: t-\nfieldSpecs: [{path: metadata/name}]",
    "kind: SuffixTransformer\nmetadata: {name: t}\nsuffix: -t\nfieldSpecs: [{path: metadata/name, kind: ConfigMap}]",
    "kind: PrefixSuffixTransformer\nmetadata: {name: t}\nprefix: t-\nsuffix: -t\nfieldSpecs: [{path: metadata/name, kind: Secret}]",
    "kind: NamespaceTransformer\nmetadata: {name: t, namespace: ns9}\nunsetOnly: true",
    "kind: NamespaceTransformer\nmetadata: {name: t, namespace: ns9}\nsetRoleBindingSubjects: allServiceAccounts\nfieldSpecs: [{path: spec/ns, kind: Custom, create: true}]",
    "kind: LabelTransformer\nmetadata: {name: t}\nlabels: {tl: v}\nfieldSpecs: [{path: metadata/labels, create: true}]",
    "kind: AnnotationsTransformer\nmetadata: {name: t}\nannotations: {ta: v}\nfieldSpecs: [{path: metadata/annotations, create: true}]",
    "kind: ImageTagTransformer\nmetadata: {name: t}\nimageTag: {name: nginx, newTag: t}\nfieldSpecs: [{path: spec/img}]",
    "kind: PatchTransformer\nmetadata: {name: t}\ntarget: {kind: Deployment}\npatch: '[{\"op\": \"add\", \"path\": \"/metadata/annotations\", \"value\": {\"pt\": \"a\"}}]'",
    "kind: PatchTransformer\nmetadata: {name: t}\ntarget: {kind: Service}\npatch: '{apiVersion: v1, kind: Service, metadata: {name: any, labels: {pt: l}}}'",
    "kind: ReplicaCountTransformer\nmetadata: {name: t}\nreplica: {name: web, count: 9}\nfieldSpecs: [{path: spec/size, kind: Custom, create: true}, {path: spec/replicas, create: true, kind: Deployment}]",
];

const GENERATORS: [&str; 3] = [
    "kind: ConfigMapGenerator\nmetadata: {name: NAME}\nliterals: [a=b]",
    "kind: SecretGenerator\nmetadata: {name: NAME, namespace: ns1}\nliterals: [a=b]\noptions: {disableNameSuffixHash: true}",
    "kind: ConfigMapGenerator\nmetadata: {name: NAME, labels: {x: y}, annotations: {z: w}}\nenvs: [data.env]",
];

pub(crate) fn plugins(folder: &mut Folder<'_>) {
    for (field, kinds) in [
        ("transformers", &TRANSFORMERS[..]),
        ("generators", &GENERATORS[..]),
    ] {
        if !folder.random().chance(15) {
            continue;
        }
        folder.growth.generated += 1;
        let name = format!("gp{}", folder.growth.generated);
        let mut plugin = folder.random().one_of(kinds).replace("NAME", &name);
        if plugin.contains("ReplicaCount") && !folder.random().may_fail {
            // The transformer has to find an object.
            let Some(object) = folder.pick(|object| object.kind == "Deployment") else {
                continue;
            };
            plugin = plugin.replace("{name: web,", &format!("{{name: {},", object.name));
        }
        let plugin = format!("apiVersion: builtin\n{plugin}\n");
        let line = match folder.random().below(3) {
            0 => format!("{field}:\n- |-\n{}", indented(&plugin, 2)),
            1 => {
                folder.write(&format!("{field}.yaml"), &plugin);
                format!("{field}: [{field}.yaml]")
            }
            _ => {
                folder.write(&format!("{field}/plugin.yaml"), &plugin);
                let kustomization = "resources: [plugin.yaml]\n";
                folder.write(&format!("{field}/kustomization.yaml"), kustomization);
                format!("{field}: [{field}]")
            }
        };
        folder.line(&line);
    }
}

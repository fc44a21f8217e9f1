"""Writes the workloads of the benchmarks: files as real projects have them, of any size.

usage: workloads.py COUNT FOLDER      COUNT is the number of resources

Each workload is one row of WORKLOADS, which names the files that it reads. The content depends on
COUNT alone.
"""

import json
import os
import sys
from typing import NamedTuple

DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop-{n}
  namespace: team-{team}
  labels: {{app: shop-{n}, tier: web}}
spec:
  replicas: 3
  selector:
    matchLabels: {{app: shop-{n}}}
  template:
    metadata:
      labels: {{app: shop-{n}}}
    spec:
      containers:
      - name: server
        image: registry.example.org/shop:{minor}.2
        args: ["--port", "8080"]
        env:
        - name: LOG_LEVEL
          value: info
        - name: REGION
          value: "eu"
        resources:
          limits: {{cpu: 500m, memory: 256Mi}}
"""

SERVICE = """apiVersion: v1
kind: Service
metadata:
  name: shop-{n}
  namespace: team-{team}
spec:
  selector:
    app: shop-{n}
  ports:
  - name: http
    port: 80
    targetPort: 8080
"""

CONFIG = """apiVersion: v1
kind: ConfigMap
metadata:
  name: config-{n}
  namespace: team-{team}
data:
  app.json: |-
{document}
"""

OVERLAY = """#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.all, expects="0+"
---
metadata:
  #@overlay/match missing_ok=True
  annotations:
    #@overlay/match missing_ok=True
    example.org/owner: platform
#@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="0+"
---
spec:
  template:
    spec:
      containers:
      #@overlay/match by="name"
      - name: server
        env:
        #@overlay/match by="name"
        - name: LOG_LEVEL
          value: debug
"""

# Functions, a loop in a loop and a condition, as in the templates of most applications.
TEMPLATE = """#@ load("@ytt:data", "data")
#@ def labels(n):
app: #@ "shop-{}".format(n)
tier: web
#@ end
#@ for n in range(data.values.count):
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: #@ "shop-{}".format(n)
  labels: #@ labels(n)
spec:
  replicas: 3
  selector:
    matchLabels: #@ labels(n)
  template:
    metadata:
      labels: #@ labels(n)
    spec:
      containers:
      - name: server
        image: #@ "registry.example.org/shop:" + str(n % 7)
        env:
        #@ for setting in range(4):
        - name: #@ "SETTING_%d" % setting
          value: #@ str(setting * n)
        #@ end
        #@ if n % 2 == 0:
        resources:
          limits: {cpu: 500m, memory: 256Mi}
        #@ end
#@ end
"""

REPLACEMENT = """replacements:
- source: {kind: ConfigMap, name: environment, fieldPath: data.HOST}
  targets:
  - select: {kind: ConfigMap, name: config-.*}
    fieldPaths: ['data.app\\.json.server.host']
"""

ENVIRONMENT = """apiVersion: v1
kind: ConfigMap
metadata:
  name: environment
data:
  HOST: shop.example.org
"""

# Two overlays with the fields that most kustomizations have.
STAGING = """resources: [../base]
namePrefix: staging-
labels:
- pairs: {stage: staging}
  includeSelectors: true
configMapGenerator:
- name: stage
  literals: [STAGE=staging]
"""

PRODUCTION = """resources: [../staging]
namespace: production
commonAnnotations: {example.org/owner: platform}
images:
- name: registry.example.org/shop
  newTag: "9.9"
patches:
- target: {kind: Deployment}
  patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: any}
    spec:
      template:
        spec:
          containers:
          - name: server
            env:
            - {name: LOG_LEVEL, value: warning}
- target: {kind: Service, name: shop-1.*}
  patch: |-
    - {op: replace, path: /spec/ports/0/port, value: 8080}
"""

TEMPLATE_FILE = """#@ load("@ytt:data", "data")
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings-{n}
data:
  first: #@ data.values.key{n}
  second: #@ data.values["key{next}"]
"""

SMALL = """#@ load("@ytt:data", "data")
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: #@ data.values.name
"""

PACKAGE_VALUES = """#@data/values
---
namespace: shop
replicas: 2
"""

PACKAGE_OVERLAY = """#@ load("@ytt:data", "data")
#@ load("@ytt:overlay", "overlay")

#@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="1+"
---
metadata:
  namespace: #@ data.values.namespace
spec:
  replicas: #@ data.values.replicas
  template:
    spec:
      containers:
      #@overlay/match by="name"
      - name: server
        #@overlay/match missing_ok=True
        imagePullPolicy: #@ "Always" if data.values.replicas > 1 else "IfNotPresent"

#@overlay/match by=overlay.subset({"kind": "Service"}), expects="0+"
---
metadata:
  #@overlay/match missing_ok=True
  annotations:
    team: #@ "team-" + data.values.namespace.lower()
"""

# The number of resources of the package.
PACKAGE_RESOURCES = 9

# The number of definitions of about 3 MB.
DEFINITIONS = 80


class Workload(NamedTuple):
    """What is measured: a name, the arguments of inlay, and those of the peer that does the same."""

    name: str
    arguments: list[str]
    peer: list[str]


def build(name, *files):
    """Returns a workload that ytt takes with the same arguments."""
    return Workload(name, list(files), ["ytt", *files])


def kustomization(name, folder):
    """Returns a workload that kustomize takes with the same arguments."""
    return Workload(name, ["kustomize", folder], ["kustomize", "build", folder])


WORKLOADS = [
    build("plain YAML", "-f", "plain/resources.yaml"),
    build("two overlays", "-f", "plain", "-f", "overlay.yml"),
    build("a loop", "-f", "loop"),
    build("300 templates", "-f", "templates"),
    build("large values", "-f", "values.yml", "--data-values-file", "large-values.yml"),
    build("large CRDs", "-f", "crds.yaml"),
    Workload(
        "inside JSON",
        ["run", "inside/inlay.yaml", "inside/resources.yaml"],
        ["kustomize", "build", "inside"],
    ),
    build("one small file", "-f", "small"),
    build("one package", "-f", "package"),
    kustomization("kustomization", "kustomization/production"),
    kustomization("kustomization, CRDs", "definitions"),
]


def resource(n):
    """Returns one of three kinds of resource, in turn."""
    document = json.dumps({"server": {"host": "set-me", "port": 8000 + n}}, indent=2)
    document = "".join(f"    {line}\n" for line in document.splitlines())[:-1]
    kind = [DEPLOYMENT, SERVICE, CONFIG][n % 3]
    return kind.format(n=n, team=n % 20, minor=n % 9, document=document)


def schema(depth, indent):
    """Returns the schema of a custom resource, as deep as real ones are."""
    lines = f"{indent}type: object\n{indent}description: Settings of level {depth}, checked when it is stored.\n{indent}properties:\n"
    for field in range(6):
        lines += f"{indent}  field{field}:\n"
        if depth and field < 3:
            lines += schema(depth - 1, indent + "    ")
        else:
            lines += f"{indent}    type: string\n{indent}    description: |-\n{indent}      Value {field}. It may be empty.\n"
    return lines


def custom_resource(n):
    """Returns a definition of a custom resource."""
    return (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        f"metadata:\n  name: things{n}.example.org\nspec:\n  group: example.org\n"
        f"  names: {{kind: Thing{n}, plural: things{n}}}\n  scope: Namespaced\n  versions:\n"
        "  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n"
        + schema(3, "        ")
    )


def write(folder, path, text):
    place = os.path.join(folder, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w", encoding="utf-8") as file:
        file.write(text)


def generate(count, folder):
    """Writes all workloads."""
    resources = "---\n".join(resource(n) for n in range(count))
    write(folder, "plain/resources.yaml", resources)
    write(folder, "overlay.yml", OVERLAY)
    write(folder, "loop/template.yml", TEMPLATE)
    write(folder, "loop/values.yml", f"#@data/values\n---\ncount: {count}\n")
    write(folder, "values.yml", '#@ load("@ytt:data", "data")\n---\nall: #@ data.values\n')
    write(folder, "large-values.yml", "".join(f"key{n}: {{name: v{n}, size: {n}}}\n" for n in range(count * 4)))
    head = "apiVersion: inlay.dev/v1alpha1\nkind: Inlay\nmetadata: {name: inside}\nspec:\n"
    indented = "".join(f"  {line}\n" for line in REPLACEMENT.splitlines())
    write(folder, "inside/inlay.yaml", head + indented)
    write(folder, "inside/kustomization.yaml", "resources: [resources.yaml]\n" + REPLACEMENT)
    write(folder, "inside/resources.yaml", resources + "---\n" + ENVIRONMENT)
    keys = "".join(f"key{n}: value {n}\n" for n in range(1000))
    write(folder, "templates/schema.yml", f"#@data/values-schema\n---\n{keys}")
    for n in range(min(count // 4, 300)):
        write(folder, f"templates/file{n}.yml", TEMPLATE_FILE.format(n=n, next=n + 1))
    write(folder, "small/template.yml", SMALL)
    write(folder, "small/values.yml", "#@data/values\n---\nname: shop\n")
    upstream = "---\n".join(resource(n) for n in range(PACKAGE_RESOURCES))
    write(folder, "package/upstream.yaml", upstream)
    write(folder, "package/values.yaml", PACKAGE_VALUES)
    write(folder, "package/overlay.yaml", PACKAGE_OVERLAY)
    definitions = max(count // 50, 1)
    write(folder, "crds.yaml", "---\n".join(custom_resource(n) for n in range(definitions)))
    write(folder, "kustomization/base/kustomization.yaml", "resources: [resources.yaml]\n")
    write(folder, "kustomization/base/resources.yaml", resources)
    write(folder, "kustomization/staging/kustomization.yaml", STAGING)
    write(folder, "kustomization/production/kustomization.yaml", PRODUCTION)
    # About 3 MB, whatever COUNT is.
    write(folder, "definitions/definitions.yaml", "---\n".join(custom_resource(n) for n in range(DEFINITIONS)))
    write(folder, "definitions/kustomization.yaml", "resources: [definitions.yaml]\nlabels: [{pairs: {stage: production}}]\n")


if __name__ == "__main__":
    generate(int(sys.argv[1]), sys.argv[2])

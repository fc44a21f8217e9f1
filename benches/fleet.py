#!/usr/bin/env python3
"""Times the rendering of a fleet: 60 resources for each of many clusters, first all of them and then after one change.

Usage: benches/fleet.py INLAY [CLUSTERS]

It renders with `--matrix` and with one process for each cluster under `make -j`, checks that both write the same bytes,
and does the same with ytt and, for a base and an overlay for each cluster, with kustomize, as far as they are on PATH.
"""

import filecmp
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

APPLICATIONS = 20

SCHEMA = """#@data/values-schema
---
cluster: ""
domain: example.com
replicas: 1
region: ""
"""

# Three resources.
APPLICATION = """#@ load("@ytt:data", "data")
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app{app}
  labels:
    cluster: #@ data.values.cluster
spec:
  replicas: #@ data.values.replicas
  template:
    spec:
      containers:
      - name: app
        image: #@ "registry.example.com/app{app}:" + data.values.region
        env:
        - name: CLUSTER
          value: #@ data.values.cluster
---
apiVersion: v1
kind: Service
metadata:
  name: app{app}
spec:
  ports:
  - port: 80
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: app{app}
data:
  domain: #@ "app{app}." + data.values.cluster + "." + data.values.domain
"""

OVERLAY = """#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:data", "data")
#@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="1+"
---
metadata:
  #@overlay/match missing_ok=True
  annotations:
    region: #@ data.values.region
"""

MATRIX = """apiVersion: inlay.dev/v1alpha1
kind: Matrix
spec:
  output: matrix/{name}.yaml
  renders:
  - each: clusters/*.yml
"""

MAKEFILE = """OUTPUTS := $(patsubst clusters/%.yml,{folder}/%.yaml,$(wildcard clusters/*.yml))
all: $(OUTPUTS)
{folder}/%.yaml: {inputs}
\t@{command}
"""

# The base is the same for all clusters, as with kustomize it has to be.
KUSTOMIZATION = """resources: [../../base]
replicas:
- {name: app00, count: %d}
labels:
- pairs: {cluster: %s}
"""


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def cluster_values(name, number, replicas):
    return f"cluster: {name}\nregion: r{number % 7}\nreplicas: {replicas}\n"


def prepare(folder, inlay, names):
    write(folder, "config/schema.yml", SCHEMA)
    write(folder, "config/overlay.yml", OVERLAY)
    for app in range(APPLICATIONS):
        write(folder, f"config/app{app:02}.yml", APPLICATION.replace("{app}", f"{app:02}"))
    for number, name in enumerate(names):
        write(folder, f"clusters/{name}.yml", cluster_values(name, number, number % 5 + 1))
        write(folder, f"overlays/{name}/kustomization.yaml", KUSTOMIZATION % (number % 5 + 1, name))
    write(folder, "matrix.yml", MATRIX)
    base = subprocess.run(
        [inlay, "build", "-f", "config", "-d", f"clusters/{names[0]}.yml"], cwd=folder, check=True, capture_output=True
    )
    write(folder, "base/all.yaml", base.stdout.decode())
    write(folder, "base/kustomization.yaml", "resources: [all.yaml]\n")
    for name in ["make", "ytt", "kustomize"]:
        (folder / name).mkdir()
    values = "clusters/%.yml $(wildcard config/*)"
    makefiles = {
        "make": (values, f"{inlay} build -f config -d $< --output-file $@ && touch $@"),
        "ytt": (values, "ytt -f config --data-values-file $< > $@"),
        "kustomize": ("overlays/%/kustomization.yaml base/all.yaml", "kustomize build overlays/$* > $@"),
    }
    for name, (inputs, command) in makefiles.items():
        text = MAKEFILE.format(folder=name, inputs=inputs, command=command)
        write(folder, f"{name}.mk", text)


def measure(command, folder):
    """Returns the seconds of wall time and of processor time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def change(folder, name):
    # A second later, for file systems with coarse times.
    time.sleep(1.1)
    write(folder, f"clusters/{name}.yml", cluster_values(name, 0, 9))
    write(folder, f"overlays/{name}/kustomization.yaml", KUSTOMIZATION % (9, name))


def main():
    inlay = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    names = [f"c{number:04}" for number in range(count)]
    jobs = f"-j{os.cpu_count()}"
    rows = [("inlay build --matrix", [inlay, "build", "-f", "config", "--matrix", "matrix.yml"])]
    rows.append((f"make {jobs}, inlay build", ["make", jobs, "-f", "make.mk"]))
    for tool, command in [("ytt", "ytt"), ("kustomize", "kustomize build")]:
        if shutil.which(tool):
            rows.append((f"make {jobs}, {command}", ["make", jobs, "-f", f"{tool}.mk"]))
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        prepare(folder, inlay, names)
        first = [measure(command, folder) for _, command in rows]
        for name in names:
            if not filecmp.cmp(folder / f"matrix/{name}.yaml", folder / f"make/{name}.yaml", shallow=False):
                sys.exit(f"{name} differs between the matrix and a build of its own")
        change(folder, names[-1])
        second = [measure(command, folder) for _, command in rows]
    print(f"{count} clusters, {3 * APPLICATIONS} resources each\n")
    print("| | first run | processor time | after one change | processor time |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for (name, _), (wall, cpu), (wall_again, cpu_again) in zip(rows, first, second):
        print(f"| {name} | {wall:.1f} s | {cpu:.1f} s | {wall_again:.1f} s | {cpu_again:.1f} s |")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures the language server on files of 5,000 lines.

usage: editor.py INLAY [EDITS]

For each kind of file it types a character at random lines or takes it away, EDITS times, and waits each time
for the diagnostics of the new text. It prints the time from the edit to the answer (median and 95th percentile), and the processor
time of the server per edit, which suffers less from what else the machine does. Then it asks for completion,
hover, references, hints and colors, and prints the longest answer.

The aim is 100 ms from an edit to its diagnostics. Use the program that tools/build-static makes.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time

LINES = 5000
ASKED = ["completion", "hover", "references", "inlayHint", "semanticTokens/full", "foldingRange"]

SCHEMA = "#@data/values-schema\n---\nreplicas: 2\nimage: shop\nport: 80\n"

# Ten lines each.
TEMPLATE = """---
kind: Deployment
metadata:
  name: web-{n}
spec:
  replicas: #@ data.values.replicas
  image: #@ data.values.image + ":{n}"
  ports:
  - port: #@ data.values.port + {n}
    name: http
"""

OVERLAY = """#@overlay/match by=overlay.subset({{"metadata": {{"name": "web-{n}"}}}})
---
spec:
  replicas: {n}
"""

OBJECT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{n}
spec:
  replicas: 1
  template:
    spec:
      containers: [{{name: web, image: shop}}]
---
"""

REPLACEMENT = """- source:
    kind: Deployment
    name: web-{n}
    fieldPath: spec.replicas
  targets:
  - select:
      kind: Deployment
      name: web-{other}
    fieldPaths:
    - spec.replicas
"""


def repeated(text, **others):
    """Returns `text` as often as it takes for 5,000 lines."""
    count = LINES // text.count("\n")
    return "".join(text.format(n=n, other=(n + 1) % count, **others) for n in range(count))


def workspaces():
    """Returns for each kind of file: its name, the file that is edited, and all files."""
    load = '#@ load("@ytt:data", "data")\n'
    overlay_load = '#@ load("@ytt:overlay", "overlay")\n'
    template = load + repeated(TEMPLATE)
    objects = repeated(OBJECT)
    return [
        ("template", "config.yml", {"config.yml": template, "schema.yml": SCHEMA}),
        (
            "overlays",
            "overlay.yml",
            {
                "overlay.yml": overlay_load + repeated(OVERLAY),
                "config.yml": load + "".join(TEMPLATE.format(n=n) for n in range(LINES // 4)),
                "schema.yml": SCHEMA,
            },
        ),
        ("plain YAML", "plain.yml", {"plain.yml": objects}),
        (
            "kustomization",
            "kustomization.yaml",
            {
                "kustomization.yaml": "resources: [objects.yaml]\nreplacements:\n"
                + repeated(REPLACEMENT),
                "objects.yaml": objects,
            },
        ),
    ]


class Server:
    """A language server, and the client's side of the protocol."""

    def __init__(self, inlay, folder):
        self.process = subprocess.Popen(
            [inlay, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.last_id = 0
        root = "file://" + folder
        capabilities = {"textDocument": {"diagnostic": {}}}
        self.request(
            "initialize",
            {"capabilities": capabilities, "workspaceFolders": [{"uri": root, "name": "w"}]},
        )
        self.notify("initialized", {})

    def send(self, message):
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def request(self, method, parameters):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": parameters})
        while True:
            message = self.receive()
            if message.get("id") == self.last_id:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b": ")
            if name == b"Content-Length":
                length = int(value)
        if length == 0:
            sys.exit("the server has ended")
        return json.loads(self.process.stdout.read(length))

    def processor(self):
        """Returns the processor time of the server so far, in seconds: that of its worker process."""
        ticks = 0
        own = self.process.pid
        with open(f"/proc/{own}/task/{own}/children") as children:
            processes = [str(own), *children.read().split()]
        for process in processes:
            with open(f"/proc/{process}/stat") as stat:
                fields = stat.read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.wait()


def measure(inlay, name, edited, files, edits):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            with open(os.path.join(folder, path), "w") as file:
                file.write(text)
        server = Server(inlay, folder)
        document = {"uri": f"file://{folder}/{edited}"}
        text = files[edited]
        opened = {**document, "languageId": "yaml", "version": 0, "text": text}
        server.notify("textDocument/didOpen", {"textDocument": opened})
        server.request("textDocument/diagnostic", {"textDocument": document})
        lines = text.splitlines()
        chance = random.Random(1)
        times = []
        before = server.processor()
        for version in range(1, edits + 1):
            # A character is typed, and taken away: every second text is as it was, so that mistakes
            # do not add up, and the whole of it is built.
            is_typed = version % 2 == 1
            if is_typed:
                line = chance.randrange(len(lines))
            end = len(lines[line])
            start = {"line": line, "character": end}
            stop = {"line": line, "character": end if is_typed else end + 1}
            change = {"range": {"start": start, "end": stop}, "text": "x" if is_typed else ""}
            started = time.perf_counter()
            server.notify(
                "textDocument/didChange",
                {"textDocument": {**document, "version": version}, "contentChanges": [change]},
            )
            server.request("textDocument/diagnostic", {"textDocument": document})
            times.append(time.perf_counter() - started)
        processor = (server.processor() - before) / edits
        times.sort()
        longest = max(answer_times(server, document, lines), key=lambda found: found[1])
        server.end()
    median, late = times[len(times) // 2], times[int(len(times) * 0.95)]
    print(
        f"| {name} | {median * 1000:.0f} ms | {late * 1000:.0f} ms | {processor * 1000:.0f} ms "
        f"| {longest[0]}: {longest[1] * 1000:.0f} ms |",
        flush=True,
    )


def answer_times(server, document, lines):
    """Returns how long each kind of request takes in the middle of a file, for a page of 60 lines."""
    line = len(lines) // 2
    end = {"line": line + 60, "character": 0}
    for method in ASKED:
        parameters = {
            "textDocument": document,
            "position": {"line": line, "character": 4},
            "range": {"start": {"line": line, "character": 0}, "end": end},
            "context": {"includeDeclaration": True, "triggerKind": 1},
        }
        started = time.perf_counter()
        server.request(f"textDocument/{method}", parameters)
        yield method, time.perf_counter() - started


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    inlay = os.path.realpath(sys.argv[1])
    edits = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    print("| 5,000 lines of | median | 95th percentile | processor | longest answer |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, edited, files in workspaces():
        measure(inlay, name, edited, files, edits)


main()

#!/usr/bin/env python3
"""Measures inlay on the workloads of workloads.py.

usage: run.py time INLAY [COUNT [WORKLOAD...]]
                                      times it beside ytt and kustomize, if they are on PATH
       run.py count INLAY             compares instruction counts with instructions.json
       run.py record INLAY            writes instructions.json
       run.py explain INLAY           counts builds, an answer of explain, and -o annotated
       run.py start INLAY             times small builds beside a program that prints `hello`
       run.py watch INLAY             times a change of one of 1,000 files with --watch

`time` prints a table of the best of several runs, and writes it to results/DATE.md if it has all
workloads. Absolute times differ from machine to machine; the figure is the ratio, which is that of
processor times. With 5,000 resources, kustomize takes minutes for some workloads.

`count` needs valgrind, and does nothing without it. A workload may take up to 3 % more instructions
than recorded. One that takes more is a fault, unless the changelog says so, in these words:

    `two overlays` takes 5 % more instructions, because …

Counts depend on the compiler, so INLAY is what tools/build-static makes with the profile `release`,
and counts of another compiler are printed without a comparison.
"""

import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

from workloads import WORKLOADS, generate, write

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDED = os.path.join(HERE, "instructions.json")
CHANGELOG = os.path.join(HERE, "..", "CHANGELOG.md")

# The workloads whose instructions are counted, and the number of resources in them: valgrind is
# about fifty times slower than the machine.
COUNTED = [
    "plain YAML",
    "two overlays",
    "a loop",
    "300 templates",
    "inside JSON",
    "large CRDs",
    "one package",
]
COUNTED_RESOURCES = 400

# What `explain` is asked, by the workload.
QUESTIONS = {
    "two overlays": "Deployment/shop-0 metadata.annotations.*",
    "a loop": "Deployment/shop-7 spec.template.spec.containers.0.image",
    "300 templates": "ConfigMap/settings-7 data.first",
    "inside JSON": "ConfigMap/config-2 data.app\\.json.server.host",
    "kustomization": "Deployment/staging-shop-0 spec.template.spec.containers.0.image",
}

# How much more instructions are no fault.
TOLERANCE = 0.03

# What `start` times beside a program in Rust that prints `hello`.
SMALL_FILES = {
    "line.yaml": "a: 1\n",
    "values.yaml": "#@data/values\n---\nname: a\n",
    "template.yaml": '#@ load("@ytt:data", "data")\nname: #@ data.values.name\n',
}
SMALL_BUILDS = {
    "a file of one line": ["build", "-f", "line.yaml"],
    "a small template": ["build", "-f", "values.yaml", "-f", "template.yaml"],
    "a value that is set": ["set", "line.yaml", "a=2"],
}
START_RUNS = 400

# A peer can take a minute, so it runs less often.
RUNS, PEER_RUNS = 7, 1


class Measured:
    """The best times of several runs, and the largest memory of one more.

    Processor time is that of all threads together. It suffers less from what else the machine does. The memory is None
    without GNU's `time`.
    """

    def __init__(self, command, folder, runs):
        self.seconds = self.processor = float("inf")
        self.megabytes = peak_memory(command, folder)
        for _ in range(runs):
            started = time.perf_counter()
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            elapsed = time.perf_counter() - started
            if status != 0:
                sys.exit(f"{' '.join(command)} failed")
            self.seconds = min(elapsed, self.seconds)
            self.processor = min(usage.ru_utime + usage.ru_stime, self.processor)


def peak_memory(command, folder):
    """Returns the largest resident set of a command, in megabytes; None without GNU's `time`.

    The system counts a process's memory from its fork on, so a child of Python has at least the memory of Python.
    """
    gnu_time = "/usr/bin/time"
    if not os.access(gnu_time, os.X_OK):
        return None
    outcome = subprocess.run(
        [gnu_time, "-f", "%M", *command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    return int(outcome.stderr.split()[-1]) / 1024


def time_workloads(inlay, count, names):
    """Returns the lines of the table of times, of all workloads if none is named."""
    lines = [
        "| workload | time | processor | memory | peer | its time | its processor | ratio |",
        "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |",
    ]
    print("\n".join(lines))
    with tempfile.TemporaryDirectory() as folder:
        generate(count, folder)
        for workload in WORKLOADS:
            if names and workload.name not in names:
                continue
            own = Measured([inlay, *workload.arguments], folder, RUNS)
            line = f"| {workload.name} | {own.seconds * 1000:.1f} ms | {own.processor * 1000:.1f} ms "
            line += f"| {own.megabytes:.0f} MB |" if own.megabytes else "| |"
            peer = workload.peer[0]
            if shutil.which(peer):
                theirs = Measured(workload.peer, folder, PEER_RUNS)
                ratio = theirs.processor / own.processor
                line += f" {peer} | {theirs.seconds * 1000:.0f} ms"
                line += f" | {theirs.processor * 1000:.0f} ms | {ratio:.0f}x |"
            else:
                line += " | | | |"
            print(line, flush=True)
            lines.append(line)
        size = os.path.getsize(os.path.join(folder, "plain", "resources.yaml")) / 1e6
    lines.append(f"\nWith {count} resources; `plain YAML` is {size:.1f} MB.")
    return lines


def versions(inlay):
    """Returns the line that says what was measured, and where."""
    programs = [[inlay, "version"], ["ytt", "version"], ["kustomize", "version"]]
    found = []
    for command in programs:
        if shutil.which(command[0]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            found.append(f"{os.path.basename(command[0])} {done.stdout.split()[-1]}")
    processor = platform.processor() or platform.machine()
    return f"{', '.join(found)}; {platform.system()}, {processor}, {os.cpu_count()} cores."


def write_results(lines, inlay):
    """Writes the table with its date."""
    date = datetime.date.today().isoformat()
    folder = os.path.join(HERE, "results")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"{date}.md"), "w", encoding="utf-8") as file:
        file.write(f"# {date}\n\n{versions(inlay)}\n\n" + "\n".join(lines) + "\n")


def compiler():
    """Returns the version of the compiler, on which counts depend."""
    done = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def count(folder, command):
    """Returns the number of instructions of a command."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    # One thread, so that the count does not depend on the number of cores.
    done = subprocess.run([*valgrind, *command], cwd=folder, check=True, text=True,
                          env={**os.environ, "INLAY_THREADS": "1"},
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def instructions(inlay):
    """Returns the number of instructions of each counted workload."""
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        generate(COUNTED_RESOURCES, folder)
        for workload in WORKLOADS:
            if workload.name in COUNTED:
                counts[workload.name] = count(folder, [inlay, *workload.arguments])
    return counts


def explained(inlay):
    """Prints how much more instructions an answer and comments take than the build."""
    with tempfile.TemporaryDirectory() as folder:
        generate(COUNTED_RESOURCES, folder)
        for workload in WORKLOADS:
            question = QUESTIONS.get(workload.name)
            if question is None:
                continue
            arguments = workload.arguments
            if arguments[0] not in ("run", "kustomize"):
                arguments = ["build", *arguments]
            build = count(folder, [inlay, *arguments])
            answer = count(folder, [inlay, "explain", *arguments, "--", question])
            annotated = count(folder, [inlay, *arguments, "-o", "annotated"])
            print(f"{workload.name:14} {build / 1e6:6.1f} M"
                  f"  explain {answer / build - 1:+5.0%}  annotated {annotated / build - 1:+5.0%}")


def start(inlay):
    """Prints the best time of each small build, and how many times longer it takes than `hello`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SMALL_FILES.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        hello = os.path.join(folder, "hello")
        code = 'fn main() { println!("hello") }'
        subprocess.run(["rustc", "-O", "-o", hello, "-"], input=code, text=True, check=True)
        commands = {"hello": [hello]}
        commands |= {name: [inlay, *arguments] for name, arguments in SMALL_BUILDS.items()}
        os.chdir(folder)
        best = dict.fromkeys(commands, float("inf"))
        for _ in range(START_RUNS):
            # One after the other, so that what else the machine does affects all of them.
            for name, command in commands.items():
                best[name] = min(best[name], spawned(command))
        os.chdir(HERE)
    for name, seconds in best.items():
        print(f"{name:20} {seconds * 1000:.2f} ms {seconds / best['hello']:.2f}x")


def spawned(command):
    """Returns the seconds from the start of a command to its end. `subprocess` itself takes as long."""
    silence = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    started = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=silence)
    _, status = os.waitpid(process, 0)
    elapsed = time.perf_counter() - started
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    return elapsed


def watch(inlay):
    """Prints the processor time that one change of one of 1,000 files takes."""
    with tempfile.TemporaryDirectory() as folder:
        for n in range(1000):
            write(folder, f"config/a{n}.yml", f"kind: ConfigMap\nmetadata:\n  name: a{n}\n")
        first = min(watched(inlay, folder, 1) for _ in range(3))
        changes = 20
        each = (watched(inlay, folder, changes + 1) - first) / changes
    print(f"first run {first * 1000:.0f} ms, each change {each * 1000:.0f} ms of processor time")


def watched(inlay, folder, runs):
    """Returns the processor time of a watch that ends after some runs, one for each change."""
    log = os.path.join(folder, "log")
    command = [inlay, "build", "-f", "config", "--watch", "--watch-runs", str(runs)]
    with open(log, "w", encoding="utf-8") as errors:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
    for run in range(1, runs):
        await_runs(log, run)
        write(folder, "config/a500.yml", f"kind: ConfigMap\nmetadata:\n  name: b{run}\n")
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def await_runs(log, runs):
    """Returns when the log of a watch shows this many runs."""
    while True:
        with open(log, encoding="utf-8") as file:
            if file.read().count("watching\n") >= runs:
                return
        time.sleep(0.01)


def explained_growth(name):
    """Returns by how much a workload may grow by the changelog."""
    with open(CHANGELOG, encoding="utf-8") as file:
        found = re.search(rf"`{name}`\s+takes\s+(\d+)\s+%\s+more\s+instructions", file.read())
    return int(found.group(1)) / 100 if found else 0


def compare(inlay):
    """Compares the counts with those that are recorded. Exits with 1 if one has grown too much."""
    if not os.path.exists(RECORDED):
        for name, count in instructions(inlay).items():
            print(f"{name:14} {count:>14,}  nothing recorded")
        return
    with open(RECORDED, encoding="utf-8") as file:
        recorded = json.load(file)
    comparable = recorded["compiler"] == compiler()
    if not comparable:
        print(f"recorded with {recorded['compiler']}: counts of another compiler are no fault")
    failed = False
    for name, count in instructions(inlay).items():
        growth = count / recorded["instructions"][name] - 1
        is_fault = comparable and growth > TOLERANCE + explained_growth(name)
        failed |= is_fault
        print(f"{name:14} {count:>14,} {growth:+7.1%}{'  too much' if is_fault else ''}")
    sys.exit(1 if failed else 0)


def record(inlay):
    """Writes the counts of a release, to which those after it are compared."""
    recorded = {"compiler": compiler(), "instructions": instructions(inlay)}
    with open(RECORDED, "w", encoding="utf-8") as file:
        json.dump(recorded, file, indent=2)
        file.write("\n")


def main():
    command, inlay, *rest = sys.argv[1:] if len(sys.argv) > 2 else ["", ""]
    inlay = os.path.abspath(shutil.which(inlay) or inlay)
    if command == "time":
        count, *names = rest or ["5000"]
        lines = time_workloads(inlay, int(count), names)
        if names:
            print(lines[-1])
        else:
            write_results(lines, inlay)
    elif command == "start":
        start(inlay)
    elif command == "watch":
        watch(inlay)
    elif command not in ("count", "record", "explain"):
        sys.exit(__doc__)
    elif shutil.which("valgrind") is None:
        print("valgrind is not on PATH: nothing is counted")
    elif command == "count":
        compare(inlay)
    elif command == "explain":
        explained(inlay)
    else:
        record(inlay)


if __name__ == "__main__":
    main()

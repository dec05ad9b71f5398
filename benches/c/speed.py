#!/usr/bin/env python3
"""How long C programs take until the first query of the solver, and how much memory.

    cargo build --release && benches/c/speed.py [FILE.c ...]

First a program with nothing to do, several times: the time from start to end, and clang's share of it. Then generated
programs of different sizes and the given files (the largest of ../shared/corpus if none are given and they are there):
the time of the front end, of clang in it, and until the first query; and the largest memory of the whole run, which ends
after LIMIT seconds at the latest.
"""

import csv
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LARIAT = os.path.join(ROOT, "target", "release", "lariat")
CORPUS = os.path.join(ROOT, "..", "shared", "corpus", "c")
LIMIT = 20
RUNS = 21
TRIVIAL = "int main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n"


def generated(lines):
    part = {name: open(os.path.join(HERE, "generated", name + ".c")).read() for name in ("head", "step", "main")}
    count = max(lines // part["step"].count("\n"), 1)
    text = [part["head"]]
    for i in range(count):
        callee = "x" if i == 0 else f"step{i - 1}(n, x - 1)"
        text.append(part["step"].replace("@I@", str(i)).replace("@CALLEE@", callee))
    text.append(part["main"].replace("@LAST@", str(count - 1)))
    return "".join(text)


def check(path, *options):
    """The report, the seconds, and the largest memory in MiB."""
    command = [LARIAT, "check", path, "--property", "assert", "--format", "json", "--trace", "none", "--timeout", f"{LIMIT}s", *options]
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        output.seek(0)
        text = output.read()
    report = json.loads(text) if text else {"verdict": "rejected", "statistics": {}}
    return report, seconds, usage.ru_maxrss / 1024


def largest():
    rows = {}
    for table in glob.glob(os.path.join(CORPUS, "*.tsv")):
        for row in csv.DictReader(open(table), delimiter="\t"):
            rows[row["path"]] = (int(row["loc"]), row["data_model"])
    rows = sorted(rows.items(), key=lambda row: -row[1][0])[:6]
    return [(os.path.join(CORPUS, path), ["--data-model", model] if model else []) for path, (_, model) in rows]


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trivial.c")
        open(path, "w").write(TRIVIAL)
        runs = [check(path) for _ in range(RUNS)]
        seconds = statistics.median(run[1] for run in runs)
        clang = statistics.median(run[0]["statistics"]["compiler_seconds"] for run in runs)
        best = min(run[1] for run in runs)
        print(f"a program with nothing to do: median {seconds:.3f} s, of which clang {clang:.3f} s; best {best:.3f} s\n")
        print("| program | lines | front end, s | clang, s | first query, s | verdict | memory, MiB |")
        print("|---|--:|--:|--:|--:|---|--:|")
        files = []
        for lines in (1000, 5000, 20000):
            path = os.path.join(folder, f"generated-{lines}.c")
            open(path, "w").write(generated(lines))
            files.append((path, []))
        files += [(path, []) for path in sys.argv[1:]] or largest()
        for path, options in files:
            report, seconds, memory = check(path, *options)
            lines = sum(1 for _ in open(path, errors="replace"))
            counters = report["statistics"]
            shown = [counters.get(name) for name in ("front_end_seconds", "compiler_seconds", "first_query_seconds")]
            shown = ["-" if value is None else f"{value:.2f}" for value in shown]
            print(f"| {os.path.basename(path)} | {lines} | {' | '.join(shown)} | {report['verdict']} | {memory:.0f} |")


if __name__ == "__main__":
    main()

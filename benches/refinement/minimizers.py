#!/usr/bin/env python3
"""The three minimisers on spurious counterexamples of real programs: questions to the solver and time.

    cargo build --release && benches/refinement/minimizers.py [--timeout 20] [--seconds 280] [--write]

Programs are those of the corpus that have many globals: corral and smack rows of Boogie and ldv rows of C; also generated ones (irrelevant.py). Each is abstracted from nothing on
(`--track none --minimizer each`): all minimisers see the same counterexamples. With --as-given the programs are not sliced before. With --write the table goes into docs/measurements.md.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))
from page import put  # noqa: E402
from irrelevant import SHAPES  # noqa: E402

LARIAT = ROOT / "target/release/lariat"
CORPUS = ROOT.parent / "shared/corpus"
if not CORPUS.is_dir():
    CORPUS = ROOT.parents[1] / "shared/corpus"
PAGE = ROOT / "docs/measurements.md"
NAMES = ("linear", "hrefine", "vcrefine")


def rows():
    """Path, options and kind of each program."""
    with open(CORPUS / "boogie/manifest.tsv") as manifest:
        for row in csv.DictReader(manifest, delimiter="\t"):
            suite = row["path"].split("/")[0]
            if suite in ("corral", "smack") and row["kind"].startswith("reach"):
                options = ["--entry", row["entry"]] if row["entry"] else []
                yield CORPUS / "boogie" / row["path"], options, suite
    with open(CORPUS / "c/train.tsv") as manifest:
        for row in csv.DictReader(manifest, delimiter="\t"):
            if "ldv" in row["path"] and row["property"] == "unreach-call":
                options = ["--property", "unreach-call", "--data-model", row["data_model"] or "ILP32"]
                yield CORPUS / "c" / row["path"], options, "ldv"


def ask(path, options, timeout, as_given):
    """The comparisons of one program."""
    more = ["--no-reduce"] if as_given else []
    more += ["--track", "none", "--minimizer", "each", "--format", "json", "--trace", "none", "--timeout", f"{timeout}s"]
    command = [str(LARIAT), "check", str(path), *options, *more]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        result = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None, []
    return result["verdict"], [c for t in result.get("tracking", []) for c in t.get("compared", [])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=280)
    parser.add_argument("--only", choices=("corral", "smack", "ldv", "generated"))
    parser.add_argument("--as-given", action="store_true", help="without slicing, as CORRAL does it")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    end = time.monotonic() + args.seconds
    found = defaultdict(list)
    left = 0
    with tempfile.TemporaryDirectory() as folder:
        programs = list(rows())
        for shape, make in SHAPES.items():
            for n in (100, 1000):
                path = Path(folder) / f"{shape}{n}.bpl"
                path.write_text(make(n))
                programs.append((path, [], "generated"))
        for path, options, kind in programs:
            if args.only not in (None, kind):
                continue
            if time.monotonic() > end:
                left += 1
                continue
            verdict, compared = ask(path, options, args.timeout, args.as_given)
            for c in compared:
                found[kind].append((path.name, c))
            if compared:
                total = {n: sum(c["seconds"] for c in compared if c["minimizer"] == n) for n in NAMES}
                shown = ", ".join(f"{n} {total[n]:.2f} s" for n in NAMES)
                print(f"{path.name}: {verdict}, {len(compared) // 3} paths: {shown}", flush=True)
    table = ["| programs | paths | variables | needed | minimiser | checks | time | minimal |", "|---|--:|--:|--:|---|--:|--:|--:|"]
    for kind, all_of_them in found.items():
        for name in NAMES:
            mine = [c for _, c in all_of_them if c["minimizer"] == name]
            paths, checks = len(mine), sum(c["checks"] for c in mine)
            mean = lambda key: sum(c[key] for c in mine) / max(paths, 1)  # noqa: E731
            seconds, minimal = sum(c["seconds"] for c in mine), sum(c["minimal"] for c in mine)
            first = f"{kind} | {paths} | {mean('open'):.0f} | {mean('added'):.1f}" if name == NAMES[0] else " | | | "
            table.append(f"| {first} | `{name}` | {checks} | {seconds:.2f} s | {minimal} |")
    print("\n".join(table))
    print(f"{left} programs were left out for want of time")
    if args.write:
        put(PAGE, "minimisers without slicing" if args.as_given else "minimisers", "\n".join(table))


if __name__ == "__main__":
    main()

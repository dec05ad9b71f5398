#!/usr/bin/env python3
"""How many reported bugs a native execution confirms, and how long their reports are.

    cargo build --release && benches/c/replay.py [--seconds S] [--count N] [--from A] [--to B] [--keep FOLDER]

Each program of ../shared/corpus/c/sample.tsv that is known to fail (at most N of them, evenly chosen, and of those the
ones from place A up to B) is given to `lariat replay` for S seconds (10). Told are: confirmed, not confirmed and not
executed, each with its reason; and how many reports have at most 40 lines. --keep writes each report to a file.
"""

import argparse
import collections
import csv
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LARIAT = os.environ.get("LARIAT", os.path.join(ROOT, "target", "release", "lariat"))
CORPUS = os.environ.get("LARIAT_CORPUS", os.path.join(ROOT, "..", "shared", "corpus", "c"))
PROPERTIES = {"valid-memsafety": "memsafety", "assert+ub": "all"}
SCREEN = 40


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", default="10")
    parser.add_argument("--count", type=int)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--to", type=int)
    parser.add_argument("--keep", metavar="FOLDER")
    args = parser.parse_args()
    with open(os.path.join(CORPUS, "sample.tsv")) as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["expected"] == "false"]
    if args.count:
        rows = rows[:: max(1, len(rows) // args.count)][: args.count]
    found = collections.Counter()
    lines, reasons = [], []
    for number, row in list(enumerate(rows))[args.first : args.to]:
        path = os.path.join(CORPUS, row["path"])
        prop = PROPERTIES.get(row["property"], row["property"])
        command = [LARIAT, "replay", path, "--property", prop, "--timeout", f"{args.seconds}s"]
        if row["data_model"] in ("ILP32", "LP64"):
            command += ["--data-model", row["data_model"]]
        begin = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True, errors="replace")
        text = run.stdout.splitlines()
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
            with open(os.path.join(args.keep, f"{number:03}.txt"), "w") as report:
                seconds = time.monotonic() - begin
                print(f"# {' '.join(command)}\n# exit code {run.returncode}, {seconds:.1f} s", file=report)
                print(run.stdout + run.stderr, file=report)
        if run.returncode != 10:
            found["no bug found"] += 1
            continue
        lines.append(len(text))
        said = text[-2] if len(text) > 1 else ""
        word = said.split(":")[0]
        found[word if word in ("confirmed by execution", "not confirmed", "not executed") else "other"] += 1
        if not said.startswith("confirmed"):
            reasons.append(f"  {row['path']}: {said}")
    for word, count in found.most_common():
        print(f"{count:4} {word}")
    print(f"{sum(n <= SCREEN for n in lines):4} of {len(lines)} reports have at most {SCREEN} lines; the longest has {max(lines, default=0)}")
    print(*sorted(reasons), sep="\n")


if __name__ == "__main__":
    sys.exit(main())

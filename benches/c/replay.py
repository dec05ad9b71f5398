#!/usr/bin/env python3
"""How many reported bugs a native execution confirms, and how long their reports are.

    cargo build --release && benches/c/replay.py [SECONDS] [COUNT]

Each program of ../shared/corpus/c/sample.tsv that is known to fail (at most COUNT of them, evenly chosen) is given to
`lariat replay` for SECONDS (10). Told are: confirmed, not confirmed and not executed, each with its reason; and how many
reports have at most 40 lines.
"""

import collections
import csv
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LARIAT = os.path.join(ROOT, "target", "release", "lariat")
CORPUS = os.environ.get("LARIAT_CORPUS", os.path.join(ROOT, "..", "shared", "corpus", "c"))
PROPERTIES = {"valid-memsafety": "memsafety", "assert+ub": "all"}
SCREEN = 40


def main():
    seconds = sys.argv[1] if len(sys.argv) > 1 else "10"
    with open(os.path.join(CORPUS, "sample.tsv")) as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["expected"] == "false"]
    if len(sys.argv) > 2:
        count = int(sys.argv[2])
        rows = rows[:: max(1, len(rows) // count)][:count]
    found = collections.Counter()
    lines, reasons = [], []
    for row in rows:
        path = os.path.join(CORPUS, row["path"])
        prop = PROPERTIES.get(row["property"], row["property"])
        command = [LARIAT, "replay", path, "--property", prop, "--timeout", f"{seconds}s"]
        if row["data_model"] in ("ILP32", "LP64"):
            command += ["--data-model", row["data_model"]]
        run = subprocess.run(command, capture_output=True, text=True)
        text = run.stdout.splitlines()
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
    main()

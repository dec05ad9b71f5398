#!/usr/bin/env python3
"""Assignments of existential constants against those of the Boogie tool.

    cargo build --release && benches/boogie/houdini.py [--timeout 60]

Rows of kind houdini. The recorded numbers of verified procedures and of errors are compared, and the assignment with what an
installed `boogie /contractInfer /printAssignment` prints now. Prints each row, and the constants that differ.
"""

import argparse
import re
import shutil
import subprocess

from corpus import files, lariat, rows


def assignment(text):
    return dict(re.findall(r"^(\S+) = (True|False)$", text, re.M))


def boogie(row, depth, timeout):
    command = ["boogie", "/contractInfer", "/printAssignment", *([f"/inlineDepth:{depth}"] if depth else []), *files(row)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    return assignment(run.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--timeout", type=int, default=60)
    options = parser.parse_args()
    table = [r for r in rows() if r["kind"] == "houdini"]
    counts = same = compared = 0
    for row in table:
        depth = 1 if "nlineDepth:1" in row["options"] else 0
        result = lariat(
            "houdini", *files(row), "--inline-depth", str(depth), "--timeout", f"{options.timeout}s", timeout=options.timeout + 10
        )
        out = result.out.decode()
        ours = re.search(r"^(\d+) verified, (\d+) with errors$", out, re.M)
        recorded = re.search(r"(\d+) verified, (\d+) error", row["detail"])
        fits = bool(ours and recorded) and ours.groups() == recorded.groups()
        counts += fits
        said = "numbers as recorded" if fits else f"numbers differ: {ours and ours.group(0)} / {row['detail']}"
        if shutil.which("boogie"):
            compared += 1
            theirs, own = boogie(row, depth, options.timeout), assignment(out)
            other = sorted(name for name in theirs.keys() | own.keys() if theirs.get(name) != own.get(name))
            same += not other
            said += ", same assignment" if not other else f", {len(other)} of {len(theirs)} constants differ: {' '.join(other[:8])}"
        print(f"{row['path']}: {said}")
    print(f"{len(table)} rows: numbers as recorded {counts}; same assignment as boogie {same} of {compared}")


if __name__ == "__main__":
    main()

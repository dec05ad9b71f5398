#!/usr/bin/env python3
"""Lariat beside Boogie's stratified inlining, in one run.

    cargo build --release && benches/boogie/compare.py [--runs 5] [--timeout 120] [--filter TEXT] [--out FILE.tsv]

Both tools answer the same question, whether the end of the entry procedure can be reached, at the same recursion
bound: Boogie 2.4 with /stratifiedInline (Debian's package `boogie`, and the `z3` that it calls), Lariat with
`--target exit`. Programs: the rows of kind reach-exit, and the largest programs of the corral suite with an entry.
Runs alternate between the tools, and medians count. Rows on which a tool does not run to an answer are listed
but are not part of the mean. The first line is an empty program: what both tools cost before they do anything, which is
most of Boogie's time on small programs.
"""

import argparse
import math
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from corpus import files, lariat, rows

BOOGIE = [
    "/stratifiedInline:1", "/extractLoops", "/removeEmptyBlocks:0", "/coalesceBlocks:0", "/noinfer",
    "/doModSetAnalysis", "/typeEncoding:m", "/useArrayTheory",
]
# Boogie's own default is 500.
DEFAULT_BOUND = "500"
CORRAL_BOUND = "2"


def marked(row, paths, folder):
    """Copies of the files that ask both tools the same: Boogie starts only where {:entrypoint} stands, and for it
    a failing assertion ends the search as well, while for the end to be reached all assertions have to hold."""
    result = []
    for path in paths:
        text = re.sub(r"\bassert\b", "assume", Path(path).read_text())
        if "{:entrypoint}" not in text:
            for word in ("procedure", "implementation"):
                text = text.replace(f"{word} {row['entry']}(", f"{word} {{:entrypoint}} {row['entry']}(")
        copy = folder / Path(path).name
        copy.write_text(text)
        result.append(str(copy))
    return result


def boogie(paths, bound, timeout):
    """Boogie's verdict and its wall time."""
    command = ["boogie", *BOOGIE, f"/recursionBound:{bound}", *paths]
    start = time.monotonic()
    try:
        out = subprocess.run(command, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL).stdout.decode()
    except subprocess.TimeoutExpired:
        return "time-out", timeout
    seconds = time.monotonic() - start
    if "Execution trace" in out or "might not hold" in out:
        verdict = "reached"
    elif "Boogie program verifier finished with 1 verified, 0 errors" in out:
        verdict = "not reached"
    elif "inconclusive" in out or "time out" in out or "out of memory" in out:
        verdict = "unknown"
    else:
        verdict = "refused"
    # What the bound cuts off is not told apart from a proof, except by this line.
    if verdict == "not reached" and "Reached recursion bound" in out:
        verdict = "bounded"
    return verdict, seconds


def ours(row, paths, options, bound, timeout):
    """Lariat's verdict and its wall time."""
    args = ["check", *paths, *options, "--target", "exit", "--bound", bound, "--timeout", f"{timeout}s", "--trace", "none", "-q"]
    if row["entry"] not in ("", "unknown"):
        args += ["--entry", row["entry"]]
    result = lariat(*args, timeout=timeout + 10)
    verdict = {0: "not reached", 10: "reached", 11: "bounded", 12: "unknown", None: "time-out"}
    return verdict.get(result.code, "refused"), result.seconds


def agree(a, b):
    """Boogie reports a bounded search as verified, so the two words are one here."""
    plain = {"bounded": "not reached"}
    return plain.get(a, a) == plain.get(b, b)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--corral", type=int, default=8, help="how many programs of the corral suite")
    parser.add_argument("--filter", default="")
    parser.add_argument("--out")
    options = parser.parse_args()
    if not shutil.which("boogie"):
        raise SystemExit("there is no `boogie`: on Debian, apt-get install boogie z3")
    table = rows()
    exits = [r for r in table if r["kind"] == "reach-exit" and r["expected"] in ("true", "false")]
    corral = [
        r for r in table
        if r["suite"].startswith("corral") and r["kind"] == "reach" and r["entry"] not in ("", "unknown")
        and "async" not in r["features"] and r["expected"] in ("true", "false")
    ]
    corral.sort(key=lambda r: -int(r["lines"]))
    chosen = [r for r in exits + corral[: options.corral] if options.filter in r["path"]]
    z3 = subprocess.run(["z3", "--version"], capture_output=True).stdout.decode().strip()
    version = subprocess.run(["boogie", "/version"], capture_output=True).stdout.decode().splitlines()
    print(f"{version[0] if version else 'Boogie'}; its solver: {z3}; median of {options.runs} runs\n")
    print(f"{'program':<48} {'bound':>5} {'lariat':>9} {'boogie':>9} {'ratio':>7}  verdicts")
    ratios, lines, disagree = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.bpl"
        empty.write_text("procedure {:entrypoint} main() { }\n")
        entry = {"entry": "main"}
        pairs = [(ours(entry, [str(empty)], [], "1", 60)[1], boogie([str(empty)], "1", 60)[1]) for _ in range(options.runs)]
    x, y = (statistics.median(side) for side in zip(*pairs))
    print(f"{'(empty program)':<48} {1:>5} {x:>8.3f}s {y:>8.3f}s {x / y:>7.3f}")
    for row in chosen:
        bound = row["bound"] or (DEFAULT_BOUND if row["kind"] == "reach-exit" else CORRAL_BOUND)
        given = files(row)
        paths, rest = [p for p in given if not p.startswith("--")], [p for p in given if p.startswith("--")]
        mine, theirs = [], []
        with tempfile.TemporaryDirectory() as folder:
            paths = marked(row, paths, Path(folder))
            for _ in range(options.runs):
                mine.append(ours(row, paths, rest, bound, options.timeout))
                theirs.append(boogie(paths, bound, options.timeout))
        a, b = mine[0][0], theirs[0][0]
        x, y = (statistics.median(s for _, s in runs) for runs in (mine, theirs))
        stable = all(v == a for v, _ in mine) and all(v == b for v, _ in theirs)
        answered = not {a, b} & {"refused", "unknown", "time-out"}
        expected = {"true": "not reached", "false": "reached"}[row["expected"]] if row["kind"] == "reach-exit" else None
        note = a if agree(a, b) else f"{a} / {b}"
        if not stable:
            note += " (varies)"
        if expected and not agree(a, expected):
            note += f", recorded: {expected}"
        if answered:
            ratios.append(x / y)
            if not agree(a, b):
                disagree += 1
                note += "  DISAGREE"
        name = row["path"].removeprefix("boogie/")
        print(f"{name:<48} {bound:>5} {x:>8.3f}s {y:>8.3f}s {x / y:>7.3f}  {note}", flush=True)
        lines.append("\t".join([row["path"], bound, a, b, f"{x:.4f}", f"{y:.4f}"]))
    if options.out:
        Path(options.out).write_text("\n".join(lines) + "\n")
    if ratios:
        mean = math.exp(statistics.fmean(math.log(r) for r in ratios))
        print(f"\n{len(ratios)} programs that both decide; geometric mean of lariat/boogie: {mean:.3f}; disagreements: {disagree}")


if __name__ == "__main__":
    main()

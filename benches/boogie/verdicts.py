#!/usr/bin/env python3
"""Verdicts on the Boogie corpus against the recorded ones.

    cargo build --release && benches/boogie/verdicts.py [--timeout 20] [--filter TEXT] [--out FILE.tsv]
                             [--kind reach-unbounded] [--engine NAME,…] [--sample N]

Rows of kind reach, reach-unbounded, reach-exit and modular whose expected verdict is true or false, without
async. Prints every wrong verdict, then per suite: right, bounded where that is right, unknown, refused, wrong.
Safe rows without an answer of which unfolding alone, at bound 2, says that loops or recursion were cut are a group
of their own, `needs-invariant`: no finite unfolding proves them. Labels that argued.tsv disputes, with the reason
beside the verdict, count as argued if the verdict is the one given there.
"""

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

from corpus import files, lariat, parallel, rows


ARGUED = dict(
    line.split("\t")[:2] for line in Path(__file__).with_name("argued.tsv").read_text().splitlines()[1:]
)


def command(row, timeout):
    args = ["check", *files(row), "--timeout", f"{timeout}s", "--format", "json", "--trace", "none", "-q"]
    kind = row["kind"]
    if kind == "modular" or "--modular" in row["options"]:
        only = re.findall(r"[-/]proc:(\S+)", row["options"].split("|")[0].replace('"', ""))
        return [*args, "--modular", *(f"--entry={name}" for name in only)]
    if row["entry"] not in ("", "unknown"):
        args += ["--entry", row["entry"]]
    elif "every procedure as a root" in row["detail"]:
        args += ["--entry", "*"]
    if kind == "reach-exit":
        args += ["--target", "exit"]
    if row["bound"]:
        args += ["--bound", row["bound"]]
    return args


def classify(row, result):
    if result.crashed:
        return "crashed"
    if result.code in (1, 2):
        return "refused"
    verdict = {0: "true", 10: "false", 11: "bounded", 12: "unknown"}[result.code]
    if verdict == row["expected"]:
        return "right"
    if verdict in ("bounded", "unknown"):
        return f"{verdict}-{row['expected']}"
    return "argued" if ARGUED.get(row["path"]) == verdict else "wrong"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--filter", default="")
    parser.add_argument("--out")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--kind", help="rows of this kind only")
    parser.add_argument("--engine", help="only these engines answer")
    parser.add_argument("--sample", type=int, help="so many rows, drawn with a fixed seed")
    options = parser.parse_args()
    kinds = {options.kind} if options.kind else {"reach", "reach-unbounded", "reach-exit", "modular"}
    table = [
        r
        for r in rows()
        if r["kind"] in kinds
        and r["expected"] in ("true", "false")
        and "async" not in r["features"]
        and re.search(options.filter, r["path"])
    ]

    if options.sample and options.sample < len(table):
        table = random.Random(1).sample(table, options.sample)
    engine = ["--engine", options.engine] if options.engine else []

    def run(row):
        result = lariat(*command(row, options.timeout), *engine, timeout=options.timeout + 10)
        outcome = classify(row, result)
        if outcome in ("unknown-true", "bounded-true") and not row["bound"]:
            args = [*command(row, options.timeout), "--engine", "unfold", "--bound", "2"]
            if lariat(*args, timeout=options.timeout + 10).code == 11:
                outcome = "needs-invariant"
        return result, outcome

    results = parallel(run, table, options.jobs)
    counts = defaultdict(Counter)
    bugs = [0, 0]
    lines = []
    for row, (result, outcome) in zip(table, results):
        suite = row["suite"].split("/")[0]
        counts[f"{suite} {row['kind']}"][outcome] += 1
        why = ""
        try:
            report = json.loads(result.out)
            bugs[0] += report["statistics"]["bugs_replayed"]
            bugs[1] += report["statistics"]["bugs_found"]
            why = report.get("reason", "")
        except ValueError:
            why = (result.err.decode(errors="replace").strip().splitlines() or [""])[0]
        lines.append("\t".join([row["path"], row["kind"], row["expected"], outcome, f"{result.seconds:.2f}", why]))
        if outcome in ("wrong", "crashed"):
            print(f"{outcome}: {row['path']} (expected {row['expected']})")
    if options.out:
        with open(options.out, "w") as file:
            file.write("\n".join(lines) + "\n")
    for name in sorted(counts):
        c = counts[name]
        total = sum(c.values())
        rest = ", ".join(f"{k} {v}" for k, v in sorted(c.items()) if k != "right")
        print(f"{name}: {total} rows, right {c['right']} ({100 * c['right'] / total:.0f} %); {rest}")
    print(f"bugs replayed: {bugs[0]} of {bugs[1]}")


if __name__ == "__main__":
    main()

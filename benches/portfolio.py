#!/usr/bin/env python3
"""The portfolio beside each of its engines alone, by category.

    cargo build --release && benches/portfolio.py c/sample.tsv [boogie/manifest.tsv …]
        [--each 6] [--seed 1] [--timeout 10] [--engines unfold,spacer,…] [--jobs 1] [--out FILE.tsv]

Of each category of the lists (of ../shared/corpus; for Boogie programs, the suite) as many rows as --each says are drawn. Each is asked of the
portfolio and of every engine alone. Printed are, by category, how many rows the portfolio and the best engine decide, and, over the rows
that both decide, how long the portfolio takes against that engine (by the clock); then every engine's rows in all, and those that only it
decides. Ends with 1 where the portfolio decides fewer rows than an engine, takes more than 1.3 times as long as the best one, or where two
of them contradict each other or the label.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import defaultdict

from certificates import CORPUS, command, parallel, rows
from corpus import LARIAT, lariat

MOST = 1.3
PORTFOLIO = "portfolio"
EXPECTED = {"true": "safe", "false": "unsafe"}


def engines():
    """The names that `lariat engines` lists."""
    text = subprocess.run([LARIAT, "engines"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in text.splitlines() if line.strip()]


def ask(row, engine, timeout):
    """The verdict and the seconds by the clock."""
    args = command(row, timeout)
    if engine != PORTFOLIO:
        args += ["--engine", engine]
    result = lariat(*args, timeout=timeout + 15)
    try:
        return json.loads(result.out)["verdict"], result.seconds
    except ValueError:
        return "refused" if result.code == 2 else f"exit {result.code}", result.seconds


def category(row):
    return row.get("category") or f"boogie {row['suite']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--each", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--engines")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out")
    options = parser.parse_args()
    if CORPUS is None:
        sys.exit("there is no ../shared/corpus: nothing to measure")
    members = options.engines.split(",") if options.engines else engines()
    by_category = defaultdict(list)
    for table in options.tables:
        for row in rows(table, expected=EXPECTED):
            by_category[category(row)].append(row)
    draw = random.Random(options.seed)
    drawn = {c: draw.sample(all, min(options.each, len(all))) for c, all in sorted(by_category.items())}
    work = [(row, engine) for all in drawn.values() for row in all for engine in [PORTFOLIO, *members]]
    answers = parallel(lambda item: ask(*item, options.timeout), work, options.jobs)
    answer = {(row["path"], row["property"], engine): a for (row, engine), a in zip(work, answers)}
    of = lambda row, engine: answer[row["path"], row["property"], engine]
    decides = lambda row, engine: of(row, engine)[0] in EXPECTED.values()
    wrong, behind, lines = [], [], []
    total = [0.0, 0.0]
    print("| category | rows | portfolio | best engine | decides | seconds of both | ratio |")
    print("|---|--:|--:|---|--:|--:|--:|")
    for name, all in drawn.items():
        for row in all:
            said = {engine: of(row, engine)[0] for engine in [PORTFOLIO, *members]}
            lines += ["\t".join([name, row["path"], row["property"], row["expected"], e, said[e], f"{of(row, e)[1]:.2f}"]) for e in said]
            bad = {e: v for e, v in said.items() if v in EXPECTED.values() and v != EXPECTED[row["expected"]] or v.startswith("exit")}
            if bad:
                wrong.append(f"{row['path']} ({row['property']}, {row['expected']}): {bad}")
        count = {e: sum(decides(row, e) for row in all) for e in [PORTFOLIO, *members]}
        most = max(count[e] for e in members)
        both = lambda e: [row for row in all if decides(row, e) and decides(row, PORTFOLIO)]
        seconds = lambda e, w: sum(of(row, w)[1] for row in both(e))
        best = min((e for e in members if count[e] == most), key=lambda e: seconds(e, e))
        mine, its = seconds(best, PORTFOLIO), seconds(best, best)
        total = [total[0] + mine, total[1] + its]
        print(f"| {name} | {len(all)} | {count[PORTFOLIO]} | {best} | {most} | {mine:.1f} / {its:.1f} | {mine / its if its else 1:.2f} |")
        if count[PORTFOLIO] < most:
            behind.append(f"{name}: {best} decides {most}, the portfolio {count[PORTFOLIO]}")
    ratio = total[0] / total[1] if total[1] else 1
    print(f"\nall categories: {total[0]:.1f} s against {total[1]:.1f} s of the best engine of each, {ratio:.2f} times")
    everything = [row for all in drawn.values() for row in all]
    for e in [PORTFOLIO, *members]:
        alone = [row for row in everything if decides(row, e) and not any(decides(row, o) for o in members if o != e)]
        print(f"  {e}: {sum(decides(row, e) for row in everything)} of {len(everything)}, alone {len(alone) if e != PORTFOLIO else '–'}")
    print(*wrong, *behind, sep="\n")
    if options.out:
        with open(options.out, "w") as out:
            print(*lines, sep="\n", file=out)
    if wrong or behind or ratio > MOST:
        sys.exit(1)


if __name__ == "__main__":
    main()

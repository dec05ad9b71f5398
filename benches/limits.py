#!/usr/bin/env python3
"""Does the time to an answer depend on the time limit?

    cargo build --release && benches/limits.py c/sample.tsv [c/papers.tsv boogie/manifest.tsv …]
        [--rows 60] [--seed 1] [--limits 20,60,600] [--within 5] [--repeat 3] [--out FILE.tsv]

Rows of the lists of ../shared/corpus are drawn until so many are answered within --within seconds under the first limit. These are asked again under
each limit, one at a time and in turn, --repeat times, and the quickest run counts. Printed are the sums, their ratios to the
first limit, and the rows that differ most. Ends with 1 if a sum differs by more than a tenth, or an answer does.
"""

import argparse
import json
import random
import statistics
import sys

from certificates import CORPUS, command, rows
from corpus import lariat

MOST = 1.10


def ask(row, limit):
    """The verdict and the seconds by the clock."""
    result = lariat(*command(row, limit), timeout=limit + 15)
    try:
        return json.loads(result.out)["verdict"], result.seconds
    except ValueError:
        return "error", result.seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limits", default="20,60,600")
    parser.add_argument("--within", type=float, default=5)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--out")
    options = parser.parse_args()
    if CORPUS is None:
        sys.exit("there is no ../shared/corpus: nothing to measure")
    limits = [int(limit) for limit in options.limits.split(",")]
    drawn = [row for table in options.tables for row in rows(table, expected=("true", "false"))]
    random.Random(options.seed).shuffle(drawn)
    asked = []
    for row in drawn:
        if len(asked) == options.rows:
            break
        # One that takes longer is of no interest.
        verdict, seconds = ask(row, int(options.within))
        if verdict in ("safe", "unsafe") and seconds < options.within:
            asked.append((row, verdict))
    best = [{limit: float("inf") for limit in limits} for _ in asked]
    differ = []
    for _ in range(options.repeat):
        for (row, verdict), times in zip(asked, best):
            for limit in limits:
                said, seconds = ask(row, limit)
                times[limit] = min(times[limit], seconds)
                if said != verdict:
                    differ.append(f"{row['path']}: {verdict} within {options.within:g} s, {said} with {limit} s")
    sums = {limit: sum(times[limit] for times in best) for limit in limits}
    first = sums[limits[0]]
    print(f"{len(asked)} rows, each the quickest of {options.repeat} runs")
    for limit in limits:
        ratios = [times[limit] / times[limits[0]] for times in best]
        print(f"  {limit:4} s: {sums[limit]:7.2f} s together, {sums[limit] / first:.3f} of the first; median of the rows {statistics.median(ratios):.3f}")
    spread = sorted(((max(t.values()) / min(t.values()), row["path"], t) for (row, _), t in zip(asked, best)), key=lambda s: -s[0])
    apart = sum(ratio > MOST for ratio, _, _ in spread)
    print(f"  {apart} rows whose slowest limit is more than a tenth above the quickest; the largest:")
    for ratio, path, times in spread[:5]:
        print(f"    {ratio:.2f}  {path}: " + ", ".join(f"{limit} s: {seconds:.2f}" for limit, seconds in times.items()))
    print(*differ, sep="\n")
    if options.out:
        with open(options.out, "w") as out:
            for (row, verdict), times in zip(asked, best):
                print(row["path"], row["property"], verdict, *(f"{s:.3f}" for s in times.values()), sep="\t", file=out)
    if differ or any(not first / MOST <= total <= first * MOST for total in sums.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Chooses the programs that the strategies are compared on, and writes rows.tsv.

    cargo build --release && benches/strategies/choose.py [--jobs 2]

Pools: rows of c/sample.tsv, c/papers.tsv and c/train.tsv with property unreach-call, and rows of boogie/manifest.tsv of
the kinds reach, reach-unbounded and reach-exit without async, all with an expected verdict. Each is split into programs
of more than 1,000 lines and others, and shuffled with a fixed seed. In that order the programs are tried for 5 s of
CPU time by `stratified` and by `inertial`, with unfolding alone; what neither decides says little about strategies. So
of each part the first programs are taken that one of them decides, and beside every twentieth of these the next one that
neither does, so that such programs are in the list, too. The parts are dealt out in turn: every beginning of the list is
a mixture.
"""

import argparse
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import run
from run import LARGE, table

HERE = Path(__file__).resolve().parent
TRIAL = 5
UNDECIDED = 20  # one in so many


def pools(corpus):
    c = {}
    for name in ("sample", "papers", "train"):
        for row in table(corpus / f"c/{name}.tsv"):
            if row["property"] == "unreach-call" and row["expected"] in ("true", "false"):
                c.setdefault(row["path"], int(row["loc"] or 0))
    boogie = {}
    for row in table(corpus / "boogie/manifest.tsv"):
        kinds = ("reach", "reach-unbounded", "reach-exit")
        if row["kind"] in kinds and row["expected"] in ("true", "false") and "async" not in row["features"]:
            boogie.setdefault(row["path"], int(row["lines"] or 0))
    return {"c": c, "boogie": boogie}


def parts(corpus):
    """The parts, each as names of corpus and path, with how many programs of it are wanted."""
    for name, pool in pools(corpus).items():
        for large, count in ((True, 30), (False, 48)):
            part = sorted(p for p, lines in pool.items() if (lines > LARGE) == large)
            random.Random(0).shuffle(part)
            yield [(name, p) for p in part], count


def decided(row):
    return any(run.is_solved(run.run(row, s, TRIAL, "unfold")) for s in ("stratified", "inertial"))


def choose(part, count, jobs):
    """The first programs of a part that are decided, with one in twenty of the others."""
    yes, no, at = [], [], 0
    with ThreadPoolExecutor(jobs) as workers:
        while len(yes) + min(len(no), count // UNDECIDED) < count and at < len(part):
            some = part[at : at + 4 * jobs]
            at += len(some)
            for path, answer in zip(some, workers.map(decided, run.rows(some))):
                (yes if answer else no).append(path)
    no = no[: count // UNDECIDED]
    return sorted(yes[: count - len(no)] + no, key=part.index)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    chosen = [choose(part, count, options.jobs) for part, count in parts(run.CORPUS)]
    rows = [(i / len(part), row) for part in chosen for i, row in enumerate(part)]
    # By their place in their part; the sort is stable.
    rows.sort(key=lambda row: row[0])
    with open(HERE / "rows.tsv", "w") as file:
        file.write("corpus\tpath\n")
        file.writelines(f"{name}\t{path}\n" for _, (name, path) in rows)
    print(f"{len(rows)} rows")


if __name__ == "__main__":
    main()

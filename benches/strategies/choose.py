#!/usr/bin/env python3
"""Chooses the programs that the strategies are compared on, and writes rows.tsv.

    benches/strategies/choose.py

The rule looks at the lists of the corpus only, never at a result. Pools: rows of c/sample.tsv, c/papers.tsv and
c/train.tsv with property unreach-call, and rows of boogie/manifest.tsv of the kinds reach, reach-unbounded and
reach-exit without async, all with an expected verdict. Each pool is sorted by path and split into programs of more
than 1,000 lines and others. Of the four parts 30, 50, 30 and 50 rows are taken at equal distances, and the
parts are dealt out in turn, so that every beginning of the list is a mixture.
"""

import csv
from pathlib import Path

HERE = Path(__file__).resolve().parent
LARGE = 1000


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


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


def spread(items, count):
    """`count` items at equal distances."""
    count = min(count, len(items))
    return [items[i * len(items) // count] for i in range(count)]


def main():
    root = HERE.parents[1]
    corpus = next(p for p in (root / "../shared/corpus", root / "../../shared/corpus") if p.is_dir())
    parts = []
    for name, pool in pools(corpus).items():
        large = sorted(p for p, lines in pool.items() if lines > LARGE)
        small = sorted(p for p, lines in pool.items() if lines <= LARGE)
        parts.append([(name, p) for p in spread(large, 30)])
        parts.append([(name, p) for p in spread(small, 50)])
    rows = [(i / len(part), part[i]) for part in parts for i in range(len(part))]
    # By their place in their part; the sort is stable.
    rows.sort(key=lambda row: row[0])
    with open(HERE / "rows.tsv", "w") as file:
        file.write("corpus\tpath\n")
        file.writelines(f"{name}\t{path}\n" for _, (name, path) in rows)
    print(f"{len(rows)} rows")


if __name__ == "__main__":
    main()

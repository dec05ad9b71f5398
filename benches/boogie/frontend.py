#!/usr/bin/env python3
"""The front end on every program of the Boogie corpus, through the command line.

    cargo build --release && benches/boogie/frontend.py

Prints: crashes and the longest time; how many correct programs are accepted; how many wrong ones are
rejected at a line that the Boogie tool names (frontend-errors.tsv); and for how many accepted ones the
pretty-printed program reads back as the same program.
"""

import re
import sys
import tempfile
from pathlib import Path

from corpus import files, lariat, parallel, rows

LIMIT = 10


def expected_lines():
    table = {}
    for line in (Path(__file__).with_name("frontend-errors.tsv")).read_text().splitlines():
        if line.startswith("#") or line.startswith("path\t"):
            continue
        path, _count, lines, physical = (line.split("\t") + [""])[:4]
        table[path] = {int(n) for n in re.findall(r"\d+", lines if physical in ("", "-") else physical)}
    return table


def judge(row):
    args = files(row)
    parsed = lariat("parse", *args, timeout=LIMIT)
    runs = [parsed]
    same = None
    if parsed.code == 0:
        bpl = lariat("show", "--as", "bpl", "-q", *args, timeout=LIMIT)
        before = lariat("show", "--as", "ir", "--no-locations", "-q", *args, timeout=LIMIT)
        with tempfile.NamedTemporaryFile(suffix=".bpl") as file:
            file.write(bpl.out)
            file.flush()
            after = lariat("show", "--as", "ir", "--no-locations", "-q", file.name, timeout=LIMIT)
        runs += [bpl, before, after]
        same = before.code == after.code == 0 and before.out == after.out
    name = re.escape(Path(args[0]).name)
    found = {int(n) for n in re.findall(rf"{name}:(\d+):\d+", parsed.err.decode(errors="replace"))}
    return parsed, found, same, runs


def main():
    table = rows()
    results = parallel(judge, table)
    lines = expected_lines()
    crashed, slow, refused, missed, changed = [], [], [], [], []
    correct = wrong = accepted = longest = 0
    for row, (parsed, found, same, runs) in zip(table, results):
        longest = max(longest, *(r.seconds for r in runs))
        if any(r.crashed for r in runs):
            crashed.append(row["path"])
        if any(r.seconds > LIMIT for r in runs):
            slow.append(row["path"])
        if row["kind"] == "frontend-error":
            wrong += 1
            named = lines.get(row["path"], set())
            if parsed.code != 2 or (named and not named & found):
                missed.append(row["path"])
        elif "async" not in row["features"]:
            correct += 1
            if parsed.code != 0:
                refused.append(row["path"])
        if parsed.code == 0:
            accepted += 1
            if not same:
                changed.append(row["path"])
    for title, paths in [
        ("crashed", crashed),
        (f"above {LIMIT} s", slow),
        ("correct but refused", refused),
        ("wrong but not rejected at a recorded line", missed),
        ("changed by printing and reading", changed),
    ]:
        for path in paths:
            print(f"{title}: {path}")
    print(f"rows: {len(table)}, crashed: {len(crashed)}, longest: {longest:.2f} s (limit {LIMIT} s)")
    print(f"correct programs accepted: {correct - len(refused)} of {correct} ({100 * (correct - len(refused)) / correct:.1f} %)")
    print(f"wrong programs rejected at a recorded line: {wrong - len(missed)} of {wrong} ({100 * (wrong - len(missed)) / wrong:.1f} %)")
    print(f"printed and read back as the same program: {accepted - len(changed)} of {accepted}")
    good = not crashed and not slow and not changed
    good = good and len(refused) <= 0.02 * correct and len(missed) <= 0.05 * wrong
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

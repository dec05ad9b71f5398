#!/usr/bin/env python3
"""Predicate abstraction with local and with global predicates, on the locking program of *Abstractions from proofs*, figure 1.

    cargo build --release && benches/predicate/locking.py [--limit 60] [--write]

In a loop, n conditions each take a lock and give it back; each matters between two statements only. Abstract states are at each statement. Times are those of
the processor. Local predicates are asked about up to n = 50; global ones until one run takes longer than the limit. With --write the table goes into
docs/measurements.md, and docs/locking.svg is drawn.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))
from page import put  # noqa: E402

LARIAT = os.environ.get("LARIAT", str(ROOT / "target/release/lariat"))
PAGE = ROOT / "docs/measurements.md"
SIZES = {"local": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 35, 40, 45, 50), "global": range(1, 51)}
COLOURS = {"local": "#1b6ca8", "global": "#c1440e"}


def program(n):
    """The locking program with n conditions."""
    conditions = "".join(
        f"    havoc p{i}; if (p{i}) {{ assert !held; held := true; }} if (p{i}) {{ assert held; held := false; }}\n"
        for i in range(1, n + 1)
    )
    names = ", ".join(f"p{i}: bool" for i in range(1, n + 1))
    return f"procedure main() {{\n  var held: bool, {names};\n  held := false;\n  while (*) {{\n{conditions}  }}\n}}\n"


def check(path, scope, limit):
    """Predicates a place, facts, and the processor's time of a run; nothing if it finds no proof."""
    command = [LARIAT, "check", path, "--engine", "predicate", "--predicate-blocks", "statements", "--predicate-scope", scope]
    command += ["--no-reduce", "--timeout", f"{limit}s", "--format", "json", "--trace", "none"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = json.loads(done.stdout)
    if result["verdict"] != "safe":
        return None
    found = result["statistics"]["predicate_abstraction"][0]
    places = found["predicates"]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return sum(places) / max(len(places), 1), found["facts"], seconds


def plot(found):
    """An SVG picture: n against facts and against seconds, both on a logarithmic scale."""
    width, height, top = 330, 300, 40
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * width + 230} {top + height + 56}" '
        'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
    ]
    for panel, (at, title) in enumerate(((1, "abstract states"), (2, "seconds of the processor"))):
        left = 64 + panel * (width + 70)
        values = [row[at] for rows in found.values() for row in rows.values()]
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

        def x(n):
            return left + width * n / 50

        def y(value):
            return top + height * (high - math.log10(value)) / (high - low)

        out.append(f'<text x="{left}" y="22" font-size="14">{title}</text>')
        for e in range(low, high + 1):
            out.append(f'<line x1="{left}" y1="{y(10.0**e):.1f}" x2="{left + width}" y2="{y(10.0**e):.1f}" stroke="#ddd"/>')
            out.append(f'<text x="{left - 8}" y="{y(10.0**e) + 4:.1f}" text-anchor="end">{10.0**e:g}</text>')
        for n in range(0, 51, 10):
            out.append(f'<text x="{x(n):.1f}" y="{top + height + 18}" text-anchor="middle">{n}</text>')
        out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>')
        out.append(f'<text x="{left + width / 2}" y="{top + height + 42}" text-anchor="middle">n, conditions</text>')
        for scope, rows in found.items():
            points = " ".join(f"{x(n):.1f},{y(row[at]):.1f}" for n, row in rows.items())
            out.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[scope]}" stroke-width="2"/>')
            last = max(rows)
            out.append(f'<text x="{x(last) - 4:.1f}" y="{y(rows[last][at]) - 8:.1f}" text-anchor="end" fill="{COLOURS[scope]}">{scope}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=60, help="seconds for each run")
    parser.add_argument("--write", action="store_true", help="update docs/")
    args = parser.parse_args()
    found = {scope: {} for scope in SIZES}
    with tempfile.TemporaryDirectory() as folder:
        for scope, sizes in SIZES.items():
            for n in sizes:
                path = Path(folder) / f"locking{n}.bpl"
                path.write_text(program(n))
                row = check(path, scope, args.limit)
                if row is None:
                    print(f"{scope}, {n}: no proof within {args.limit} s")
                    break
                found[scope][n] = row
                print(f"{scope}, {n}: {row[0]:.1f} predicates a place, {row[1]} facts, {row[2]:.2f} s", flush=True)
    table = [
        "| n | local: predicates a place | facts | seconds | global: predicates a place | facts | seconds |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n in SIZES["local"]:
        rows = [found[scope].get(n) for scope in SIZES]
        cells = [f"{row[0]:.1f} | {row[1]:,} | {row[2]:.1f}" if row else "| |" for row in rows]
        table.append(f"| {n} | {cells[0]} | {cells[1]} |")
    print("\n".join(table))
    if args.write:
        put(PAGE, "locking", "\n".join(table))
        (ROOT / "docs/locking.svg").write_text(plot(found))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How the cost of a check grows with the program, on generated programs.

    cargo build --release && benches/unfold/growth.py [--limit 10] [--write]

Two families: chains of procedures of which each calls the next one twice (2^n instances, of which the answer needs
one chain), under the strategies stratified and eager; and loops with a constant number of rounds. Prints tables;
with --write also puts them into docs/measurements.md and draws docs/chains.svg.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))
from page import put  # noqa: E402

LARIAT = os.environ.get("LARIAT", str(ROOT / "target/release/lariat"))
PAGE = ROOT / "docs/measurements.md"
LENGTHS = (5, 8, 10, 12, 14, 16, 18, 20, 25, 50, 100, 150, 200)
ROUNDS = (10, 100, 1000, 2000, 4000, 8000, 16000)


def chain(n, kind):
    """Procedures p0 to pn, each but the last calling the next twice."""
    if kind == "proof, either branch":
        body = "if (b) {{ call p{}(x, b); }} else {{ call p{}(x, b); }}"
        last, main = "g := g + 1;", "g := 0; call p0(x, b); assert g == 1;"
    elif kind == "proof, in sequence":
        body = "call p{}(x, b); g := g + 1; call p{}(x, b);"
        last, main = "assume x > 10;", "call p0(x, b); assert x > 10;"
    else:
        body = "call p{}(x, b); g := g + 1; call p{}(x, b);"
        last, main = "assert x < 10;", "call p0(x, b);"
    head = "(x: int, b: bool) modifies g;"
    lines = ["var g: int;"]
    lines += [f"procedure p{i}{head} {{ {body.format(i + 1, i + 1)} }}" for i in range(n)]
    lines += [f"procedure p{n}{head} {{ {last} }}", f"procedure {{:entrypoint}} main{head} {{ {main} }}"]
    return "\n".join(lines) + "\n"


def loop(rounds):
    """A loop with a constant number of rounds around a sum that starts anywhere."""
    return f"""procedure {{:entrypoint}} main(x: int) {{
  var i, s: int;
  i, s := 0, x;
  while (i < {rounds}) {{ s := s + i; i := i + 1; }}
  assert s - x == {rounds * (rounds - 1) // 2};
}}
"""


def check(text, strategy, limit):
    """The statistics of a run, with its verdict."""
    with tempfile.NamedTemporaryFile("w", suffix=".bpl") as file:
        file.write(text)
        file.flush()
        command = [LARIAT, "check", file.name, "--engine", "unfold", "--strategy", strategy, "--timeout", f"{limit}s"]
        command += ["--format", "json", "--trace", "none", "-q"]
        # Memory is limited as well: static inlining of 2^25 calls would need all of it.
        command = ["sh", "-c", 'ulimit -v 8000000; exec "$@"', "sh", *command]
        try:
            done = subprocess.run(command, capture_output=True, timeout=2 * limit + 5)
            report = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            return {"verdict": "unknown"}
    stats = report["statistics"]
    queries = sum(stats["queries"][kind][answer] for kind in ("under", "over") for answer in ("sat", "unsat", "unknown"))
    return {"verdict": report["verdict"], "nodes": stats["nodes"], "queries": queries, "seconds": stats["seconds"]}


KINDS = ("bug, in sequence", "proof, in sequence", "proof, either branch")
COLOURS = {"stratified": ("#1b6ca8", "#2a9d5c", "#7a4fa3"), "eager": ("#c1440e", "#c1440e", "#e0a030")}


def chains(limit):
    points, lines = {}, ["| n | program | strategy | verdict | nodes | queries | seconds |", "|--:|---|---|---|--:|--:|--:|"]
    for strategy in ("stratified", "eager"):
        for kind in KINDS:
            for n in LENGTHS:
                r = check(chain(n, kind), strategy, limit)
                expected = "unsafe" if kind.startswith("bug") else "safe"
                if r["verdict"] != expected:
                    lines.append(f"| {n} | {kind} | {strategy} | none within {limit} s | | | |")
                    print(lines[-1], flush=True)
                    break
                points.setdefault((strategy, kind), []).append((n, r["seconds"]))
                lines.append(
                    f"| {n} | {kind} | {strategy} | {r['verdict']} | {r['nodes']} | {r['queries']} | {r['seconds']:.3f} |"
                )
                print(lines[-1], flush=True)
    return points, "\n".join(lines)


def loops(limit):
    lines = ["| rounds | verdict | nodes | queries | seconds | microseconds per round |", "|--:|---|--:|--:|--:|--:|"]
    for rounds in ROUNDS:
        r = check(loop(rounds), "stratified", limit)
        if r["verdict"] != "safe":
            lines.append(f"| {rounds} | none within {limit} s | | | | |")
        else:
            each = 1e6 * r["seconds"] / rounds
            lines.append(f"| {rounds} | {r['verdict']} | {r['nodes']} | {r['queries']} | {r['seconds']:.3f} | {each:.0f} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def plot(points, limit):
    """An SVG picture: n against seconds, the latter on a logarithmic scale."""
    left, top, width, height = 64, 40, 560, 320
    lowest, highest = -3, math.ceil(math.log10(limit))

    def x(n):
        return left + width * n / max(LENGTHS)

    def y(seconds):
        exponent = math.log10(max(seconds, 10.0**lowest))
        return top + height * (highest - exponent) / (highest - lowest)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 190} {top + height + 56}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="100%" height="100%" fill="white"/><text x="{left}" y="22" font-size="14">'
        "Chains of procedures that each call the next one twice</text>",
    ]
    for e in range(lowest, highest + 1):
        at = y(10.0**e)
        label = f"{10.0**e:g} s"
        out.append(f'<line x1="{left}" y1="{at:.1f}" x2="{left + width}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{label}</text>')
    for n in range(0, max(LENGTHS) + 1, 25):
        out.append(f'<line x1="{x(n):.1f}" y1="{top}" x2="{x(n):.1f}" y2="{top + height}" stroke="#eee"/>')
        out.append(f'<text x="{x(n):.1f}" y="{top + height + 18}" text-anchor="middle">{n}</text>')
    out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>')
    out.append(f'<text x="{left + width / 2}" y="{top + height + 42}" text-anchor="middle">n, procedures in the chain</text>')
    for row, ((strategy, kind), line) in enumerate(points.items()):
        colour = COLOURS[strategy][KINDS.index(kind)]
        dash = ' stroke-dasharray="5 3"' if strategy == "eager" and kind == KINDS[1] else ""
        path = " ".join(f"{x(n):.1f},{y(s):.1f}" for n, s in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        out += [f'<circle cx="{x(n):.1f}" cy="{y(s):.1f}" r="3" fill="{colour}"/>' for n, s in line]
        at = top + 14 + 34 * row
        edge = left + width + 12
        out.append(f'<line x1="{edge}" y1="{at}" x2="{edge + 22}" y2="{at}" stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(f'<text x="{edge + 28}" y="{at + 4}">{strategy}</text>')
        out.append(f'<text x="{edge + 28}" y="{at + 18}" fill="#666">{kind}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=10, help="seconds for each program")
    parser.add_argument("--write", action="store_true", help="update docs/")
    options = parser.parse_args()
    points, table = chains(options.limit)
    rounds = loops(options.limit)
    if options.write:
        put(PAGE, "chains", table)
        put(PAGE, "loops", rounds)
        (ROOT / "docs/chains.svg").write_text(plot(points, options.limit))


if __name__ == "__main__":
    main()

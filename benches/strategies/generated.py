#!/usr/bin/env python3
"""What strategies look into, on generated programs.

    cargo build --release && benches/strategies/generated.py [--limit 20] [--write]

`beside`: one call matters to a proof, and k large ones do not: each happens only for one value of a parameter.
`stages`: an error needs one call in each of k stages, a small one or a large one. Prints tables of #R, the regions
expanded; with --write also puts them into docs/strategies.md and draws docs/strategies-beside.svg and -stages.svg.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

from plots import COLOURS, Axis, picture
from run import put

ROOT = Path(__file__).resolve().parents[2]
LARIAT = os.environ.get("LARIAT", str(ROOT / "target/release/lariat"))
STRATEGIES = ("naive", "dcr", "dcr+", "stratified", "inertial", "infer")
MCS = {"clause": "#c1440e", "linear": "#e0a030", "cheapest": "#2a9d5c", "maxsat": "#1b6ca8"}
BESIDE = (0, 1, 2, 5, 10, 20, 40)
STAGES = (1, 2, 4, 6, 8, 12, 16)


def beside(k):
    """A proof that needs `neg` alone, though the assertion mentions what the others give."""
    text = ""
    for i in range(k):
        text += f"""procedure below{i}(a: int) returns (r: int) {{ r := a; while (r > {i}) {{ r := r - 2; }} }}
procedure large{i}(a: int) returns (r: int) {{
  call r := below{i}(a); call r := below{i}(r + a); if (r < a) {{ r := a; }}
}}
"""
    text += "procedure neg(a: int) returns (r: int) { if (a > 0) { r := 0 - a; } else { r := a; } }\n"
    text += "procedure {:entrypoint} main(x: int, m: int) {\n  var y, z: int;\n"
    text += "".join(f"  if (m == {i}) {{ call z := large{i}(x); }}\n" for i in range(k))
    return text + "  call y := neg(x);\n  assert y <= 0 || z > x;\n}\n"


def stages(k):
    """An error by way of `small` or `large` in each stage; which of them is on which side changes."""
    text = "procedure step(a: int) returns (r: int) { r := a + 1; }\n"
    for i in range(k):
        text += f"procedure small{i}(a: int) returns (r: int) {{ r := a + {i + 1}; }}\n"
        text += f"procedure large{i}(a: int) returns (r: int) {{\n  r := a;\n"
        text += "  call r := step(r);\n" * 4 + "}\n"
    choices = ", ".join(f"b{i}: bool" for i in range(k))
    text += f"procedure {{:entrypoint}} main(x: int, {choices}) {{\n  var r: int;\n  r := x;\n"
    for i in range(k):
        sides = ("small", "large") if i % 2 == 0 else ("large", "small")
        text += f"  if (b{i}) {{ call r := {sides[0]}{i}(r); }} else {{ call r := {sides[1]}{i}(r); }}\n"
    return text + "  assert r != 1000;\n}\n"


def regions(text, options, limit):
    """The verdict and #R."""
    with tempfile.NamedTemporaryFile("w", suffix=".bpl") as file:
        file.write(text)
        file.flush()
        command = [LARIAT, "check", file.name, "--engine", "unfold", "--timeout", f"{limit}s", *options]
        command += ["--format", "json", "--trace", "none", "-q"]
        done = subprocess.run(command, capture_output=True)
        report = json.loads(done.stdout)
    return report["verdict"], report["statistics"]["expanded"]


def family(make, sizes, ways, verdict, limit):
    """A table of #R, and the lines of a picture; `ways`: name -> (colour, options)."""
    lines = ["| k | " + " | ".join(ways) + " |", "|--:|" + "--:|" * len(ways)]
    series = {name: (colour, []) for name, (colour, _) in ways.items()}
    for k in sizes:
        cells = [k]
        for name, (_, options) in ways.items():
            found, count = regions(make(k), options, limit)
            if found not in (verdict, "unknown"):
                raise SystemExit(f"{name}, k = {k}: {found} instead of {verdict}")
            cells.append(count if found == verdict else "–")
            if found == verdict:
                series[name][1].append((k, count))
        lines.append("| " + " | ".join(str(c) for c in cells) + " |")
        print(lines[-1], flush=True)
    return "\n".join(lines), series


def draw(name, title, series, sizes):
    most = max(count for _, points in series.values() for _, count in points)
    axes = (Axis("k", 0, max(sizes)), Axis("regions expanded (#R)", 1, 1.2 * most, log=True))
    (ROOT / f"docs/strategies-{name}.svg").write_text(picture(title, *axes, series))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=20, help="seconds for each program")
    parser.add_argument("--write", action="store_true", help="update docs/")
    options = parser.parse_args()
    ways = {s: (COLOURS[s], ["--strategy", s]) for s in STRATEGIES}
    table, series = family(beside, BESIDE, ways, "safe", options.limit)
    if options.write:
        put("beside", table)
        draw("beside", "A proof beside k large calls that do not matter", series, BESIDE)
    ways = {m: (colour, ["--strategy", "inertial", "--mcs", m]) for m, colour in MCS.items()}
    table, series = family(stages, STAGES, ways, "unsafe", options.limit)
    if options.write:
        put("stages", table)
        draw("stages", "An error in k stages, by small or large calls", series, STAGES)


if __name__ == "__main__":
    main()

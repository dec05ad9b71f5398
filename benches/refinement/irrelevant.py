#!/usr/bin/env python3
"""Variable abstraction on generated programs with n irrelevant globals: `--track auto` against `--track all`.

    cargo build --release && benches/refinement/irrelevant.py [--sizes 10,100] [--shape calls] [--timeout 60] [--write]

The globals are written and read on the way: what is assumed and decided depends on them, so that slicing keeps them. What is asserted
depends on two others. Shapes: `calls` (up to twenty procedures, called one after the other, each with some of the globals and a lock that
is taken and released) and `maps` (the same with maps, as the memory of C programs is). Times are those of the processor, in seconds. With --write the table goes
into docs/measurements.md.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))
from page import put  # noqa: E402

LARIAT = ROOT / "target/release/lariat"
PAGE = ROOT / "docs/measurements.md"
SIZES = (10, 30, 100, 300, 1000, 2000)
PROCEDURES = 20


def groups(n):
    """The irrelevant globals that each of the procedures deals with."""
    count = min(n, PROCEDURES)
    return [range(k, n, count) for k in range(count)]


def calls(n):
    """Procedures that change some globals each, with the lock held under a condition over these."""
    code = [f"var lock: int; var idle: int; var held: int;\n{''.join(f'var s{i}: int; ' for i in range(n))}"]
    code.append("procedure acquire() modifies lock; { assert lock == idle; lock := idle + 1; }")
    code.append("procedure release() modifies lock; { assert lock != idle; lock := lock - 1; }")
    for k, own in enumerate(groups(n)):
        names = ", ".join(f"s{i}" for i in own)
        code.append(f"procedure step{k}() modifies lock, held, {names}; {{")
        for i in own:
            other = (i * 7 + 3) % n
            code.append(f"  s{i} := s{i} + s{other}; assume s{i} < 1000; if (s{i} < s{other}) {{ s{i} := 0; }}")
        first, last = own[0], own[-1]
        code.append(f"  if (s{first} > s{last}) {{ call acquire(); held := held + 1; s{first} := s{last} - 1; call release(); }}\n}}")
    everything = ", ".join(f"s{i}" for i in range(n))
    code.append(f"procedure {{:entrypoint}} main(v: int) modifies lock, idle, held, {everything}; {{")
    code.append("  lock := v; idle := v; held := 0;")
    code += [f"  call step{k}();" for k in range(len(groups(n)))]
    code.append("  assert lock == idle; }")
    return "\n".join(code)


def maps(n):
    """The same with maps, which are read and written where a pointer says."""
    code = [f"var lock: [int]int; var idle: [int]int;\n{''.join(f'var m{i}: [int]int; ' for i in range(n))}"]
    code.append("procedure acquire(p: int) modifies lock; { assert lock[p] == idle[p]; lock[p] := idle[p] + 1; }")
    code.append("procedure release(p: int) modifies lock; { assert lock[p] != idle[p]; lock[p] := lock[p] - 1; }")
    for k, own in enumerate(groups(n)):
        names = ", ".join(f"m{i}" for i in own)
        code.append(f"procedure step{k}(p: int) modifies lock, {names}; {{")
        for i in own:
            other = (i * 7 + 3) % n
            code.append(f"  m{i}[p] := m{i}[p] + m{other}[p + 1]; assume m{i}[p] < 1000;")
            code.append(f"  if (m{i}[p] < m{other}[p]) {{ m{i}[p + 2] := 0; }}")
        first, last = own[0], own[-1]
        code.append(f"  if (m{first}[p] > m{last}[p + 3]) {{ call acquire(p); m{first}[p + 2] := 1; call release(p); }}\n}}")
    everything = ", ".join(f"m{i}" for i in range(n))
    code.append(f"procedure {{:entrypoint}} main(p: int) modifies lock, {everything}; {{ assume lock[p] == idle[p];")
    code += [f"  call step{k}(p);" for k in range(len(groups(n)))]
    code.append("  assert lock[p] == idle[p]; }")
    return "\n".join(code)


SHAPES = {"calls": calls, "maps": maps}


def run(path, track, timeout, more=()):
    """Verdict, time of the processor, and what variable abstraction did, if it answered."""
    command = [LARIAT, "check", path, "--track", track, "--timeout", f"{timeout}s", "--format", "json", "--trace", "none"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*map(str, command), *more], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        result = json.loads(done.stdout)
    except json.JSONDecodeError:
        return f"exit {done.returncode}", seconds, None, 0.0
    tracking = (result.get("tracking") or [None])[0]
    return result["verdict"], seconds, tracking, result["statistics"]["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--shape", choices=SHAPES, action="append")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    rows = ["| shape | irrelevant | auto: processor | of it rounds | tracked | all: processor |", "|---|--:|--:|--:|--:|--:|"]
    with tempfile.TemporaryDirectory() as folder:
        for shape in args.shape or SHAPES:
            for n in map(int, args.sizes.split(",")):
                path = Path(folder) / f"{shape}{n}.bpl"
                path.write_text(SHAPES[shape](n))
                cells = []
                for track in ("auto", "all"):
                    verdict, seconds, tracking, wall = run(path, track, args.timeout)
                    shown = f"{seconds:.1f} s" if verdict == "safe" else f"{verdict} ({seconds:.0f} s)"
                    cells.append((shown, tracking))
                tracking = cells[0][1]
                rounds, tracked = (tracking["rounds"], len(tracking["tracked"])) if tracking else ("–", "unfold")
                rows.append(f"| {shape} | {n} | {cells[0][0]} | {rounds} | {tracked} | {cells[1][0]} |")
                print(rows[-1], flush=True)
    if args.write:
        put(PAGE, "irrelevant globals", "\n".join(rows))


if __name__ == "__main__":
    main()

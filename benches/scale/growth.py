#!/usr/bin/env python3
"""How the time to the first query grows with the size of a C program, on generated programs.

    cargo build --release && benches/scale/growth.py [--shape ring] [--sizes 50,200] [--repeat 3] [--write]

Three shapes: `link` (n files that call each other and share types and globals), `ring` (n handlers, of which each calls
others through one table: they are one strongly connected component) and `table` (n handlers in a table, called from one
place, each with a variable of its own). The time is that of the processor up to the first query of a solver, without clang's. At four
times the size it may be six times as long: otherwise the script says where, and ends with 1. With --write it also puts the
table into docs/measurements.md.
"""

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))
from first_query import first_query  # noqa: E402
from page import put  # noqa: E402

PAGE = ROOT / "docs/measurements.md"
SIZES = {"link": (16, 32, 64, 128), "ring": (50, 100, 200, 400), "table": (200, 400, 800, 1600)}
MOST = 6.0


def link(n):
    """n files; each has functions and a variable that others use, static ones of the same name, and a shared type."""
    head = "struct node { struct node *next; int value; const char *name; };\n"
    head += "".join(f"extern int g{i}; int f{i}(struct node *, int);\n" for i in range(n))
    files = {}
    for i in range(n):
        code = [head, f"int g{i} = {i};", f"struct local{i} {{ int a; struct node *n; }};"]
        for j in range(40):
            code.append(
                f"static int help{j}(struct node *n, int x) {{ struct local{i} l = {{ x, n }};\n"
                f"  while (l.n && l.a < {j + 10}) {{ l.a += l.n->value; l.n = l.n->next; }}\n"
                f"  return l.a + g{(i + j) % n}; }}"
            )
        calls = " + ".join(f"help{j}(n, x)" for j in range(40))
        code.append(f"int f{i}(struct node *n, int x) {{ if (x > 100) return 0; return {calls} + g{(i + 1) % n}; }}")
        if i == 0:
            code.append("extern void __VERIFIER_assert(int);")
            code.append("int main(void) { struct node n = { 0, 1, \"n\" }; int s = 0;")
            code += [f"  s += f{k}(&n, {k});" for k in range(n)]
            code.append("  __VERIFIER_assert(s != 17); return 0; }")
        files[f"part{i}.c"] = "\n".join(code) + "\n"
    return files


def ring(n):
    """Handlers that call each other through a table, each with a variable of its own."""
    code = ["extern void __VERIFIER_assert(int); extern int __VERIFIER_nondet_int(void);"]
    code.append(f"typedef int (*handler)(int, int); extern handler table[{n}]; int steps;")
    code += [f"static int v{i};" for i in range(n)]
    for i in range(n):
        code.append(
            f"static int h{i}(int x, int d) {{ v{i} += x; steps++; if (d <= 0) return v{(i * 7 + 3) % n};\n"
            f"  if (x > {i}) return table[(x + {i}) % {n}u](x - 1, d - 1); return v{i} + {i}; }}"
        )
    code.append(f"handler table[{n}] = {{ {', '.join(f'h{i}' for i in range(n))} }};")
    code.append(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 1000) return 0;\n"
        f"  int r = table[x % {n}](x, 3); __VERIFIER_assert(steps < 5 || r == 12345); return 0; }}"
    )
    return {"ring.c": "\n".join(code) + "\n"}


def table(n):
    """A loop that calls a handler of a table, each with a variable of its own."""
    code = ["extern void __VERIFIER_assert(int); extern int __VERIFIER_nondet_int(void);"]
    code.append("typedef int (*handler)(int);")
    for i in range(n):
        code.append(f"static int v{i} = {i};")
        code.append(f"static int h{i}(int x) {{ if (x > {i}) v{i} = x; else v{i}++; return v{i} + {i}; }}")
    code.append(f"static handler table[{n}] = {{ {', '.join(f'h{i}' for i in range(n))} }};")
    code.append(
        "int main(void) { int s = 0; for (;;) { int x = __VERIFIER_nondet_int(); if (x < 0) break;\n"
        f"  s = table[x % {n}](s); __VERIFIER_assert(s != 77777); }} return 0; }}"
    )
    return {"table.c": "\n".join(code) + "\n"}


SHAPES = {"link": link, "ring": ring, "table": table}


def measure(shape, n, options):
    """The quickest of some runs."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in SHAPES[shape](n).items():
            paths.append(Path(folder, name))
            paths[-1].write_text(text)
        runs = [first_query(paths, options.limit) for _ in range(options.repeat)]
    return min(((own, megabytes) for own, _, megabytes in filter(None, runs)), default=None)


def rows(shape, sizes, options):
    """A row of the table for each size; and the sizes that are too slow."""
    found, slow = {}, []
    for n in sizes:
        run = measure(shape, n, options)
        if run is None:
            slow.append(f"{shape} {n}: no query within {options.limit} s")
            print(f"| {shape} | {n} | more than {options.limit} | | |", flush=True)
            break
        found[n] = run[0]
        factor = run[0] / found[n // 4] if n // 4 in found else None
        if factor and factor > MOST:
            slow.append(f"{shape} {n}: {factor:.1f} times as long as {n // 4}")
        yield f"| {shape} | {n} | {run[0]:.2f} | {f'{factor:.1f}' if factor else ''} | {run[1]:.0f} |"
    options.slow += slow


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shape", choices=SHAPES, help="only this one")
    parser.add_argument("--sizes", help="with commas between them")
    parser.add_argument("--repeat", type=int, default=3, help="the quickest of so many runs counts")
    parser.add_argument("--limit", type=int, default=60, help="seconds for each program")
    parser.add_argument("--write", action="store_true", help="update docs/")
    options = parser.parse_args()
    options.slow = []
    lines = ["| shape | n | seconds | factor to a quarter of n | MB |", "|---|--:|--:|--:|--:|"]
    for shape in [options.shape] if options.shape else SHAPES:
        sizes = [int(n) for n in options.sizes.split(",")] if options.sizes else SIZES[shape]
        for line in rows(shape, sizes, options):
            print(line, flush=True)
            lines.append(line)
    if options.write:
        put(PAGE, "scale", "\n".join(lines))
    sys.exit("\n".join(options.slow) if options.slow else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Random programs with loops over 8 and 16 bits: does Lariat say what all native runs say?

A program reads one or two bytes, computes with loops, arrays, recursion and wrap-around, and asserts bounds of what
it computed. It is made twice. The first version runs natively on all inputs and observes the largest and smallest value of
each expression and index. The second one asserts just these bounds, has arrays just so long and factors just so large
that nothing overflows; or one of them is off by one, which makes a bug that few inputs reach.

The second version runs natively on all inputs, too: assertions, array bounds, signed overflow, shifts and
divisions are judged by the checks of clang's undefined-behaviour sanitizer. Then Lariat must say the same of
  all           everything at once, and the check that fails must be one that fails natively;
  one of        unreach-call, no-overflow, bounds (a question for one kind alone).
Time-outs and unknown verdicts are counted. Wrong ones are kept in the folder --keep.

usage: loops.py [--count N] [--seed N] [--seconds N] [--timeout SECONDS] [--lariat PATH] [--keep DIR] [--write DIR]
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = os.environ.get("CLANG", "clang-19")
VERDICTS = {0: "safe", 10: "unsafe", 11: "bounded", 12: "unknown", 1: "usage error", 2: "input error", 3: "internal error"}
INT_MAX = 2**31 - 1
LONGEST = 600  # elements of arrays while indices are observed

PRELUDE = """typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
void abort(void);
#define TICK
static void check(int c) { if (!c) { reach_error(); abort(); } }
"""

# How the first line of a kept program is read, and how programs run natively. A run ends at a failed assertion or an index
# out of bounds; an overflow wraps around and goes on.
NATIVE = r"""
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf back;
static unsigned char inputs[2];
static int taken, first;
static long ticks, most;
static long long low[100], high[100];
static int seen[100];
/* a: assertion, b: bounds, o: overflow, d: division or shift; of each run the first, and all. */
static void met(int what, int *all) { if (!first) first = what; *all |= what; }
static int all, firsts, endless;
unsigned char __VERIFIER_nondet_uchar(void) { return inputs[taken++]; }
void observe(int k, long long v) {
  if (!seen[k] || v < low[k]) low[k] = v;
  if (!seen[k] || v > high[k]) high[k] = v;
  seen[k] = 1;
}
int at(int k, long long i) { observe(k, i); return i < 0 || i >= LONGEST ? 0 : (int)i; }
void tick(void) { if (++ticks > most) { endless = 1; longjmp(back, 1); } }
void failed(void) { met(1, &all); longjmp(back, 1); }
void __ubsan_handle_out_of_bounds_minimal(void) { met(2, &all); longjmp(back, 1); }
void __ubsan_handle_add_overflow_minimal(void) { met(4, &all); }
void __ubsan_handle_sub_overflow_minimal(void) { met(4, &all); }
void __ubsan_handle_mul_overflow_minimal(void) { met(4, &all); }
void __ubsan_handle_negate_overflow_minimal(void) { met(4, &all); }
void __ubsan_handle_divrem_overflow_minimal(void) { met(8, &all); longjmp(back, 1); }
void __ubsan_handle_shift_out_of_bounds_minimal(void) { met(8, &all); }
int program(void);
void reset(void);
int main(int argc, char **argv) {
  int count = atoi(argv[1]);
  most = atol(argv[2]);
  for (int input = 0; input < (count == 2 ? 65536 : 256); input++) {
    inputs[0] = (unsigned char)input, inputs[1] = (unsigned char)(input >> 8);
    taken = first = 0, ticks = 0;
    reset();
    if (!setjmp(back)) program();
    firsts |= first;
  }
  printf("%d %d %d\n", all, firsts, endless);
  for (int k = 0; k < 100; k++) if (seen[k]) printf("%d %lld %lld\n", k, low[k], high[k]);
  return 0;
}
"""
CHECKS = ["-fsanitize=signed-integer-overflow,array-bounds,integer-divide-by-zero,shift", "-fsanitize-minimal-runtime", "-fsanitize-recover=all"]
NATIVE_PRELUDE = """typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
unsigned char __VERIFIER_nondet_uchar(void);
void tick(void); void failed(void); void observe(int, long long); int at(int, long long);
#define TICK tick();
#define main program
static void check(int c) { if (!c) failed(); }
"""
KINDS = {1: "assert", 2: "bounds", 4: "overflow", 8: "division or shift"}
# What Lariat calls them.
NAMES = {"assert": {"assert", "unreach-call", "user", "error"}, "bounds": {"bounds", "deref"}, "overflow": {"overflow"}, "division or shift": {"division", "shift"}}


class Program:
    """The text of a program; without facts, one that observes."""

    def __init__(self, seed, facts=None):
        self.random = random.Random(seed)
        self.facts, self.seed = facts, seed
        self.probes, self.serial = 0, 0
        self.globals, self.functions, self.body, self.resets = [], [], [], []
        self.inputs = self.random.choice([1, 1, 2])
        self.kinds = {}  # of probes
        self.make()
        self.off = None

    def fresh(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def pick(self, *options):
        return self.random.choice(options)

    def small_type(self):
        return self.pick("u8", "u8", "s8", "u16", "s16", "int")

    # Places where something is observed first and claimed then

    def probe(self, kind):
        self.probes += 1
        self.kinds[self.probes] = kind
        return self.probes

    def observed(self, k):
        """The bounds that were observed, one of them off by one if this is the place."""
        low, high, seen = self.facts.get(k, (0, 0, False))
        if self.facts.get("off") == k and seen:
            return (low + 1, high) if self.facts["side"] and self.kinds[k] == "claim" else (low, high - 1)
        return low, high

    def claim(self, expr):
        k = self.probe("claim")
        both = self.pick(0, 1, 2)
        if self.facts is None:
            return f"observe({k}, {expr});"
        low, high = self.observed(k)
        if self.facts.get("off") == k:
            both = 0
        return f"check({[f'{expr} >= {low} && {expr} <= {high}', f'{expr} <= {high}', f'{expr} >= {low}'][both]});"

    def scaled(self, target, expr):
        k = self.probe("scale")
        if self.facts is None:
            return f"observe({k}, {expr});"
        low, high, _ = self.facts.get(k, (0, 0, False))
        factor = INT_MAX // max(abs(low), abs(high), 1) + (self.facts.get("off") == k)
        return f"{target} = ({expr}) * {min(factor, INT_MAX)};"

    def array(self, ty, values=None):
        """An array whose length is found out: its name and the number of its probe."""
        k, name = self.probe("array"), self.fresh("a")
        low, high = (0, LONGEST - 1) if self.facts is None else self.observed(k)
        length = min(max(high + 1, 1), LONGEST)
        is_global = self.pick(True, False)
        if is_global:
            self.globals.append(f"static {ty} {name}[{length}];")
            self.resets.append(f"for (int i = 0; i < {length}; i++) {name}[i] = 0;")
            return name, k, None
        return name, k, f"{ty} {name}[{length}] = {{0}};"

    def at(self, name, k, index):
        return f"{name}[at({k}, {index})]" if self.facts is None else f"{name}[{index}]"

    # Expressions

    def expr(self, names, depth=2):
        r = self.random
        if depth == 0 or r.random() < 0.2:
            return r.choice(names) if r.random() < 0.7 else str(r.choice([0, 1, 2, 3, 5, 7, 10, 100, 127, 128, 200, 255]))
        a, b = self.expr(names, depth - 1), self.expr(names, depth - 1)
        return r.choice(
            [
                f"({a} + {b})", f"({a} - {b})", f"({a} * {r.randint(2, 9)})", f"({a} & {b})", f"({a} | {b})", f"({a} ^ {b})",
                f"({a} >> {r.randint(1, 3)})", f"({a} % {r.randint(2, 9)})", f"({a} / {r.randint(2, 9)})",
                f"({a} < {b} ? {a} : {b})", f"({self.small_type()})({a})", f"(u8)({a} * {b})", f"({a} == {b})", f"(u8)~{a}" if a.isidentifier() else f"({a} + 1)",
            ]
        )

    # Parts: each gets the names of what it may read, and gives lines and the name of a result.

    def counting(self, names):
        ty, i, s = self.pick("u8", "u8", "u16", "int", "s16"), self.fresh("i"), self.fresh("s")
        bound = self.pick(*names, str(self.random.randint(1, 40)))
        step = self.random.randint(1, 3)
        head = self.pick(
            f"for ({ty} {i} = 0; {i} < {bound}; {i} += {step})",
            f"for ({ty} {i} = {bound} & 63; {i} > 0; {i}--)",
            f"for (int {i} = {bound}; {i} < {bound} + {step}; {i}++)",
        )
        sty = self.small_type()
        lines = [f"{sty} {s} = {self.pick('0', '1', *names)};", head + " {", "  TICK"]
        lines += ["  " + l for l in self.inner(names + [i, s], s)]
        lines += ["}"]
        return lines, s

    def inner(self, names, s):
        """What happens in a round."""
        r = self.random
        lines = []
        for _ in range(r.randint(1, 2)):
            lines.append(
                r.choice(
                    [
                        f"{s} += {self.expr(names, 1)};", f"{s} ^= {self.expr(names, 1)};", f"{s}++;", f"{s} = {self.expr(names, 2)};",
                        f"if ({self.expr(names, 1)} > {self.expr(names, 1)}) {s}++;", f"if ({s} > {r.randint(5, 60)}) break;",
                        f"if ({self.expr(names, 1)} == {r.randint(0, 9)}) continue;" if False else f"if ({s} & 1) {s} += 3; else {s} >>= 1;",
                        f"{s} = {s} < {r.randint(3, 100)} ? {s} + 1 : 0;",
                    ]
                )
            )
        if r.random() < 0.3:
            lines.append(self.claim(s))
        return lines

    def wrapping(self, names):
        """A loop that ends when something comes around."""
        ty, x, n = self.pick("u8", "u8", "u16", "s8"), self.fresh("x"), self.fresh("n")
        step = self.pick(1, 3, 5, 7, 8, 16)
        end = self.pick("0", str(step * self.random.randint(1, 9)))
        change = self.pick(f"{x} += {step}", f"{x} -= {step}", f"{x} = {x} * 5 + 1", f"{x} = ({x} << 1 | {x} >> 7) & 255" if ty != "s8" else f"{x}++")
        limit = self.pick("", f" && {n} < {self.random.randint(5, 30)}")
        lines = [f"{ty} {x} = {self.pick(*names)} & {self.pick(7, 15, 255, 248)};", f"{self.pick('u8', 'u16', 'int')} {n} = 0;", "do {", "  TICK", f"  {change};", f"  {n}++;", f"}} while ({x} != {end}{limit});"]
        return lines, n

    def bits(self, names):
        x, n = self.fresh("x"), self.fresh("n")
        loop = self.pick(
            f"while ({x}) {{ TICK {x} &= {x} - 1; {n}++; }}", f"while ({x} > 1) {{ TICK {x} >>= 1; {n}++; }}", f"while ({x}) {{ TICK {n} += {x} & 1; {x} /= 2; }}",
            f"for (int i = 0; i < 8; i++) {{ TICK {n} = {n} << 1 | ({x} >> i & 1); }}", f"while ({x} != 1 && {n} < 20) {{ TICK {x} = {x} & 1 ? {x} * 3 + 1 : {x} / 2; {n}++; }}",
            f"for (int i = 0; i < 8; i++) {{ TICK {x} = {x} & 128 ? {x} << 1 ^ 29 : {x} << 1; }}",
        )
        return [f"{self.pick('u8', 'u16')} {x} = {self.expr(names, 1)};", f"{self.pick('u8', 'int')} {n} = 0;", loop], self.pick(n, n, x)

    def euclid(self, names):
        a, b = self.fresh("g"), self.fresh("h")
        lines = [f"u8 {a} = {self.pick(*names)}, {b} = {self.expr(names, 1)};"]
        lines.append(f"while ({b}) {{ TICK u8 r = {a} % {b}; {a} = {b}; {b} = r; }}")
        return lines, a

    def root(self, names):
        x, n = self.fresh("x"), self.fresh("n")
        return [f"u8 {x} = {self.pick(*names)}, {n} = 0;", f"while (({n} + 1) * ({n} + 1) <= {x}) {{ TICK {n}++; }}"], n

    def fill(self, names):
        """An array is written in one loop, and read in another one."""
        name, k, decl = self.array(self.pick("u8", "s8", "s16", "int"))
        s, limit = self.fresh("s"), self.random.randint(2, 9)
        bound = self.pick(str(limit), f"{self.pick(*names)} % {limit}", f"({self.pick(*names)} & 7)")
        lines = [decl] if decl else []
        index = self.pick("i", "i", "i + 1", "i / 2", "i * 2")
        lines += [f"for (u8 i = 0; i < {bound}; i++) {{ TICK {self.at(name, k, index)} = {self.expr(names + ['i'], 1)}; }}"]
        lines += [f"{self.small_type()} {s} = 0;", f"for (int i = 0; i < {bound}; i++) {{ TICK {s} {self.pick('+=', '^=', '|=')} {self.at(name, k, index)}; }}"]
        return lines, s

    def indexed(self, names):
        """An index that is computed."""
        name, k, decl = self.array(self.pick("u8", "s8", "u16", "int"))
        s, j = self.fresh("s"), self.fresh("j")
        lines = [decl] if decl else []
        index = self.pick(f"{self.pick(*names)} & {self.pick(3, 7, 12)}", f"(u8){self.expr(names, 2)} % {self.random.randint(2, 11)}", f"(u8){self.expr(names, 1)} >> {self.random.randint(3, 6)}")
        lines += [f"u8 {j} = {index};", f"{self.at(name, k, j)} = {self.expr(names, 1)};"]
        if self.pick(True, False):
            lines += [f"while ({j} > 0) {{ TICK {j}--; {self.at(name, k, j)} += {self.at(name, k, j + ' + 1')}; }}"]
        lines += [f"int {s} = {self.at(name, k, j)};"]
        return lines, s

    def sorting(self, names):
        name, k, decl = self.array("u8")
        n = self.random.randint(2, 3)
        lines = [decl] if decl else []
        lines += [f"{self.at(name, k, str(i))} = {self.expr(names, 1)};" for i in range(n)]
        here, there = self.at(name, k, "j"), self.at(name, k, "j + 1")
        lines += [f"for (int i = 0; i < {n - 1}; i++)", f"  for (int j = 0; j < {n - 1} - i; j++) {{", f"    TICK if ({here} {self.pick('>', '<')} {there}) {{ u8 t = {here}; {here} = {there}; {there} = t; }}", "  }"]
        s = self.fresh("s")
        lines += [f"int {s} = {self.at(name, k, '0')} - {self.at(name, k, str(n - 1))};"]
        return lines, s

    def ring(self, names):
        name, k, decl = self.array("u8")
        n, s, j = self.random.randint(2, 6), self.fresh("s"), self.fresh("j")
        lines = [decl] if decl else []
        following = self.pick(f"({j} + 1) % {n}", f"{j} == {n - 1} ? 0 : {j} + 1", f"({j} + {self.random.randint(2, 5)}) % {n}", f"{j} + 1 < {n} ? {j} + 1 : 0")
        lines += [f"u8 {j} = 0;", f"int {s} = 0;", f"for (u8 i = 0; i < ({self.pick(*names)} & 15); i++) {{ TICK {self.at(name, k, j)} = i; {s} += {self.at(name, k, j)}; {j} = {following}; }}"]
        return lines, self.pick(s, j)

    def machine(self, names):
        x, n = self.fresh("x"), self.fresh("st")
        states = self.random.randint(3, 5)
        cases = " ".join(f"case {i}: {n} = {x} {self.pick('& 1', '& 2', '> 3', '> 100')} ? {self.random.randrange(states)} : {self.random.randrange(states)}; break;" for i in range(states - 1))
        return [f"u8 {x} = {self.pick(*names)};", f"int {n} = 0;", f"while ({x}) {{ TICK switch ({n}) {{ {cases} default: break; }} {x} {self.pick('>>= 1', '/= 3', '--')}; }}"], n

    def recursion(self, names):
        f, d = self.fresh("f"), self.random.randint(1, 3)
        body = self.pick(
            f"return n < {d} ? n : (u8)({f}(n - {d}) + {self.random.randint(1, 9)});", f"if (n == 0) return {d}; u8 r = {f}(n / 2); return r + (n & 1);",
            f"return n > 100 ? n - {d} : {f}(n + {self.random.randint(30, 60)});",
        )
        self.functions.append(f"static u8 {f}(u8 n) {{ TICK {body} }}")
        s = self.fresh("s")
        return [f"u8 {s} = {f}({self.pick(*names)} & {self.pick(7, 15, 31, 255)});"], s

    def nested(self, names):
        s, n, m = self.fresh("s"), self.random.randint(2, 6), self.pick("i", "i + 1", "3", "(" + self.pick(*names) + " & 3)")
        change = self.pick(f"{s} += i", f"{s} += i * j", f"{s}++", f"{s} ^= {self.pick(*names)}", f"if (j == {self.random.randint(0, 2)}) {s} += 2")
        return [f"{self.small_type()} {s} = 0;", f"for (u8 i = 0; i < {n}; i++)", f"  for (u8 j = 0; j < {m}; j++) {{ TICK {change}; }}"], s

    def search(self, names):
        low, high, mid, x = (self.fresh(n) for n in ("lo", "hi", "mid", "x"))
        n = self.pick(8, 16, 100)
        return [f"u8 {x} = {self.pick(*names)} % {n};", f"int {low} = 0, {high} = {n};", f"while ({low} < {high}) {{ TICK int {mid} = ({low} + {high}) / 2; if ({mid} * {self.pick(1, 2)} < {x}) {low} = {mid} + 1; else {high} = {mid}; }}"], low

    def make(self):
        names = ["in0", "in1"][: self.inputs]
        self.body += ["u8 in0 = __VERIFIER_nondet_uchar();"]
        if self.inputs == 2:
            self.body += [f"u8 in1 = __VERIFIER_nondet_uchar() & {self.pick(3, 15, 15, 255)};"]
        parts = [self.counting, self.counting, self.wrapping, self.bits, self.euclid, self.root, self.fill, self.fill, self.indexed, self.sorting, self.ring, self.machine, self.recursion, self.nested, self.search]
        self.globals.append("static int sink;")
        self.resets.append("sink = 0;")
        for _ in range(self.random.randint(1, 3)):
            lines, result = self.random.choice(parts)(names)
            self.body += lines
            names.append(result)
            if self.pick(True, True, False):
                self.body.append(self.claim(result))
            if self.pick(True, False, False):
                self.body.append(self.scaled("sink", result))
        self.body.append(self.claim(names[-1]))

    def text(self, prelude=PRELUDE):
        lines = [prelude, *self.globals, *self.functions, "", "int main(void) {"]
        lines += ["  " + line for line in self.body] + ["  return 0;", "}", ""]
        if prelude is not PRELUDE:
            lines += ["void reset(void) { " + " ".join(self.resets) + " }", ""]
        text = "\n".join(lines)
        if prelude is PRELUDE:
            text = text.replace("TICK ", "").replace("#define TICK\n", "").replace("      TICK\n", "").replace("    TICK\n", "")
        return text


class Runner:
    def __init__(self, folder):
        self.folder = folder
        self.driver = os.path.join(folder, "driver.o")
        flags = [CLANG, "-O1", "-w", f"-DLONGEST={LONGEST}", "-x", "c", "-c", "-", "-o", self.driver]
        subprocess.run(flags, input=NATIVE.encode(), check=True)

    def run(self, program, ticks=20000, timeout=20):
        """(all classes, first classes, endless, facts of probes), or None if it takes too long."""
        source, binary = os.path.join(self.folder, "native.c"), os.path.join(self.folder, "native")
        open(source, "w").write(program.text(NATIVE_PRELUDE))
        subprocess.run([CLANG, "-O0", "-w", *CHECKS, "-c", source, "-o", binary + ".o"], check=True)
        subprocess.run([CLANG, binary + ".o", self.driver, "-o", binary], check=True)
        try:
            done = subprocess.run([binary, str(program.inputs), str(ticks)], capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0:
            raise RuntimeError(f"seed {program.seed}: native run ends with {done.returncode}")
        lines = done.stdout.split("\n")
        every, firsts, endless = map(int, lines[0].split())
        facts = {}
        for line in lines[1:]:
            if line:
                k, low, high = map(int, line.split())
                facts[k] = (low, high, True)
        names = lambda mask: {name for bit, name in KINDS.items() if mask & bit}
        return names(every), names(firsts), bool(endless), facts


def made(seed, runner):
    """A program with bounds that were observed, one of them perhaps off by one, and what its native runs are; or None."""
    first = Program(seed)
    observed = runner.run(first)
    if observed is None:
        return None
    facts = observed[3]
    choice = random.Random(seed + 10**9)
    if choice.random() < 0.55 and facts:
        facts["off"], facts["side"] = choice.choice(sorted(facts)), choice.random() < 0.5
    program = Program(seed, facts)
    result = runner.run(program)
    return None if result is None else (program, *result[:3])


def lariat(options, path, prop):
    command = [options.lariat, "check", path, "--property", prop, "--timeout", f"{options.timeout}s", "--format", "json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.timeout * 2 + 20)
    except subprocess.TimeoutExpired:
        return "hangs", {}, ""
    verdict = VERDICTS.get(done.returncode, f"crash ({done.returncode})")
    try:
        return verdict, json.loads(done.stdout), done.stderr
    except ValueError:
        return verdict, {}, done.stdout + done.stderr


def failed_kind(report):
    failed = report.get("failed")
    return "?" if failed is None else report["assertions"][failed]["kind"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=10**9, help="stop after this time")
    parser.add_argument("--timeout", type=int, default=10, help="for a question")
    parser.add_argument("--lariat", default=os.path.join(HERE, "../../target/release/lariat"))
    parser.add_argument("--keep", default="loop-failures")
    parser.add_argument("--write", help="write the programs to this folder, with what fails natively in the first line")
    options = parser.parse_args()
    counts, natives = collections.defaultdict(collections.Counter), collections.Counter()
    wrong, unusable, done, started = 0, 0, 0, time.time()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder)
        for seed in range(options.seed, options.seed + options.count):
            if time.time() > started + options.seconds:
                break
            done += 1
            result = made(seed, runner)
            if result is None:
                unusable += 1
                continue
            program, every, firsts, endless = result
            natives[" ".join(sorted(firsts)) or "nothing"] += 1
            if options.write:
                os.makedirs(options.write, exist_ok=True)
                text = f"// natively: {', '.join(sorted(firsts)) or 'nothing'}\n{program.text()}"
                open(os.path.join(options.write, f"seed{seed}.c"), "w").write(text)
                continue
            path = os.path.join(folder, f"seed{seed}.c")
            open(path, "w").write(program.text())
            questions = [("all", bool(firsts))]
            one = random.Random(seed).choice([("unreach-call", "assert"), ("no-overflow", "overflow"), ("bounds", "bounds")])
            # After an undefined division or shift a question for something else has no native answer.
            if "division or shift" not in every:
                questions.append((one[0], one[1] in every))
            for prop, bad in questions:
                verdict, report, said = lariat(options, path, prop)
                expected = "unsafe" if bad else "safe"
                problem = verdict not in (expected, "unknown", "bounded") or (verdict, expected) == ("bounded", "unsafe")
                if verdict == "unsafe" and expected == "safe" and endless:
                    # The failing run may be a long one.
                    again = runner.run(program, 50_000_000, 120)
                    if again is not None and (again[1] if prop == "all" else one[1] in again[0]):
                        firsts, expected, problem = again[1], "unsafe", False
                    elif again is None:
                        verdict, problem = "unsafe after more rounds than a native run has time for", False
                kinds = set().union(*(NAMES[name] for name in firsts))
                if prop == "all" and verdict == "unsafe" and failed_kind(report) not in kinds and endless:
                    again = runner.run(program, 50_000_000, 120)
                    kinds = set().union(*(NAMES[name] for name in again[1])) if again else {failed_kind(report)}
                if prop == "all" and verdict == expected == "unsafe" and failed_kind(report) not in kinds:
                    problem, verdict = True, f"unsafe: {failed_kind(report)} instead of {sorted(firsts)}"
                counts[prop]["agree" if verdict == expected else verdict] += 1
                if problem:
                    wrong += 1
                    os.makedirs(options.keep, exist_ok=True)
                    kept = os.path.join(options.keep, f"seed{seed}.c")
                    open(kept, "w").write(program.text())
                    failed = report.get("failed")
                    shown = report["assertions"][failed] if failed is not None else said[-500:]
                    print(f"WRONG: {kept}: {prop}: {verdict}, but {expected} ({sorted(firsts)})\n{shown}", flush=True)
            os.remove(path)
    print(f"{done} programs in {time.time() - started:.0f} s, {unusable} of them too long to run")
    print("natively:", dict(natives))
    for name, counter in counts.items():
        print(f"{name}: {dict(counter)}")
    print(f"{wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())

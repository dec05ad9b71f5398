#!/usr/bin/env python3
"""Random C programs by Csmith: does Lariat compute what the machine computes?

Each program prints a checksum of its variables when it runs natively. Lariat must not find that the
checksum differs; and with a checksum that is off by one it must find the failure, wherever it ends with
a verdict. Time-outs are counted. Wrong results are kept, with the program, in the folder --keep.

With --wide, programs also have bit-fields, packed structures, volatile variables, floats and builtins. Csmith comes with
most systems (`apt-get install csmith`).

usage: csmith.py [--wide] [--count N] [--seed N] [--timeout SECONDS] [--lariat PATH] [--keep DIR] [-- CSMITH OPTION…]
"""

import argparse
import collections
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SHORT = """--no-argc --max-funcs 3 --max-block-depth 2 --max-block-size 3 --max-expr-complexity 4
  --max-array-dim 2 --max-array-len-per-dim 4""".split()
SMALL = SHORT + "--no-bitfields --no-packed-struct --no-volatiles --no-volatile-pointers".split()
WIDE = SHORT + "--bitfields --packed-struct --volatiles --volatile-pointers --unions --float --builtins".split()
VERDICTS = {0: "safe", 10: "unsafe", 11: "bounded", 12: "unknown", 2: "input error", 3: "internal error"}


def native(text, folder, compilers):
    """The checksum that all compilers agree on; None if the program runs too long."""
    source, program = os.path.join(folder, "native.c"), os.path.join(folder, "native")
    open(source, "w").write(text)
    sums = set()
    for compiler in compilers:
        subprocess.run([*compiler, "-w", source, "-o", program], check=True)
        try:
            done = subprocess.run([program], capture_output=True, text=True, timeout=2)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0:
            # Undefined behaviour that Csmith did not avoid: not a test.
            return None
        sums.add(int(done.stdout))
    return sums.pop() if len(sums) == 1 else None


def check(options, text, path, expected):
    """Lariat's verdict on the program with this checksum, and what it printed."""
    open(path, "w").write(f"#define EXPECTED {expected}u\n{text}")
    command = [options.lariat, "check", path, "--property", "unreach-call", "--timeout", f"{options.timeout}s"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.timeout * 2 + 10)
    except subprocess.TimeoutExpired:
        return "hangs", ""
    return VERDICTS.get(done.returncode, f"crash ({done.returncode})"), done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wide", action="store_true", help="bit-fields, packed structures, volatile, floats, builtins")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--lariat", default=os.path.join(HERE, "../../target/release/lariat"))
    parser.add_argument("--keep", default="csmith-failures")
    parser.add_argument("options", nargs="*", help="options for csmith instead of the small ones")
    options = parser.parse_args()
    header = open(os.path.join(HERE, "csmith.h")).read()
    compilers = [["gcc", "-O0"], ["clang-19", "-O0", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all"]]
    right, off, wrong, started = collections.Counter(), collections.Counter(), 0, time.time()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            made = subprocess.run(
                ["csmith", "--concise", "--quiet", "--seed", str(seed), *(options.options or (WIDE if options.wide else SMALL))],
                capture_output=True, text=True, cwd=folder, timeout=60)
            text = made.stdout.replace('#include "csmith.h"', header)
            checksum = native(text, folder, compilers)
            if checksum is None:
                right["not usable"] += 1
                continue
            for counter, expected, bad in (
                (right, checksum, ("unsafe",)),
                (off, (checksum + 1) % 2**32, ("safe", "bounded")),
            ):
                path = os.path.join(folder, f"seed{seed}.c")
                verdict, output = check(options, text, path, expected)
                if verdict == "unknown" and ("time" in output or "memory" in output):
                    verdict = "out of time"
                counter[verdict] += 1
                if verdict in bad or verdict not in ("safe", "unsafe", "bounded", "unknown", "out of time"):
                    wrong += 1
                    os.makedirs(options.keep, exist_ok=True)
                    kept = os.path.join(options.keep, f"seed{seed}-{'right' if counter is right else 'off'}.c")
                    os.replace(path, kept)
                    print(f"WRONG: {kept}: {verdict}\n{output[-400:]}", flush=True)
                elif verdict == "unknown":
                    print(f"seed {seed}: {output.strip().splitlines()[-1:]}", flush=True)
    print(f"{options.count} programs in {time.time() - started:.0f} s")
    print("right checksum: ", dict(right))
    print("checksum off by one: ", dict(off))
    print(f"{wrong} wrong")
    return wrong > 0


sys.exit(main())

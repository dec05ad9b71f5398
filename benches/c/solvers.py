#!/usr/bin/env python3
"""The same C programs with arrays resolved lazily (`--solver auto`) and with arrays left to Z3 (`--solver z3`).

    cargo build --release && benches/c/solvers.py [--limit SECONDS] [FILE.c ...]

Runs alternate. The time is that of the processor, children included, so that other work on the machine does not count;
a run that does not decide within the limit counts with the time that it took, so the ratio is then a lower bound.
"""

import argparse
import math
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LARIAT = os.path.join(ROOT, "target", "release", "lariat")
PROGRAMS = """binary_search checksum copy_text dlist_remove hash_set list_reverse list_sum matrix pool ring_buffer
    sorting stack_array tree vector""".split()
VERDICTS = {0: "safe", 10: "unsafe", 11: "bounded", 12: "unknown"}


def run(path, solver, limit):
    """The verdict and the seconds."""
    command = [LARIAT, "check", path, "--property", "all", "--trace", "none", "--timeout", f"{limit}s", "--solver", solver]
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    return VERDICTS.get(os.waitstatus_to_exitcode(status), "error"), usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    files = args.files or [os.path.join(ROOT, "tests", "c", name + ".c") for name in PROGRAMS]
    files = [path for path in files if os.path.exists(path)]
    print("| program | auto | s | z3 | s | ratio |")
    print("|---|---|--:|---|--:|--:|")
    ratios = []
    for path in files:
        (first, own), (second, plain) = run(path, "auto", args.limit), run(path, "z3", args.limit)
        decided = "unknown" not in (first, second)
        assert not decided or first == second, f"{path}: {first} and {second}"
        ratios.append(plain / own)
        more = "" if decided else ">" if second == "unknown" else "<"
        print(f"| {os.path.basename(path)} | {first} | {own:.2f} | {second} | {plain:.2f} | {more}{plain / own:.1f} |", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nGeometric mean of {len(ratios)} ratios: {mean:.1f}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Contracts that `lariat summarize` prints: do others accept them, and do they help?

boogie  Each Boogie program that Lariat proves is printed with its loop invariants, and the `boogie` tool verifies the printed
        program modularly (`apt-get install boogie`). `rejected` is a contract that the tool does not accept, `incomplete` an assertion that
        does not follow because parts of the proof cannot be told; `needs nothing` is a program that is verified without contracts,
        `not read` one that the tool does not parse or type-check as it was given.
c       Each C program that Lariat proves is printed with assertions, which must hold under `lariat check`, and with
        invariants, with which the proof is timed against the one without (user time of the processor).

Programs without a loop, and those that Lariat does not prove in time, are left out and counted.

usage: contracts.py (boogie | c) [--lariat PATH] [--boogie PATH] [--timeout SECONDS] [--most N] [--keep FOLDER] FILE[:ENTRY]…
"""

import argparse
import collections
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

VERDICTS = {0: "safe", 10: "unsafe", 11: "bounded", 12: "unknown"}


def run(command, seconds):
    """What a command printed, how it ended, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "", None, seconds
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, done.returncode, after.ru_utime - before.ru_utime


def summarized(args, file, form):
    limit = ["--timeout", f"{args.timeout}s"]
    text, code, _ = run([args.lariat, "summarize", "--as", form, *args.options, *limit, file], 3 * args.timeout + 60)
    return text if code == 0 else None


def broken(out, text):
    """The lines with preconditions, postconditions (named as related places) and invariants that the tool does not accept."""
    lines = text.splitlines()
    found = re.findall(r"\((\d+),\d+\): (?:Error BP500[45]|Related location: This is the \w+condition)", out)
    return [lines[int(n) - 1] for n in found if 0 < int(n) <= len(lines)]


def boogie(args, file, folder):
    text = summarized(args, file, "contracts")
    if text is None:
        return "not proved", ""
    path = os.path.join(folder, "printed.bpl")
    open(path, "w").write(text)
    # Newer versions of the tool infer what is modified; older ones have to be told not to ask.
    out, _, _ = run([args.boogie, path], 60)
    last = out.strip().splitlines()[-1:] or ["no answer"]
    if last[0].endswith(" 0 errors"):
        return ("needs nothing" if text == open(file).read() else "accepted"), last[0]
    read = "verified" in last[0]
    # What is printed does not hold, or is not inductive. (Clauses that the program has itself may need more than was told.)
    own = {line.strip() for line in open(file).read().splitlines()}
    if not read and "verified" not in run([args.boogie, file], 60)[0]:
        return "not read", last[0]
    wrong = any(line.strip() not in own for line in broken(out, text))
    return ("rejected" if wrong or not read else "incomplete"), last[0]


def c(args, file, folder):
    asserts, invariants = summarized(args, file, "asserts"), summarized(args, file, "invariants")
    if asserts is None or invariants is None:
        return "not proved", ""
    if "__LARIAT_invariant" not in invariants:
        return "nothing to tell", ""
    check = [args.lariat, "check", *args.options, "--timeout", f"{args.timeout}s"]
    path = os.path.join(folder, os.path.basename(file))
    open(path, "w").write(asserts)
    _, code, _ = run([*check, path], args.timeout + 30)
    if VERDICTS.get(code) != "safe":
        return "rejected", f"with assertions: {VERDICTS.get(code, code)}"
    _, _, before = run([*check, file], args.timeout + 30)
    open(path, "w").write(invariants)
    _, code, after = run([*check, path], args.timeout + 30)
    if VERDICTS.get(code) != "safe":
        return "lost", f"with invariants: {VERDICTS.get(code, code)}"
    return ("half" if after <= before / 2 else "accepted"), f"{before:.2f} s, with invariants {after:.2f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=["boogie", "c"])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--lariat", default="target/release/lariat")
    parser.add_argument("--boogie", default="boogie")
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--most", type=int, default=40, help="how many programs with invariants are wanted")
    parser.add_argument("--keep", help="a folder for the printed programs, to be read")
    parser.add_argument("--options", default="", help="further options of lariat, in one word")
    args = parser.parse_args()
    options = args.options.split()
    counts = collections.Counter()
    for file in args.files:
        file, _, entry = file.partition(":")
        args.options = options + (["--entry", entry] if entry else [])
        with tempfile.TemporaryDirectory() as folder:
            result, why = (boogie if args.language == "boogie" else c)(args, file, folder)
            for name in os.listdir(folder) if args.keep else []:
                os.makedirs(args.keep, exist_ok=True)
                kept = f"{result.replace(' ', '-')}-{os.path.basename(file)}"
                shutil.copy(os.path.join(folder, name), os.path.join(args.keep, kept))
        counts[result] += 1
        print(f"{result:16} {file}  {why}", flush=True)
        if sum(n for kind, n in counts.items() if kind not in ("not proved", "nothing to tell", "needs nothing", "not read")) >= args.most:
            break
    print(", ".join(f"{kind}: {n}" for kind, n in sorted(counts.items())))
    return 1 if counts["rejected"] else 0


if __name__ == "__main__":
    sys.exit(main())

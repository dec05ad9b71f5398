#!/usr/bin/env python3
"""Runs the programs of this folder and their mutants with the sanitizers of clang.

Inputs are random, with a liking for the ends of the range. A program must never fail, and a mutant must
fail, at the line that mutants.txt names, in some run. This checks the tests themselves: it is for those
who change the programs or the mutants.

environment.c is left out: its inputs are not the functions that are random here.

usage: native.py [--mutants] [FILE…]
"""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = os.environ.get("CLANG", "clang-19")

DRIVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long long state;
static unsigned long long any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 2685821657736338717ull >> 11;
}
static long long value(void) {
  static const long long ends[] = {0, 1, -1, 2, 3, 2147483647, -2147483648ll, 127, -128, 9, 32, '9', '0'};
  switch (any() % 4) {
    case 0: return ends[any() % (sizeof ends / sizeof *ends)];
    case 1: return (long long)(any() % 16);
    case 2: return (long long)(any() % 256);
    default: return (long long)any();
  }
}
int __VERIFIER_nondet_int(void) { return (int)value(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)value(); }
char __VERIFIER_nondet_char(void) { return (char)value(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)value(); }
short __VERIFIER_nondet_short(void) { return (short)value(); }
_Bool __VERIFIER_nondet_bool(void) { return any() & 1; }
void __sanitizer_print_stack_trace(void);
void reach_error(void) {
  fprintf(stderr, "reach_error\n");
  __sanitizer_print_stack_trace();
  _exit(1);
}
int program(void);
#ifdef LEAKS
int __lsan_do_recoverable_leak_check(void);
#endif

int main(int argc, char **argv) {
  int rounds = atoi(argv[argc - 1]);
  for (int i = 0; i < rounds; i++) {
    int child = fork();
    if (child == 0) {
      alarm(5);
      state = 88172645463325252ull + 7919 * (unsigned long long)i;
      for (int k = 0; k < 8; k++) any();
      program();
#ifdef LEAKS
      if (__lsan_do_recoverable_leak_check()) _exit(1);
#endif
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 1;
  }
  return 0;
}
"""

SANITIZERS = {
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-sanitize=function"],
    "leak": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DLEAKS"],
    "memory": ["-fsanitize=memory", "-fno-sanitize-recover=all"],
}


# What the sanitizers report where memory was allocated, or where a value decides something.
ELSEWHERE = ("valid-memtrack", "uninit")


def mutants():
    """(file, original, changed, checks, failing line's text) of each seeded bug."""
    found = []
    for line in open(os.path.join(HERE, "mutants.txt")):
        line = line.rstrip("\n")
        if line.startswith("== "):
            entry = [line[3:]]
        elif line.startswith("- ") or line.startswith("+ "):
            entry.append(line[2:].strip())
        elif line.startswith("! "):
            checks, _, where = line[2:].partition(" ")
            found.append((*entry, checks.split("|"), where or entry[2]))
    return found


def line_of(text, wanted, where):
    lines = [i + 1 for i, line in enumerate(text.split("\n")) if line.strip() == wanted]
    if len(lines) != 1:
        sys.exit(f"{where}: {wanted!r} occurs {len(lines)} times")
    return lines[0]


def run(folder, name, text, sanitizer, rounds):
    """None, or the kind of failure, its line, and what was printed."""
    source, program = os.path.join(folder, name), os.path.join(folder, "program")
    open(source, "w").write(text)
    flags = [CLANG, "-g", "-O0", "-w", "-std=gnu17", *SANITIZERS[sanitizer]]
    objects = [os.path.join(folder, "program.o"), os.path.join(folder, f"{sanitizer}.o")]
    subprocess.run([*flags, "-Dmain=program", "-c", source, "-o", objects[0]], check=True)
    if not os.path.exists(objects[1]):
        subprocess.run([*flags, "-x", "c", "-c", "-", "-o", objects[1]], input=DRIVER.encode(), check=True)
    subprocess.run([*flags, *objects, "-o", program], check=True)
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=%d:detect_stack_use_after_return=1" % (sanitizer == "leak"))
    done = subprocess.run([program, str(rounds)], capture_output=True, text=True, errors="replace", env=environment)
    if done.returncode == 0:
        return None
    lines = re.findall(re.escape(name) + r":(\d+)", done.stderr)
    # A call through a null pointer leaves no frame of its own.
    if re.search(r"pc 0x0+ ", done.stderr):
        return "null", None, done.stderr
    kinds = [
        ("Assertion", "assert"),
        ("reach_error", "assert"),
        ("LeakSanitizer", "valid-memtrack"),
        ("MemorySanitizer", "uninit"),
        ("signed integer overflow|cannot be represented in type", "no-overflow"),
        ("division by zero", "div-by-zero"),
        ("shift", "shift"),
        ("double-free|not malloc", "valid-free"),
        ("out of bounds", "bounds"),
        ("null pointer|applying non-zero offset|zero page", "null"),
        ("AddressSanitizer|insufficient space", "valid-deref"),
    ]
    kind = next((kind for pattern, kind in kinds if re.search(pattern, done.stderr)), "?")
    return kind, int(lines[0]) if lines else 0, done.stderr


def main():
    wanted = [a for a in sys.argv[1:] if a != "--mutants"]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        names = sorted(f for f in os.listdir(HERE) if f.endswith(".c") and f != "environment.c")
        for name in names:
            if "--mutants" in sys.argv or (wanted and name not in wanted):
                continue
            text = open(os.path.join(HERE, name)).read()
            for sanitizer, rounds in (("address", 400), ("leak", 20), ("memory", 200)):
                result = run(folder, name, text, sanitizer, rounds)
                if result:
                    failures += 1
                    print(f"{name}: fails with {sanitizer}: {result[0]} in line {result[1]}\n{result[2][:1500]}")
        for name, original, changed, checks, where in mutants():
            if name == "environment.c" or (wanted and name not in wanted):
                continue
            text = open(os.path.join(HERE, name)).read()
            at = line_of(text, original, name)
            lines = text.split("\n")
            indent = lines[at - 1][: len(lines[at - 1]) - len(lines[at - 1].lstrip())]
            lines[at - 1] = indent + changed
            text = "\n".join(lines)
            line = line_of(text, where, name)
            sanitizer = {"valid-memtrack": "leak", "uninit": "memory"}.get(checks[0], "address")
            result = run(folder, name, text, sanitizer, 60 if sanitizer == "leak" else 4000)
            shown = f"{name}: {changed}: {'|'.join(checks)} in line {line}"
            if result is None:
                failures += 1
                print(f"{shown}: no failure", flush=True)
            elif result[0] not in checks or (result[1] not in (line, None) and result[0] not in ELSEWHERE):
                failures += 1
                print(f"{shown}: {result[0]} in line {result[1]}", flush=True)
    print(f"{failures} disagreements")
    return failures > 0


sys.exit(main())

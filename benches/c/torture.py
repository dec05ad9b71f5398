#!/usr/bin/env python3
"""GCC's execution tests: does Lariat know C as a compiler must know it?

The tests of gcc.c-torture/execute check themselves: they call abort() where the compiler is wrong. Those that clang builds
and that end well natively are asked about:
  S  abort() is never reached:                               safe
  U  the end is reached (of main, or exit()):                unsafe; what is dropped in silence shows here
  M  tests that run clean under AddressSanitizer and UndefinedBehaviorSanitizer have no invalid access, no overflow, no
     bad shift and no division by zero:                      safe
A test that asks for them gets the arguments that it has natively: its name alone. The opposite answer is wrong; what stays unknown is listed by its cause.

usage: torture.py --fetch DIR                 (unpacks the tests; needs apt-get and the network)
       torture.py DIR… [--questions SUM] [--every N] [--offset N] [--only NAME…] [--timeout SECONDS]
                       [--lariat PATH] [--out FILE]
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

import sources

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = """-w -std=gnu17 -fno-strict-aliasing -Wno-error -Wno-implicit-function-declaration -Wno-implicit-int
  -Wno-int-conversion -Wno-return-type -Wno-incompatible-function-pointer-types""".split()
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
CHECKS = ["valid-deref", "valid-free", "bounds", "null", "no-overflow", "shift", "div-by-zero"]
VERDICTS = {0: "safe", 10: "unsafe", 11: "bounded", 12: "unknown", 2: "input error", 3: "internal error"}
# Tests whose answer C leaves open, by question.
OPEN = {
    ("20001011-1.c", "U"): "compares the name of main, which has another one here",
    ("20021127-1.c", "S"): "defines a function of the C library that it does not want to be called",
    ("20021127-1.c", "U"): "defines a function of the C library that it does not want to be called",
    ("20101011-1.c", "S"): "divides by zero and catches the signal",
    ("20101011-1.c", "U"): "divides by zero and catches the signal",
    ("20090113-1.c", "M"): "adds up variables that were never set",
    ("pr64242.c", "S"): "counts on where alloca puts objects",
    ("pr64242.c", "U"): "counts on where alloca puts objects",
    ("pr80421.c", "M"): "counts in a variable that was never set",
}
OPEN.update({(f"{name}-1.c", "S"): "counts on output that does not fail"
             for kind in ["fprintf", "printf", "vfprintf", "vprintf"] for name in [kind, f"{kind}-chk"]})
OPEN.update({(name, question): "counts on a temporary file that can be made and read back"
             for name in ["fprintf-2.c", "printf-2.c", "user-printf.c"] for question in "SM"})
WANTED = {"S": "safe", "U": "unsafe", "M": "safe"}

# What the tests are compiled with for each question, before their own text.
ABORT_FAILS = "#define abort reach_error\n#define __builtin_abort reach_error\n"
END_FAILS = "#define exit torture_exit\n#define _exit torture_exit\n#define __builtin_exit torture_exit\n"
OWN_MAIN = "#define main torture_main\n"
DRIVER = """#undef main
int torture_main(%s);
char *arguments[] = {"torture", 0};
int main(void) { int status = torture_main(%s); %sreturn status; }
"""
EXIT = "void torture_exit(int status) { reach_error(); for (;;); }\n"


def fetch(folder):
    """Unpacks the tests of Debian's source package into a folder."""
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        apt = sources.apt(work)
        subprocess.run([*apt, "source", "--only-source", "--download-only", "--tar-only", "gcc-12"], cwd=work, check=True)
        unpack = ("tar xOf gcc-12_*.orig.tar.gz --wildcards '*/gcc-12*.tar.xz' | tar xJ --strip-components=5 -C \"$0\" "
                  "--wildcards '*/gcc/testsuite/gcc.c-torture/execute/*'")
        subprocess.run(["bash", "-ec", unpack, folder], cwd=work, check=True)
    print(f"{len(os.listdir(folder))} files in {folder}")


def sanitizing(work):
    """A compiler that has its sanitizers at hand: clang's may not be installed."""
    source, program = os.path.join(work, "empty.c"), os.path.join(work, "empty")
    open(source, "w").write("int main(void) { return 0; }\n")
    for compiler in ["clang-19", "gcc"]:
        if subprocess.run([compiler, *SANITIZERS, source, "-o", program], capture_output=True).returncode == 0:
            return compiler
    sys.exit("no compiler with sanitizers: question M cannot be asked (--questions SU)")


class Asker:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.sanitizer = sanitizing(work) if "M" in options.questions else None

    def write(self, name, text):
        path = os.path.join(self.work, name)
        open(path, "w").write(text)
        return path

    def runs(self, folder, name, more=(), seconds=5, compiler="clang-19"):
        """Whether clang builds the test, and the program ends with 0."""
        program = os.path.join(self.work, "program")
        clean = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
        try:
            build = subprocess.run([compiler, "-O0", *FLAGS, *more, name, "-o", program, "-lm"], cwd=folder, capture_output=True, timeout=60)
            if build.returncode != 0:
                return False
            run = subprocess.run([program], cwd=self.work, capture_output=True, stdin=subprocess.DEVNULL, env=clean, timeout=seconds)
            return run.returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def ask(self, folder, question, name, text):
        """The verdict and its reason; None where there is nothing to ask."""
        main = re.search(r"\bmain\s*\(([^)]*)\)", text)
        takes = bool(main and main.group(1).strip() not in ("", "void"))
        if question == "U" and not main:
            return None
        if question == "M" and not self.runs(folder, name, SANITIZERS, 10, self.sanitizer):
            return None
        before = "void reach_error(void);\nvoid torture_exit(int);\n" + {"S": ABORT_FAILS, "U": END_FAILS, "M": ""}[question]
        files = [name]
        if question == "U" or takes:
            before += OWN_MAIN
            parameters = ("int, char **", "1, arguments") if takes else ("", "")
            driver = DRIVER % (*parameters, "reach_error(); " if question == "U" else "")
            files.append(self.write("driver.c", driver + (EXIT if question == "U" else "")))
        flags = [*FLAGS, "-include", self.write("before.h", before)]
        checks = CHECKS if question == "M" else ["unreach-call"]
        command = [os.path.abspath(self.options.lariat), "check", "-q", "--timeout", f"{self.options.timeout}s", "--cflags", " ".join(flags)]
        for check in checks:
            command += ["--property", check]
        try:
            done = subprocess.run(command + files, cwd=folder, capture_output=True, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, timeout=self.options.timeout * 3 + 20)
        except subprocess.TimeoutExpired:
            return "hangs", ""
        lines = done.stdout.strip().splitlines()
        verdict = VERDICTS.get(done.returncode, f"crash ({done.returncode})")
        said = lines[-1] if verdict not in ("safe", "unsafe") and lines else lines[-2] if verdict == "unsafe" and len(lines) > 1 else ""
        return verdict, said or (done.stderr.strip().splitlines() or [""])[0]


def cause(reason):
    """The reason without places and names of files, so that equal causes count together."""
    return re.sub(r"\s*\([^()]*:\d+(:\d+)?\)", "", reason).removeprefix("unknown: ")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--fetch", metavar="DIR")
    parser.add_argument("--questions", default="SUM")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--timeout", type=int, default=6)
    parser.add_argument("--lariat", default=os.path.join(HERE, "../../target/release/lariat"))
    parser.add_argument("--out")
    options = parser.parse_args()
    if options.fetch:
        fetch(options.fetch)
        return 0
    tests = sorted((folder, name) for folder in options.folders for name in os.listdir(folder) if name.endswith(".c"))
    tests = tests[options.offset::options.every]
    if options.only:
        tests = [test for test in tests if test[1] in options.only or test[1][:-2] in options.only]
    tally = {question: collections.Counter() for question in options.questions}
    causes, wrong, left_out = collections.Counter(), 0, 0
    out = open(options.out, "w") if options.out else None
    with tempfile.TemporaryDirectory() as work:
        asker = Asker(options, work)
        for folder, name in tests:
            text = open(os.path.join(folder, name), errors="replace").read()
            # Reversed storage orders are GCC's alone, and clang does not say so.
            if "scalar_storage_order" in text or not asker.runs(folder, name):
                left_out += 1
                continue
            for question in options.questions:
                answer = None if (name, question) in OPEN else asker.ask(folder, question, name, text)
                if answer is None:
                    continue
                verdict, reason = answer
                tally[question][verdict] += 1
                if out:
                    print(name, question, verdict, reason, sep="\t", file=out, flush=True)
                if verdict in ("unknown", "bounded"):
                    causes[cause(reason)] += 1
                elif verdict != WANTED[question]:
                    wrong += 1
                    print(f"WRONG: {name}: {question}: {verdict} {reason}", flush=True)
    for reason, count in causes.most_common():
        print(f"{count:5}  {reason}")
    for question in options.questions:
        print(f"{question} ({WANTED[question]}):", dict(tally[question]))
    print(f"{left_out} left out, {wrong} wrong")
    return wrong > 0


sys.exit(main())

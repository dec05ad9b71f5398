#!/usr/bin/env python3
"""Fuzzes the reader and the translation of LLVM modules with changed bitcode and text.

The programs of tests/c are compiled, with and without optimisation, and changed: bits and bytes of bitcode; words, types,
operators, numbers and lines of the text. Many are no modules any more, others are, but no compiler would make them. Whatever
it is, `lariat check` must end in time with one of its exit codes (not 3, which is a panic) and less than 2 GB of memory.
LLVM's own reader may crash on such a file, but in a child process of Lariat only.

usage: llvm.py [SECONDS] [--seed N] [--lariat PATH] [--keep DIR] [--only bitcode|text]
"""

import argparse
import collections
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = os.environ.get("CLANG", "clang-19")
TESTS = os.path.join(HERE, "../tests/c")
LIMIT = 2  # seconds that Lariat is given
GRACE = 28  # and how many more it may take on a busy machine
MEMORY = 2 << 20  # KB
GOOD = {0, 1, 2, 10, 11, 12}

TYPES = ["i1", "i3", "i8", "i16", "i32", "i64", "i65", "i128", "float", "double", "half", "fp128", "x86_fp80", "ptr", "ptr addrspace(1)", "<4 x i32>", "<2 x ptr>", "<3 x i1>", "<vscale x 2 x i64>", "{ i8, i32 }", "[3 x i16]", "[0 x i8]", "token", "metadata", "void", "label"]
WORDS = [
    ["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor", "add nsw", "add nuw", "shl nsw", "sdiv exact", "or disjoint", "fadd", "frem", "fdiv"],
    ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle", "oeq", "une", "uno", "true"],
    ["trunc", "zext", "sext", "bitcast", "ptrtoint", "inttoptr", "sitofp", "fptosi", "fptoui", "fpext", "addrspacecast", "zext nneg", "freeze"],
    ["load", "load volatile", "load atomic", "store", "store volatile", "alloca", "alloca inalloca", "getelementptr", "getelementptr inbounds", "getelementptr nuw", "fence seq_cst", "va_arg", "extractvalue", "insertvalue", "extractelement", "shufflevector", "cmpxchg", "atomicrmw add"],
    ["br", "switch", "indirectbr", "ret", "unreachable", "resume", "invoke", "callbr", "call", "tail call", "musttail call", "call fastcc"],
    ["internal", "private", "external", "weak", "linkonce_odr", "common", "appending", "extern_weak", "available_externally", "dso_local", "thread_local", "hidden", "external thread_local"],
    ["global", "constant", "alias", "ifunc", "define", "declare"],
    ["undef", "poison", "null", "zeroinitializer", "none", "true", "false", "0", "1", "-1", "4294967296", "9223372036854775807", "0x7FF8000000000000", "asm \"\", \"\"()", "blockaddress(@main, %0)", "dso_local_equivalent @main", "no_cfi @main", "splat (i32 1)", "getelementptr (i8, ptr null, i64 3)"],
    ["align 1", "align 4", "align 8", "align 16", "align 4294967296"],
    ["byval(i32)", "sret(i32)", "inreg", "nonnull", "noundef", "byref(i64)", "preallocated(i32)", "swifterror", "nest", "returned", "zeroext", "range(i32 0, 3)"],
]
CLASS = {word: words for words in WORDS for word in words}


def modules(folder):
    """Text and bitcode of the test programs."""
    texts, bitcodes = [], []
    names = sorted(f for f in os.listdir(TESTS) if f.endswith(".c"))
    for number, name in enumerate(names):
        level = ["-O1", "-Xclang", "-disable-llvm-passes"] if number % 2 else ["-O2"]
        debug = ["-g"] if number % 3 == 0 else []
        path = os.path.join(folder, name)
        flags = [CLANG, "-w", "-c", "-emit-llvm", *level, *debug, os.path.join(TESTS, name)]
        subprocess.run([*flags, "-S", "-o", path + ".ll"], check=True)
        subprocess.run([*flags, "-o", path + ".bc"], check=True)
        texts.append(open(path + ".ll").read())
        bitcodes.append(open(path + ".bc", "rb").read())
    return texts, bitcodes


def other_word(word, choose):
    """Another word of the same kind, mostly."""
    if word in CLASS:
        return choose.choice(CLASS[word])
    if re.fullmatch(r"i\d+|ptr|float|double|void", word):
        return choose.choice(TYPES)
    if re.fullmatch(r"-?\d+", word):
        return choose.choice([str(int(word) + 1), str(int(word) - 1), "0", "-1", str(2 ** choose.randrange(70)), str(choose.randrange(300))])
    return None


def changed_text(text, texts, choose):
    lines = text.split("\n")
    code = [i for i, line in enumerate(lines) if line and not line.startswith((";", "source_filename", "target triple"))]
    for _ in range(choose.choice([1, 1, 1, 2, 2, 3, 5])):
        at = choose.choice(code)
        if at >= len(lines):
            continue
        what = choose.random()
        if what < 0.62:
            parts = re.split(r"([\w.%@-]+)", lines[at])
            places = [i for i in range(1, len(parts), 2) if other_word(parts[i], random.Random(0)) is not None]
            if places:
                i = choose.choice(places)
                parts[i] = other_word(parts[i], choose)
            lines[at] = "".join(parts)
        elif what < 0.72:
            # A value or block in the place of another one.
            names = re.findall(r"[%@][\w.]+", lines[at])
            others = re.findall(r"[%@][\w.]+", "\n".join(lines[max(0, at - 30) : at + 30]))
            if names and others:
                lines[at] = lines[at].replace(choose.choice(names), choose.choice(others), 1)
        elif what < 0.80:
            lines[at] = ""
        elif what < 0.86:
            lines.insert(at, lines[at])
        elif what < 0.92:
            other = choose.choice(code)
            if other < len(lines):
                lines[at], lines[other] = lines[other], lines[at]
        elif what < 0.96:
            lines.insert(at, choose.choice(choose.choice(texts).split("\n")))
        else:
            word = choose.choice(choose.choice(WORDS))
            parts = lines[at].split(" ")
            parts.insert(choose.randrange(len(parts) + 1), word)
            lines[at] = " ".join(parts)
    return "\n".join(lines)


def changed_bitcode(data, datas, choose):
    data = bytearray(data)
    for _ in range(choose.choice([1, 1, 2, 3, 8])):
        at, what = choose.randrange(4, len(data)), choose.random()
        if what < 0.5:
            data[at] ^= 1 << choose.randrange(8)
        elif what < 0.75:
            data[at] = choose.choice([0, 1, 0x7F, 0x80, 0xFF, choose.randrange(256)])
        elif what < 0.83:
            # A word, since blocks are counted in words.
            at &= ~3
            data[at : at + 4] = choose.randbytes(4)
        elif what < 0.89:
            del data[at : at + choose.choice([1, 4, 4, 8, 64])]
        elif what < 0.95:
            other = choose.choice(datas)
            start = choose.randrange(len(other)) & ~3
            size = choose.choice([4, 16, 64])
            data[at & ~3 : (at & ~3) + size] = other[start : start + size]
        else:
            del data[at:]
    return bytes(data)


def run(lariat, path):
    """(exit code or signal, what it said, memory in KB)."""
    command = [lariat, "check", path, "--property", "all", "--timeout", f"{LIMIT}s", "--trace", "none"]
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(child.pid, signal.SIGKILL))
        signal.alarm(LIMIT + GRACE)
        try:
            _, status, usage = os.wait4(child.pid, 0)
        finally:
            signal.alarm(0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return child.returncode, said.read().decode(errors="replace"), usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", type=int, nargs="?", default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lariat", default=os.path.join(HERE, "../target/release/lariat"))
    parser.add_argument("--keep", default=os.path.join(HERE, "target/llvm"))
    parser.add_argument("--only", choices=["bitcode", "text"])
    options = parser.parse_args()
    ends, defects, seen = collections.Counter(), 0, set()
    until, seed, most = time.time() + options.seconds, options.seed, 0
    with tempfile.TemporaryDirectory() as folder:
        texts, bitcodes = modules(folder)
        while time.time() < until:
            choose = random.Random(seed)
            kind = options.only or choose.choice(["text", "text", "bitcode"])
            if kind == "text":
                path, data = os.path.join(folder, "a.ll"), changed_text(choose.choice(texts), texts, choose).encode()
            else:
                path, data = os.path.join(folder, "a.bc"), changed_bitcode(choose.choice(bitcodes), bitcodes, choose)
            open(path, "wb").write(data)
            code, said, memory = run(options.lariat, path)
            ends[kind, "crash of LLVM's reader" if "its reader" in said and code == 2 else code] += 1
            most = max(most, memory)
            why = None
            if code == -signal.SIGKILL:
                why = "does not end in time"
            elif code not in GOOD:
                why = f"ends with {code}"
            elif memory > MEMORY:
                why = f"takes {memory >> 10} MB"
            if why:
                place = re.search(r"panicked at (\S+)", said)
                same = (why if not why.startswith("takes") else "takes", place and place.group(1))
                defects += 1
                os.makedirs(options.keep, exist_ok=True)
                kept = os.path.join(options.keep, f"seed{seed}{os.path.splitext(path)[1]}")
                open(kept, "wb").write(data)
                if same not in seen:
                    print(f"seed {seed}: {why}: {kept}\n{said[:600]}", flush=True)
                seen.add(same)
            seed += 1
    print(f"{seed - options.seed} files, at most {most >> 10} MB; exit codes:")
    for (kind, code), count in sorted(ends.items(), key=str):
        print(f"  {kind}, {code}: {count}")
    print(f"{defects} defects of {len(seen)} kinds")
    return defects > 0


if __name__ == "__main__":
    sys.exit(main())

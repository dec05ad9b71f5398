#!/usr/bin/env python3
"""Programs of Debian packages: what stops Lariat on C as it is shipped?

--fetch gets the sources with Debian's patches, builds each main program with clang, and writes down the C files and
the options that it is made of (DIR/commands.json). Then each one is asked for assertions and for memory safety. A
verdict that ends at a library function that is not supported, and an error inside Lariat, make the exit status 1.

usage: packages.py --fetch DIR [NAME…]    (needs apt-get, dpkg-source, make, automake, ed, clang-19, the network)
       packages.py DIR [--properties assert memsafety] [--timeout SECONDS] [--jobs N] [--only NAME…]
                   [--named] [--lariat PATH] [--out FILE]

With --named, programs get their name as the first argument, as nearly all of them expect: argc is at least 1.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

import sources

HERE = os.path.dirname(os.path.abspath(__file__))
VERDICTS = {0: "safe", 10: "unsafe", 11: "bounded", 12: "unknown", 1: "usage error", 2: "input error",
            3: "internal error"}
CONFIGURE = "./configure --disable-nls CC=\"$CC\" && make AUTOMAKE=: AUTOCONF=: ACLOCAL=: AUTOHEADER=: MAKEINFO=:"
# How the main program of each package is built, and its name; $CC is the compiler.
PACKAGES = {
    "bc": (CONFIGURE.replace("make ", "make -C lib && make -C bc "), "bc"),
    "byacc": (CONFIGURE, "yacc"),
    # Debian's links a shared library.
    "bzip2": ("make CC=\"$CC\" libbz2.a && $CC -D_FILE_OFFSET_BITS=64 -c bzip2.c && "
              "$CC bzip2.o libbz2.a -o bzip2", "bzip2"),
    "dash": ("autoreconf -fi && " + CONFIGURE, "dash"),
    "dos2unix": ("make CC=\"$CC\" ENABLE_NLS= dos2unix", "dos2unix"),
    "ed": ("./configure CC=\"$CC\" && make", "ed"),
    "figlet": ("make CC=\"$CC\" LD=\"$CC\" figlet", "figlet"),
    "gzip": (CONFIGURE, "gzip"),
    # Debian's makefile wants libtool.
    "lua5.4": ("cd src && rm -f luac.c && "
               "echo '#define DEB_HOST_MULTIARCH \"x86_64-linux-gnu\"' > lua5.4-deb-multiarch.h && "
               "$CC -std=gnu99 -DLUA_COMPAT_5_3 -DLUA_USE_LINUX *.c -o lua -lm -ldl", "lua"),
    "mawk": (CONFIGURE, "mawk"),
    "ncompress": ("make CC=\"$CC\" compress", "compress"),
    "par": ("make CC=\"$CC\" CPPFLAGS=-D_GNU_SOURCE par", "par"),
    "tree": ("make CC=\"$CC\" CFLAGS='-std=c11 -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 -DLINUX' tree", "tree"),
    "units": (CONFIGURE + " units", "units"),
}
# A compiler that writes down where and how it was called; for links, also what the linker has taken. It does not
# optimise, since what is taken depends on what was inlined.
COMPILER = """#!/usr/bin/env python3
import json, os, subprocess, sys
command, linked = ["clang-19", "-w", *sys.argv[1:], "-O0"], []
others = ("-c", "-E", "-S", "-M", "-MM", "-v", "-V", "--version")
links = not any(a in others or a.startswith("-print") for a in command)
if links and len(sys.argv) > 1:
    done = subprocess.run(command + ["-Wl,-t,-t"], stdout=subprocess.PIPE, text=True)
    linked = done.stdout.split("\\n")
else:
    done = subprocess.run(command)
if done.returncode == 0:
    with open(LOG, "a") as log:
        print(json.dumps({"folder": os.getcwd(), "arguments": sys.argv[1:], "linked": linked}), file=log)
sys.exit(done.returncode)
"""
# What the models of library functions say where they stop.
MODEL = "strftime|strptime|formatted|fcntl|ioctl|handlers of|environment|SIGABRT|streams|time zone|long double that is"
# Calls main with a name.
DRIVER = """#undef main
void __VERIFIER_assume(int);
int package_main(int argc, char **argvENVIRONMENT);
int main(int argc, char **argvENVIRONMENT) {
  __VERIFIER_assume(argc >= 1);
  return package_main(argc, argvPASSED);
}
"""
# Options that say what a file means, and whether what follows is a folder or file.
KEPT = {"-I": True, "-isystem": True, "-iquote": True, "-idirafter": True, "-include": True, "-D": False, "-U": False}


def source(package, folder):
    """Unpacks a source package, with Debian's patches; its folder."""
    for found in glob.glob(f"{folder}/{package}-[0-9]*/"):
        return found.rstrip("/")
    apt = sources.apt(f"{folder}/.apt")
    subprocess.run([*apt, "source", "--only-source", package], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return glob.glob(f"{folder}/{package}-[0-9]*/")[0].rstrip("/")


def parse(record, top):
    """What a call of the compiler names: C files, output, options that count, libraries; paths from the top."""
    def path(name):
        return os.path.relpath(os.path.join(record["folder"], name), top)
    files, output, options, libraries = [], None, [], []
    arguments = iter(record["arguments"])
    for argument in arguments:
        kind = next((k for k in KEPT if argument.startswith(k)), None)
        if argument == "-o":
            output = path(next(arguments))
        elif kind:
            value = argument[len(kind):] or next(arguments)
            local = KEPT[kind] and (kind != "-include" or os.path.exists(os.path.join(record["folder"], value)))
            option = (kind, path(value) if local and not value.startswith("/") else value)
            if option not in options:
                options.append(option)
        elif argument.startswith("-std="):
            options.append(("-std=", argument[5:]))
        elif argument.startswith("-l"):
            libraries.append(argument)
        elif argument in ("-MF", "-MT", "-MQ"):
            next(arguments)
        elif argument.endswith(".c"):
            files.append(path(argument))
    if not output and files and "-c" in record["arguments"]:
        output = path(os.path.basename(files[0])[:-2] + ".o")
    return files, output, options, libraries


def program(log, name, top):
    """The C files, options and libraries of the last program of this name that was linked."""
    objects, link = {}, None
    for record in map(json.loads, open(log)):
        files, output, options, libraries = parse(record, top)
        if record["linked"]:
            link = (record, files, options, libraries) if output and os.path.basename(output) == name else link
        elif output and files:
            objects[output] = (files[0], options)
    record, files, options, libraries = link
    for line in record["linked"]:
        member = re.fullmatch(r"\(?(.+\.a)\)?\(?([^()]+\.o)\)?", line.strip())
        found = os.path.join(os.path.dirname(member[1]), member[2]) if member else line.strip()
        made = objects.get(os.path.relpath(os.path.join(record["folder"], found), top))
        if made and made[0] not in files:
            files.append(made[0])
            options += [option for option in made[1] if option not in options]
    named = collections.Counter(value.split("=")[0] for kind, value in options if kind == "-D")
    clashes = [name for name, count in named.items() if count > 1]
    if clashes or sum(kind == "-std=" for kind, _ in options) > 1:
        print(f"{name}: its files are compiled with different options: {clashes}", file=sys.stderr)
    flags = [flag for kind, value in options for flag in ([kind, value] if kind in ("-include", "-isystem", "-iquote",
             "-idirafter") else [kind + value])]
    return sorted(files), flags, libraries


def fetch(folder, names):
    """Builds packages, and writes down what their programs are made of."""
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    commands = f"{folder}/commands.json"
    known = json.load(open(commands)) if os.path.exists(commands) else {}
    failed = 0
    for package in names or PACKAGES:
        try:
            top = source(package, folder)
            script, name = PACKAGES[package]
            log, compiler = f"{folder}/{package}.log", f"{folder}/{package}.cc"
            open(compiler, "w").write(COMPILER.replace("LOG", repr(log)))
            os.chmod(compiler, 0o755)
            open(log, "w").close()
            quiet = {"stdin": subprocess.DEVNULL, "stdout": open(f"{folder}/{package}.build", "w"),
                     "stderr": subprocess.STDOUT, "check": True}
            # Once more, all is built from the start.
            for made in glob.glob(f"{top}/**/*.o", recursive=True) + glob.glob(f"{top}/**/{name}", recursive=True):
                if os.path.isfile(made) and open(made, "rb").read(4) == b"\x7fELF":
                    os.remove(made)
            environment = dict(os.environ, CC=compiler, MAKEFLAGS="-j1")
            subprocess.run(["nice", "-n", "10", "bash", "-ec", script], cwd=top, env=environment, **quiet)
            files, flags, libraries = program(log, name, folder)
            # What was found is enough if the program can be built from it.
            subprocess.run(["nice", "-n", "10", "clang-19", "-O0", "-g", "-w", *flags, *files, *libraries,
                            "-o", f"{package}.native"], cwd=folder, **quiet)
            known[package] = {"version": os.path.basename(top).removeprefix(f"{package}-"), "program": name,
                              "files": files, "flags": flags, "libraries": libraries}
            print(f"{package}: {len(files)} files, {shlex.join(flags)}", flush=True)
        except (subprocess.CalledProcessError, OSError, IndexError, TypeError, KeyError) as error:
            failed += 1
            print(f"{package}: {error!r}; {folder}/{package}.build may say more", file=sys.stderr, flush=True)
        json.dump(known, open(commands, "w"), indent=1, sort_keys=True)
    return failed > 0


def place(location):
    if isinstance(location, str):
        return location
    return f"{location['file']}:{location['line']}:{location['column']}" if location else "?"


def library_function(reason):
    """The library function at which a verdict ends, or what one of the models says that it does not support."""
    what = re.search(r"is not supported: (.*?)(?: \([^()]*\))?$", reason)
    said = what[1] if what else ""
    named = re.match(r"the function (\w+)|a call of (\w+) with|(\w+) with %n|.* that is passed to (\w+)$", said)
    if named:
        return next(group for group in named.groups() if group)
    return said if re.search(MODEL, said) else None


class Asker:
    def __init__(self, options, folder, work):
        self.options, self.folder = options, folder
        self.drivers = []
        for environment in ("", ", char **environment"):
            self.drivers.append(os.path.join(work, f"driver{len(self.drivers)}.c"))
            open(self.drivers[-1], "w").write(DRIVER.replace("ENVIRONMENT", environment).replace(
                "PASSED", environment.replace("char **", "")))

    def driver(self, files):
        """What calls main with a name; by whether that takes the environment, too."""
        for file in files:
            text = open(os.path.join(self.folder, file), errors="replace").read()
            if main := re.search(r"^[ \w]*\bmain\s*\(([^()]*)\)", text, re.MULTILINE):
                return self.drivers[main[1].count(",") > 1]
        return self.drivers[0]

    def ask(self, entry, wanted):
        """The verdict, the seconds it took, what stopped it, and whether that is a library function."""
        limit = self.options.timeout
        command = [os.path.abspath(self.options.lariat), "check", "--format", "json", "--trace", "none",
                   "--timeout", f"{limit}s", "--property", wanted, *entry["flags"], *entry["files"]]
        if self.options.named:
            command += ["-Dmain=package_main", self.driver(entry["files"])]
        started = time.time()
        with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+") as said:
            try:
                code = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=said,
                                      timeout=limit * 3 + 30).returncode
            except subprocess.TimeoutExpired:
                return "hangs", time.time() - started, "", None
            seconds = time.time() - started
            out.seek(0)
            said.seek(0)
            verdict, text, errors = VERDICTS.get(code, f"crash ({code})"), out.read(), said.read().strip()
        try:
            report = json.loads(text)
        except ValueError:
            return verdict, seconds, next((line for line in errors.split("\n") if "error" in line), errors[:200]), None
        return verdict, seconds, *self.why(report)

    def why(self, report):
        """What has stopped it, in a line, and the library function that is to blame."""
        if failure := report.get("failure"):
            return f"{place(failure.get('location'))}: {failure['message']}", None
        if "reason" not in report:
            return "; ".join(report.get("vacuous") or []), None
        reason, assumed = report["reason"], report.get("assumptions") or {}
        function = library_function(reason)
        reached = report.get("reached") or {}
        most = reached.get("most_expanded")
        if most and "limit" in reason:
            region = most.get("region") if isinstance(most, dict) else most
            where = f" ({place(most['location'])})" if isinstance(most, dict) and most.get("location") else ""
            reason += f", bound {reached.get('bound')}, most in {region}{where}"
        if undefined := assumed.get("undefined"):
            reason += f"; undefined: {', '.join(undefined)}"
        return reason, function


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?")
    parser.add_argument("names", nargs="*", help="with --fetch: the packages")
    parser.add_argument("--fetch", metavar="DIR")
    parser.add_argument("--properties", nargs="+", default=["assert", "memsafety"])
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--named", action="store_true", help="argc is at least 1")
    parser.add_argument("--lariat", default=os.path.join(HERE, "../../target/release/lariat"))
    parser.add_argument("--out")
    options = parser.parse_args()
    if options.fetch:
        names = [name for name in [options.folder, *options.names] if name]
        if unknown := [name for name in names if name not in PACKAGES]:
            parser.error(f"no such package here: {', '.join(unknown)} (there are: {', '.join(PACKAGES)})")
        return fetch(options.fetch, names)
    if not options.folder or options.names:
        parser.error("one folder is wanted (packages to ask about: --only NAME…)")
    commands = json.load(open(os.path.join(options.folder, "commands.json")))
    entries = {name: entry for name, entry in sorted(commands.items()) if not options.only or name in options.only}
    if missing := set(options.only or []) - set(entries):
        parser.error(f"not fetched: {', '.join(sorted(missing))}")
    tally, library, internal = collections.Counter(), {}, 0
    out = open(options.out, "w") if options.out else None
    head = ["package", "lines", "property", "verdict", "seconds", "what stopped it"]
    print("| " + " | ".join(head) + " |\n|---|--:|---|---|--:|---|", flush=True)
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        asker = Asker(options, options.folder, work)
        asked = [(name, entry, wanted, pool.submit(asker.ask, entry, wanted))
                 for name, entry in entries.items() for wanted in options.properties]
        for name, entry, wanted, answer in asked:
            verdict, seconds, why, function = answer.result()
            lines = sum(open(os.path.join(options.folder, file), "rb").read().count(b"\n") for file in entry["files"])
            if verdict == "unknown":
                verdict += next((f" ({kind})" for kind, is_it in (
                    ("library", function), ("not supported", "is not supported:" in why),
                    ("approximated", "is approximated:" in why), ("limit", "limit" in why)) if is_it), "")
            if function:
                library.setdefault(function, []).append(f"{name} ({wanted})")
            internal += verdict.startswith(("internal", "crash", "hangs"))
            tally[verdict] += 1
            row = [f"{name} {entry['version']}", str(lines), wanted, verdict, f"{seconds:.1f}", why]
            print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |", flush=True)
            if out:
                print(*row, sep="\t", file=out, flush=True)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in tally.most_common())
    print(f"\n{sum(tally.values())} questions: {counts}")
    ends = sum(map(len, library.values()))
    print(f"{ends} end at a library function that is not supported, {internal} in an error inside Lariat")
    for function, where in sorted(library.items()):
        print(f"  {function}: {', '.join(where)}")
    return ends > 0 or internal > 0


sys.exit(main())

#!/usr/bin/env python3
"""What real applications take up to the first query, compared with clang.

    apt-get source gnugo nginx redis sqlite3    # in some folder, which is not this repository
    cargo build --release && benches/scale/applications.py FOLDER [--only redis] [--write]

The folder has the sources of each application, configured: gnugo by ./configure and make, nginx by ./configure, redis by
src/mkreleasehdr.sh, sqlite by ./configure and make sqlite3.c (for each in its own folder). Undefined functions (libraries) may do anything. The times
are those of the processor; the first query is to come within 2.5 times what clang takes, below 2 GB.
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
MOST, MEGABYTES = 2.5, 2048
# sqlite is a library: a program that uses it.
SQLITE = """#include <assert.h>
#include "sqlite3.h"
int main(int argc, char **argv) {
  sqlite3 *db;
  if (argc < 2 || sqlite3_open(argv[1], &db)) return 1;
  int result = sqlite3_exec(db, "create table t(a, b); insert into t values(1, 2); select * from t;", 0, 0, 0);
  assert(result != 77);
  return sqlite3_close(db);
}
"""


def gnugo(root):
    # Programs of their own, which make some of the sources.
    no = "compress_fuseki dfa extract_fuseki joseki mkeyes mkmcpat mkpat sgfgen uncompress_fuseki".split()
    files = [f for part in ("patterns", "sgf", "utils", "engine") for f in sorted((root / part).glob("*.c"))]
    files = [f for f in files if (f.with_suffix(".o")).exists() and f.stem not in no]
    files += [f for f in sorted((root / "interface").glob("*.c")) if f.with_suffix(".o").exists()]
    folders = [".", "engine", "patterns", "sgf", "utils", "interface"]
    return files, folders, ["HAVE_CONFIG_H"]


def nginx(root):
    text = (root / "objs/Makefile").read_text()
    files = sorted({w for w in text.split() if w.endswith(".c") and (root / w).exists()})
    folders = "src/core src/event src/event/modules src/os/unix objs src/http src/http/modules".split()
    return [root / f for f in files], folders, []


def redis(root):
    makefile = (root / "src/Makefile").read_text().splitlines()
    line = next(line for line in makefile if line.startswith("REDIS_SERVER_OBJ="))
    files = [root / "src" / o.replace(".o", ".c") for o in line.split("=")[1].split()]
    lua = [f for f in sorted((root / "deps/lua/src").glob("*.c")) if f.stem not in ("lua", "luac", "print")]
    return files + lua, "src deps/lua/src deps/hiredis deps/linenoise deps/hdr_histogram".split(), ["ENABLE_CJSON_GLOBAL"]


def sqlite(root):
    return [root / "sqlite3.c"], ["."], []


APPLICATIONS = {"gnugo": gnugo, "nginx": nginx, "redis": redis, "sqlite": sqlite}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=APPLICATIONS)
    parser.add_argument("--limit", type=int, default=300, help="seconds for each")
    parser.add_argument("--write", action="store_true", help="update docs/")
    options = parser.parse_args()
    lines = ["| application | lines | clang (s) | first query, with clang (s) | factor | MB |", "|---|--:|--:|--:|--:|--:|"]
    slow = []
    for name in [options.only] if options.only else APPLICATIONS:
        root = next((f for f in sorted(options.folder.glob(f"{name}*")) if f.is_dir()), None)
        if not root:
            sys.exit(f"{name} is not in {options.folder}")
        files, folders, defines = APPLICATIONS[name](root)
        with tempfile.TemporaryDirectory() as temporary:
            if name == "sqlite":
                files.append(Path(temporary, "main.c"))
                files[-1].write_text(SQLITE)
            arguments = [*files, *(a for f in folders for a in ("-I", root / f)), *(a for d in defines for a in ("-D", d))]
            run = first_query([*arguments, "--property", "assert"], options.limit)
            count = sum(f.read_bytes().count(b"\n") for f in files)
        if not run:
            slow.append(f"{name}: no query within {options.limit} s")
            lines.append(f"| {name} | {count:,} | | none within {options.limit} | | |")
        else:
            own, clang, megabytes = run
            factor = (own + clang) / clang
            if factor > MOST or megabytes > MEGABYTES:
                slow.append(f"{name}: {factor:.1f} times clang's time, {megabytes:.0f} MB")
            lines.append(f"| {name} | {count:,} | {clang:.1f} | {own + clang:.1f} | {factor:.1f} | {megabytes:.0f} |")
        print(lines[-1], flush=True)
    if options.write:
        put(PAGE, "applications", "\n".join(lines))
    sys.exit("\n".join(slow) if slow else 0)


if __name__ == "__main__":
    main()

"""What the scripts of this folder share: the rows of the Boogie corpus and how to run lariat on them."""

import os
import re
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = next(
    (p for p in (ROOT / "../shared/corpus/boogie", ROOT / "../../shared/corpus/boogie") if p.is_dir()), None
)
LARIAT = os.environ.get("LARIAT", str(ROOT / "target/release/lariat"))


def rows():
    """The manifest as dictionaries. Exits where the corpus or the binary is absent."""
    if CORPUS is None:
        sys.exit("there is no ../shared/corpus/boogie: nothing to measure")
    if not Path(LARIAT).is_file():
        sys.exit(f"{LARIAT} is missing: run `cargo build --release` first")
    lines = (CORPUS / "manifest.tsv").read_text().splitlines()
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]]


def files(row):
    """The files of a row (a recorded command may name further ones beside it) and library options."""
    path = CORPUS / row["path"]
    result = [path]
    command = row["options"].split("|")[0]
    for word in re.split(r'["\s]+', command):
        if word.endswith(".bpl"):
            other = path.with_name(word.removeprefix("/concat:").split("/")[-1])
            if other.is_file() and other not in result:
                result.append(other)
    options = [f"--lib={name}" for name in re.findall(r"[-/]lib:(\w+)", command)]
    if "inferModifies" in row["options"]:
        options.append("--modifies=infer")
    return [str(p) for p in result] + options


class Result:
    """How a command ended."""

    def __init__(self, code, out, err, seconds, kilobytes):
        self.code, self.out, self.err, self.seconds, self.kilobytes = code, out, err, seconds, kilobytes

    @property
    def crashed(self):
        return self.code is None or self.code < 0 or self.code == 3 or b"panicked" in self.err


def lariat(*args, timeout=10):
    """Runs lariat; the code is None if it did not end in time."""
    start = time.monotonic()
    process = subprocess.Popen([LARIAT, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        out, err = process.communicate(timeout=timeout)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        code = None
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return Result(code, out, err, time.monotonic() - start, kilobytes)


def parallel(function, items, jobs=None):
    """The results of a function on all items, in order, on all cores."""
    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        return list(pool.map(function, items))

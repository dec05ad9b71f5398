"""What a check uses up to the first query of its solver."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LARIAT = os.environ.get("LARIAT", str(ROOT / "target/release/lariat"))


def first_query(arguments, limit, folder=None):
    """Seconds of the processor that lariat and its compilers used, and megabytes at most; None if there is no query in time.

    The check ends where the first query would be asked. That is the work of one thread, so the figures say what a machine with nothing
    else to do would take, and can be compared on one that has."""
    command = [LARIAT, "check", *map(str, arguments), "--engine", "unfold", "--queries", "0", "--timeout", f"{limit}s"]
    command += ["--format", "json", "--trace", "none", "-q"]
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=errors) as process:
            output = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        message = errors.read().decode(errors="replace").strip()
    try:
        stats = json.loads(output)["statistics"]
    except (ValueError, KeyError, TypeError):
        raise RuntimeError(f"there is no report: {message or 'nothing was said'}") from None
    if stats["first_query_seconds"] is None:
        return None
    own = stats["processor_seconds"]
    return own, used.ru_utime + used.ru_stime - own, used.ru_maxrss / 1024

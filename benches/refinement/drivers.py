#!/usr/bin/env python3
"""`--track auto`, `all` and refinement alone (`none`) on the driver-like programs of the corpus: verdict and time of each.

    cargo build --release && benches/refinement/drivers.py [--timeout 10] [--seconds 280] [--least 0.5] [--only smack] [--write]

Rows that `all` decides within --least seconds are not asked about again. Times are wall-clock, of one run each.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))
from page import put  # noqa: E402
from minimizers import LARIAT, PAGE, rows  # noqa: E402


def ask(path, options, track, timeout):
    """Verdict, seconds, and what was tracked of how many."""
    more = ["--track", track, "--format", "json", "--trace", "none", "--timeout", f"{timeout}s"]
    command = [str(LARIAT), "check", str(path), *options, *more]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        result = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "error", 0.0, ""
    tracking = (result.get("tracking") or [None])[-1]
    tracked = f"{len(tracking['tracked'])} of {tracking['variables_after_slicing']}" if tracking else ""
    seconds = result["statistics"]["seconds"]
    return result["verdict"], seconds, tracked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=280)
    parser.add_argument("--least", type=float, default=0.5)
    parser.add_argument("--only", choices=("corral", "smack", "ldv"))
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    end = time.monotonic() + args.seconds
    table = ["| program | all | auto | refinement alone | tracked |", "|---|--:|--:|--:|--:|"]
    sums, quick, left = [0.0, 0.0], 0, 0
    for path, options, kind in rows():
        if args.only not in (None, kind):
            continue
        if time.monotonic() > end:
            left += 1
            continue
        whole = ask(path, options, "all", args.timeout)
        if whole[0] == "error":
            print(f"{path.name}: error")
            continue
        if whole[0] != "unknown" and whole[1] < args.least:
            quick += 1
            continue
        auto, none = (ask(path, options, track, args.timeout) for track in ("auto", "none"))
        sums[0] += whole[1]
        sums[1] += auto[1]
        shown = [f"{v} {s:.1f} s" for v, s, _ in (whole, auto, none)]
        table.append(f"| `{path.name[:60]}` | {shown[0]} | {shown[1]} | {shown[2]} | {auto[2] or none[2]} |")
        print(table[-1], flush=True)
    print(f"{quick} rows are quick with everything tracked; all {sums[0]:.0f} s, auto {sums[1]:.0f} s; {left} not asked")
    if args.write:
        put(PAGE, "drivers", "\n".join(table))


if __name__ == "__main__":
    main()

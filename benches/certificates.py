#!/usr/bin/env python3
"""How many of the `safe` verdicts come with a certificate that the checker accepts, and at what cost.

    cargo build --release && benches/certificates.py c/sample.tsv [c/papers.tsv boogie/manifest.tsv …]
        [--sample 60] [--seed 1] [--timeout 8] [--second cvc5] [--engine concrete] [--filter TEXT] [--jobs 2] [--out FILE.tsv]

The lists are those of ../shared/corpus; of each, as many rows as --sample says are drawn among those that are expected to hold (of the Boogie
manifest, those of kind `reach…` without async). Each is asked with `lariat check --certificate`. Printed are, by list: the verdicts `safe`, and of
these the certificates that were accepted, rejected, not decided (time), and the proofs without one; how many of the accepted ones of programs with loops or recursion have
an invariant or a contract, and are no finite unfoldings; what making and checking took as a share of the run; and sizes. With --second, another solver has to agree.
"""

import argparse
import csv
import json
import os
import random
import re
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "boogie"))
from corpus import CORPUS as BOOGIE, lariat, parallel  # noqa: E402
from verdicts import command as boogie_command  # noqa: E402

CORPUS = BOOGIE.parent if BOOGIE else None
WORDS = {"assert": "assert", "assert+ub": "all"}


def rows(table, expected=("true",)):
    """The rows of a list that are expected to hold, or have one of these verdicts."""
    with open(CORPUS / table, newline="") as file:
        found = [r for r in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if r["expected"] in expected]
    if table.startswith("boogie"):
        found = [r for r in found if r["kind"].startswith("reach") and "async" not in (r["features"] or "")]
    return [dict(r, table=table) for r in found]


def command(row, timeout):
    if row["table"].startswith("boogie"):
        return boogie_command({k: v or "" for k, v in row.items()}, timeout)
    path = CORPUS / row["table"].split("/")[0] / row["path"]
    prop = row["property"]
    if prop == "unreach-call":
        text = path.read_text(errors="replace")
        old = not re.search(r"\breach_error\s*\(", text) and re.search(r"\b__VERIFIER_error\s*\(", text)
        prop = prp(f"CHECK( init(main()), LTL(G ! call({'__VERIFIER_error' if old else 'reach_error'}())) )\n")
    args = ["check", str(path), "--property", WORDS.get(prop, prop), "--data-model", row["data_model"] or "ILP32"]
    return [*args, "--timeout", f"{timeout}s", "--format", "json", "--trace", "none", "-q"]


def prp(text, made={}):
    """A property file with this text."""
    if text not in made:
        # Other threads see it when it is complete.
        file = tempfile.NamedTemporaryFile("w", suffix=".prp")
        file.write(text)
        file.flush()
        made.setdefault(text, file)
    return made[text].name


def ask(row, options):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "certificate.json")
        args = [*command(row, options.timeout), "--certificate", file]
        if options.engine:
            args += ["--engine", options.engine]
        if options.second:
            args += ["--second-opinion", options.second]
        result = lariat(*args, timeout=options.timeout + 15)
        size = os.path.getsize(file) if os.path.exists(file) else 0
    try:
        report = json.loads(result.out)
    except ValueError:
        report = {"verdict": "refused" if result.code == 2 else "crashed"}
    found = report.get("certificates", [])
    by_rank = ["accepted", "unknown", "none", "rejected"]
    worst = max(found, key=lambda c: by_rank.index(c["result"]), default=None)
    outcome = report["verdict"]
    if report.get("incidents"):
        outcome = "incident"
    elif outcome == "safe":
        # Where there is nothing to check, there is nothing to certify.
        outcome = {"unknown": "undecided"}.get(worst["result"], worst["result"]) if worst else "nothing"
    return {
        "row": row,
        "outcome": outcome,
        "why": (worst or {}).get("reason") or report.get("reason") or "; ".join(i["message"] for i in report.get("incidents", [])),
        "engine": ",".join(sorted({c["engine"] for c in found})),
        "second": (worst or {}).get("second_opinion"),
        "invariants": sum(c["invariants"] or 0 for c in found),
        "instances": sum(c["instances"] or 0 for c in found),
        "cost": sum(c["making_seconds"] + c["checking_seconds"] for c in found),
        "seconds": result.seconds,
        "size": size,
    }


def summary(name, results, second):
    count = Counter(r["outcome"] for r in results)
    safe = [r for r in results if r["outcome"] in ("accepted", "rejected", "undecided", "none", "nothing")]
    print(f"{name}: {len(results)} rows; " + ", ".join(f"{k} {n}" for k, n in sorted(count.items())))
    accepted = [r for r in safe if r["outcome"] == "accepted"]
    if not accepted:
        return
    claims = sum(r["invariants"] > 0 for r in accepted)
    # The instances of a program that ends by itself need not be listed.
    # (Nor are those of proofs by execution.)
    ends = sum(r["invariants"] == 0 and r["instances"] <= 1 for r in accepted)
    shares = sorted(r["cost"] / r["seconds"] for r in accepted)
    sizes = sorted(r["size"] for r in accepted)
    print(f"  accepted {len(accepted)} of {len(safe)} safe; invariants {claims}, unfoldings {len(accepted) - claims - ends}, of programs that need neither {ends}")
    print(f"  making and checking, share of the run: median {statistics.median(shares):.0%}, 90th percentile {shares[len(shares) * 9 // 10]:.0%}, most {shares[-1]:.0%}")
    print(f"  size: median {statistics.median(sizes) / 1024:.1f} KiB, most {sizes[-1] / 1024:.0f} KiB")
    if second:
        print(f"  {second}: " + ", ".join(f"{k} {n}" for k, n in sorted(Counter(str(r["second"]) for r in accepted).items())))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=8)
    parser.add_argument("--second")
    parser.add_argument("--engine")
    parser.add_argument("--filter", default="")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--out")
    options = parser.parse_args()
    if CORPUS is None:
        sys.exit("there is no ../shared/corpus: nothing to measure")
    lines, everything = [], []
    for table in options.tables:
        drawn = [r for r in rows(table) if options.filter in r["path"]]
        if options.sample and options.sample < len(drawn):
            drawn = sorted(random.Random(options.seed).sample(drawn, options.sample), key=lambda r: r["path"])
        results = parallel(lambda row: ask(row, options), drawn, options.jobs)
        everything += results
        for r in results:
            if r["outcome"] in ("rejected", "undecided", "none", "nothing", "incident"):
                print(f"{r['outcome']}: {r['row']['path']} ({r['row']['property']}) by {r['engine']}: {r['why']}")
            fields = [r["row"]["path"], r["row"]["property"], r["outcome"], r["engine"], r["second"], r["invariants"], r["instances"]]
            lines.append("\t".join(map(str, [*fields, f"{r['cost']:.2f}", f"{r['seconds']:.2f}", r["size"], r["why"]])))
        summary(table, results, options.second)
    if len(options.tables) > 1:
        summary("all", everything, options.second)
    if options.out:
        Path(options.out).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

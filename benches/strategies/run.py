#!/usr/bin/env python3
"""All strategies on the programs of rows.tsv: verdicts, regions, time.

    cargo build --release && benches/strategies/run.py [--timeout 60] [--rows N] [--strategies a,b] [--write]
        [--engine portfolio] [--corpus c] [--jobs N]

`inertial:maxsat` is the strategy inertial with `--mcs maxsat`.

Every run is `lariat check --engine unfold --strategy S`, --jobs at a time (one). Its limit is CPU time, so that other
work on the machine changes little; its times are CPU times, too. With --engine portfolio the limit is time on the wall, of
which the engines get their shares. Results are appended to --results (default:
target/strategies.tsv), and a row that is there is not run again: the command can be stopped and started at will. Prints
the tables; with --write also puts them into docs/strategies.md and draws docs/strategies-*.svg.
"""

import argparse
import csv
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "boogie"))

import verdicts  # noqa: E402
from corpus import LARIAT  # noqa: E402
from plots import COLOURS, Axis, picture  # noqa: E402

CORPUS = next((p for p in (ROOT / "../shared/corpus", ROOT / "../../shared/corpus") if p.is_dir()), None)
STRATEGIES = ("stratified", "eager", "naive", "dcr", "dcr+", "inertial", "infer", "auto")
LARGE = 1000
SOLVED = ("safe", "unsafe", "bounded")
FIELDS = ("corpus", "path", "strategy", "verdict", "conditions", "regions", "seconds", "limit")


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def rows(names):
    """What the corpus says of programs, each given by the name of the corpus and a path."""
    c = {}
    for name in ("train", "papers", "sample"):
        c.update({row["path"]: row for row in table(CORPUS / f"c/{name}.tsv")})
    boogie = {}
    for row in table(CORPUS / "boogie/manifest.tsv"):
        # Of several rows of a file, the first one.
        if row["kind"] in ("reach", "reach-unbounded", "reach-exit"):
            boogie.setdefault(row["path"], row)
    found = []
    for corpus, path in names:
        known = {"c": c, "boogie": boogie}[corpus][path]
        lines = int(known.get("loc") or known.get("lines") or 0)
        found.append({**known, "corpus": corpus, "path": path, "lines": lines})
    return found


def command(row, limit):
    if row["corpus"] == "boogie":
        return [LARIAT, *verdicts.command(row, limit)]
    file = str(CORPUS / "c" / row["path"])
    args = [LARIAT, "check", file, "--property", row["property"], "--data-model", row["data_model"]]
    return [*args, "--timeout", f"{limit}s", "--format", "json", "--trace", "none", "-q"]


def run(row, strategy, limit, engine):
    """One run: its verdict, error conditions, regions and CPU seconds."""
    by_cpu = engine == "unfold"

    def limits():
        os.setsid()
        if by_cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    # The time on the wall only ends what waits for something else.
    patience = 20 * limit if by_cpu else limit
    name, _, mcs = strategy.partition(":")
    args = [*command(row, patience), "--engine", engine, "--strategy", name, *(["--mcs", mcs] if mcs else [])]
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            args, stdout=out, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, preexec_fn=limits
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    seconds = usage.ru_utime + usage.ru_stime
    result = {"corpus": row["corpus"], "path": row["path"], "strategy": strategy, "limit": limit}
    result |= {"verdict": "unknown", "conditions": "", "regions": "", "seconds": f"{seconds:.2f}"}
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        result["verdict"] = "timeout"
    elif process.returncode in (1, 2, 3):
        result["verdict"] = "refused"
    elif process.returncode == 127:
        raise RuntimeError(f"{LARIAT} cannot be started")
    elif text:
        report = json.loads(text)
        reached = [a for a in report["assertions"] if a["result"] != "not reached"]
        result |= {"verdict": report["verdict"], "conditions": len(reached)}
        result["regions"] = report["statistics"]["expanded"]
    return result


def measure(todo, strategies, options):
    """Runs what is not in the results yet; gives back all results, by row and strategy."""
    path = Path(options.results)
    done = {}
    if path.is_file():
        for r in table(path):
            done[r["path"], r["strategy"]] = r
    new = not path.is_file()
    with open(path, "a") as file:
        writer = csv.DictWriter(file, FIELDS, delimiter="\t", lineterminator="\n")
        if new:
            writer.writeheader()
        missing = [(r, s) for r in todo for s in strategies if (r["path"], s) not in done and not options.report]
        with ThreadPoolExecutor(options.jobs) as workers:
            for result in workers.map(lambda m: run(*m, options.timeout, options.engine), missing):
                done[result["path"], result["strategy"]] = {k: str(v) for k, v in result.items()}
                writer.writerow(result)
                file.flush()
                print(*(result[f] for f in FIELDS[1:7]), flush=True)
    return done


def is_solved(r):
    return r["verdict"] in SOLVED


def clash(a, b):
    """Can these two verdicts not both be true?"""
    return {a, b} in ({"safe", "unsafe"}, {"bounded", "unsafe"})


def expected(row, verdict):
    """Is the verdict what the corpus says?"""
    if verdicts.ARGUED.get(row["path"]):
        return verdict == {"true": "safe", "false": "unsafe"}.get(verdicts.ARGUED[row["path"]])
    return (verdict == "unsafe") == (row["expected"] == "false")


def report(todo, strategies, done, options):
    """The text for the page."""
    compared = [r for r in todo if all((r["path"], s) in done for s in strategies)]
    of = lambda row, s: done[row["path"], s]  # noqa: E731
    out = []
    limits = sorted({of(r, s)["limit"] for r in compared for s in strategies})
    kind = "CPU time" if options.engine == "unfold" else "time on the wall"
    large = sum(r["lines"] > LARGE for r in compared)
    c = sum(r["corpus"] == "c" for r in compared)
    out.append(
        f"{len(compared)} programs of {len(todo)}: {c} in C and {len(compared) - c} in Boogie, {large} of them with more than "
        f"1,000 lines. Limit: {', '.join(limits)} s of {kind}.\n"
    )
    both = [r for r in compared if all(is_solved(of(r, s)) for s in strategies)]
    head = f"all {len(both)} that every strategy solves"
    out.append(f"| strategy | solved | safe | unsafe | bounded | CPU s, all runs | #EC | #R | T | {head}: #R | T |")
    out.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")

    def total(some, s, field):
        return sum(float(of(r, s)[field]) for r in some)

    for s in strategies:
        solved = [r for r in compared if is_solved(of(r, s))]
        count = [sum(of(r, s)["verdict"] == v for r in compared) for v in SOLVED]
        cells = [s, len(solved), *count, f"{total(compared, s, 'seconds'):.0f}"]
        cells += [f"{total(solved, s, 'conditions'):.0f}", f"{total(solved, s, 'regions'):.0f}"]
        cells += [f"{total(solved, s, 'seconds'):.1f}", f"{total(both, s, 'regions'):.0f}", f"{total(both, s, 'seconds'):.1f}"]
        out.append("| " + " | ".join(str(x) for x in cells) + " |")
    pairs = [(r, a, b) for r in compared for i, a in enumerate(strategies) for b in strategies[i + 1 :]]
    pairs = [(r, a, b) for r, a, b in pairs if is_solved(of(r, a)) and is_solved(of(r, b))]
    disagree = [(r, a, b) for r, a, b in pairs if clash(of(r, a)["verdict"], of(r, b)["verdict"])]
    wrong = [(r["path"], s) for r in compared for s in strategies if is_solved(of(r, s)) and not expected(r, of(r, s)["verdict"])]
    agreeing = len({r["path"] for r, _, _ in pairs})
    out.append(
        f"\nRows that two or more strategies solve: {agreeing}; pairs of verdicts compared: {len(pairs)}; disagreements: "
        f"{len(disagree)}; verdicts against the label: {len(wrong)}."
    )
    for r, a, b in disagree:
        out.append(f"- DISAGREE {r['path']}: {a} {of(r, a)['verdict']}, {b} {of(r, b)['verdict']}")
    for path, s in wrong:
        out.append(f"- AGAINST THE LABEL {path}: {s}")
    if "inertial" in strategies and "dcr+" in strategies:
        out.append("\n" + against(compared, of, "inertial", "dcr+"))
    return compared, "\n".join(out)


def against(compared, of, a, b):
    """The regions of one strategy relative to those of another."""
    some = [r for r in compared if is_solved(of(r, a)) and is_solved(of(r, b))]
    ratio = [(float(of(r, a)["regions"]) / max(float(of(r, b)["regions"]), 1), r) for r in some]
    if not ratio:
        return ""
    worse = sorted(((q, r) for q, r in ratio if q > 1), key=lambda x: -x[0])
    more = [q for q, r in ratio if float(of(r, b)["regions"]) > 1]
    text = (
        f"#R of `{a}` relative to `{b}` on the {len(some)} rows that both solve: mean {statistics.mean(q for q, _ in ratio):.2f}, "
        f"geometric mean {statistics.geometric_mean(max(q, 0.01) for q, _ in ratio):.2f}"
    )
    if more:
        text += f"; on the {len(more)} of them where `{b}` expands more than the entry: mean {statistics.mean(more):.2f}"
    text += f". Fewer on {sum(q < 1 for q, _ in ratio)} rows, more on {len(worse)}"
    if worse:
        text += ": " + ", ".join(f"`{r['path']}` ({of(r, a)['regions']} against {of(r, b)['regions']})" for _, r in worse[:12])
        text += " …" if len(worse) > 12 else ""
    return text + "."


def pictures(compared, strategies, done):
    """Cactus and scatter plots."""
    of = lambda row, s: done[row["path"], s]  # noqa: E731
    lines = {}
    for s in strategies:
        times = sorted(float(of(r, s)["seconds"]) for r in compared if is_solved(of(r, s)))
        lines[s] = (COLOURS[s], [(i + 1, max(t, 0.01)) for i, t in enumerate(times)])
    most = max((len(points) for _, points in lines.values()), default=1)
    limit = max((float(of(r, s)["limit"]) for r in compared for s in strategies), default=1)
    seconds = Axis("CPU seconds for each", 0.01, 2 * limit, log=True)
    draw("cactus", picture("Programs solved within a time", Axis("programs solved", 0, most + 5), seconds, lines))
    for a, b, field, label in (
        ("dcr+", "inertial", "regions", "regions expanded"),
        ("stratified", "inertial", "regions", "regions expanded"),
        ("stratified", "inertial", "seconds", "CPU seconds"),
        ("stratified", "infer", "regions", "regions expanded"),
    ):
        if a not in strategies or b not in strategies:
            continue
        points = [
            (max(float(of(r, a)[field]), 0.01), max(float(of(r, b)[field]), 0.01))
            for r in compared
            if is_solved(of(r, a)) and is_solved(of(r, b))
        ]
        low = 0.01 if field == "seconds" else 0.9
        high = 1.2 * max((max(p) for p in points), default=1)
        axes = (Axis(f"{a}, {label}", low, high, log=True), Axis(f"{b}, {label}", low, high, log=True))
        name = f"{field}-{a.replace('+', '-plus')}-{b}"
        draw(name, picture(f"{b} against {a}: {label}", *axes, {b: (COLOURS[b], points)}, lines=False, diagonal=True))


def draw(name, svg):
    (ROOT / f"docs/strategies-{name}.svg").write_text(svg)


def put(name, text):
    """Replaces a part of the page, which stands between two comments."""
    page = ROOT / "docs/strategies.md"
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
    page.write_text(re.sub(pattern, lambda m: f"{m[1]}{text}\n{m[2]}", page.read_text(), flags=re.S))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--timeout", type=int, default=60, help="CPU seconds for each run")
    parser.add_argument("--rows", type=int, help="only so many rows")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--engine", choices=("unfold", "portfolio"), default="unfold")
    parser.add_argument("--corpus", choices=("c", "boogie"), help="only rows of this part")
    parser.add_argument("--results")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="run nothing, only report")
    parser.add_argument("--write", action="store_true", help="update docs/")
    options = parser.parse_args()
    if CORPUS is None:
        sys.exit("there is no ../shared/corpus: nothing to measure")
    strategies = options.strategies.split(",")
    part = "strategies" if options.engine == "unfold" else "strategies-portfolio"
    options.results = options.results or str(ROOT / f"target/{part}.tsv")
    named = [(row["corpus"], row["path"]) for row in table(HERE / "rows.tsv")]
    todo = [row for row in rows(named) if options.corpus in (None, row["corpus"])]
    done = measure(todo[: options.rows], strategies, options)
    compared, text = report(todo, strategies, done, options)
    print(text)
    if options.write:
        put("corpus" if options.engine == "unfold" else "portfolio", text)
        if options.engine == "unfold":
            pictures(compared, strategies, done)


if __name__ == "__main__":
    main()

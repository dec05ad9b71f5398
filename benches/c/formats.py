#!/usr/bin/env python3
"""Machine formats on programs of a list: does each result fit its schema, and do witnesses hold together?

usage: formats.py LIST [--count N] [--timeout S] [--sarif-schema FILE]

LIST is a table of the corpus (tab-separated, with a header; paths count from its folder). For each of the first N programs `lariat check` writes JSON, SARIF and a witness. JSON is validated by docs/check.schema.json, SARIF by the official schema if it is given (the Python
package jsonschema is needed). Of a witness: it is YAML with the fields of format 2.0, the hashes are those of the files, each place is in its file, and
violations end in a target. Where there is a verdict, a second check writes the witness as GraphML 1.0, which is well-formed XML, has what the format asks of every graph, declares all
its keys, names places of the file, and has one entry and, for a violation, a violation that an edge leads to. `lariat run --inputs` runs each reported failure again.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARIAT = pathlib.Path(os.environ.get("LARIAT", ROOT / "target/release/lariat"))

# What the corpus calls properties, where Lariat has another name.
PROPERTIES = {"valid-memsafety": "memsafety", "assert+ub": "all"}


def check_witness(text, verdict):
    """What is wrong with a witness, or None."""
    try:
        entries = yaml.safe_load(text)
    except yaml.YAMLError as error:
        return f"not YAML: {error}"
    if not isinstance(entries, list) or len(entries) != 1:
        return "not one entry"
    entry = entries[0]
    wanted = {"unsafe": "violation_sequence", "safe": "invariant_set"}[verdict]
    if entry.get("entry_type") != wanted:
        return f"the entry is {entry.get('entry_type')}"
    meta = entry["metadata"]
    for field in ("format_version", "uuid", "creation_time", "producer", "task"):
        if field not in meta:
            return f"no {field}"
    if meta["format_version"] != "2.0":
        return "the version"
    task = meta["task"]
    for field in ("input_files", "input_file_hashes", "specification", "data_model", "language"):
        if field not in task:
            return f"no task.{field}"
    for name in task["input_files"]:
        if task["input_file_hashes"].get(name) != hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest():
            return f"the hash of {name}"
    parts = []
    for part in entry["content"]:
        if "segment" in part:
            parts += [way["waypoint"] for way in part["segment"]]
        else:
            parts.append(part["invariant"])
    for part in parts:
        place = part["location"]
        path = pathlib.Path(place["file_name"])
        lines = path.read_text(errors="replace").splitlines() if path.exists() else []
        # Places of preprocessed files are those of the files that they were made from.
        if lines and path.suffix == ".c" and not 1 <= place["line"] <= len(lines):
            return f"line {place['line']} of {path}"
        if part["type"] in ("function_return", "loop_invariant"):
            value = part["constraint"] if "constraint" in part else part
            if not isinstance(value.get("value"), str) or "format" not in value:
                return "a constraint without a value"
    if verdict == "unsafe" and (not parts or parts[-1]["type"] != "target"):
        return "no target at the end"
    return None


# What the format of GraphML witnesses asks of every graph.
GRAPH = ["witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash", "architecture", "creationtime"]


def check_graph(text, verdict, path):
    """What is wrong with a witness in GraphML, or None."""
    try:
        root = xml.fromstring(text)
    except xml.ParseError as error:
        return f"not XML: {error}"
    space = "{http://graphml.graphdrawing.org/xmlns}"
    if root.tag != space + "graphml":
        return f"the root is {root.tag}"
    keys = {(key.get("id"), key.get("for")) for key in root.findall(space + "key")}
    graph = root.find(space + "graph")

    def data(element):
        return {item.get("key"): item.text or "" for item in element.findall(space + "data")}

    about = data(graph)
    missing = [name for name in GRAPH if not about.get(name)]
    if missing:
        return f"no {', '.join(missing)}"
    if about["witness-type"] != {"unsafe": "violation_witness", "safe": "correctness_witness"}[verdict]:
        return f"it is a {about['witness-type']}"
    if about["programhash"] != hashlib.sha256(path.read_bytes()).hexdigest():
        return "the hash of the program"
    nodes, edges = graph.findall(space + "node"), graph.findall(space + "edge")
    names = [node.get("id") for node in nodes]
    if len(set(names)) != len(names) or any(edge.get(end) not in names for edge in edges for end in ("source", "target")):
        return "nodes and edges"
    if sum(data(node).get("entry") == "true" for node in nodes) != 1:
        return "not one entry"
    for element in [graph, *nodes, *edges]:
        kind = element.tag.removeprefix(space)
        undeclared = [key for key in data(element) if (key, kind) not in keys]
        if undeclared:
            return f"undeclared keys: {undeclared}"
    if verdict == "unsafe":
        bad = {node.get("id") for node in nodes if data(node).get("violation") == "true"}
        if not bad or not any(edge.get("target") in bad for edge in edges):
            return "no violation that an edge leads to"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--timeout", type=int, default=5)
    parser.add_argument("--sarif-schema", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, help="take each Nth row")
    args = parser.parse_args()
    json_schema = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/check.schema.json").read_text()))
    sarif_schema = args.sarif_schema and jsonschema.Draft7Validator(json.loads(args.sarif_schema.read_text()))
    counts, wrong = collections.Counter(), []
    rows = [row.split("\t") for row in args.list.read_text().splitlines() if row and not row.startswith("#")]
    header, rows = rows[0], rows[1:]
    paths = [dict(zip(header, row)) for row in rows][:: args.every]
    for row in paths:
        if counts["programs"] >= args.count:
            break
        path = args.list.parent / row["path"]
        if path.suffix not in (".c", ".i") or not path.exists():
            continue
        counts["programs"] += 1
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            command = [LARIAT, "check", path, "--format", "json", "--sarif", folder / "sarif", "--witness", folder / "witness",
                       "--timeout", f"{args.timeout}s", "--show-invariants"]
            options = ["--data-model", row["data_model"]] if row.get("data_model") else []
            options += ["--property", PROPERTIES.get(row["property"], row["property"])] if row.get("property") else []
            command += options
            result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
            if result.returncode not in (0, 10, 11, 12):
                counts[f"exit code {result.returncode}"] += 1
                continue
            report = json.loads(result.stdout)
            counts[report["verdict"]] += 1
            errors = [error.message[:200] for error in json_schema.iter_errors(report)]
            counts["JSON valid"] += not errors
            wrong += [f"{path}: JSON: {error}" for error in errors[:3]]
            if (folder / "sarif").exists():
                log = json.loads((folder / "sarif").read_text())
                counts["SARIF"] += 1
                if sarif_schema:
                    errors = [error.message[:200] for error in sarif_schema.iter_errors(log)]
                    counts["SARIF valid"] += not errors
                    wrong += [f"{path}: SARIF: {error}" for error in errors[:3]]
            if report["verdict"] in ("safe", "unsafe"):
                why = check_witness((folder / "witness").read_text(), report["verdict"])
                counts["witnesses"] += 1
                counts["witnesses valid"] += why is None
                wrong += [f"{path}: witness: {why}"] if why else []
                again = [LARIAT, "check", path, "--trace", "none", "--witness", folder / "witness.graphml",
                         "--timeout", f"{args.timeout}s", *options]
                subprocess.run(list(map(str, again)), capture_output=True, text=True)
                if (folder / "witness.graphml").exists():
                    why = check_graph((folder / "witness.graphml").read_text(), report["verdict"], path)
                    counts["graphs"] += 1
                    counts["graphs valid"] += why is None
                    wrong += [f"{path}: graph: {why}"] if why else []
            if report["verdict"] == "unsafe" and "replay" in report:
                (folder / "report").write_text(result.stdout)
                again = [LARIAT, "run", path, "--inputs", folder / "report", "--trace", "none", "--steps", "10000000", *options]
                again = subprocess.run(list(map(str, again)), capture_output=True, text=True)
                counts["run again"] += 1
                counts["run again and failed"] += again.returncode == 10
                wrong += [f"{path}: run again: {again.stdout[-200:]}"] if again.returncode != 10 else []
    for name, count in counts.items():
        print(f"{count:6} {name}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

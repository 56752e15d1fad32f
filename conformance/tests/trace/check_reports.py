# SPDX-License-Identifier: Apache-2.0
"""Holds the machine-readable reports of a trace against the schema and against each other.

Usage: check_reports.py [--python OTHER] TOOL SCHEMA FOLDER PROGRAM...

The program is recorded, too, and what `replay` tells of its recording is held against its own
schema.

Where jsonschema is missing, --python names another interpreter that may have it; without it there,
too, the exit code is 77, which CTest takes as skipped.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SKIPPED = 77
KINDS = ("json", "junit", "sarif", "chrome", "folded", "functions")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", type=Path)
    parser.add_argument("tool")
    parser.add_argument("schema", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("program", nargs=argparse.REMAINDER)
    return parser.parse_args()


def trace(told: argparse.Namespace) -> dict[str, Path]:
    paths = {kind: told.folder / f"trace.{kind}" for kind in KINDS}
    reports = [f"--report={kind}:{path}" for kind, path in paths.items()]
    record = ["--record", told.folder / "trace.rec"]
    done = subprocess.run(
        [told.tool, "trace", "--preset=deep", *record, *reports, "--", *told.program],
        check=False,
    )
    if done.returncode != 1:
        sys.exit(f"exit code {done.returncode}")
    return paths


def check_replay(told: argparse.Namespace) -> None:
    import jsonschema

    runtime, report = told.program[1], told.folder / "replay.json"
    command = [
        told.tool,
        "replay",
        f"--report=json:{report}",
        told.folder / "trace.rec",
        runtime,
    ]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    found = json.loads(report.read_text())
    schema = json.loads((told.schema.parent / "replay.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(found)
    counts = found["counts"]
    differ = sum(counts["differ_by_class"].values())
    assert counts["differ"] == differ, counts
    assert counts["replayed"] == counts["same"] + differ + counts["differ_for_known_reasons"]
    assert done.returncode == (found["standing"] == "different"), (
        done.returncode,
        found,
    )
    assert counts["not_replayed"] == sum(reason["count"] for reason in found["not_replayed"])


def check_lines(path: Path, schema: Path) -> list[dict]:
    import jsonschema

    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        validator.validate(line)
        for key in line:
            without = {name: value for name, value in line.items() if name != key}
            if validator.is_valid(without):
                sys.exit(f"the schema does not ask for {key} of a {line['kind']}")
    return lines


def main() -> None:
    told = arguments()
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        if told.python and told.python.exists() and not os.environ.get("CHECK_REPORTS_AGAIN"):
            os.environ["CHECK_REPORTS_AGAIN"] = "1"
            os.execv(told.python, [str(told.python), *sys.argv])
        sys.exit(SKIPPED)
    paths = trace(told)
    check_replay(told)
    lines = check_lines(paths["json"], told.schema)
    findings = [line for line in lines if line["kind"] == "finding"]
    whole = lines[-1]
    errors = [line for line in findings if line["weight"] == "error"]
    assert {line["kind"] for line in lines} == {"finding", "alive", "process", "trace"}
    assert (len(errors), len(findings)) == (
        whole["errors"],
        whole["errors"] + whole["advice"],
    )

    results = json.loads(paths["sarif"].read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == [line["check"] for line in findings]

    suites = ElementTree.parse(paths["junit"]).getroot()
    failed = {case.get("name").split()[0] for case in suites.iter("testcase") if list(case)}
    assert failed == {line["clause"] for line in findings}
    for suite in suites:
        assert int(suite.get("tests")) == len(suite.findall("testcase"))
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))

    # A call within another one stands below it, and takes its time away.
    events = json.loads(paths["chrome"].read_text())["traceEvents"]
    folded = paths["folded"].read_text().splitlines()
    assert len(events) == len(folded) == whole["calls"]
    deepest = max(folded, key=lambda line: line.count(";"))
    assert deepest.split()[0].endswith(";nested_outer_code;nested_inner_code"), deepest
    table = paths["functions"].read_text()
    assert "nested_inner_code" in table
    assert "TVMFFIFunctionCreate" in table


main()

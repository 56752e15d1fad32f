# SPDX-License-Identifier: Apache-2.0
"""Holds JSON reports against the published schema, and the schema against itself.

Usage: validate_report.py [--python OTHER] SCHEMA REPORT...

A folder stands for all *.json files in it. Where jsonschema is missing, --python names another
interpreter that may have it (the project's virtual environment); without it there, too, the exit
code is 77, which CTest takes as skipped.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SKIPPED = 77


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--python", type=Path, help="interpreter to try where this one lacks jsonschema"
    )
    parser.add_argument("schema", type=Path)
    parser.add_argument("reports", type=Path, nargs="+")
    return parser.parse_args()


def report_files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.glob("*.json")) if path.is_dir() else [path]


def spoilt(report: dict[str, Any], required: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Copies of a good report with one thing wrong each: a schema that takes them is no good."""
    for key in required:
        copied = copy.deepcopy(report)
        del copied[key]
        yield f"without {key}", copied
    for where in ("suite", "library", "environment", "selection", "totals"):
        copied = copy.deepcopy(report)
        copied[where]["unheard_of"] = 1
        yield f"with a surplus member in {where}", copied
    for index, case in enumerate(report["cases"][:16]):
        for key in case.keys() - {"counts"}:
            copied = copy.deepcopy(report)
            del copied["cases"][index][key]
            yield f"without {key} in a case", copied
        copied = copy.deepcopy(report)
        copied["cases"][index]["fail_kind"] = None if case["fail_kind"] else "crash"
        yield f"with the fail kind of another verdict in {case['id']}", copied


def main() -> int:
    options = arguments()
    try:
        import jsonschema
    except ImportError:
        if options.python and options.python.exists() and Path(sys.executable) != options.python:
            os.execv(
                options.python,
                [
                    str(options.python),
                    __file__,
                    str(options.schema),
                    *map(str, options.reports),
                ],
            )
        print(
            "skipped: no jsonschema here; "
            "`make test` installs it into the project's virtual environment"
        )
        return SKIPPED

    schema = json.loads(options.schema.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    reports = {
        path: json.loads(path.read_text(encoding="utf-8")) for path in report_files(options.reports)
    }
    mistakes = [
        f"{path}: {error.json_path}: {error.message[:300]}"
        for path, report in reports.items()
        for error in validator.iter_errors(report)
    ]
    if reports and not mistakes:
        richest = max(reports, key=lambda path: len(reports[path]["cases"]))
        mistakes = [
            f"{richest}: the schema accepts it {what}"
            for what, copied in spoilt(reports[richest], schema["required"])
            if validator.is_valid(copied)
        ]
    print(*mistakes, f"{len(reports)} reports, {len(mistakes)} mistakes", sep="\n")
    return 1 if mistakes or not reports else 0


if __name__ == "__main__":
    sys.exit(main())

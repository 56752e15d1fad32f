#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges kernels next to another build: field_builds.py TOOL OFFICIAL

Each kernel of the folders field, field_* of conformance/tests that has a bug is judged next to the
correct one (--same-as), as a new release next to the one before, and each correct one, compiled
with other options, next to the usual one. No signature files are used, and only the cases about
other builds are run. The table goes to the file that --report names. The exit status is 0 whatever
the verdicts are, 1 if a kernel did not compile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from field_kernels import (
    RELEASES,
    SETS,
    TESTS,
    Bug,
    Outcome,
    build,
    outcome,
    parser_of,
    read_bugs,
    write_page,
)

OTHERWISE = ("-O3", "-march=native")
CASES = "*-the-other-build*"

HEAD = f"""# Kernels next to another build of them

Written by `make field-builds` (`harness/field_builds.py`) from the kernels of
[field.md](field.md), **without signature files**: each with a bug is judged next to the correct one
by `tvmffi-conform BUG.so --same-as CORRECT.so`, as a new release is next to the one before. Each
correct one is compiled with `{" ".join(OTHERWISE)}` and judged next to the usual one (`-O2`). Only
the cases about other builds are run: what these miss may be found by the other cases.
"""


@dataclass(frozen=True)
class Judged:
    """A variant, and how it ended."""

    set: str
    bug: Bug
    outcome: Outcome


def judge(tool: str, module: Path, other: Path, limit: float) -> Outcome:
    """Runs the tool on a module, next to the other."""
    report = module.with_suffix(".next.json")
    report.unlink(missing_ok=True)
    command = ["nice", tool, "run", str(module), "--same-as", str(other), "--filter", CASES]
    command += ["--quiet", "--jobs", "1", "--min-judged", "0", "--report", f"json:{report}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return Outcome(None)
    if not report.exists():
        print(f"{module.parent.name}: no report: {done.stderr.strip()}", file=sys.stderr)
        return Outcome(done.returncode)
    return outcome(done.returncode, json.loads(report.read_text())["cases"])


def summary(judged: list[Judged]) -> list[str]:
    """The table of the sets, and the sum."""
    lines = ["| set | bugs | exit 1 | correct kernels | exit 1 | others without exit 0 |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    rows = [*dict.fromkeys(one.set for one in judged), None]
    for name in rows:
        own = [one for one in judged if name in (one.set, None)]
        wrong = [one.outcome.status for one in own if one.bug.number]
        right = [one.outcome.status for one in own if not one.bug.number]
        cells = [f"`{name}`" if name else "all", len(wrong), wrong.count(1), len(right)]
        cells += [right.count(1), len(right) - right.count(1) - right.count(0)]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


def details(judged: list[Judged]) -> list[str]:
    """Bugs that were not found, and correct kernels that failed."""
    missed = [one for one in judged if one.bug.number and one.outcome.status != 1]
    failed = [one for one in judged if not one.bug.number and one.outcome.status != 0]
    lines = ["## Not found", "", "| kernel | bug | class | verdict |", "|---|---|---|---|"]
    for one in missed:
        lines.append(
            f"| `{one.bug.kernel}` | {one.bug.text} | {one.bug.kind} | {one.outcome.verdict} |"
        )
    lines += ["", "## Correct kernels that did not pass", ""]
    for one in failed:
        by = ", ".join(f"`{case}`" for case in one.outcome.failed)
        lines.append(f"- `{one.bug.kernel}`: {one.outcome.verdict} {by}".rstrip())
    return lines if failed else [*lines, "None."]


def examine(name: str, options: argparse.Namespace) -> tuple[list[Judged], int]:
    """Builds and judges the variants of a set; how many did not compile is the second."""
    kernels, include = TESTS / name, options.official / RELEASES[0] / "tvm_ffi" / "include"
    bugs, _ = read_bugs(kernels / "kernels.toml")
    bugs = [bug for bug in bugs if not options.kernel or bug.kernel in options.kernel]

    def one(bug: Bug) -> Judged | None:
        usual = Bug(bug.kernel, 0, "", "")
        other, error = build(usual, kernels, include, options.build)
        more = () if bug.number else OTHERWISE
        module, own_error = build(bug, kernels, include, options.build, more)
        if error or own_error:
            print(f"{bug.kernel} BUG={bug.number}:\n{error}{own_error}", file=sys.stderr)
            return None
        return Judged(name, bug, judge(options.tool, module, other, options.timeout))

    # The correct ones first, one at a time: what several need is compiled once.
    right = [one(bug) for bug in bugs if not bug.number]
    with ThreadPoolExecutor(options.jobs) as pool:
        done = [*right, *pool.map(one, [bug for bug in bugs if bug.number])]
    return [entry for entry in done if entry], done.count(None)


def main(arguments: list[str] | None = None) -> int:
    options = parser_of(__doc__, seconds=200).parse_args(arguments)

    judged: list[Judged] = []
    broken = 0
    for name in options.set or SETS:
        found, failed = examine(name, options)
        judged += found
        broken += failed
    text = "\n".join([HEAD, *summary(judged), "", *details(judged)]).rstrip() + "\n"
    write_page(text, options.report)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

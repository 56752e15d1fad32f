# SPDX-License-Identifier: Apache-2.0
"""Mistakes that are planted in a program of another language than C: each is found by its check and
blamed on the right side, and the right twins are clean.

Usage: check_bugs.py TOOL trace_bugs.def PLACE COMMAND...

The command with `names` prints which mistakes of the table it makes; with `wrong` it makes them,
with `right` their twins. PLACE is a regular expression for where the place to blame is, of a caller
or a callee: the side, the name of its library and that of its function, with blanks between; {name}
stands for that of the mistake.
"""

from __future__ import annotations

import collections
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROW = re.compile(
    r'^(?:(CALLER|CALLEE|NOBODY)_)?BUG\((\w+), "([\w-]+)", "([\w-]+)"(?:, "([\w ]+)")?', re.M
)
SIDES = {"CALLER": "caller", "CALLEE": "callee", "NOBODY": "cannot tell"}


# Which checks have no mistake in a language, and why.
NO_MISTAKE = {
    "trace_bugs.py": {
        "call-exception": "Python code throws no C++ exception",
        "error-never-released": "calls of ctypes come from one place, where others release errors",
    },
    "trace_bugs_cpp": {"call-exception": "is that of trace_exception.cc"},
}


def table(path: str) -> dict[str, list[tuple[str, str, str]]]:
    """Check, clause and blame of what is found of each mistake."""
    rows: dict[str, list[tuple[str, str, str]]] = {}
    for side, name, check, clause, blame in ROW.findall(Path(path).read_text(encoding="utf-8")):
        rows.setdefault(name, []).append((check, clause, SIDES.get(side, blame)))
    return rows


def refuse_gaps(rows: str, planted: list[tuple[str, str, str]], command: Sequence[str]) -> None:
    """A check without a mistake in this language is listed, with the reason."""
    checks = Path(rows).parents[2] / "layer/checks.def"
    known = set(re.findall(r'^CHECK\(\w+, "([\w-]+)"', checks.read_text(encoding="utf-8"), re.M))
    missing = known - {check for check, _, _ in planted}
    listed = next(NO_MISTAKE[Path(word).name] for word in command if Path(word).name in NO_MISTAKE)
    assert missing == set(listed), f"without a mistake: {missing}; listed: {set(listed)}"


def trace(tool: str, command: list[str], way: str) -> tuple[int, list[dict]]:
    done = subprocess.run(
        [tool, "trace", "--preset=deep", "--report=json:-", "--", *command, way],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return done.returncode, [line for line in lines if line["kind"] == "finding"]


def where(finding: dict) -> str:
    side = "callee" if finding["blame"] == "callee" else "caller"
    site = finding[side]
    return f"{side} {Path(site['library'] or '').name} {site['symbol'] or ''}"


def main(tool: str, rows: str, place: str, *command: str) -> None:
    planted = table(rows)
    told = subprocess.run([*command, "names"], capture_output=True, text=True, check=True)
    names = told.stdout.split()
    refuse_gaps(rows, [row for name in names for row in planted[name]], command)
    status, right = trace(tool, [*command], "right")
    assert (status, right) == (0, []), right
    status, found = trace(tool, [*command], "wrong")
    assert status == 1, f"exit code {status}"
    due = collections.Counter(row for name in names for row in planted[name])
    seen: collections.Counter[tuple[str, str, str]] = collections.Counter()
    for finding in found:
        what = (finding["check"], finding["clause"], finding["blame"])
        seen[what] += finding["count"]
        makers = [name for name in names if what in planted[name]]
        fits = [name for name in makers if re.search(place.format(name=name), where(finding))]
        assert makers, f"nobody planted {finding}"
        assert fits or what[2] == "cannot tell", f"at another place than {makers}: {finding}"
    missed = [what for what, count in due.items() if seen[what] < count]
    assert not missed, f"not found: {missed}"
    print(f"{len(names)} mistakes, {len({check for check, _, _ in due})} checks")


main(*sys.argv[1:])

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
from pathlib import Path

ROW = re.compile(
    r'^(?:(CALLER|CALLEE|NOBODY)_)?BUG\((\w+), "([\w-]+)", "([\w-]+)"(?:, "([\w ]+)")?', re.M
)
SIDES = {"CALLER": "caller", "CALLEE": "callee", "NOBODY": "cannot tell"}


def table(path: str) -> dict[str, tuple[str, str, str]]:
    """Check, clause and blame of each mistake; of two rows the first."""
    rows: dict[str, tuple[str, str, str]] = {}
    for side, name, check, clause, blame in ROW.findall(Path(path).read_text(encoding="utf-8")):
        rows.setdefault(name, (check, clause, SIDES.get(side, blame)))
    return rows


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
    assert len(names) > 40, told
    status, right = trace(tool, [*command], "right")
    assert (status, right) == (0, []), right
    status, found = trace(tool, [*command], "wrong")
    assert status == 1, f"exit code {status}"
    due = collections.Counter(planted[name] for name in names)
    seen: collections.Counter[tuple[str, str, str]] = collections.Counter()
    for finding in found:
        what = (finding["check"], finding["clause"], finding["blame"])
        seen[what] += finding["count"]
        makers = [name for name in names if planted[name] == what]
        fits = [name for name in makers if re.search(place.format(name=name), where(finding))]
        assert makers, f"nobody planted {finding}"
        assert fits or what[2] == "cannot tell", f"at another place than {makers}: {finding}"
    missed = [what for what, count in due.items() if seen[what] < count]
    assert not missed, f"not found: {missed}"
    print(f"{len(names)} mistakes, {len({planted[name][0] for name in names})} checks")


main(*sys.argv[1:])

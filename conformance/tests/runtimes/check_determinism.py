# SPDX-License-Identifier: Apache-2.0
"""Two runs over the same bytes differ in times, and in what cases show whose threads race.

Some chapters, those with races among them, with another number of jobs each time.

Usage: check_determinism.py TVMFFI-CONFORM LIBRARY FILTER...
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
TIMES = {"started_at", "duration_us"}
# What remains of a case that is marked: the rest may differ.
LASTING = {"id", "title", "clauses", "level", "races"}


def judge(words: list[str], jobs: int) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        command = [*words, "-q", f"--jobs={jobs}", "--report", f"json:{path}"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        return json.loads(path.read_text(encoding="utf-8"))


def without_times(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def lasting(report: dict) -> dict:
    """What must not differ. How often cases crashed, say, is counted without the marked ones."""
    kept = without_times({key: item for key, item in report.items() if key != "jobs"})
    marked = [case for case in kept["cases"] if case.get("races")]
    clauses = {clause for case in marked for clause in case["clauses"]}
    kept["cases"] = [
        {key: case[key] for key in LASTING & case.keys()} if case.get("races") else case
        for case in kept["cases"]
    ]
    kept["clauses"] = [clause for clause in kept["clauses"] if clause["id"] not in clauses]
    totals = kept["totals"]
    for kind, name in (("crash", "crashed"), ("exit", "exited"), ("timeout", "timed_out")):
        totals[name] -= sum(
            case["fail_kind"] == kind and case["verdict"] != "xfail" for case in marked
        )
    return kept


def differences(one: object, other: object, place: str = "") -> list[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted(one.keys() | other.keys())
        return [d for k in keys for d in differences(one.get(k), other.get(k), f"{place}/{k}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other))
        return [d for i, (a, b) in pairs for d in differences(a, b, f"{place}/{i}")]
    return [] if one == other else [f"{place}: {one!r:.100} and {other!r:.100}"]


def main() -> int:
    tool, library, *filters = sys.argv[1:]
    if not Path(library).exists():
        print(f"SKIPPED: {library} is not there; `make deps` fetches it")
        return SKIPPED
    words = [tool, "run", library, *(f"--filter={one}" for one in filters)]
    first, second = judge(words, 2), judge(words, 1)
    races = [case["id"] for case in first["cases"] if case.get("races")]
    print(f"{len(first['cases'])} cases, of which {len(races)} race")
    found = differences(lasting(first), lasting(second))
    print("\n".join(found))
    named = any("threads-register" in one for one in races)
    if not named:
        print("no case of threads that register the same is marked")
    return 0 if named and not found else 1


if __name__ == "__main__":
    sys.exit(main())

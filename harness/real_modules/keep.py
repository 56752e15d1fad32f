#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps what came of the matrix of modules: keep.py JUDGED REPORTS PAGE.md

JUDGED is what `matrix reports/modules.toml` wrote. Of each module the reports of two runs go packed
into REPORTS: in the runtime that it was built for, MODULE.json.gz, and in the reference,
MODULE-in-reference.json.gz; and what `load` wrote into JUDGED/load.json. The table of all runs
goes into PAGE.md, between its two marks.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from runtimes import NEWEST
from tvmffi_conform.document import report_of
from tvmffi_conform.summary import judged as how_much
from tvmffi_conform.summary import verdict_of

ROOT = Path(__file__).resolve().parent.parent.parent
BEGIN, END = "<!-- outcome: begin -->\n", "<!-- outcome: end -->\n"
REFERENCE = "reference"
LOAD = "load.json.gz"
NAMED = 6  # clauses in a cell of the table
BUILT_FOR = {
    "tvm": NEWEST,
    "tilelang": "0.1.12",
    "tvm_ffi": NEWEST,
    "tokenspeed": "0.1.13.post3",
    "jax_tvm_ffi": NEWEST,
    "nvcc": NEWEST,
    "cute": NEWEST,
    "flashinfer": NEWEST,
    "sglang": NEWEST,
}
HEAD = """\
| module | functions | built for | MUST | SHOULD | passed | failed | warned | n/a \
| in the reference | in the others |
|---|---|---|---|---|---|---|---|---|---|---|
"""

# What is kept names nobody's folders. The cache may be a link to another place.
CACHE = ROOT / ".cache" / "modules"
PLACES = ((f"{CACHE.resolve()}/", ".cache/modules/"), (f"{ROOT}/", ""))

Runs = dict[str, dict]  # the report of a run by the name of the runtime; {}: there is none


def read_text(path: Path) -> str:
    """A file, in which paths begin at the project."""
    text = path.read_text(encoding="utf-8")
    for place, name in PLACES:
        text = text.replace(place, name)
    return text


def read_runs(judged: Path) -> dict[str, Runs]:
    """The reports of modules, by module and by runtime. Paths in them begin at the project."""
    modules: dict[str, Runs] = {}
    for cell in json.loads((judged / "matrix.json").read_text(encoding="utf-8"))["cells"]:
        module, inside, runtime = cell["label"].partition(" in ")
        if not inside:
            continue
        report: dict = {}
        if cell["report"]:
            report = json.loads(read_text(judged / cell["report"]))
        modules.setdefault(module, {})[runtime] = report
    return modules


def pack(report: dict, path: Path) -> None:
    """Writes a report as the tool did, packed, with no time in it."""
    text = json.dumps(report, ensure_ascii=False, separators=(",", ":")) + "\n"
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def failed_musts(report: dict) -> int:
    return sum(case["verdict"] == "fail" and case["level"] == "MUST" for case in report["cases"])


def clauses(report: dict, level: str) -> str:
    counts = report["totals"][f"{level}_clauses"]
    return f"{counts['holds']} of {counts['judged']}"


def broken(report: dict) -> list[str]:
    """The MUST clauses that the module does not keep."""
    return [
        clause["id"]
        for clause in report["clauses"]
        if clause["level"] == "MUST" and clause["standing"] == "broken"
    ]


def standing(report: dict) -> str:
    made = report_of(Path(), report) if report else None
    if made is None or made.standing == "not_judged":
        return "not loaded"
    if made.standing == "does_not_conform":
        ids = broken(report)
        more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED + 1 else ""
        return f"breaks {', '.join(ids[:NAMED] if more else ids)}{more}"
    words = verdict_of(made)[0]
    return f"{words} ({how_much(made)})" if made.standing == "inconclusive" else words


def others(runs: Runs, built_for: str) -> str:
    """How it stands in all but the reference and the runtime that it was built for."""
    usual, said = standing(runs[built_for]), []
    rest = {name: report for name, report in runs.items() if name not in (REFERENCE, built_for)}
    for name, report in rest.items():
        if standing(report) != usual:
            said.append((standing(report), name))
    if not rest:
        return "not run"
    if not said:
        return "the same"
    words = dict.fromkeys(word for word, _ in said)
    return "; ".join(f"{word}: {', '.join(n for w, n in said if w == word)}" for word in words)


def row(module: str, runs: Runs) -> str:
    built_for = BUILT_FOR[module.partition("-")[0]]
    report = runs[built_for]
    if standing(report) == "not loaded":
        return f"| {module} | | {built_for} | not loaded |||||||\n"
    totals, musts = report["totals"], failed_musts(report)
    functions = report.get("functions") or (
        {case["id"].partition("@")[2] for case in report["cases"]} - {""}
    )
    cells = [module, len(functions), built_for, clauses(report, "must"), clauses(report, "should")]
    cells += [totals["pass"], musts, totals["fail"] - musts, totals["skip"]]
    cells += [standing(runs[REFERENCE]) if REFERENCE in runs else "not run"]
    cells += [others(runs, built_for)]
    return "| " + " | ".join(map(str, cells)) + " |\n"


def judged_in(modules: dict[str, Runs]) -> str:
    """The releases that stand behind the last column: those that all modules were judged in."""
    names = dict.fromkeys(name for runs in modules.values() for name in runs)
    common = [n for n in names if n != REFERENCE and all(n in runs for runs in modules.values())]
    return ", ".join(common) or "none"


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 3:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    judged, reports, page = map(Path, arguments)
    modules = read_runs(judged)
    reports.mkdir(parents=True, exist_ok=True)
    for old in reports.glob("*.json.gz"):
        if old.name != LOAD:
            old.unlink()
    for module, runs in modules.items():
        kept = {BUILT_FOR[module.partition("-")[0]]: module, REFERENCE: f"{module}-in-reference"}
        for runtime, name in kept.items():
            if runs.get(runtime):
                pack(runs[runtime], reports / f"{name}.json.gz")
    if (judged / "load.json").is_file():
        pack(json.loads(read_text(judged / "load.json")), reports / LOAD)
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    table = f'"In the others" are, less the one in "built for": {judged_in(modules)}.\n\n'
    table += HEAD + "".join(row(module, runs) for module, runs in modules.items())
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-License-Identifier: Apache-2.0
"""Many reports as one small document: what is common stands once, a pass is implied."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache

from .document import Case, Report, worst
from .gather import Collected
from .summary import version_key
from .timeline import series_of
from .tree import tree_lines

STANDINGS = {"holds": "h", "broken": "b", "not_judged": "n"}
# Of a clause that was not judged: it came with a later version, or is of an older generation.
LATER, EARLIER = "l", "e"
VERDICTS = {"fail": "f", "inconclusive": "i", "xfail": "x", "xpass": "u"}
MOST_FINDINGS = 60
GENERATION = re.compile(r"[0-9]{4}-[0-9]{2}")


class Table:
    """Things by number, each once, in the order of their first use."""

    def __init__(self) -> None:
        self.items: list = []
        self.numbers: dict[str, int] = {}

    def number(self, item: object, key: str | None = None) -> int:
        name = key if key is not None else json.dumps(item, sort_keys=True)
        if name not in self.numbers:
            self.numbers[name] = len(self.items)
            self.items.append(item)
        return self.numbers[name]


def ranges(numbers: list[int]) -> list[int]:
    """Rising numbers as pairs: where a run of them begins, and how long it is."""
    pairs: list[int] = []
    for number in numbers:
        if pairs and number == pairs[-2] + pairs[-1]:
            pairs[-1] += 1
        else:
            pairs += [number, 1]
    return pairs


@cache
def key_of(version: str | None) -> tuple | None:
    """Orders versions: 2025-09 is before all that have dots. None: it says nothing."""
    if version is None:
        return None
    known, key = version_key(version)
    return (known, key) if known or GENERATION.fullmatch(version) else None


def standing_of(clause: dict, version: str) -> str:
    """One letter for how a clause stands in a library that reports `version`."""
    letter = STANDINGS[clause["standing"]]
    here, since, until = key_of(version), key_of(clause["since"]), key_of(clause["until"])
    if letter == "n" and here and since and here < since:
        return LATER
    if letter == "n" and here and until and here > until:
        return EARLIER
    return letter


def detail_of(case: Case) -> dict:
    """What was seen in a case. Equal details of several implementations are kept once."""
    raw = case.raw
    evidence = [
        {key: value for key, value in entry.items() if value not in (None, "")}
        for entry in raw["evidence"]
    ]
    whole = {
        "kind": raw["fail_kind"],
        "reason": raw["reason"],
        "held": raw["expectations"]["held"],
        "failed": raw["expectations"]["failed"],
        "evidence": evidence,
        "crash": raw["crash"],
        "output": raw["output"],
        "waiver": raw["waiver"],
        "races": raw.get("races") or None,
    }
    return {key: value for key, value in whole.items() if value not in (None, "", [])}


class Page:
    """The document while it is being put together."""

    def __init__(self, collected: Collected) -> None:
        self.reports = collected.reports
        self.clauses, self.cases = Table(), Table()
        # What the cases about the functions of modules have in common, and those functions.
        self.shapes, self.functions = Table(), Table()
        self.titles, self.details = Table(), Table()
        self.functions.number("")
        newest_first = sorted(
            self.reports.values(), key=lambda report: report.raw["started_at"], reverse=True
        )
        for report in newest_first:
            self.take_rules(report)
        for report in newest_first:
            self.take_cases(report)
        self.releases = {label for one in series_of(self.reports) for label in one.labels}
        self.runs = [self.run(label, report) for label, report in self.reports.items()]

    def take_rules(self, report: Report) -> None:
        for c in report.raw["clauses"]:
            clause = [c[key] for key in ("id", "level", "chapter", "title", "text", "source")]
            self.clauses.number([*clause, c["since"], c["until"]], c["id"])

    def take_cases(self, report: Report) -> None:
        for case in report.cases:
            if case.id not in self.cases.numbers:
                clauses = [self.clauses.number(None, clause) for clause in case.clauses]
                title = self.titles.number(case.raw["title"])
                base, _, function = case.id.partition("@")
                shape = self.shapes.number([base, title, case.level, clauses])
                self.cases.number([shape, self.functions.number(function)], case.id)

    def run(self, label: str, report: Report) -> dict:
        """One implementation: standings by clause, and the cases that did not simply pass."""
        verdicts, skips = [], {}
        final = worst(report.cases)
        times = Counter((case.id, case.verdict) for case in report.cases)
        for case in final.values():
            number = self.cases.numbers[case.id]
            if case.verdict == "skip":
                skips.setdefault(case.reason, []).append(number)
            elif case.verdict != "pass":
                entry = [number, VERDICTS[case.verdict], self.details.number(detail_of(case))]
                often = times[case.id, case.verdict]
                verdicts.append([*entry, often] if report.raw["selection"]["repeat"] > 1 else entry)
        absent = [n for name, n in self.cases.numbers.items() if name not in final]
        known = {c["id"]: standing_of(c, report.version) for c in report.raw["clauses"]}
        return {
            "label": label,
            "release": label in self.releases,
            "name": report.name,
            "profile": report.library["profile"],
            "complete": report.complete,
            "repeat": report.raw["selection"]["repeat"],
            "standings": "".join(known.get(clause, " ") for clause in self.clauses.numbers),
            "verdicts": sorted(verdicts),
            "skips": [[reason, ranges(sorted(found))] for reason, found in skips.items()],
            "absent": ranges(sorted(absent)),
        }


def embedded_of(embedded: dict) -> dict:
    """What a library carries: the tree as lines, or the bytes where a rule is broken."""
    modules = embedded["modules"]
    drawn, left = tree_lines([module["imports"] for module in modules])
    return {
        "state": embedded["state"],
        "bytes": embedded["nbytes"],
        "count": embedded["module_count"],
        "tree": [
            [line.depth, line.parent, line.module, line.again]
            + [modules[line.module][key] for key in ("kind", "size")]
            for line in drawn
        ],
        "left": embedded["module_count"] - len(modules) + left,
        "problem": embedded["problem"],
    }


def file_of(file: dict) -> dict:
    """One inspected file. Notes are counted; errors and warnings are shown, up to MOST_FINDINGS."""
    levels = Counter(finding["level"] for finding in file["findings"])
    told = [finding for finding in file["findings"] if finding["level"] in ("error", "warning")]
    return {
        **{key: file[key] for key in ("name", "path", "machine", "profile", "kind", "size")},
        "floor": file["api"]["floor"],
        "oldest": file["api"]["oldest_release"],
        "linking": file["api"]["linking"],
        "functions": len(file["functions"]),
        "levels": levels,
        "findings": told[:MOST_FINDINGS],
        "more": len(told[MOST_FINDINGS:]) + sum(file["findings_not_listed"].values()),
        "embedded": embedded_of(file["library_bin"]) if file["library_bin"] else None,
    }


def condense(collected: Collected) -> dict:
    """Everything that the page shows, ready to be written as JSON."""
    page = Page(collected)
    return {
        "clauses": page.clauses.items,
        "shapes": page.shapes.items,
        "functions": page.functions.items,
        "cases": page.cases.items,
        "titles": page.titles.items,
        "details": page.details.items,
        "runs": page.runs,
        "files": [file_of(f) for inspection in collected.inspections for f in inspection["files"]],
        "unreadable": [
            [file["path"], file["message"]]
            for inspection in collected.inspections
            for file in inspection["unreadable"]
        ],
    }

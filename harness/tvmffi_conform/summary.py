# SPDX-License-Identifier: Apache-2.0
"""One line an implementation: the verdict, in words, and the numbers beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .document import Report
from .fetch_runtimes import natural_key

# How good a verdict is. Colours and marks are chosen by it; the words say the same.
GOOD, BAD, OPEN = "good", "bad", "open"


@dataclass(frozen=True)
class Line:
    """One implementation in a summary. Counts of clauses are pairs: hold, judged."""

    label: str
    version: str
    profile: str
    verdict: str
    tone: str
    remark: str
    must: tuple[int, int]
    should: tuple[int, int]
    failed: int
    warned: int
    waived: int
    not_applicable: int
    seconds: float


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def verdict_of(report: Report) -> tuple[str, str, str]:
    """The verdict, its tone, and what has to be known beside it."""
    totals = report.raw["totals"]
    if not report.complete:
        return "no verdict", OPEN, f"the run was interrupted, {totals['not_run']:,} cases not run"
    remarks = []
    if totals["xfail"]:
        remarks.append(f"{totals['xfail']:,} waived")
    if report.part:
        remarks.append(report.part)
    if report.conforms:
        return "conforms", GOOD, ", ".join(remarks)
    counted = totals["fail"] + totals["inconclusive"] + totals["xpass"] - totals["warnings"]
    reasons = [plural(counted, "case")] if counted else []
    if report.raw["unmatched_waivers"]:
        reasons.append(plural(len(report.raw["unmatched_waivers"]), "waiver") + " unused")
    return "does not conform", BAD, ", ".join(reasons + remarks)


def line_of(label: str, report: Report) -> Line:
    totals = report.raw["totals"]
    verdict, tone, remark = verdict_of(report)
    must, should = (
        (totals[key]["holds"], totals[key]["judged"]) for key in ("must_clauses", "should_clauses")
    )
    return Line(
        label=label,
        version=report.version,
        profile=report.library["profile"],
        verdict=verdict,
        tone=tone,
        remark=remark,
        must=must,
        should=should,
        failed=totals["fail"] + totals["inconclusive"] + totals["xpass"] - totals["warnings"],
        warned=totals["warnings"],
        waived=totals["xfail"],
        not_applicable=totals["skip"],
        seconds=report.raw["duration_us"] / 1e6,
    )


def lines(reports: dict[str, Report]) -> list[Line]:
    return [line_of(label, report) for label, report in reports.items()]


def version_key(version: str) -> tuple:
    """Orders versions as the index does; what is no version comes first."""
    try:
        return 1, natural_key(version)
    except ValueError:
        return 0, version


def spread(versions: Iterable[str]) -> str:
    """The version if there is one, else the first and the last of them."""
    ordered = sorted(set(versions), key=version_key)
    return ordered[0] if len(ordered) == 1 else f"{ordered[0]} to {ordered[-1]}"

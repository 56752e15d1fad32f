# SPDX-License-Identifier: Apache-2.0
"""One line an implementation: the verdict, in words, and the numbers beside it.

Verdicts and counts are those of the report (`verdict`); what draws reports takes its words here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .document import Report
from .fetch_runtimes import natural_key

# How good a verdict is. Colours and marks are chosen by it; the words say the same.
GOOD, KNOWN, BAD, OPEN = "good", "known", "bad", "open"

# Of each standing: the words, which are those of the program (verdict_standing_head), and the tone.
WORDS = {
    "conforms": ("conforms", GOOD),
    "broken_known": ("broken, known", KNOWN),
    "does_not_conform": ("not conformant", BAD),
    "inconclusive": ("inconclusive", OPEN),
    "not_judged": ("not judged", BAD),
}
LEVELS = ("must", "should", "hardening")
OLDER = "older report"


@dataclass(frozen=True)
class Line:
    """One implementation in a summary.

    `why`: the first reason of a verdict that is not good; `remark`: all that has to be known
    beside it. `clauses`: a line for each scope, and how much was judged. `levels`: of MUST, SHOULD
    and HARDENING, how many clauses are broken of how many that were judged.
    """

    label: str
    version: str
    profile: str
    verdict: str
    tone: str
    why: str
    remark: str
    clauses: list[str]
    levels: list[tuple[int, int]]
    failed: int
    warned: int
    waived: int
    not_applicable: int
    seconds: float


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def verdict_of(report: Report) -> tuple[str, str, str]:
    """The verdict, its tone, and what has to be known beside it."""
    verdict = report.verdict
    words, tone = WORDS[verdict["standing"]]
    waived = report.raw["totals"]["xfail"]
    known = verdict["standing"] == "broken_known"
    remarks = [f"{waived:,} waived"] if known else list(verdict["reasons"])
    if waived and not known:
        remarks.append(f"{waived:,} waived")
    known_release = verdict.get("known")
    if known_release and known_release["deviations"]:
        release, count = known_release["release"], known_release["deviations"]
        remarks.append(f"known deviations of {release}: {count:,}")
    gate = verdict["gate"]
    if gate["level"] != "MUST" or gate["rules"]:
        remarks.append(f"gate {gate['name']}")
    if report.part:
        remarks.append(report.part)
    if report.older:
        remarks.append(OLDER)
    return words, tone, ", ".join(remarks)


def counted(scope: dict) -> str:
    """What of a scope holds, of what was judged: "312 of 312 MUST · 40 of 44 SHOULD"."""
    return " · ".join(
        f"{scope[level]['holds']} of {scope[level]['judged']} {level.upper()}"
        for level in LEVELS
        if scope.get(level, {}).get("judged")
    )


def scope_lines(report: Report) -> list[str]:
    """A line for each scope of which something was judged, as in the text report."""
    if report.older:
        totals = report.raw["totals"]
        counts = {"must": totals["must_clauses"], "should": totals["should_clauses"]}
        return [counted(counts)] * bool(counted(counts))
    held = ((scope["scope"], counted(scope)) for scope in report.verdict["scopes"])
    return [f"{name} {counts}" for name, counts in held if counts]


def judged(report: Report) -> str:
    must = report.verdict["must"]
    return f"judged {must['judged']} of {must['applicable']} applicable MUST clauses"


def profile_of(report: Report) -> str:
    """runtime or module; empty for a file that could not be read."""
    profile = report.library["profile"]
    return "" if profile == "none" else profile


def broken_of_judged(report: Report, level: str) -> tuple[int, int]:
    found = [c["standing"] for c in report.raw["clauses"] if c["level"] == level]
    return found.count("broken"), found.count("broken") + found.count("holds")


def line_of(label: str, report: Report) -> Line:
    totals = report.raw["totals"]
    verdict, tone, remark = verdict_of(report)
    not_run = 0 if report.complete else totals["not_run"]
    return Line(
        label=label,
        version=report.version,
        profile=profile_of(report),
        verdict=verdict,
        tone=tone,
        why=next(iter(report.verdict["reasons"]), "") if tone in (BAD, OPEN) else "",
        remark=remark,
        clauses=[*scope_lines(report), *[judged(report)] * (report.standing != "not_judged")],
        levels=[broken_of_judged(report, level.upper()) for level in LEVELS],
        failed=totals["fail"]
        + totals["inconclusive"]
        + totals["xpass"]
        - totals["warnings"]
        - not_run,
        warned=totals["warnings"],
        waived=totals["xfail"],
        not_applicable=totals["skip"],
        seconds=report.raw["duration_us"] / 1e6,
    )


def lines(reports: dict[str, Report]) -> list[Line]:
    return [line_of(label, report) for label, report in reports.items()]


def headline(
    reports: Iterable[Report], missing: int = 0, noun: tuple[str, str] = ("implementation", "")
) -> str:
    """How many conform, and what the others are: "2 of 4 implementations conform; 1 inconclusive".

    Those that break what waivers name are no part of the first number.
    """
    count = Counter(report.standing for report in reports)
    whole = sum(count.values()) + missing
    told = [f"{count['conforms']} of {plural(whole, noun[0])}{noun[1]} conform"]
    for standing in ("broken_known", "inconclusive", "not_judged"):
        if count[standing]:
            told.append(f"{count[standing]} {WORDS[standing][0]}")
    return "; ".join(told)


def exit_code(reports: Iterable[Report | None]) -> int:
    """What a command over many runs ends with; None is a run that gave no report.

    As in the program: 3 something could not be judged, else 1 one does not conform, else 5 one is
    inconclusive, else 0.
    """
    codes = {report.verdict["exit_code"] if report else 3 for report in reports}
    if codes - {0, 1, 5}:
        return 3
    return 1 if 1 in codes else max(codes, default=0)


def version_key(version: str) -> tuple:
    """Orders versions as the index does; what is no version comes first."""
    try:
        return 1, natural_key(version)
    except ValueError:
        return 0, version


def spread(versions: Iterable[str]) -> str:
    """The version if there is one, else the first and the last of them."""
    ordered = sorted(set(versions), key=version_key)
    ordered = [version for version in ordered if version != "unknown"] or ordered
    return ordered[0] if len(ordered) == 1 else f"{ordered[0]} to {ordered[-1]}"

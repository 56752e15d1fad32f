# SPDX-License-Identifier: Apache-2.0
"""The releases of one implementation and what each of them breaks: what the page answers first.

A deviation is one that was investigated (trophies.py), or a clause that some release breaks beyond
those. How it stands in a release is told by the cases that show it, in the report on that release.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import translate

from . import HarnessError
from .document import LEVELS, Report, worst
from .summary import plural
from .timeline import Series, Step
from .trophies import Trophy

# How a deviation stands in a release. ELSEWHERE: a program or a fuzz input shows it, no case.
BROKEN, ELSEWHERE, HOLDS, NOT_JUDGED = "b", "o", "h", "n"
HAS = BROKEN + ELSEWHERE
BAD = ("fail", "inconclusive", "xfail", "xpass")


@dataclass(frozen=True)
class Deviation:
    """One row: `states` has a letter for each release, newest first. `link`: where it is told."""

    title: str
    level: str
    clauses: tuple[str, ...]
    affects: str
    cause: str
    link: str
    states: str
    spread: str
    known: bool


@dataclass(frozen=True)
class Release:
    """One column: `broken` is the number of broken clauses by level."""

    label: str
    version: str
    broken: dict[str, int]


@dataclass(frozen=True)
class Releases:
    """All releases of one implementation, newest first, with all deviations of any."""

    name: str
    official: bool
    profile: str
    releases: list[Release]
    deviations: list[Deviation]
    steps: list[Step]

    @property
    def newest(self) -> Release:
        return self.releases[0]

    def of_level(self, level: str) -> list[Deviation]:
        return [one for one in self.deviations if one.level == level]

    @property
    def kind(self) -> str:
        """official releases, releases of NAME."""
        return "official release" if self.official else "release"


def spread_of(states: str, versions: Sequence[str]) -> str:
    """In which releases a deviation is, in words. Both are newest first."""
    stretches: list[list[str]] = []
    before = ""
    for state, version in zip(reversed(states), reversed(versions)):
        if state in HAS:
            if before not in HAS or not before:
                stretches.append([])
            stretches[-1].append(version)
        before = state
    if not stretches:
        return "none"
    if len(stretches[0]) == len(versions):
        return "every release"
    if len(stretches) > 2:
        return f"{sum(map(len, stretches))} of {plural(len(versions), 'release')}"
    told = []
    for stretch in stretches:
        first, last = stretch[0], stretch[-1]
        if first == last:
            told.append(first)
        elif last == versions[0]:
            told.append(f"{first} and newer")
        elif first == versions[-1]:
            told.append(f"up to {last}")
        else:
            told.append(f"{first} to {last}")
    only = " only" if len(stretches) == 1 and len(stretches[0]) == 1 else ""
    return ", ".join(told) + only


class Judged:
    """One release: the worst verdict on each case, and which clauses it breaks."""

    def __init__(self, version: str, report: Report) -> None:
        self.version = version
        self.cases = worst(report.cases)
        self.bad = {case.id: case for case in self.cases.values() if case.verdict in BAD}
        self.broken = [c["id"] for c in report.raw["clauses"] if c["standing"] == "broken"]
        self.standings = report.standings
        self.explained: set[str] = set()

    def state(self, names: set[str]) -> str:
        """How the cases of these names stand."""
        if any(name in self.bad for name in names):
            return BROKEN
        passed = any(name in self.cases and self.cases[name].verdict == "pass" for name in names)
        return HOLDS if passed else NOT_JUDGED

    def unexplained(self, clause: str) -> list:
        """The cases that break a clause, and that no deviation names."""
        return [
            case
            for case in self.bad.values()
            if clause in case.clauses and case.id not in self.explained
        ]


def concerns(trophy: Trophy, version: str) -> bool:
    try:
        return trophy.concerns(version)
    except (HarnessError, ValueError):
        return False  # a label that is no version of the index


def of_trophy(trophy: Trophy, judged: Sequence[Judged], known: Sequence[str]) -> Deviation | None:
    """A row, if some release has the deviation. `known`: the names of all cases."""
    if not trophy.releases:
        return None
    shapes = re.compile("|".join(translate(case) for case in trophy.cases) or r"(?!)")
    names = {name for name in known if shapes.match(name)}
    states = ""
    for one in judged:
        state = one.state(names)
        if state == BROKEN and concerns(trophy, one.version):
            one.explained |= names
        elif state == BROKEN:
            state = NOT_JUDGED  # another deviation is shown by the same case
        elif concerns(trophy, one.version) and (trophy.timing or not trophy.cases):
            state = ELSEWHERE
        states += state
    if not set(states) & set(HAS):
        return None
    return Deviation(
        title=trophy.title,
        level=trophy.level,
        clauses=trophy.clauses,
        affects=trophy.affects,
        cause="",
        link=f"found-{trophy.id}",
        states=states,
        spread=spread_of(states, [one.version for one in judged]),
        known=True,
    )


def of_clause(clause: dict, judged: Sequence[Judged]) -> Deviation | None:
    """A row for what some release breaks, and no investigated deviation explains."""
    states, causes, known = "", [], True
    for one in judged:
        left = one.unexplained(clause["id"]) if clause["id"] in one.broken else []
        known = known and all(case.verdict == "xfail" for case in left)
        causes += [case.raw["waiver"]["reason"] for case in left if case.raw["waiver"]]
        state = one.standings.get(clause["id"], "not_judged")
        states += BROKEN if left else HOLDS if state == "holds" else NOT_JUDGED
    if BROKEN not in states:
        return None
    return Deviation(
        title=clause["title"],
        level=clause["level"],
        clauses=(clause["id"],),
        affects="",
        cause=causes[0] if causes else "",
        link=f"clause-{clause['id']}",
        states=states,
        spread=spread_of(states, [one.version for one in judged]),
        known=known,
    )


def releases_of(series: Series, reports: dict[str, Report], trophies: Sequence[Trophy]) -> Releases:
    members = [reports[label] for label in reversed(series.labels)]
    versions = list(reversed(series.versions))
    judged = [Judged(version, report) for version, report in zip(versions, members)]
    official = all(report.raw.get("verdict", {}).get("known") for report in members)
    runtime = all(report.library["profile"] == "runtime" for report in members)
    clauses = {c["id"]: c for report in members for c in report.raw["clauses"]}
    names = list(dict.fromkeys(name for one in judged for name in one.cases))
    rows = [of_trophy(trophy, judged, names) for trophy in trophies if runtime]
    rows += [of_clause(clause, judged) for clause in clauses.values()]
    deviations = [row for row in rows if row is not None]
    deviations.sort(key=lambda row: (LEVELS.index(row.level), row.states[0] not in HAS))
    return Releases(
        name=series.name,
        official=official,
        profile=members[0].library["profile"],
        releases=[
            Release(
                label,
                one.version,
                {
                    level: sum(clauses[name]["level"] == level for name in one.broken)
                    for level in LEVELS
                },
            )
            for label, one in zip(reversed(series.labels), judged)
        ],
        deviations=deviations,
        steps=list(reversed(series.steps)),
    )


def known_words(releases: Releases) -> str:
    """Whether what the newest release breaks of MUST and SHOULD was known."""
    rows = [row for row in releases.deviations if row.states[0] in HAS and row.level != LEVELS[-1]]
    known = sum(row.known for row in rows)
    if not rows or not known:
        return ""
    return ", all known" if known == len(rows) else f", {known} of {len(rows)} deviations known"


def sentence(releases: Releases) -> str:
    """ "0 of 28 official releases keep every MUST; the newest breaks 1 MUST and 10 SHOULD"."""
    kept = sum(not release.broken["MUST"] for release in releases.releases)
    count = len(releases.releases)
    subject = f"{kept} of {plural(count, releases.kind)} keep every MUST"
    broken = [
        f"{releases.newest.broken[level]} {level}"
        for level in LEVELS[:-1]
        if releases.newest.broken[level]
    ]
    if not broken:
        return f"{subject}; the newest keeps every MUST and SHOULD"
    return f"{subject}; the newest breaks {' and '.join(broken)}{known_words(releases)}"

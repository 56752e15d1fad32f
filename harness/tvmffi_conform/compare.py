# SPDX-License-Identifier: Apache-2.0
"""What changed between two sets of reports: regressions, fixes, new and gone cases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .document import Case, Report

# From good to bad. What is not applicable is no point on this scale.
RANK = {"pass": 0, "xfail": 1, "inconclusive": 2, "xpass": 2, "fail": 3}


@dataclass(frozen=True)
class Change:
    """One case of one implementation whose verdict is not what it was."""

    implementation: str
    case: str
    level: str
    clauses: tuple[str, ...]
    old: str | None
    new: str | None

    def line(self) -> str:
        return f"{self.case:<64} {self.level:<6} {self.old or '-'} -> {self.new or '-'}"


@dataclass
class Comparison:
    """All changes, each in one list. `gone` and `new` speak of cases that only one side ran."""

    regressions: list[Change] = field(default_factory=list)
    fixes: list[Change] = field(default_factory=list)
    new: list[Change] = field(default_factory=list)
    gone: list[Change] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    @property
    def regressed(self) -> bool:
        """Whether something got worse: a verdict, or a case that fails and was not there before."""
        return bool(self.regressions)


def worst(cases: Iterable[Case]) -> dict[str, Case]:
    """One verdict a case: with repetitions, the worst."""
    result: dict[str, Case] = {}
    for case in cases:
        known = result.get(case.id)
        if known is None or RANK.get(case.verdict, -1) > RANK.get(known.verdict, -1):
            result[case.id] = case
    return result


def ran(case: Case | None) -> bool:
    return case is not None and case.verdict in RANK


def change(label: str, old: Case | None, new: Case | None) -> Change:
    shown = new or old
    assert shown is not None
    return Change(
        label,
        shown.id,
        shown.level,
        shown.clauses,
        old.verdict if old else None,
        new.verdict if new else None,
    )


def compare_cases(label: str, old: Report, new: Report, into: Comparison) -> None:
    """Adds to `into` what changed between two reports on one implementation."""
    before, after = worst(old.cases), worst(new.cases)
    for identity in sorted(before.keys() | after.keys()):
        was, now = before.get(identity), after.get(identity)
        if ran(was) and ran(now):
            step = RANK[now.verdict] - RANK[was.verdict]
            if step > 0:
                into.regressions.append(change(label, was, now))
            elif step < 0:
                into.fixes.append(change(label, was, now))
        elif ran(now):
            # Nobody knows what a case that did not run before would have said: bad news are bad.
            target = into.regressions if now.counts else into.new
            target.append(change(label, was, now))
        elif ran(was):
            into.gone.append(change(label, was, now))


def compare(old: dict[str, Report], new: dict[str, Report]) -> Comparison:
    """Compares implementations by label; those that only one side has are named."""
    result = Comparison()
    result.added = sorted(new.keys() - old.keys())
    result.removed = sorted(old.keys() - new.keys())
    for label in sorted(old.keys() & new.keys()):
        compare_cases(label, old[label], new[label], result)
    return result

# SPDX-License-Identifier: Apache-2.0
"""Releases of one implementation in their order: what changed from one to the next."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .document import Report
from .summary import version_key

# "official 0.1.9", "libtvm_ffi.so 0.1.9", "0.1.9", "kernels in official 0.1.9"
LABEL = re.compile(r"(?P<name>.*?)[\s_-]*\bv?(?P<version>[0-9]+(\.[0-9]+)+[0-9A-Za-z.+]*)")


@dataclass(frozen=True)
class Step:
    """What changed from one release to the next; clauses that came with it are in `new_*`."""

    old: str
    new: str
    broke: tuple[str, ...]
    mended: tuple[str, ...]
    new_broken: tuple[str, ...]
    new_held: int


@dataclass
class Series:
    """The releases of one implementation, oldest first, by label and by version."""

    name: str
    labels: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)


def parted(label: str) -> tuple[str, str] | None:
    """The implementation and the version that a label names."""
    found = LABEL.fullmatch(label)
    return (found["name"], found["version"]) if found else None


def step(old: str, new: str, before: dict[str, str], after: dict[str, str]) -> Step:
    def moved(was: str, now: str) -> tuple[str, ...]:
        return tuple(
            clause
            for clause, standing in after.items()
            if standing == now and before.get(clause, "not_judged") == was
        )

    return Step(
        old,
        new,
        broke=moved("holds", "broken"),
        mended=moved("broken", "holds"),
        new_broken=moved("not_judged", "broken"),
        new_held=len(moved("not_judged", "holds")),
    )


def series_of(reports: dict[str, Report]) -> list[Series]:
    """Every implementation of which there are two releases or more; whole runs only."""
    releases: dict[str, list[tuple[str, str]]] = {}
    for label, report in reports.items():
        named = parted(label)
        if named and report.complete and not report.part:
            releases.setdefault(named[0], []).append((named[1], label))
    found = []
    for name, members in releases.items():
        if len(members) < 2:
            continue
        members.sort(key=lambda member: version_key(member[0]))
        series = Series(name or reports[members[0][1]].name)
        series.versions = [version for version, _ in members]
        series.labels = [label for _, label in members]
        standings = [reports[label].standings for label in series.labels]
        pairs = zip(series.versions, series.versions[1:], standings, standings[1:])
        series.steps = [step(*pair) for pair in pairs]
        found.append(series)
    return found


def newest_first(reports: dict[str, Report]) -> dict[str, Report]:
    """Runtimes before modules; of each series the newest release first, where its first one was."""
    order: dict[str, list[str]] = {}
    for series in series_of(reports):
        order |= {key: list(reversed(series.labels)) for key in series.labels}
    placed: dict[str, None] = {}
    for label in reports:
        placed |= dict.fromkeys(order.get(label, [label]))
    return {
        label: reports[label]
        for label in sorted(placed, key=lambda name: reports[name].library["profile"] == "module")
    }

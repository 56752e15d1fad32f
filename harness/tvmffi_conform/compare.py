# SPDX-License-Identifier: Apache-2.0
"""What changed between two sets of reports: `tvmffi-conform diff` for each implementation."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from . import HarnessError
from .document import Report
from .tool import CONFORMS, DOES_NOT_CONFORM, Tool, reason_of


@dataclass(frozen=True)
class Change:
    """One case of one implementation whose verdict changed."""

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
    """All changes, each in one list. `gone` and `new` are of cases that only one side ran, `racing`
    of cases whose threads race: timing may be all that changed."""

    regressions: list[Change] = field(default_factory=list)
    fixes: list[Change] = field(default_factory=list)
    new: list[Change] = field(default_factory=list)
    gone: list[Change] = field(default_factory=list)
    racing: list[Change] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    @property
    def regressed(self) -> bool:
        """Whether a verdict got worse, or a case fails that was not there before."""
        return bool(self.regressions)

    def take(self, label: str, change: dict) -> None:
        """Adds one entry of `diff`'s JSON (reports/diff.schema.json)."""
        lists = {
            "regression": self.regressions,
            "fix": self.fixes,
            "new": self.new,
            "gone": self.gone,
            "racing": self.racing,
        }
        lists[change["kind"]].append(
            Change(
                label,
                change["id"],
                change["level"],
                tuple(change["clauses"]),
                change["old"],
                change["new"],
            )
        )


def write_plain(report: Report, path: Path) -> None:
    """The report as `diff` reads it: not compressed. Whoever accepted an incomplete run did so."""
    path.write_text(json.dumps({**report.raw, "complete": True}), encoding="utf-8")


def diff(old: Report, new: Report, program: Tool) -> list[dict]:
    """The changes between two reports. HarnessError: the program refuses them."""
    with tempfile.TemporaryDirectory(prefix="tvmffi-conform-") as folder:
        files = [Path(folder) / name for name in ("old.json", "new.json")]
        for report, file in zip((old, new), files):
            write_plain(report, file)
        done = program.ask("diff", "-q", *map(str, files), "--report", "json:-")
    if done.returncode not in (CONFORMS, DOES_NOT_CONFORM):
        raise HarnessError(f"cannot compare {old.path} with {new.path}: {reason_of(done)}")
    return json.loads(done.stdout)["changes"]


def compare(old: dict[str, Report], new: dict[str, Report], program: Tool) -> Comparison:
    """Compares implementations by label; those that only one side has are named."""
    result = Comparison()
    result.added = sorted(new.keys() - old.keys())
    result.removed = sorted(old.keys() - new.keys())
    for label in sorted(old.keys() & new.keys()):
        for change in diff(old[label], new[label], program):
            result.take(label, change)
    return result

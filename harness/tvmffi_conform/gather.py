# SPDX-License-Identifier: Apache-2.0
"""Which reports a user means by a path: one file, a folder, or what `matrix` wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import HarnessError
from .document import (
    INSPECTION_FORMAT,
    Report,
    check_inspection,
    check_report,
    parse,
    read_report,
)
from .load import FORMAT as LOAD_FORMAT
from .load import Loads, loads_from
from .matrix import INDEX, INDEX_FORMAT
from .traces import Trace, first_kind, read_trace


@dataclass
class Collected:
    """Everything that was found, by label. `missing`: what has no report, and why."""

    reports: dict[str, Report] = field(default_factory=dict)
    inspections: list[dict] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    loads: list[Loads] = field(default_factory=list)
    traces: dict[str, Trace] = field(default_factory=dict)

    def add(self, label: str, report: Report) -> None:
        """Takes a report; two may not go by one name. HarnessError: they are one and the same."""
        known = self.reports.get(label)
        if known is not None:
            if known.path.resolve() == report.path.resolve():
                raise HarnessError(f"{report.path}: given twice; name each report once")
            label = f"{label} ({report.path})"
        self.reports[label] = report


def indexed(folder: Path, partial: bool, into: Collected) -> None:
    """The reports that a matrix wrote, and the cells that have none."""
    index = folder / INDEX
    document = parse(index)
    cells = document.get("cells")
    if document.get("format") != INDEX_FORMAT or not isinstance(cells, list):
        raise HarnessError(
            f"{index}: not an index ({INDEX_FORMAT}); run `tvmffi-harness matrix` again"
        )
    for number, cell in enumerate(cells):
        whole = isinstance(cell, dict) and isinstance(cell.get("label"), str)
        if not whole or not isinstance(cell.get("report"), (str, type(None))):
            raise HarnessError(f"{index}: cells/{number}: needs a label and a report")
        if cell["report"] is None:
            into.missing[cell["label"]] = str(cell.get("trouble") or "no report")
            continue
        if Path(cell["report"]).name != cell["report"]:
            raise HarnessError(
                f"{index}: cells/{number}: {cell['report']!r} is not a file of this folder"
            )
        into.add(cell["label"], read_report(folder / cell["report"], partial))


def stem(path: Path) -> str:
    """The name of a report without what says its format: 0.1.9 of 0.1.9.json.gz."""
    return path.name.removesuffix(".gz").removesuffix(".json").removesuffix(".jsonl")


def report_files(folder: Path) -> list[Path]:
    """Those of a folder. JSON Lines are traces there, or something else, such as a scan."""
    found = [*folder.glob("*.json"), *folder.glob("*.json.gz")]
    found += [path for path in folder.glob("*.jsonl") if first_kind(path)]
    return sorted(found, key=lambda path: natural(stem(path)))


def natural(text: str) -> list[tuple[int, str]]:
    """Orders names with numbers in them as people do: 0.1.9 before 0.1.10."""
    parts = re.split(r"(\d+)", text)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def take_file(path: Path, label: str | None, partial: bool, into: Collected) -> None:
    """One file: a report of a run, `inspect`, `load` or `trace`. Without a label a run goes
    by what it reports."""
    if first_kind(path):
        name = label or stem(path)
        into.traces[name if name not in into.traces else str(path)] = read_trace(path)
        return
    document = parse(path)
    if document.get("format") == INSPECTION_FORMAT:
        into.inspections.append(check_inspection(path, document))
        return
    if document.get("format") == LOAD_FORMAT:
        into.loads.append(loads_from(path, document))
        return
    report = check_report(path, document, partial)
    into.add(label or f"{report.name} {report.version}", report)


def collect(paths: Sequence[Path], partial: bool = False) -> Collected:
    """All that the paths name. HarnessError: nothing is there, or something is no report."""
    found = Collected()
    alone = len(paths) == 1
    for path in paths:
        if not path.is_dir():
            take_file(path, None if alone else stem(path), partial, found)
        elif (path / INDEX).is_file():
            indexed(path, partial, found)
        else:
            for file in report_files(path):
                take_file(file, stem(file), partial, found)
    if not (found.reports or found.inspections or found.loads or found.traces):
        if found.missing:
            label, why = next(iter(found.missing.items()))
            raise HarnessError(f"{paths[0]}: no cell has a report; of {label}: {why}")
        raise HarnessError(
            f"{paths[0]}: no report (`tvmffi-conform LIB --report json:FILE` writes one)"
        )
    return found


def label_reports(path: Path, partial: bool = False) -> dict[str, Report]:
    """Reports of runs by label, in order. HarnessError: there are none, or one is no report."""
    found = collect([path], partial).reports
    if not found:
        raise HarnessError(f"{path}: no report of a run, only of `inspect`")
    return found

# SPDX-License-Identifier: Apache-2.0
"""Which reports a user means by a path: one file, a folder, or what `matrix` wrote."""

from __future__ import annotations

from pathlib import Path

from . import HarnessError
from .document import Report, parse, read_report
from .matrix import INDEX, INDEX_FORMAT


def indexed(folder: Path, partial: bool) -> dict[str, Report]:
    """The reports that a matrix wrote, by label; cells without a report are left out."""
    index = folder / INDEX
    document = parse(index)
    cells = document.get("cells")
    if document.get("format") != INDEX_FORMAT or not isinstance(cells, list):
        raise HarnessError(
            f"{index}: no index of {INDEX_FORMAT}; run `tvmffi-harness matrix` again"
        )
    found: dict[str, Report] = {}
    for number, cell in enumerate(cells):
        whole = isinstance(cell, dict) and isinstance(cell.get("label"), str)
        if not whole or not isinstance(cell.get("report"), (str, type(None))):
            raise HarnessError(f"{index}: cells/{number}: needs a label and a report")
        if cell["report"] is None:
            continue
        if Path(cell["report"]).name != cell["report"]:
            raise HarnessError(
                f"{index}: cells/{number}: {cell['report']!r} is no file of this folder"
            )
        found[cell["label"]] = read_report(folder / cell["report"], partial)
    return found


def label_reports(path: Path, partial: bool = False) -> dict[str, Report]:
    """Reports by label, in order. HarnessError: nothing is there, or it is no report."""
    if not path.is_dir():
        report = read_report(path, partial)
        return {f"{report.name} {report.version}": report}
    if (path / INDEX).is_file():
        found = indexed(path, partial)
    else:
        found = {file.stem: read_report(file, partial) for file in sorted(path.glob("*.json"))}
    if not found:
        raise HarnessError(
            f"{path}: holds no report; `tvmffi-conform LIB --report json:FILE` writes one"
        )
    return found

# SPDX-License-Identifier: Apache-2.0
"""A matrix: every runtime through its battery, every module through every runtime."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import HarnessError
from .cells import Cell, Outcome
from .plan import Plan
from .provide import Provided, Provider

INDEX = "matrix.json"
INDEX_FORMAT = "tvmffi-conform-matrix/1"


@dataclass
class Gathered:
    """What of a plan is there, and what could not be had."""

    runtimes: list[Provided] = field(default_factory=list)
    modules: list[Provided] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)


def gather(plan: Plan, provider: Provider) -> Gathered:
    """Brings everything that a plan names; what can't be had is noted, and the rest goes on."""
    gathered = Gathered()
    kinds = (
        ("runtime", plan.runtimes, gathered.runtimes),
        ("module", plan.modules, gathered.modules),
    )
    for kind, sources, found in kinds:
        for number, source in enumerate(sources):
            try:
                found += provider.provide(source, plan.folder)
            except HarnessError as error:
                gathered.missing[source.name] = f"{plan.path}: {kind}[{number}]: {error}"
    return gathered


def cells_of(gathered: Gathered, told: tuple[str, ...] = ()) -> list[Cell]:
    """Every runtime by itself, then every module in every runtime. `told` are options of all."""
    cells = [
        Cell(r.label, r.library, waivers=r.source.waivers, options=(*told, *r.source.options))
        for r in gathered.runtimes
    ]
    for module in gathered.modules:
        source = module.source
        for runtime in gathered.runtimes or [None]:
            label = f"{module.label} in {runtime.label}" if runtime else module.label
            cells.append(
                Cell(
                    label,
                    module.library,
                    runtime.library if runtime else None,
                    source.waivers,
                    source.signatures,
                    (*told, *source.options),
                )
            )
    return cells


def file_name(label: str, taken: set[str]) -> str:
    """A file name that says what a label says, and that no other label got."""
    stem = re.sub(r"[^A-Za-z0-9.]+", "-", label).strip("-.") or "report"
    name, number = f"{stem}.json", 2
    while name in taken:
        name, number = f"{stem}-{number}.json", number + 1
    taken.add(name)
    return name


def make_folder(folder: Path) -> None:
    """The folder of the results, before anything is judged: hours of work must not be lost."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise HarnessError(f"{folder}: cannot be written")


def write_results(folder: Path, outcomes: Sequence[Outcome], missing: dict[str, str]) -> Path:
    """Writes each report into `folder`, and an index that names all cells, failed ones included."""
    make_folder(folder)
    taken: set[str] = {INDEX}
    rows = []
    for outcome in outcomes:
        row = {"label": outcome.cell.label, "trouble": outcome.trouble or None, "report": None}
        if outcome.report is not None:
            row["report"] = file_name(outcome.cell.label, taken)
            shutil.copyfile(outcome.report.path, folder / row["report"])
        rows.append(row)
    rows += [{"label": name, "trouble": why, "report": None} for name, why in missing.items()]
    index = folder / INDEX
    document = {"format": INDEX_FORMAT, "cells": rows}
    index.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return index

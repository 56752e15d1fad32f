# SPDX-License-Identifier: Apache-2.0
"""The cells of a matrix: run once, kept by all that went in, run again when that changes."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from . import HarnessError
from .document import FORMATS, Report, report_of
from .tool import OFFICIAL, Tool


@dataclass(frozen=True)
class Cell:
    """One run: a runtime by itself, or a module in a runtime. Paths are those of libraries."""

    label: str
    library: Path
    runtime: Path | None = None
    waivers: Path | None = None
    signatures: Path | None = None
    options: tuple[str, ...] = ()
    other: Path | None = None  # another build of the library

    def arguments(self) -> list[str]:
        """What the C program is told beside the library."""
        told = list(self.options)
        for option, value in (
            ("--runtime", self.runtime),
            ("--waivers", self.waivers),
            ("--signatures", self.signatures),
            ("--same-as", self.other),
        ):
            if value is not None:
                told += [option, str(value)]
        return told


@dataclass(frozen=True)
class Outcome:
    """What became of a cell: a report, or why there is none."""

    cell: Cell
    report: Report | None
    trouble: str = ""
    cached: bool = False


def file_digest(path: Path) -> str:
    """SHA-256 of a file. HarnessError: it can't be read."""
    whole = hashlib.sha256()
    try:
        with open(path, "rb") as source:
            for block in iter(lambda: source.read(1 << 20), b""):
                whole.update(block)
    except OSError as error:
        raise HarnessError(f"{path}: {error.strerror}") from error
    return whole.hexdigest()


class Results:
    """A folder of reports, each named by the digest of everything that the run depends on."""

    def __init__(self, root: Path, tool: Tool) -> None:
        self.root, self.tool = root, tool

    def key(self, cell: Cell) -> str:
        parts = [self.tool.digest(), cell.library.name, file_digest(cell.library), *cell.options]
        for path in (cell.runtime, cell.waivers, cell.signatures, cell.other):
            is_file = path is not None and str(path) != OFFICIAL
            parts.append(file_digest(path) if is_file else str(path or ""))
        # Options name files, too: --gate FILE.json.
        parts += [file_digest(Path(word)) for word in cell.options if Path(word).is_file()]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def get(self, key: str) -> Report | None:
        """The report of an earlier run, if there is a whole one.

        It was checked against the schema when it was kept, and its digest says that it is the same
        still: that is quick, and a report that is damaged is made again.
        """
        path = self.root / f"{key}.json"
        try:
            text = path.read_bytes()
            kept = (self.root / f"{key}.sha256").read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError):
            return None
        if hashlib.sha256(text).hexdigest() != kept.strip():
            return None
        document = json.loads(text)
        if document.get("format") not in FORMATS:
            return None
        report = report_of(path, document)
        # Why a library could not be loaded may lie outside of it: it is tried again.
        return None if report.standing == "not_judged" else report

    def put(self, key: str, report: Report) -> Report:
        """Keeps a report; it appears whole or not at all."""
        self.root.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report.raw, ensure_ascii=False).encode()
        path = self.root / f"{key}.json"
        self.write(path, text)
        self.write(path.with_suffix(".sha256"), hashlib.sha256(text).hexdigest().encode())
        return Report(path, report.raw, report.cases)

    def write(self, path: Path, text: bytes) -> None:
        handle, name = tempfile.mkstemp(dir=self.root, suffix=".part")
        with os.fdopen(handle, "wb") as sink:
            sink.write(text)
        os.replace(name, path)


def run_cell(cell: Cell, tool: Tool, results: Results, seconds: float) -> Outcome:
    """One cell, from the kept results or by running it. Never raises for what a library does."""
    try:
        key = results.key(cell)
    except HarnessError as error:
        return Outcome(cell, None, str(error))
    kept = results.get(key)
    if kept is not None:
        return Outcome(cell, kept, cached=True)
    try:
        answer = tool.judge(cell.library, cell.arguments(), seconds)
    except HarnessError as error:
        return Outcome(cell, None, str(error))
    if answer.report is None:
        return Outcome(cell, None, answer.trouble)
    return Outcome(cell, results.put(key, answer.report))


def run_cells(
    cells: Sequence[Cell],
    tool: Tool,
    results: Results,
    seconds: float,
    jobs: int,
    done: Callable[[Outcome], None],
) -> list[Outcome]:
    """Runs all cells, `jobs` at a time, and calls `done` for each in this thread as it ends.

    Every finished cell is kept before `done` hears of it, so an interrupted matrix goes on where it
    was (KeyboardInterrupt passes through). Returned in the order of `cells`.
    """
    outcomes: dict[int, Outcome] = {}
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        running: dict[Future[Outcome], int] = {
            pool.submit(run_cell, cell, tool, results, seconds): number
            for number, cell in enumerate(cells)
        }
        try:
            while running:
                ended, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    number = running.pop(future)
                    outcomes[number] = future.result()
                    done(outcomes[number])
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [outcomes[number] for number in range(len(cells))]

# SPDX-License-Identifier: Apache-2.0
"""Every library and wheel below a folder, inspected, as JSON Lines that grow while it runs.

A line an input: its path, size and time of change, and what was found in it or why nothing was.
Lines of an earlier scan whose file is still the same are not made again.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Protocol

from . import HarnessError
from .document import INSPECTION_FORMAT
from .tool import Tool

LIBRARY = re.compile(r"(?s).+\.(so(\.[0-9]+)*|whl)")
BATCH_FILES, BATCH_BYTES = 48, 64 << 20
AHEAD = 3
NAMED = 20  # inputs that could not be read, at the end
TOLD = ("error", "warning")
LINE_KEYS = {"input", "size", "changed", "files", "unreadable"}


@dataclass(frozen=True)
class Input:
    """A file to inspect, and what says whether it is still the same."""

    path: str
    size: int
    changed: int

    @property
    def odd(self) -> bool:
        """Whether the program writes the name differently, so that it has to go alone."""
        return not self.path.isprintable() or "\\" in self.path or not self.path.isascii()


@dataclass
class Totals:
    """What is told at the end: one count for each library that was found in the inputs."""

    inputs: int = 0
    kept: int = 0
    troubles: int = 0
    unreadable: list[tuple[str, str]] = field(default_factory=list)  # some of them
    floors: Counter = field(default_factory=Counter)
    profiles: Counter = field(default_factory=Counter)
    findings: Counter = field(default_factory=Counter)

    def add(self, line: dict) -> None:
        self.inputs += 1
        self.troubles += len(line["unreadable"])
        room = max(0, NAMED + 1 - len(self.unreadable))
        self.unreadable += [(line["input"], why) for why in line["unreadable"][:room]]
        for found in line["files"]:
            self.profiles[found["profile"]] += 1
            if found["profile"] != "none":
                self.floors[found["floor"] or "none"] += 1
            self.findings.update(found["findings"])


def below(folder: str) -> Iterator[str]:
    """Libraries and wheels below a folder, in order. Links are not followed."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue
        waiting += [e.path for e in reversed(entries) if e.is_dir(follow_symlinks=False)]
        for entry in entries:
            if LIBRARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                yield entry.path


def listed(path: Path) -> Iterator[str]:
    """The paths in a list, one a line; empty lines and lines that begin with # are passed over."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as source:
            for line in source:
                name = line.rstrip("\n")
                if name and not name.startswith("#"):
                    yield os.path.abspath(path.parent / name)
    except OSError as error:
        raise HarnessError(f"{path}: {error.strerror}") from error


def inputs(path: Path) -> Iterator[Input]:
    """What a path names: a folder, one library or wheel, or else a list of such."""
    if path.is_dir():
        names: Iterable[str] = below(os.path.abspath(path))
    elif LIBRARY.fullmatch(path.name):
        names = [os.path.abspath(path)]
    else:
        names = listed(path)
    for name in names:
        try:
            known = os.stat(name)
            yield Input(name, known.st_size, known.st_mtime_ns)
        except OSError:
            yield Input(name, -1, -1)


def batches(found: Iterable[Input]) -> Iterator[list[Input]]:
    """Inputs in groups that one run of the program takes."""
    group: list[Input] = []
    weight = 0
    for entry in found:
        full = len(group) == BATCH_FILES or weight + entry.size > BATCH_BYTES
        if group and (full or entry.odd):
            yield group
            group, weight = [], 0
        group.append(entry)
        weight += entry.size
        if entry.odd:
            yield group
            group, weight = [], 0
    if group:
        yield group


def condensed(file: dict) -> dict:
    """What a line keeps of one library."""
    api, embedded = file["api"], file["library_bin"]
    return {
        **{key: file[key] for key in ("path", "sha256", "size", "machine", "kind", "profile")},
        "floor": api["floor"],
        "oldest_release": api["oldest_release"],
        "linking": api["linking"],
        "functions": len(file["functions"]),
        "library_bin": embedded["state"] if embedded else None,
        "findings": sorted({f["id"] for f in file["findings"] if f["level"] in TOLD}),
    }


def line_of(entry: Input, files: list[dict], unreadable: list[str]) -> dict:
    return {
        "input": entry.path,
        "size": entry.size,
        "changed": entry.changed,
        "files": files,
        "unreadable": unreadable,
    }


def belongs(entry: Input, path: str, alone: bool) -> bool:
    return alone or path == entry.path or path.startswith(entry.path + "!")


def inspect(group: list[Input], tool: Tool, seconds: float) -> list[dict]:
    """The lines of some inputs. Where they cannot be had together, each is asked for by itself."""
    alone = len(group) == 1
    try:
        document = tool.inspect([Path(entry.path) for entry in group], seconds)
        if document.get("format") != INSPECTION_FORMAT:
            seen = document.get("format")
            raise HarnessError(f"its report has format {seen!r}, not {INSPECTION_FORMAT}")
    except HarnessError as error:
        if alone:
            return [line_of(group[0], [], [str(error)])]
        return [line for entry in group for line in inspect([entry], tool, seconds)]
    lines = []
    for entry in group:
        files = [condensed(f) for f in document["files"] if belongs(entry, f["path"], alone)]
        troubles = [
            f["message"] for f in document["unreadable"] if belongs(entry, f["path"], alone)
        ]
        if not files and not troubles and not entry.path.endswith(".whl"):
            troubles = ["the program did not report on it"]
        lines.append(line_of(entry, files, troubles))
    return lines


def lines_in(path: Path) -> Iterator[dict]:
    """The lines of a scan. HarnessError names the line that is none."""
    with open(path, "rb") as source:
        for number, text in enumerate(source, 1):
            try:
                line = json.loads(text)
            except (ValueError, RecursionError):
                line = None
            if not isinstance(line, dict) or not line.keys() >= LINE_KEYS:
                raise HarnessError(f"{path}:{number}: no line of a scan; name another file with -o")
            yield line


def mend(path: Path) -> None:
    """Takes away a last line that an interrupted scan has not written to its end."""
    with open(path, "r+b") as kept:
        end = kept.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - 65536)
            kept.seek(start)
            newline = kept.read(end - start).rfind(b"\n")
            if newline >= 0:
                kept.truncate(start + newline + 1)
                return
            end = start
        kept.truncate(0)


def known_lines(path: Path, totals: Totals) -> dict[str, tuple[int, int]]:
    """Which inputs a file has lines of; its last line for each counts."""
    if not path.exists():
        return {}
    mend(path)
    known: dict[str, tuple[int, int]] = {}
    for line in lines_in(path):
        known[line["input"]] = (line["size"], line["changed"])
    totals.kept = len(known)
    return known


def summed(path: Path, totals: Totals) -> Totals:
    """Adds up the lines of a scan: of each input the last one."""
    last: dict[str, int] = {}
    for number, line in enumerate(lines_in(path)):
        last[line["input"]] = number
    for number, line in enumerate(lines_in(path)):
        if last[line["input"]] == number:
            totals.add(line)
    return totals


class Crew(Protocol):
    """Who inspects batches: threads here, or the workers of a cluster."""

    def __enter__(self) -> Crew: ...

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Ends it; after an exception, what has not begun is dropped."""

    def width(self) -> int:
        """How many batches are worked on at a time, by now."""

    def submit(self, group: list[Input]) -> Future[list[dict]]: ...

    def ended(self, running: Iterable[Future[list[dict]]]) -> set[Future[list[dict]]]:
        """Waits until some are done, and says which. HarnessError: none ever will be."""

    def after(self, group: list[Input], error: BaseException) -> Remainder:
        """What is to be done for a batch that ended with an exception, unless it is raised."""


@dataclass
class Remainder:
    """In place of the lines of a batch: some lines, and smaller batches to submit."""

    lines: list[dict] = field(default_factory=list)
    groups: list[list[Input]] = field(default_factory=list)


class Threads:
    """Threads of this process, each with one run of the program at a time."""

    def __init__(self, tool: Tool, jobs: int, seconds: float) -> None:
        self.tool, self.jobs, self.seconds = tool, jobs, seconds

    def __enter__(self) -> Threads:
        self.pool = ThreadPoolExecutor(self.jobs)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.pool.shutdown(cancel_futures=kind is not None)

    def width(self) -> int:
        return self.jobs

    def submit(self, group: list[Input]) -> Future[list[dict]]:
        return self.pool.submit(inspect, group, self.tool, self.seconds)

    def ended(self, running: Iterable[Future[list[dict]]]) -> set[Future[list[dict]]]:
        return wait(running, return_when=FIRST_COMPLETED).done

    def after(self, group: list[Input], error: BaseException) -> Remainder:
        raise error


def inspected(waiting: Iterator[list[Input]], crew: Crew) -> Iterator[list[dict]]:
    """The lines of all batches, as they come. A few batches are under way at a time.

    What is tried again goes one by one, with nothing beside it that could be to blame.
    """
    running: dict[Future[list[dict]], list[Input]] = {}
    again: list[list[Input]] = []

    def refill() -> None:
        room = 1 if again else crew.width() * AHEAD
        while len(running) < room:
            group = again.pop() if again else next(waiting, None)
            if group is None:
                return
            running[crew.submit(group)] = group

    refill()
    while running:
        for future in crew.ended(running):
            group = running.pop(future)
            try:
                yield future.result()
            except Exception as error:
                rest = crew.after(group, error)
                again += reversed(rest.groups)
                yield rest.lines
        refill()


def scan(paths: Iterable[Path], output: Path, crew: Crew, done: Callable[[int], None]) -> Totals:
    """Inspects all that the paths name into `output`, and calls `done` with each number of lines.

    A few batches are under way at a time, whatever the number of files. KeyboardInterrupt passes
    through; what is written by then is kept, and the next scan goes on from there.
    """
    totals = Totals()
    known = known_lines(output, totals)
    fresh = (
        entry
        for path in paths
        for entry in inputs(path)
        if entry.size < 0 or known.get(entry.path) != (entry.size, entry.changed)
    )
    output.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(output, "a", encoding="ascii") as sink, crew:
            for lines in inspected(batches(fresh), crew):
                sink.writelines(json.dumps(line) + "\n" for line in lines)
                sink.flush()
                done(len(lines))
    except OSError as error:
        raise HarnessError(f"{error.filename or output}: {error.strerror or error}") from error
    return summed(output, totals)

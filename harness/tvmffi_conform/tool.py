# SPDX-License-Identifier: Apache-2.0
"""The C program: where it is, and what it answers. Its decisions are not repeated here."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import HarnessError
from .document import Report, read_report

NAME = "tvmffi-conform"
VARIABLE = "TVMFFI_CONFORM"
PACKAGE = Path(__file__).resolve().parent
BUNDLED = PACKAGE / "program" / "bin" / NAME  # only in an installed package

# How the program begins what it complains of, with or without the verb.
COMPLAINT = re.compile(rf"{NAME}(?: [a-z-]+)?: ")

# The reference and the observer, in a build folder and where they are installed.
LIBRARIES = tuple(
    f"{folder}{name}"
    for folder in ("", f"{NAME}/")
    for name in ("libtvm_ffi.so", "observer/libtvm_ffi.so")
)

# Not a file, as waivers: those for official releases, which come with the program.
OFFICIAL = "official"
WAIVERS = (f"share/{NAME}/waivers/{OFFICIAL}.json", f"waivers/{OFFICIAL}.json")

# What the program's exit codes mean for a run that wrote a report.
CONFORMS, DOES_NOT_CONFORM, USAGE, CANNOT_LOAD, SUITE_FAULT, INCONCLUSIVE = range(6)
# With these a report has the verdict, that on a library that can't be loaded, too.
JUDGED = (CONFORMS, DOES_NOT_CONFORM, CANNOT_LOAD, INCONCLUSIVE)


@dataclass(frozen=True)
class Answer:
    """What one run of the program gave: a report, or why there is none."""

    status: int
    report: Report | None
    trouble: str = ""


def candidates() -> list[Path]:
    """Where the program may be, the most deliberate place first."""
    places = []
    if os.environ.get(VARIABLE):
        places.append(Path(os.environ[VARIABLE]))
        return places
    places.append(BUNDLED)
    found = shutil.which(NAME)
    if found:
        places.append(Path(found))
    checkout = PACKAGE.parents[1]
    places += [checkout / "build" / preset / "bin" / NAME for preset in ("release", "dev", "ci")]
    return places


def find_tool(explicit: str | None = None) -> Tool:
    """The program that `explicit` names, or the first that is found. HarnessError: none is."""
    places = [Path(explicit)] if explicit else candidates()
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return Tool(place.resolve())
    tried = "\n  ".join(str(place) for place in places)
    raise HarnessError(
        f"cannot find the program {NAME}; tried\n  {tried}\n"
        f"Build it (`make`), or set --tool or the variable {VARIABLE}."
    )


def how_it_ended(status: int) -> str:
    """Of a program that left neither a report nor a word: what became of it, and what to do."""
    if status >= 0:
        return f"{NAME} exited with {status} and printed nothing (run it alone to see more)"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"{NAME} was killed by {name} (run it again, with fewer jobs if memory ran short)"


def reason_of(done: subprocess.CompletedProcess[str]) -> str:
    """Why a run gave no report: the line that the program begins with its name, without the advice
    that stands below."""
    lines = (done.stderr or done.stdout).strip().splitlines()
    told = [line for line in lines if COMPLAINT.match(line)]
    if told:
        return COMPLAINT.sub("", told[-1])
    return lines[-1] if lines else how_it_ended(done.returncode)


class Tool:
    """One `tvmffi-conform` on this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sandbox = "auto"  # how `inspect` confines what reads files
        self._digest: str | None = None

    def parts(self) -> list[Path]:
        """The program, its worker, and the libraries and waivers that belong to it."""
        beside = self.path.parent, self.path.parents[1] / "libexec" / NAME
        workers = [worker for folder in beside for worker in sorted(folder.glob(NAME + "-*"))]
        libraries = [self.path.parent.parent / "lib" / name for name in LIBRARIES]
        waivers = [self.path.parents[1] / name for name in WAIVERS]
        return [part for part in (self.path, *workers, *libraries, *waivers) if part.is_file()]

    def digest(self) -> str:
        """Changes with the program and with what belongs to it: results are kept by it."""
        if self._digest is None:
            whole = hashlib.sha256()
            for part in self.parts():
                whole.update(part.read_bytes())
            self._digest = whole.hexdigest()
        return self._digest

    def ask(self, *arguments: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
        """Runs the program to its end. HarnessError: it cannot be started, or takes too long."""
        command = [str(self.path), *arguments]
        try:
            return subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise HarnessError(f"no answer within {seconds:g} s: {' '.join(command)}") from error
        except OSError as error:
            raise HarnessError(f"cannot start {self.path}: {error}") from error

    def show(self, *arguments: str) -> int:
        """Runs the program on our terminal, and returns its exit code."""
        try:
            return subprocess.run([str(self.path), *arguments], check=False).returncode
        except OSError as error:
            raise HarnessError(f"cannot start {self.path}: {error}") from error

    def version(self) -> str:
        """What it calls itself, the clauses that it knows included. HarnessError: it says nothing.

        The same text from two programs means that they find the same in the same file.
        """
        done = self.ask("--version")
        if done.returncode != 0 or not done.stdout.strip():
            raise HarnessError(f"{self.path} does not print a version (is it {NAME}?)")
        return done.stdout.strip()

    def judge(self, library: Path, options: Sequence[str] = (), seconds: float = 600) -> Answer:
        """Judges a library. `options` go to the program as they are; `seconds` bound the run."""
        with tempfile.TemporaryDirectory(prefix="tvmffi-conform-") as folder:
            path = Path(folder) / "report.json"
            try:
                done = self.ask(
                    "run", "-q", *options, "--report", f"json:{path}", str(library), seconds=seconds
                )
            except HarnessError as error:
                return Answer(-signal.SIGKILL, None, str(error))
            if done.returncode in JUDGED and path.exists():
                return Answer(done.returncode, read_report(path))
            return Answer(done.returncode, None, reason_of(done))

    def confine_inspect(self, mode: str) -> None:
        """From now on. HarnessError: `on` promises what cannot be kept here."""
        self.sandbox = mode
        if mode != "on":
            return
        tried = self.ask("inspect", "-q", "--sandbox=on", str(self.path))
        if tried.returncode == USAGE:
            raise HarnessError(reason_of(tried))

    def inspect(self, files: Sequence[Path], seconds: float = 600) -> dict:
        """What `inspect` says about files, as its JSON. HarnessError: no JSON came."""
        told = [f"--sandbox={self.sandbox}"] if self.sandbox != "auto" else []
        words = ["inspect", "-q", *told, "--report", "json:-"]
        done = self.ask(*words, *map(str, files), seconds=seconds)
        try:
            return json.loads(done.stdout)
        except json.JSONDecodeError as error:
            said = done.stderr.strip() or how_it_ended(done.returncode)
            raise HarnessError(f"{NAME} inspect wrote no report: {said}") from error

# SPDX-License-Identifier: Apache-2.0
"""What a CI job does with a project: inspect its libraries, judge what can be run, trace a program
that uses them, write it down.

The steps of the GitHub Action and the job of the GitLab template call this.
"""

from __future__ import annotations

import glob
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import HarnessError
from .cells import Cell, Outcome, Results, run_cells
from .document import check_inspection, parse
from .gather import Collected
from .matrix import write_results
from .plan import Source
from .provide import Provided, Provider
from .summary import exit_code
from .tool import CONFORMS, DOES_NOT_CONFORM, Tool
from .traces import Trace, read_trace

REFERENCE = "reference"
NEWEST = "newest"
PROJECT = "apache-tvm-ffi"
SARIF, INSPECTION, REPORTS = "inspect.sarif", "inspect.json", "reports"
TRACE, TRACE_SARIF, TRACE_TEXT = "trace.jsonl", "trace.sarif", "trace.txt"
# The inspection of no files.
NOTHING: dict = {
    "totals": dict.fromkeys(("files", "errors", "warnings", "notes", "unreadable"), 0),
    "files": [],
    "unreadable": [],
}


@dataclass(frozen=True)
class Job:
    """What is asked for. `runtimes`: releases, `newest`, or `reference`; empty runs nothing.
    `trace`: a command for the shell, run under the program. `before`: a folder with the modules of
    the release before, by the same names."""

    files: tuple[Path, ...]
    output: Path
    policy: Path | None = None
    waivers: Path | None = None
    signatures: Path | None = None
    runtimes: tuple[str, ...] = ()
    gate: str | None = None
    scope: str | None = None
    min_judged: int | None = None
    strict: bool = False
    trace: str = ""
    trace_options: tuple[str, ...] = ()
    before: Path | None = None

    def options(self) -> tuple[str, ...]:
        """What the program is told where it runs a library: `strict` is an older name of a gate."""
        given = {"--gate": self.gate, "--scope": self.scope, "--min-judged": self.min_judged}
        told = [
            word
            for name, value in given.items()
            if value is not None
            for word in (name, str(value))
        ]
        return (*["--strict"] * (self.strict and self.gate is None), *told)


@dataclass
class Done:
    """What came of it. `status`: 0 all is well, 1 something is not, 3 something is not known,
    5 of something too little could be judged."""

    inspection: dict
    outcomes: list[Outcome] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    sound: bool = True
    trace: Trace | None = None

    @property
    def status(self) -> int:
        unread = self.inspection["totals"]["unreadable"]
        judged = exit_code(outcome.report for outcome in self.outcomes)
        if unread or self.missing or judged == 3 or self.saw_nothing():
            return 3
        return judged if self.sound and not self.failed() else 1

    def saw_nothing(self) -> bool:
        """Whether a program was traced in vain."""
        return self.trace is not None and not self.trace.whole["crossings"]

    def failed(self) -> bool:
        """Whether a rule was broken while the traced program ran, or the program failed."""
        return self.trace is not None and not (
            self.trace.sound and self.trace.whole["exit_code"] == 0
        )

    def collected(self, name: str = "") -> Collected:
        """What the page shows; the trace goes by `name`."""
        found = Collected(missing=dict(self.missing))
        if self.inspection is not NOTHING:
            found.inspections.append(self.inspection)
        if self.trace is not None:
            found.traces[name] = self.trace
        for outcome in self.outcomes:
            if outcome.report is None:
                found.missing[outcome.cell.label] = outcome.trouble
            else:
                found.add(outcome.cell.label, outcome.report)
        return found


def matching(patterns: Sequence[str]) -> tuple[Path, ...]:
    """The files that the patterns name, each once. HarnessError: one names none.

    A job that looks at nothing would be green whatever is built.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        if Path(pattern).is_dir():
            raise HarnessError(f"{pattern}: is a folder; name files in it, as in '{pattern}/*.so'")
        files = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]
        files = [path for path in files if path.is_file()]
        if not files:
            raise HarnessError(f"{pattern}: no such file (build it first, or fix the pattern)")
        found.update(dict.fromkeys(files))
    return tuple(found)


def inspect(job: Job, tool: Tool, seconds: float) -> Done:
    """Inspects all files into the job's folder, as JSON and as SARIF."""
    job.output.mkdir(parents=True, exist_ok=True)
    kept, sarif = job.output / INSPECTION, job.output / SARIF
    told = ["--report", f"json:{kept}", "--report", f"sarif:{sarif}"]
    if job.policy:
        told += ["--policy", str(job.policy)]
    if job.strict:
        told.append("--strict")
    for path in (kept, sarif):
        path.unlink(missing_ok=True)
    if not job.files:
        return Done(NOTHING)
    done = tool.ask("inspect", "-q", *told, "--", *map(str, job.files), seconds=seconds)
    if not kept.is_file():
        said = (done.stderr or done.stdout).strip() or f"it ended with {done.returncode}"
        raise HarnessError(f"cannot inspect the files: {said}")
    inspection = check_inspection(kept, parse(kept))
    sound = done.returncode == CONFORMS
    if not sound and done.returncode != DOES_NOT_CONFORM and not inspection["totals"]["unreadable"]:
        raise HarnessError(f"inspect ended with {done.returncode}: {done.stderr.strip()}")
    return Done(inspection, sound=sound)


def runtimes(job: Job, provider: Provider, done: Done) -> list[Provided | None]:
    """The runtimes to load modules into; None stands for the reference that the program brings."""
    found: list[Provided | None] = []
    for name in job.runtimes:
        if name == REFERENCE:
            found.append(None)
            continue
        wanted = PROJECT if name == NEWEST else f"{PROJECT}=={name}"
        try:
            found += provider.provide(Source(name, requirement=wanted), Path())
        except HarnessError as error:
            done.missing[f"runtime {name}"] = str(error)
    return found


def trace_options(text: str) -> tuple[str, ...]:
    """The options in a text, as a shell has them. HarnessError: a word is none."""
    try:
        options = tuple(shlex.split(text))
    except ValueError as error:
        raise HarnessError(f"trace options: {error}: {text}") from error
    for word in options:
        if not word.startswith("--") or word == "--":
            raise HarnessError(
                f"trace options: {word!r} is not an option (write --name=value, as --preset=deep)"
            )
    return options


def trace(job: Job, tool: Tool) -> Trace | None:
    """Runs the command that is to be traced, on our terminal, with reports in the job's folder."""
    reports = {"json": TRACE, "sarif": TRACE_SARIF, "text": TRACE_TEXT}
    told = [f"--report={kind}:{job.output / name}" for kind, name in reports.items()]
    for name in reports.values():
        (job.output / name).unlink(missing_ok=True)
    if not job.trace:
        return None
    status = tool.show("trace", *told, *job.trace_options, "--", "sh", "-e", "-c", job.trace)
    if not (job.output / TRACE).is_file():
        raise HarnessError(f"no trace of {job.trace!r}: tvmffi-conform ended with {status}")
    return read_trace(job.output / TRACE)


def build_before(job: Job, path: Path) -> Path | None:
    """The build of a module in the release before. HarnessError: the folder does not exist."""
    if job.before is None:
        return None
    if not job.before.is_dir():
        raise HarnessError(f"--before {job.before}: not a folder")
    other = job.before / path.name
    if other.is_file():
        return other.resolve()
    print(f"{path}: no {other}, so it is judged by itself", file=sys.stderr)
    return None


def cells_of(job: Job, done: Done, loaded: Sequence[Provided | None]) -> list[Cell]:
    """Each runtime by itself, each module in every runtime that is asked for."""
    profiles = {file["path"]: file["profile"] for file in done.inspection["files"]}
    options, cells = job.options(), []
    for path in job.files:
        profile = profiles.get(str(path))
        if profile == "runtime":
            cells.append(Cell(str(path), path.resolve(), waivers=job.waivers, options=options))
        other = build_before(job, path) if profile == "module" and loaded else None
        for runtime in loaded if profile == "module" else ():
            where = runtime.label if runtime else REFERENCE
            library = runtime.library if runtime else None
            label = f"{path} in {where}"
            files = (job.waivers, job.signatures)
            cells.append(Cell(label, path.resolve(), library, *files, options, other))
    return cells


def run(job: Job, tool: Tool, cache: Path, offline: bool, jobs: int, seconds: float) -> Done:
    """Does it all; the reports are in the job's folder. HarnessError: nothing can be said."""
    done = inspect(job, tool, seconds)
    if job.runtimes:
        loaded = runtimes(job, Provider(cache / "releases", offline), done)
        cells = cells_of(job, done, loaded)
        done.outcomes = run_cells(
            cells, tool, Results(cache / "results", tool), seconds, jobs, lambda _: None
        )
    write_results(job.output / REPORTS, done.outcomes, done.missing)
    done.trace = trace(job, tool)
    return done


def outputs(job: Job, done: Done) -> str:
    """The outputs of the job: a line each, as GitHub reads them."""
    judged = [outcome.report for outcome in done.outcomes if outcome.report]
    standings = [report.standing for report in judged]
    values = {
        "status": done.status,
        "conforms": "true" if done.status == 0 else "false",
        "files": done.inspection["totals"]["files"],
        "errors": done.inspection["totals"]["errors"],
        "warnings": done.inspection["totals"]["warnings"],
        "judged": len(judged),
        "conforming": standings.count("conforms"),
        "known": standings.count("broken_known"),
        "inconclusive": standings.count("inconclusive"),
        "sarif": job.output / SARIF if job.files else "",
        "trace_errors": done.trace.errors if done.trace else 0,
        "trace_sarif": job.output / TRACE_SARIF if done.trace else "",
        "reports": job.output,
    }
    return "".join(f"{name}={' '.join(str(value).split())}\n" for name, value in values.items())

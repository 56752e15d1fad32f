# SPDX-License-Identifier: Apache-2.0
"""Deviations found: what they are, and how each is reproduced. A TOML file lists them.

[[trophy]]
id = "dirty-padding"                    # words, as in a link
title = "Rubbish in padding gets into owned values"
affects = "Bindings that fill views by hand" # who is affected, and how, in a line
implementation = "apache-tvm-ffi"
releases = ">=0.1.0,<=0.1.15.post2"     # of the official runtime; else: version = "0.27.0"
level = "SHOULD"
clauses = ["ANY-20"]
cases = ["any.own-dirty-view-gives-clean-padding.*"]
shown = "int"                           # behind the last dot, if cases have a star
evidence = "What was seen, in a sentence or two."
timing = true                           # shows in some runs only
module = "tvm/c_matrices.so"            # below .cache/modules; judged in the release `runtime`
runtime = "0.1.15.post2"
signatures = "tvm-matrices.json"        # in harness/real_modules/signatures
fuzz = ["crash-no-rows"]                # folders of reports/fuzz that show it, too
program = "three_keys.cc"               # in reports/programs; run in the release judged last
headers = "0.1.9"                       # of this release, with which the program is compiled
known = ["apache/tvm-ffi#264"]          # threads about this defect
akin = ["apache/tvm-ffi#387"]           # and about others of its kind
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from . import HarnessError
from .plan import LIST, TEXT, Reading, read_toml
from .printable import printable
from .provide import BOUND, fits
from .summary import plural
from .tool import CANNOT_LOAD, CONFORMS, SUITE_FAULT, USAGE, Tool

KEYS = {
    "id": TEXT,
    "title": TEXT,
    "affects": TEXT,
    "implementation": TEXT,
    "releases": TEXT,
    "version": TEXT,
    "level": TEXT,
    "clauses": LIST,
    "cases": LIST,
    "shown": TEXT,
    "evidence": TEXT,
    "timing": bool,
    "module": TEXT,
    "runtime": TEXT,
    "signatures": TEXT,
    "fuzz": LIST,
    "program": TEXT,
    "headers": TEXT,
    "known": LIST,
    "akin": LIST,
}
NEEDED = ("id", "title", "affects", "implementation", "level", "clauses", "evidence")
SHAPES = {
    "id": re.compile(r"[a-z0-9]+(-[a-z0-9]+)*"),
    "level": re.compile(r"MUST|SHOULD|HARDENING"),
    "clauses": re.compile(r"[A-Z]+-[0-9]+"),
    "cases": re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*(\.\*)?(@\w+)?"),
    "runtime": re.compile(r"[0-9]+(\.[0-9a-z]+)*|reference"),
    "fuzz": re.compile(r"[a-z0-9-]+"),
    "program": re.compile(r"[a-z0-9_]+\.cc"),
    "headers": re.compile(r"[0-9]+(\.[0-9a-z]+)*"),
    "known": re.compile(r"[\w.-]+/[\w.-]+#[0-9]+"),
    "akin": re.compile(r"[\w.-]+/[\w.-]+#[0-9]+"),
}
TIMING = "It depends on timing: not every run reproduces it."
NOT_KNOWN = "none found"
# What modules for CUDA need instead of a driver; `make modules` makes it.
LIBRARIES = "LD_LIBRARY_PATH=.cache/modules/libraries"
RUN = "reports/programs/run.sh"
RUNTIME = ".cache/official/{}/tvm_ffi/lib/libtvm_ffi.so"


@dataclass(frozen=True)
class Trophy:
    """One deviation. `releases` are bounds on releases of the official runtime, or empty."""

    id: str
    title: str
    affects: str
    implementation: str
    level: str
    clauses: tuple[str, ...]
    evidence: str
    releases: str = ""
    version: str = ""
    cases: tuple[str, ...] = ()
    shown: str = ""
    timing: bool = False
    module: str = ""
    runtime: str = ""
    signatures: str = ""
    fuzz: tuple[str, ...] = ()
    program: str = ""
    headers: str = ""
    known: tuple[str, ...] = ()
    akin: tuple[str, ...] = ()

    @property
    def versions(self) -> str:
        """In words: 0.1.5 to 0.1.15.post2, but not 0.1.9."""
        if not self.releases:
            return self.version
        bounds = {bound["sign"]: bound["version"] for bound in BOUND.finditer(self.releases)}
        if "==" in bounds:
            return bounds["=="]
        but = f", but not {bounds['!=']}" if "!=" in bounds else ""
        return f"{bounds['>=']} to {bounds['<=']}{but}"

    @property
    def judged_in(self) -> str:
        """The release in which it is reproduced: the latest that has it."""
        bounds = {bound["sign"]: bound["version"] for bound in BOUND.finditer(self.releases)}
        return self.runtime or bounds.get("==") or bounds.get("<=", "")

    @property
    def case(self) -> str:
        """The case that reproduces it."""
        first = self.cases[0] if self.cases else ""
        return first.replace("*", self.shown, 1)

    def concerns(self, release: str) -> bool:
        """Whether a release of the official runtime has it."""
        return bool(self.releases) and fits(release, self.releases)

    def commands(self) -> list[str]:
        """What shows it, from a checkout in which `make releases` or `make modules` was run."""
        runtime = RUNTIME.format(self.judged_in)
        told = []
        if self.case and self.module:
            words = [LIBRARIES, "tvmffi-conform repro", self.case, f".cache/modules/{self.module}"]
            if self.signatures:
                words.append(f"--signatures harness/real_modules/signatures/{self.signatures}")
            if self.judged_in != "reference":
                words.append(f"--runtime {runtime}")
            told.append(" ".join(words))
        elif self.case:
            told.append(f"tvmffi-conform repro {self.case} {runtime}")
        if self.program:
            told.append(f"{RUN} {self.program} {self.headers} {self.judged_in}")
        told += [
            f"tvmffi-conform fuzz --replay reports/fuzz/{name} {runtime}" for name in self.fuzz
        ]
        return told

    def threads(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """What is public about it: names of threads with their addresses. Known may have none."""
        told = []
        for words, names in (("known", self.known), ("akin", self.akin)):
            links = [(n, f"https://github.com/{n.replace('#', '/issues/')}") for n in names]
            if links or words == "known":
                told.append((words, links))
        return told


def of_shape(reading: Reading, place: str, table: dict) -> None:
    """HarnessError names what is missing, or is written otherwise than it has to be."""
    missing = [key for key in NEEDED if not table.get(key)]
    if missing:
        raise reading.complain(place, f"needs {', '.join(missing)}")
    for key, shape in SHAPES.items():
        values = table.get(key, [])
        for value in values if isinstance(values, list) else [values]:
            if not isinstance(value, str) or not shape.fullmatch(value):
                raise reading.complain(f"{place}.{key}", f"{value!r} is not what belongs here")
    if ("releases" in table) == ("version" in table):
        raise reading.complain(place, "needs either releases or a version")
    if not any(table.get(key) for key in ("cases", "fuzz", "program")):
        raise reading.complain(
            place, "needs cases, fuzz or a program: a deviation must be reproducible"
        )
    if ("program" in table) != ("headers" in table):
        raise reading.complain(place, "needs both program and headers, or neither")
    if "module" in table and not table.get("runtime"):
        raise reading.complain(place, "needs the runtime in which its module was judged")


def sound_bounds(reading: Reading, place: str, bounds: str) -> None:
    """Bounds say the first and the last release that was judged, or the only one."""
    try:
        for bound in bounds.split(","):
            fits("0.1.0", bound)
    except HarnessError as error:
        raise reading.complain(f"{place}.releases", str(error)) from error
    signs = sorted(bound["sign"] for bound in BOUND.finditer(bounds))
    if signs not in (["=="], ["<=", ">="], ["!=", "<=", ">="]):
        raise reading.complain(f"{place}.releases", "write >=FIRST,<=LAST, and !=VERSION, or ==ONE")


def read_trophies(path: Path) -> list[Trophy]:
    """All that a file lists. HarnessError names the file, the place in it, and the remedy."""
    reading, document = Reading(path), read_toml(path)
    listed = reading.check("the whole", document, {"trophy": LIST}).get("trophy", [])
    made: list[Trophy] = []
    for number, table in enumerate(listed):
        place = f"trophy[{number}]"
        if isinstance(table, dict) and isinstance(table.get("id"), str):
            place += f" ({table['id']})"
        of_shape(reading, place, reading.check(place, table, KEYS))
        if "releases" in table:
            sound_bounds(reading, place, table["releases"])
        values = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
        one = Trophy(**{**values, "evidence": " ".join(table["evidence"].split())})
        if any(one.id == other.id for other in made):
            raise reading.complain(place, "there is a trophy of this id already")
        made.append(one)
    if not made:
        raise reading.complain("the whole", "lists no [[trophy]]")
    return made


def by_implementation(trophies: list[Trophy]) -> dict[str, list[Trophy]]:
    """In the order of the file."""
    groups: dict[str, list[Trophy]] = {}
    for one in trophies:
        groups.setdefault(one.implementation, []).append(one)
    return groups


def last_words(said: IO[bytes]) -> str:
    """The last line that is one, for a terminal."""
    said.seek(max(0, said.seek(0, os.SEEK_END) - 4096))
    lines = [line.strip() for line in said.read().decode("utf-8", "replace").splitlines()]
    return printable(next((line for line in reversed(lines) if line), ""))


def run_again(command: str, program: Tool, seconds: float) -> tuple[bool, str, str]:
    """Runs a command of a trophy with `program`.

    Whether its deviation shows, how it ended, and why it shows none: what the program said then.
    """
    with tempfile.TemporaryFile() as said:
        shows, outcome = ended(command, program, seconds, said)
        return shows, outcome, "" if shows else last_words(said)


def ended(command: str, program: Tool, seconds: float, said: IO[bytes]) -> tuple[bool, str]:
    """Runs it, its stderr being `said`: whether the deviation shows, and how it ended."""
    words = shlex.split(command)
    settings = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
    if words[0] != RUN:
        words = [str(program.path), *words[words.index(program.path.name) + 1 :]]
    try:
        done = subprocess.run(
            words,
            env={**os.environ, **settings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True, f"does not end in {seconds:g} s"
    quiet = {CONFORMS: "passes", USAGE: "refused"}
    quiet |= {CANNOT_LOAD: "not loaded", SUITE_FAULT: "fault"}
    if done.returncode in quiet:
        return False, quiet[done.returncode]
    return True, "shows" if done.returncode > 0 else f"signal {-done.returncode}"


def linked(words: str, links: list[tuple[str, str]]) -> str:
    named = ", ".join(f"[{name}]({address})" for name, address in links)
    return f"{words.capitalize()}: {named or NOT_KNOWN}."


def told(one: Trophy) -> list[str]:
    """One deviation as Markdown."""
    timing = f" {TIMING}" if one.timing else ""
    cases = ", ".join(f"`{case}`" for case in one.cases)
    return [
        f'### <a id="{one.id}"></a>{one.title}',
        "",
        f"{one.versions} · {one.level} · {', '.join(one.clauses)}",
        "",
        f"{one.evidence}{timing}",
        "",
        f"Affected: {one.affects}.",
        "",
        "```",
        *one.commands(),
        "```",
        "",
        *([f"Cases: {cases}.", ""] if cases else []),
        " ".join(linked(words, links) for words, links in one.threads()),
        "",
    ]


def lead(trophies: list[Trophy]) -> str:
    """What readers of the list must know first."""
    must = sum(one.level == "MUST" for one in trophies)
    return (
        f"{plural(len(trophies), 'deviation')}, {must} from a MUST. Each was reproduced "
        "before it was listed. The commands run in a checkout after `make releases` and, for "
        "modules, `make modules`; they exit with 1, or crash, if the deviation reproduces."
    )


def trophies_markdown(trophies: list[Trophy], source: str) -> str:
    """The whole page. `source` is the name of the file that it was made of."""
    text = [
        "# Deviations found",
        "",
        f"{lead(trophies)} `make reports` writes this page from [`{source}`]({source}).",
        "",
    ]
    for implementation, group in by_implementation(trophies).items():
        text += [f"## {implementation}", ""]
        for one in group:
            text += told(one)
    return "\n".join(text).rstrip("\n") + "\n"

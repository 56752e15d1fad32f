# SPDX-License-Identifier: Apache-2.0
"""The TOML file of a matrix: which implementations, which modules, under which limits.

[limits]
seconds = 120          # of one run
jobs = 2               # runs at a time

[[runtime]]
name = "official"
requirement = "apache-tvm-ffi>=0.1.9"   # all that fit; without a version: the newest
withdrawn = ["0.1.13"]                  # and these, which the index gives only by name

[[runtime]]
name = "ours"
path = "build/libtvm_ffi.so"            # relative to this file
build = "make -C .. libtvm_ffi"         # run first, in the folder of this file
waivers = "waivers.json"

[[module]]
name = "kernels"
path = "kernels.so"
signatures = "kernels.json"
"""

from __future__ import annotations

import difflib
import sys
from dataclasses import dataclass, field
from pathlib import Path

from . import HarnessError
from .tool import OFFICIAL

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MAX_BYTES = 1 << 20
TEXT, NUMBER, LIST = str, (int, float), list
LIMITS = {"seconds": NUMBER, "jobs": int}
RUNTIME = {
    "name": TEXT,
    "path": TEXT,
    "requirement": TEXT,
    "withdrawn": LIST,
    "build": TEXT,
    "waivers": TEXT,
    "options": LIST,
}
MODULE = {**RUNTIME, "signatures": TEXT}
TABLES = {"limits": LIMITS, "runtime": RUNTIME, "module": MODULE}
IN_WORDS = {
    TEXT: "a text in quotes",
    NUMBER: "a number",
    LIST: "a list, as in [...]",
    int: "a whole number",
    bool: "true or false",
}


@dataclass(frozen=True)
class Source:
    """An implementation or module as a matrix names it: by a path or by a requirement."""

    name: str
    path: Path | None = None
    requirement: str | None = None
    withdrawn: tuple[str, ...] = ()
    build: str | None = None
    waivers: Path | None = None
    signatures: Path | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """A whole matrix. `folder` is where its file lies: relative paths begin there."""

    path: Path
    folder: Path
    runtimes: tuple[Source, ...]
    modules: tuple[Source, ...]
    seconds: float = 120
    jobs: int | None = None
    unknown: tuple[str, ...] = field(default=())


class Reading:
    """One file while it is being read: every complaint names it and the place in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def complain(self, place: str, what: str) -> HarnessError:
        return HarnessError(f"{self.path}: {place}: {what}")

    def check(self, place: str, table: object, known: dict) -> dict:
        """`table`, if it is one and each of its keys is known and of its type."""
        if not isinstance(table, dict):
            raise self.complain(place, f"must be a table, such as [[{place.split('[')[0]}]]")
        for key, value in table.items():
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                meant = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}"
                raise self.complain(place, f"unknown key {key!r}{meant}")
            if not isinstance(value, known[key]) or isinstance(value, bool) != (known[key] is bool):
                raise self.complain(f"{place}.{key}", f"{value!r} is not {IN_WORDS[known[key]]}")
        return table

    def source(self, place: str, table: dict) -> Source:
        """One [[runtime]] or [[module]]."""
        if not table.get("name"):
            raise self.complain(place, "needs a name")
        if ("path" in table) == ("requirement" in table):
            raise self.complain(place, "needs either a path or a requirement")
        if "build" in table and "path" not in table:
            raise self.complain(place, "a build command needs the path of what it builds")
        for key in ("options", "withdrawn"):
            if not all(isinstance(text, str) for text in table.get(key, [])):
                raise self.complain(f"{place}.{key}", "a list of texts is due")
        if "withdrawn" in table and "requirement" not in table:
            raise self.complain(place, "releases that were withdrawn need a requirement beside")
        folder = self.path.parent

        def located(key: str) -> Path | None:
            if key == "waivers" and table.get(key) == OFFICIAL:
                return Path(OFFICIAL)
            return folder / table[key] if key in table else None

        return Source(
            name=table["name"],
            path=located("path"),
            requirement=table.get("requirement"),
            withdrawn=tuple(table.get("withdrawn", ())),
            build=table.get("build"),
            waivers=located("waivers"),
            signatures=located("signatures"),
            options=tuple(table.get("options", ())),
        )

    def sources(self, kind: str, document: dict) -> tuple[Source, ...]:
        listed = document.get(kind, [])
        if not isinstance(listed, list):
            raise self.complain(kind, f"write [[{kind}]], with two brackets: there may be many")
        made, names = [], set()
        for number, table in enumerate(listed):
            place = f"{kind}[{number}]"
            source = self.source(place, self.check(place, table, TABLES[kind]))
            if source.name in names:
                raise self.complain(place, f"there is a {kind} named {source.name!r} already")
            names.add(source.name)
            made.append(source)
        return tuple(made)


def read_toml(path: Path) -> dict:
    """What is in a TOML file. HarnessError names the file, and the place in it."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise HarnessError(f"{path}: longer than any file of this kind ({MAX_BYTES} bytes)")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HarnessError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise HarnessError(f"{path}: no text in UTF-8 from byte {error.start} on") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise HarnessError(f"{path}: no TOML: {error}") from error


def read_plan(path: Path) -> Plan:
    """The matrix in a file. HarnessError names the file, the place in it, and the remedy."""
    reading, document = Reading(path), read_toml(path)
    for key in document:
        if key not in TABLES:
            near = difflib.get_close_matches(key, TABLES, n=1)
            raise reading.complain(
                key, f"unknown table; {f'did you mean {near[0]!r}?' if near else ', '.join(TABLES)}"
            )
    limits = reading.check("limits", document.get("limits", {}), LIMITS)
    seconds, jobs = float(limits.get("seconds", 120)), limits.get("jobs")
    if not 1 <= seconds <= 86400:
        raise reading.complain("limits.seconds", f"{seconds:g} is not between 1 and 86400")
    if jobs is not None and not 1 <= jobs <= 256:
        raise reading.complain("limits.jobs", f"{jobs} is not between 1 and 256")
    runtimes, modules = reading.sources("runtime", document), reading.sources("module", document)
    if not runtimes and not modules:
        raise reading.complain("the whole", "names no [[runtime]] and no [[module]]")
    return Plan(path, path.parent, runtimes, modules, seconds, jobs)

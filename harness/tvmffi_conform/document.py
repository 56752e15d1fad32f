# SPDX-License-Identifier: Apache-2.0
"""Reports of the C program, read from files that anybody may have written.

A report is taken whole or not at all: a page must never be built on half of one.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import fastjsonschema

from . import HarnessError

FORMAT = "tvmffi-conform-report/1"
INSPECTION_FORMAT = "tvmffi-conform-inspect/1"
MAX_BYTES = 64 << 20
# Verdicts from good to bad. "skip" is not on this scale.
RANK = {"pass": 0, "xfail": 1, "inconclusive": 2, "xpass": 2, "fail": 3}
PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Case:
    """The verdict on one case, with what the program saw. `raw` is its object in the report."""

    id: str
    clauses: tuple[str, ...]
    level: str
    verdict: str
    reason: str
    raw: dict = field(repr=False)

    @property
    def chapter(self) -> str:
        return self.id.split(".", 1)[0]

    @property
    def counts(self) -> bool:
        """A verdict that no gate lets pass: of a MUST clause, or an unexpected pass."""
        bad = self.verdict in ("fail", "inconclusive") and self.level == "MUST"
        return bad or self.verdict == "xpass"


@dataclass(frozen=True)
class Report:
    """One run of the suite on one library."""

    path: Path
    raw: dict = field(repr=False)
    cases: tuple[Case, ...] = field(repr=False)

    @property
    def library(self) -> dict:
        return self.raw["library"]

    @property
    def name(self) -> str:
        return self.library["name"]

    @property
    def version(self) -> str:
        return self.library["reported_version"] or "unknown"

    @property
    def complete(self) -> bool:
        return self.raw["complete"]

    @property
    def conforms(self) -> bool:
        return self.raw["conforms"]

    @property
    def part(self) -> str:
        """What part of the battery was asked for; empty if all that applies."""
        chosen = self.raw["selection"]
        told = [f"only {', '.join(chosen['filters'])}"] if chosen["filters"] else []
        if chosen["excludes"]:
            told.append(f"without {', '.join(chosen['excludes'])}")
        if chosen["level"] == "MUST":
            told.append("MUST only")
        if chosen["shard"]:
            told.append(f"shard {chosen['shard']['index']} of {chosen['shard']['count']}")
        return ", ".join(told)

    @property
    def standings(self) -> dict[str, str]:
        """holds, broken or not_judged, by clause."""
        return {clause["id"]: clause["standing"] for clause in self.raw["clauses"]}


def worst(cases: Iterable[Case]) -> dict[str, Case]:
    """One verdict a case: with repetitions, the worst."""
    result: dict[str, Case] = {}
    for case in cases:
        known = result.get(case.id)
        if known is None or RANK.get(case.verdict, -1) > RANK.get(known.verdict, -1):
            result[case.id] = case
    return result


class Schema:
    """A published schema: beside the package when installed, in reports/ in a checkout."""

    def __init__(self, name: str) -> None:
        installed = PACKAGE / "program" / "share" / "tvmffi-conform" / "schemas" / name
        places = (installed, PACKAGE.parents[1] / "reports" / name)
        for place in places:
            if place.is_file():
                self.document = json.loads(place.read_text(encoding="utf-8"))
                break
        else:
            raise HarnessError(f"the schema {name} is missing (tried {places[0]}, {places[1]})")
        # Generated code, ten times as fast as walking through the schema; what it says of a fault
        # is poor, so the fault is looked for again where there is one.
        self.holds: Callable[[object], object] = fastjsonschema.compile(self.document)

    def refuse(self, path: Path, document: object) -> None:
        """HarnessError names the first place in `document`, read from `path`, that is wrong."""
        try:
            self.holds(document)
            return
        except fastjsonschema.JsonSchemaException as error:
            place, what = error.name, error.message
        import jsonschema  # only here: it is slow to load

        fault = next(jsonschema.Draft202012Validator(self.document).iter_errors(document), None)
        if fault is not None:
            place, what = "/".join(map(str, fault.absolute_path)) or "the document", fault.message
        raise HarnessError(f"{path}: {place}: {what[:200]} (was the report edited?)")


@cache
def schema(name: str = "report.schema.json") -> Schema:
    """A schema, read once."""
    return Schema(name)


def is_truncated(error: json.JSONDecodeError) -> bool:
    """Whether a text is not JSON because its end is missing: in a string, in a word, or between."""
    rest = error.doc[error.pos :].rstrip()
    if error.msg.startswith("Unterminated"):
        return True
    if error.msg.startswith("Invalid \\"):
        return len(rest) < len("\\uXXXX")
    return any(word.startswith(rest) for word in ("true", "false", "null", "-"))


def read_bytes(path: Path) -> bytes:
    """What is in a file, unpacked if its name ends in .gz; MAX_BYTES at most."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as source:
            text = source.read(MAX_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise HarnessError(
            f"{path}: the file is truncated or damaged: {error} (fetch or write it again)"
        ) from error
    except OSError as error:
        raise HarnessError(f"{path}: {error.strerror}") from error
    if len(text) > MAX_BYTES:
        raise HarnessError(f"{path}: is larger than {MAX_BYTES >> 20} MiB (the limit)")
    return text


def parse(path: Path) -> dict:
    """The JSON object in a file. HarnessError: it can't be read, is cut short, or is no object."""
    try:
        document = json.loads(read_bytes(path).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise HarnessError(f"{path}: not UTF-8 from byte {error.start} on") from error
    except RecursionError as error:
        raise HarnessError(f"{path}: nested too deeply") from error
    except json.JSONDecodeError as error:
        what = "the file is truncated" if is_truncated(error) else f"not JSON: {error.msg}"
        raise HarnessError(
            f"{path}:{error.lineno}:{error.colno}: {what} "
            "(run the suite again with --report json:FILE)"
        ) from error
    if not isinstance(document, dict):
        raise HarnessError(f"{path}: not a report ({FORMAT}), but a JSON {type(document).__name__}")
    return document


def read_report(path: Path, partial: bool = False) -> Report:
    """The report in a file, checked against the schema.

    `partial` accepts the report of a run that was interrupted; whoever shows it has to say so.
    HarnessError names the file, the place in it, and what to do.
    """
    return check_report(path, parse(path), partial)


def check_format(path: Path, document: dict, due: str) -> None:
    seen = document.get("format")
    if seen != due:
        raise HarnessError(
            f"{path}: format {seen!r} is not supported, only {due!r} "
            "(use tvmffi-conform and tvmffi-harness of the same version)"
        )


def check_report(path: Path, document: dict, partial: bool = False) -> Report:
    """`read_report` for a document that is read already."""
    check_format(path, document, FORMAT)
    schema().refuse(path, document)
    refuse_duplicates(path, document)
    refuse_strangers(path, document)
    if not document["complete"] and not partial:
        raise HarnessError(
            f"{path}: the run was interrupted "
            "(run it again, or pass --partial to show it as incomplete)"
        )
    return report_of(path, document)


def check_inspection(path: Path, document: dict) -> dict:
    """What `inspect` wrote, if it is whole. HarnessError: as of `read_report`."""
    check_format(path, document, INSPECTION_FORMAT)
    schema("inspect.schema.json").refuse(path, document)
    return document


def report_of(path: Path, document: dict) -> Report:
    """A report whose document is known to be whole and sound."""
    cases = tuple(
        Case(c["id"], tuple(c["clauses"]), c["level"], c["verdict"], c["reason"], c)
        for c in document["cases"]
    )
    return Report(path, document, cases)


def refuse_duplicates(path: Path, document: dict) -> None:
    """A case may be listed once for each repetition, a clause once."""
    repeat = document["selection"]["repeat"]
    for what, limit in (("cases", repeat), ("clauses", 1)):
        count = Counter(item["id"] for item in document[what])
        double = next((identity for identity, times in count.items() if times > limit), None)
        if double is not None:
            raise HarnessError(
                f"{path}: {what}: {double} is listed {count[double]} times; reports cannot "
                "be joined by hand (pass them one by one)"
            )


def refuse_strangers(path: Path, document: dict) -> None:
    """A case is judged by clauses that stand in the report."""
    known = {clause["id"] for clause in document["clauses"]}
    for number, case in enumerate(document["cases"]):
        strange = next((clause for clause in case["clauses"] if clause not in known), None)
        if strange is not None:
            raise HarnessError(
                f"{path}: cases/{number}: {case['id']} cites {strange}, which is not in "
                "the report (run the suite again)"
            )

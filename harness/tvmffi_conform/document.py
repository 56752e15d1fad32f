# SPDX-License-Identifier: Apache-2.0
"""Reports of the C program, read from files that anybody may have written.

A report is taken whole or not at all: a page must never be built on half of one.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import fastjsonschema

from . import HarnessError

# Without groups, and with them.
FORMATS = ("tvmffi-conform-report/1", "tvmffi-conform-report/2")
INSPECTION_FORMAT = "tvmffi-conform-inspect/1"
MAX_BYTES = 64 << 20
# Verdicts from good to bad. "skip" is not on this scale.
RANK = {"pass": 0, "xfail": 1, "inconclusive": 2, "xpass": 2, "fail": 3}
# From the strictest on.
LEVELS = ("MUST", "SHOULD", "HARDENING")
INTERRUPTED = 130  # the exit code
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

    @cached_property
    def verdict(self) -> dict:
        """What the program decided; for a report from before it wrote that, what it would have."""
        return self.raw.get("verdict") or verdict_of_older(self.raw, self.cases)

    @property
    def standing(self) -> str:
        return self.verdict["standing"]

    @property
    def settled(self) -> bool:
        """Whether more cases could not change the verdict, though some may not have been run.

        Hangs may have used up their time, or the library could not be loaded.
        """
        decided = self.standing in ("does_not_conform", "not_judged")
        return self.complete or (decided and self.verdict["exit_code"] != INTERRUPTED)

    @property
    def good(self) -> bool:
        """Whether nothing but what waivers name counts against the library."""
        return self.standing in ("conforms", "broken_known")

    @property
    def red(self) -> bool:
        """Whether a case or a waiver shows that something counts against it."""
        return bool(self.raw["unmatched_waivers"]) or any(map(self.counts, self.cases))

    @property
    def older(self) -> bool:
        """Whether the report is from before reports had a verdict."""
        return "verdict" not in self.raw

    def counts(self, case: Case) -> bool:
        """Whether a case counts against the library; in older reports by its level."""
        if not self.older:
            return case.raw.get("counts", False)
        if case.verdict not in ("fail", "inconclusive"):
            return case.verdict == "xpass"
        return LEVELS.index(case.level) <= LEVELS.index(self.verdict["gate"]["level"])

    @property
    def part(self) -> str:
        """What part of the battery was asked for; empty if all that applies."""
        chosen = self.raw["selection"]
        told = [f"only {', '.join(chosen['filters'])}"] if chosen["filters"] else []
        if chosen["excludes"]:
            told.append(f"without {', '.join(chosen['excludes'])}")
        if not self.older and chosen["level"] != LEVELS[-1]:
            told.append(f"{' and '.join(LEVELS[: LEVELS.index(chosen['level']) + 1])} only")
        elif chosen["level"] == "MUST":
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


# Percent of the applicable MUST clauses: with less a verdict is inconclusive (--min-judged).
MIN_JUDGED = 50


def verdict_of_older(raw: dict, cases: Sequence[Case]) -> dict:
    """The verdict on a run of which the report has none: by the rules of conformance/judge.

    Its clauses have no scopes, so there are no counts by scope.
    """
    totals, chosen = raw["totals"], raw["selection"]
    applies = {c for case in cases if case.verdict != "skip" for c in case.clauses}
    must = [c for c in raw["clauses"] if c["level"] == "MUST" and c["id"] in applies]
    judged = sum(clause["standing"] != "not_judged" for clause in must)
    percent = judged * 100 // len(must) if must else 100
    level = "SHOULD" if chosen["strict"] else "MUST"
    # Of an interrupted run some have no verdict because their turn did not come.
    wrong = ("fail", "inconclusive") if raw["complete"] else ("fail",)
    bad = sum(c.verdict in wrong and c.level in ("MUST", level) for c in cases)
    standing, exit_code, reasons = "conforms", 0, []
    for count, what in (
        (bad, "failed or gave no verdict"),
        (totals["xpass"], "passed although waived"),
    ):
        if count:
            reasons.append(f"{count} case{'' if count == 1 else 's'} {what}")
    if raw["unmatched_waivers"]:
        unused = len(raw["unmatched_waivers"])
        reasons.append(f"{unused} waiver{' is' if unused == 1 else 's are'} unused")
    if reasons:
        standing, exit_code = "does_not_conform", 1
    elif not raw["complete"] or not totals["run"] or percent < MIN_JUDGED:
        standing, exit_code = "inconclusive", 5
        reasons = [
            "the run was interrupted"
            if not raw["complete"]
            else "no case was run"
            if not totals["run"]
            else f"{judged} of {len(must)} applicable MUST clauses could be judged, "
            f"less than {MIN_JUDGED} %"
        ]
    elif totals["xfail"]:
        waived = totals["xfail"]
        standing = "broken_known"
        reasons = [f"{waived} case{'' if waived == 1 else 's'} failed as waivers expect"]
    return {
        "standing": standing,
        "exit_code": exit_code if raw["complete"] else INTERRUPTED,
        "reasons": reasons,
        "gate": {"name": level.lower(), "level": level, "reason": None, "rules": 0},
        "must": {
            "judged": judged,
            "applicable": len(must),
            "percent": percent,
            "min_percent": MIN_JUDGED,
        },
        "scopes": [],
        "scopes_why": None,
    }


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
        kind = type(document).__name__
        raise HarnessError(f"{path}: not a report ({FORMATS[-1]}), but a JSON {kind}")
    return document


def read_report(path: Path, partial: bool = False) -> Report:
    """The report in a file, checked against the schema.

    `partial` accepts the report of a run that was interrupted; whoever shows it has to say so.
    HarnessError names the file, the place in it, and what to do.
    """
    return check_report(path, parse(path), partial)


def check_format(path: Path, document: dict, *due: str) -> None:
    seen = document.get("format")
    if seen not in due:
        raise HarnessError(
            f"{path}: format {seen!r} is not supported, only {' and '.join(map(repr, due))} "
            "(use tvmffi-conform and tvmffi-harness of the same version)"
        )


def check_report(path: Path, document: dict, partial: bool = False) -> Report:
    """`read_report` for a document that is read already."""
    check_format(path, document, *FORMATS)
    schema().refuse(path, document)
    refuse_wrong_groups(path, document)
    refuse_duplicates(path, document)
    refuse_strangers(path, document)
    refuse_contradictions(path, document)
    report = report_of(path, document)
    if not report.settled and not partial:
        raise HarnessError(
            f"{path}: the run was interrupted "
            "(run it again, or pass --partial to show it as incomplete)"
        )
    return report


def check_inspection(path: Path, document: dict) -> dict:
    """What `inspect` wrote, if it is whole. HarnessError: as of `read_report`."""
    check_format(path, document, INSPECTION_FORMAT)
    schema("inspect.schema.json").refuse(path, document)
    return document


def report_of(path: Path, document: dict) -> Report:
    """A report whose document is known to be whole and sound."""
    cases = tuple(
        Case(c["id"], tuple(c["clauses"]), c["level"], c["verdict"], c["reason"], c)
        for c in all_cases(document)
    )
    return Report(path, document, cases)


def all_cases(document: dict) -> Iterable[dict]:
    """The objects of the cases: those that are listed, then those that stand in groups."""
    yield from document["cases"]
    for group in document.get("groups", ()):
        names = group_names(document, group)
        alike = {
            **{key: group[key] for key in ("title", "clauses", "level", "verdict", "reason")},
            **dict.fromkeys(("fail_kind", "crash", "output", "waiver")),
            "duration_us": group["duration_us"] // max(len(names), 1),
            "expectations": {"held": group["held"] // max(len(names), 1), "failed": 0},
            "evidence": [],
        }
        for name in names:
            yield {"id": f"{group['id']}@{name}", **alike}


def group_names(document: dict, group: dict) -> list[str]:
    """The functions that the cases of a group are about."""
    if group["functions"] is not None:
        return group["functions"]
    return [function["name"] for function in document.get("functions", ())]


# A small file may speak of any number of cases.
MAX_CASES = 4 << 20


def refuse_wrong_groups(path: Path, document: dict) -> None:
    """A group counts its functions."""
    total = len(document["cases"])
    for number, group in enumerate(document.get("groups", ())):
        count = len(group_names(document, group))
        total += count
        if count != group["count"]:
            raise HarnessError(
                f"{path}: groups/{number}: count is {group['count']}, but it has {count} "
                "functions (was the report edited?)"
            )
    if total > MAX_CASES:
        raise HarnessError(f"{path}: speaks of more than {MAX_CASES} cases")


def refuse_duplicates(path: Path, document: dict) -> None:
    """A case may be listed once for each repetition, a clause once."""
    repeat = document["selection"]["repeat"]
    for what, items, limit in (
        ("cases", all_cases(document), repeat),
        ("clauses", document["clauses"], 1),
    ):
        count = Counter(item["id"] for item in items)
        double = next((identity for identity, times in count.items() if times > limit), None)
        if double is not None:
            raise HarnessError(
                f"{path}: {what}: {double} is listed {count[double]} times; reports cannot "
                "be joined by hand (pass them one by one)"
            )


def refuse_contradictions(path: Path, document: dict) -> None:
    """What a report says of the verdict outside of it is what the verdict says."""
    verdict = document.get("verdict")
    if verdict is None:
        return
    good = verdict["standing"] in ("conforms", "broken_known")
    for key, due in (("conforms", good), ("exit_code", verdict["exit_code"])):
        if document[key] != due:
            raise HarnessError(
                f"{path}: {key}: {document[key]!r} contradicts the verdict "
                f"{verdict['standing']!r} (was the report edited?)"
            )


def refuse_strangers(path: Path, document: dict) -> None:
    """A case is judged by clauses that stand in the report."""
    known = {clause["id"] for clause in document["clauses"]}
    listed = [("cases", *item) for item in enumerate(document["cases"])]
    listed += [("groups", *item) for item in enumerate(document.get("groups", ()))]
    for what, number, case in listed:
        strange = next((clause for clause in case["clauses"] if clause not in known), None)
        if strange is not None:
            raise HarnessError(
                f"{path}: {what}/{number}: {case['id']} cites {strange}, which is not in "
                "the report (run the suite again)"
            )

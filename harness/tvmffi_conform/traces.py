# SPDX-License-Identifier: Apache-2.0
"""What `tvmffi-conform trace` wrote as JSON Lines, and what is shown of one or of many of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from . import HarnessError
from .document import read_bytes, schema
from .summary import BAD, GOOD, KNOWN, OPEN, plural

SCHEMA = "trace.schema.json"
KINDS = ("finding", "alive", "process", "trace")
# What a finding counts as, in the order in which they are shown.
ERROR, WAIVED, ADVICE = "error", "waived", "advice"
COUNTED = (ERROR, WAIVED, ADVICE)
CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Trace:
    """One run of a program. `whole` is the last line of the report."""

    findings: list[dict]
    processes: list[dict]
    whole: dict

    @property
    def errors(self) -> int:
        return self.whole["errors"]

    @property
    def waived(self) -> int:
        return self.whole.get("waived", 0)

    @property
    def sound(self) -> bool:
        """Whether something was seen, and nothing is wrong with it."""
        return self.errors == 0 and self.whole["crossings"] > 0

    def verdict(self) -> tuple[str, str]:
        """In words, and in which tone."""
        if self.errors:
            return plural(self.errors, "error"), BAD
        if not self.whole["crossings"]:
            return "no call seen", OPEN
        return ("broken, known", KNOWN) if self.waived else ("no error", GOOD)

    def ending(self) -> str:
        """How the program ended."""
        if self.whole["signal"] is not None:
            return f"signal {self.whole['signal']}"
        return f"exit code {self.whole['exit_code']}"

    def lost(self) -> list[str]:
        """What there was no room for, so that the trace tells less than was there."""
        counts = {
            "findings": self.whole["lost_findings"],
            "processes": self.whole["lost_processes"],
            "runtimes": sum(process["lost_runtimes"] for process in self.processes),
            "functions of modules": sum(one["lost_module_functions"] for one in self.processes),
        }
        return [f"{what}: {count:,}" for what, count in counts.items() if count]


def first_kind(path: Path) -> str | None:
    """What the first line of a file says that it is; None if that is not a line of a trace."""
    line = read_bytes(path).partition(b"\n")[0]
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return None
    kind = document.get("kind") if isinstance(document, dict) else None
    return kind if kind in KINDS else None


def read_trace(path: Path) -> Trace:
    """The report in a file. HarnessError names the line that is wrong, and what to do."""
    found: dict[str, list[dict]] = {kind: [] for kind in KINDS}
    text = read_bytes(path).decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        try:
            document = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise HarnessError(
                f"{path}:{number}: not a line of JSON (run `trace` again with --report json:FILE)"
            ) from error
        schema(SCHEMA).refuse(Path(f"{path}:{number}"), document)
        found[document["kind"]].append(document)
    if len(found["trace"]) != 1 or '"kind":"trace"' not in line:
        raise HarnessError(
            f"{path}: the file is truncated, or holds several traces (pass them one by one)"
        )
    return Trace(found["finding"], found["process"], found["trace"][0])


def place(site: dict | None) -> str:
    """ "libfoo.so+0x120 (function+0x10)"."""
    if site is None:
        return ""
    library = Path(site["library"]).name if site["library"] else "address "
    where = f"{library}+{site['offset']:#x}" if site["library"] else f"{site['offset']:#x}"
    if site["symbol"]:
        where += f" ({site['symbol']}+{site['symbol_offset']:#x})"
    return f"{where} at {site['line']}" if site.get("line") else where


def blamed(finding: dict) -> dict | None:
    """The place that is to blame; of what cannot be told, that of the call."""
    return finding["caller" if finding["blame"] in ("caller", CANNOT_TELL) else "callee"]


def counted_as(finding: dict) -> str:
    return WAIVED if "waived" in finding else finding["weight"]


@dataclass
class Fault:
    """Findings of one check in one function of one library, or in a library without symbols."""

    first: dict  # the finding that was seen first
    counts: Counter[str] = field(default_factory=Counter)  # how often, by trace
    places: Counter[tuple[str, str]] = field(default_factory=Counter)  # caller, callee

    @property
    def kind(self) -> str:
        return counted_as(self.first)

    @property
    def is_error(self) -> bool:
        return self.kind == ERROR

    @property
    def who(self) -> str:
        """The library; empty if nobody can be told."""
        site = blamed(self.first)
        if self.first["blame"] == CANNOT_TELL or site is None:
            return ""
        return Path(site["library"]).name if site["library"] else "code outside of libraries"

    @property
    def sentence(self) -> str:
        broke = "broke" if self.first["weight"] == ERROR else "did not follow"
        clause = self.first["clause"]
        return f"{self.who} {broke} {clause}" if self.who else f"{clause}: {CANNOT_TELL} by whom"

    @property
    def count(self) -> int:
        return sum(self.counts.values())


def faults(traces: Mapping[str, Trace]) -> list[Fault]:
    """What was found in any of them: errors, what waivers name, advice; the most frequent first."""
    found: dict[tuple, Fault] = {}
    for label, trace in traces.items():
        for finding in trace.findings:
            site = blamed(finding) or {}
            library = Path(site["library"]).name if site.get("library") else None
            kind = (finding["check"], counted_as(finding), finding["blame"])
            key = (kind, library, site.get("symbol"))
            fault = found.setdefault(key, Fault(finding))
            fault.counts[label] += finding["count"]
            fault.places[place(finding["caller"]), place(finding["callee"])] += finding["count"]
    return sorted(found.values(), key=lambda fault: (COUNTED.index(fault.kind), -fault.count))


def calls(traces: Iterable[Trace]) -> list[tuple[str, list[int]]]:
    """How often each function of the C API was called, a number for each trace. In front: calls
    that take other ways than the C API."""
    rows: dict[str, list[int]] = {}
    columns = list(traces)
    for number, trace in enumerate(columns):
        for process in trace.processes:
            for name, count in process["calls"].items():
                rows.setdefault(name, [0] * len(columns))[number] += count
    told = sorted(rows.items(), key=lambda row: (-sum(row[1]), row[0]))
    for key, name in (
        ("module_calls", "functions of modules"),
        ("function_calls", "function objects"),
    ):
        counts = [sum(process[key] for process in trace.processes) for trace in columns]
        told.insert(0, (name, counts))
    return told


def headline(traces: Mapping[str, Trace]) -> str:
    """The sentence over a page of traces alone."""
    errors = sum(trace.errors for trace in traces.values())
    unseen = sum(not trace.whole["crossings"] for trace in traces.values())
    told = f"{plural(errors, 'error') if errors else 'no error'} in {plural(len(traces), 'trace')}"
    return f"{told}; {unseen} saw no call" if unseen else told

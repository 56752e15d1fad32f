# SPDX-License-Identifier: Apache-2.0
"""Many reports as one JUnit file. (Of a single run the program itself writes one.)

A suite is an implementation; what is red and what is skipped is as in the program's own files, so
that a job is red exactly when the verdict is. The elements are those that the schemas of Ant and of
Jenkins have in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from xml.etree import ElementTree

from .document import Case, Report
from .gather import Collected
from .printable import printable
from .summary import verdict_of
from .traces import Trace, faults


@dataclass(frozen=True)
class Result:
    """What stands in the element of a case that did not pass."""

    kind: str  # "failure", "error", "skipped"
    message: str
    type: str = ""
    text: str = ""

    def element(self) -> ElementTree.Element:
        words = {"type": self.type} if self.type else {}
        made = ElementTree.Element(self.kind, {"message": printable(self.message), **words})
        made.text = printable(self.text) or None
        return made


@dataclass
class Entry:
    """One test."""

    name: str
    group: str
    result: Result | None = None
    seconds: float = 0

    def element(self) -> ElementTree.Element:
        words = {"classname": printable(self.group), "name": printable(self.name)}
        made = ElementTree.Element("testcase", {**words, "time": f"{self.seconds:.3f}"})
        if self.result:
            made.append(self.result.element())
        return made


@dataclass
class Suite:
    name: str
    started_at: str = ""  # as in reports; empty: now
    entries: list[Entry] = field(default_factory=list)

    def element(self, number: int) -> ElementTree.Element:
        kinds = Counter(entry.result.kind for entry in self.entries if entry.result)
        moment = self.started_at or datetime.now(timezone.utc).isoformat()
        made = ElementTree.Element(
            "testsuite",
            {
                "id": str(number),
                "package": "tvm_ffi",
                "name": printable(self.name),
                "tests": str(len(self.entries)),
                "failures": str(kinds["failure"]),
                "errors": str(kinds["error"]),
                "skipped": str(kinds["skipped"]),
                "time": f"{sum(entry.seconds for entry in self.entries):.3f}",
                "timestamp": moment[:19],
                "hostname": "localhost",
            },
        )
        ElementTree.SubElement(made, "properties")
        made.extend(entry.element() for entry in self.entries)
        ElementTree.SubElement(made, "system-out")
        ElementTree.SubElement(made, "system-err")
        return made


def seen(case: Case) -> str:
    """In one line: the reason, or the first expectation that failed."""
    if case.reason or not case.raw["evidence"]:
        return case.reason or case.verdict
    first = case.raw["evidence"][0]
    what = f"{first['what']}: " if first["what"] else ""
    return f"{what}expected {first['expected']}, actual {first['seen']}"


def result_of(case: Case, counts: bool) -> Result | None:
    """What stands in the case's element; None if it passed."""
    if case.verdict == "pass":
        return None
    if case.verdict == "xfail":
        return Result("skipped", f"waived: {case.raw['waiver']['reason']}")
    if case.verdict == "skip":
        return Result("skipped", case.reason)
    if not counts:
        return Result("skipped", f"warning: {seen(case)}")
    kind = "error" if case.verdict == "inconclusive" else "failure"
    clauses = f"{case.level}, {', '.join(case.clauses)}"
    return Result(kind, seen(case), case.raw["fail_kind"] or case.verdict, clauses)


def of_cases(label: str, report: Report) -> Iterable[Entry]:
    """What does not apply to functions of a module is counted: it would be most of the file."""
    skipped = Counter(
        (case.id.partition("@")[0], case.reason)
        for case in report.cases
        if case.verdict == "skip" and "@" in case.id
    )
    for (name, why), count in skipped.items():
        told = f"{name} ({count} function{'' if count == 1 else 's'})"
        yield Entry(told, f"{label}.{name.partition('.')[0]}", Result("skipped", why))
    for case in report.cases:
        if case.verdict == "skip" and "@" in case.id:
            continue
        seconds = case.raw["duration_us"] / 1e6
        result = result_of(case, report.counts(case))
        yield Entry(case.id, f"{label}.{case.chapter}", result, seconds)


def judged(label: str, report: Report) -> Suite:
    suite = Suite(label, report.raw["started_at"], list(of_cases(label, report)))
    for waiver in report.raw["unmatched_waivers"]:
        what = Result("failure", "the waiver matches no case that was run", "waiver")
        suite.entries.append(Entry(waiver, f"{label}.waivers", what))
    if not (report.good or report.red):
        words, _, remark = verdict_of(report)
        what = Result("error", f"{words}: {remark}", report.standing)
        suite.entries.append(Entry("verdict", f"{label}.verdict", what))
    return suite


def inspected(inspection: dict) -> Suite:
    """The files of `inspect`: those with errors are red."""
    suite = Suite("inspect")
    for file in inspection["files"]:
        errors = sorted({f["id"] for f in file["findings"] if f["level"] == "error"})
        result = Result("failure", ", ".join(errors), "finding") if errors else None
        suite.entries.append(Entry(file["path"], "inspect", result))
    for file in inspection["unreadable"]:
        what = Result("error", file["message"], "unreadable")
        suite.entries.append(Entry(file["path"], "inspect", what))
    return suite


def traced(label: str, trace: Trace) -> Suite:
    """A run of a program: errors are red, and so is a run that saw no call."""
    unseen = Result("error", "no call was seen", "no call")
    seen_any = None if trace.whole["crossings"] else unseen
    suite = Suite(f"trace {label}", "", [Entry("calls were seen", label, seen_any)])
    for fault in faults({label: trace}):
        what = f"{fault.sentence}: {fault.first['text']}"
        result = (
            Result("failure", what, fault.first["check"])
            if fault.is_error
            else Result("skipped", f"{fault.kind}: {fault.first.get('waived') or what}")
        )
        suite.entries.append(Entry(f"{fault.first['clause']} {fault.who}".strip(), label, result))
    return suite


def junit(collected: Collected) -> str:
    """The whole file."""
    suites = [judged(label, report) for label, report in collected.reports.items()]
    suites += map(inspected, collected.inspections)
    suites += [traced(label, trace) for label, trace in collected.traces.items()]
    for label, why in collected.missing.items():
        suites.append(
            Suite(label, "", [Entry("is judged", label, Result("error", why, "no result"))])
        )
    whole = ElementTree.Element("testsuites")
    whole.extend(suite.element(number) for number, suite in enumerate(suites))
    ElementTree.indent(whole, " ")
    return ElementTree.tostring(whole, encoding="unicode", xml_declaration=False)

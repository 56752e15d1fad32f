# SPDX-License-Identifier: Apache-2.0
"""Many reports as one JUnit file. (Of a single run the program itself writes one.)

A suite is an implementation; what is red and what is skipped is as in the program's own files, so
that a job is red exactly when the verdict is.
"""

from __future__ import annotations

from collections import Counter

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from .document import Case, Report
from .gather import Collected
from .printable import printable
from .summary import verdict_of


def seen(case: Case) -> str:
    """In one line: the reason, or the first expectation that failed."""
    if case.reason or not case.raw["evidence"]:
        return printable(case.reason or case.verdict)
    first = case.raw["evidence"][0]
    what = f"{first['what']}: " if first["what"] else ""
    return printable(f"{what}expected {first['expected']}, actual {first['seen']}")


def result_of(case: Case, counts: bool) -> Failure | Error | Skipped | None:
    """What stands in the case's element; None if it passed."""
    if case.verdict == "pass":
        return None
    if case.verdict == "xfail":
        return Skipped(f"waived: {printable(case.raw['waiver']['reason'])}")
    if case.verdict == "skip":
        return Skipped(printable(case.reason))
    if not counts:
        return Skipped(f"warning: {seen(case)}")
    kind = Error if case.verdict == "inconclusive" else Failure
    made = kind(seen(case), case.raw["fail_kind"] or case.verdict)
    made.text = f"{case.level}, {', '.join(case.clauses)}"
    return made


def element(name: str, group: str, result: Failure | Error | Skipped | None) -> TestCase:
    made = TestCase(printable(name), printable(group))
    if result is not None:
        made.result = [result]
    return made


def judged(label: str, report: Report) -> TestSuite:
    suite = TestSuite(printable(label))
    # What does not apply to functions of a module is counted: it would be most of the file.
    skipped = Counter(
        (case.id.partition("@")[0], case.reason)
        for case in report.cases
        if case.verdict == "skip" and "@" in case.id
    )
    for (name, why), count in skipped.items():
        told = f"{name} ({count} function{'' if count == 1 else 's'})"
        group = f"{label}.{name.partition('.')[0]}"
        suite.add_testcase(element(told, group, Skipped(printable(why))))
    for case in report.cases:
        if case.verdict == "skip" and "@" in case.id:
            continue
        made = element(case.id, f"{label}.{case.chapter}", result_of(case, report.counts(case)))
        # Shorter ones would be written with an exponent, which readers refuse.
        made.time = round(case.raw["duration_us"] / 1e6, 4)
        suite.add_testcase(made)
    for waiver in report.raw["unmatched_waivers"]:
        what = Failure("the waiver matches no case that was run", "waiver")
        suite.add_testcase(element(waiver, f"{label}.waivers", what))
    if not (report.good or report.red):
        words, _, remark = verdict_of(report)
        what = Error(printable(f"{words}: {remark}"), report.standing)
        suite.add_testcase(element("verdict", f"{label}.verdict", what))
    return suite


def inspected(inspection: dict) -> TestSuite:
    """The files of `inspect`: those with errors are red."""
    suite = TestSuite("inspect")
    for file in inspection["files"]:
        errors = sorted({f["id"] for f in file["findings"] if f["level"] == "error"})
        result = Failure(", ".join(errors), "finding") if errors else None
        suite.add_testcase(element(file["path"], "inspect", result))
    for file in inspection["unreadable"]:
        what = Error(printable(file["message"]), "unreadable")
        suite.add_testcase(element(file["path"], "inspect", what))
    return suite


def junit(collected: Collected) -> str:
    """The whole file."""
    whole = JUnitXml("TVM FFI ABI")
    for label, report in collected.reports.items():
        whole.add_testsuite(judged(label, report))
    for inspection in collected.inspections:
        whole.add_testsuite(inspected(inspection))
    for label, why in collected.missing.items():
        suite = TestSuite(printable(label))
        suite.add_testcase(element("is judged", label, Error(printable(why), "no result")))
        whole.add_testsuite(suite)
    for suite in whole:
        suite.update_statistics()
    whole.update_statistics()
    return whole.tostring().decode()

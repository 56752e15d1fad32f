# SPDX-License-Identifier: Apache-2.0
"""Many reports as one JUnit file, red where the program's own would be."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped
from report_sample import case, decided, evidence, inspected_file, inspection, report
from tvmffi_conform.document import check_inspection, check_report
from tvmffi_conform.gather import Collected
from tvmffi_conform.junit import junit

TESTS = Path(__file__).resolve().parents[2] / "conformance" / "tests"
SCHEMA = TESTS / "report" / "junit.xsd"
SHOULD = {"level": "SHOULD", "clauses": ["ANY-2"]}
HOSTILE = "a\x1b[2J\x00\ufffe]]>--></testsuite>\ud800"


def collected(*cases: dict, label: str = "a", **changes: object) -> Collected:
    found = Collected()
    found.add(label, check_report(Path("r.json"), report(list(cases), **changes)))
    return found


def results(text: str) -> dict[str, list]:
    return {case.name: case.result for suite in JUnitXml.fromstring(text) for case in suite}


def test_each_verdict_has_its_element() -> None:
    cases = [
        case("any.passes", duration_us=59),
        case("any.fails", "fail"),
        case("any.open", "inconclusive"),
        case("any.advice", "fail", **SHOULD),
        case("any.later", "skip", reason="came with 0.1.12"),
        case("any.known", "xfail"),
        case("any.mended", "xpass"),
    ]
    text = junit(collected(*cases))
    found = {name: result[0] if result else None for name, result in results(text).items()}
    kinds = {name: type(result) for name, result in found.items() if result is not None}
    assert kinds == {
        "any.fails": Failure,
        "any.open": Error,
        "any.advice": Skipped,
        "any.later": Skipped,
        "any.known": Skipped,
        "any.mended": Failure,
    }
    assert found["any.fails"].message == "the value: expected None (0), actual Int (1)"
    assert found["any.fails"].type == "expectation"
    assert found["any.advice"].message.startswith("warning: the value")
    assert found["any.known"].message == "waived: known"
    whole = JUnitXml.fromstring(text)
    whole.update_statistics()  # the root has none
    assert (whole.tests, whole.failures, whole.errors, whole.skipped) == (7, 2, 1, 3)


def test_strictness_makes_advice_red() -> None:
    strict = {**report([])["selection"], "strict": True}
    text = junit(collected(case("any.advice", "fail", **SHOULD), selection=strict))
    assert isinstance(results(text)["any.advice"][0], Failure)


def test_what_is_inconclusive_is_red() -> None:
    found = Collected()
    found.add("a", check_report(Path("r.json"), decided(report(), "inconclusive")))
    found.add("b", check_report(Path("b.json"), decided(report([]), "not_judged")))
    suites = {suite.name: suite for suite in JUnitXml.fromstring(junit(found))}
    (told,) = [entry for entry in suites["a"] if entry.name == "verdict"]
    assert isinstance(told.result[0], Error)
    assert told.result[0].message.startswith("inconclusive: ")
    assert [entry.result[0].type for entry in suites["b"]] == ["not_judged"]


def test_what_has_no_result_and_waivers_for_nothing_are_red() -> None:
    found = collected(case(), unmatched_waivers=["any.gone"])
    found.missing["b"] = "it cannot be loaded"
    red = results(junit(found))
    assert red["any.gone"][0].type == "waiver"
    assert red["is judged"][0].message == "it cannot be loaded"


def inspected() -> dict:
    empty = {"symbol": None, "detail": None, "reason": None, "clause": None}
    levels = {"symbols.odd": "error", "linking.fixed-rpath": "warning"}
    findings = [{"id": name, "level": level, **empty} for name, level in levels.items()]
    files = [inspected_file(path="a.so"), inspected_file(path="b.so", findings=findings)]
    made = inspection(files, unreadable=[{"path": "c.so", "message": "is a text file"}])
    return check_inspection(Path("i.json"), made)


def test_files_that_were_inspected() -> None:
    found = results(junit(Collected(inspections=[inspected()])))
    assert found["a.so"] == []
    assert found["b.so"][0].message == "symbols.odd"
    assert found["c.so"][0].message == "is a text file"


@pytest.mark.skipif(not shutil.which("xmllint"), reason="there is no xmllint to check it with")
def test_it_is_what_readers_understand(tmp_path: Path) -> None:
    bad = case("any.fails", "fail", evidence=[evidence(what=HOSTILE, seen=HOSTILE)], duration_us=59)
    found = collected(bad, case("any.open", "inconclusive"), label=HOSTILE)
    found.missing[HOSTILE] = HOSTILE
    found.inspections.append(inspected())
    path = tmp_path / "j.xml"
    path.write_text(junit(found), encoding="utf-8")
    done = subprocess.run(
        ["xmllint", "--noout", "--nonet", "--schema", str(SCHEMA), str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "\\x1b[2J" in path.read_text()

# SPDX-License-Identifier: Apache-2.0
"""Reports of `trace`: read, and drawn as a page, as Markdown and as JUnit."""

from __future__ import annotations

from pathlib import Path

import pytest
from junitparser import JUnitXml
from official_suites import Outcome
from report_sample import finding, place, put, report, trace, write
from trace_suites import differences, summary_of
from tvmffi_conform import HarnessError
from tvmffi_conform.gather import collect
from tvmffi_conform.junit import junit
from tvmffi_conform.markdown import markdown
from tvmffi_conform.page import page
from tvmffi_conform.traces import calls, faults, headline

ADVICE = finding(weight="advice", level="SHOULD", clause="CALL-19", blame="cannot tell", count=4)


def test_equal_findings_of_many_traces_are_one(tmp_path: Path) -> None:
    put(tmp_path / "0.1.9.jsonl", trace([finding(), finding(caller=place(offset=0x200))]))
    moved = place("/elsewhere/binding.so", 0x300)
    put(tmp_path / "0.1.10.jsonl", trace([ADVICE, finding(caller=moved, count=5)], signal=11))
    (tmp_path / "scan.jsonl").write_text('{"path": "a.so"}\n')
    collected = collect([tmp_path])
    assert list(collected.traces) == ["0.1.9", "0.1.10"]
    first, second = faults(collected.traces)
    assert (first.sentence, first.counts) == (
        "binding.so broke CALL-1",
        {"0.1.9": 4, "0.1.10": 5},
    )
    assert [caller for caller, _ in first.places] == [
        f"binding.so+{at}" for at in ("0x120", "0x200", "0x300")
    ]
    assert second.sentence == "CALL-19: cannot tell by whom"
    assert [one.ending() for one in collected.traces.values()] == ["exit code 0", "signal 11"]
    assert calls(collected.traces.values())[:3] == [
        ("function objects", [1, 1]),
        ("functions of modules", [1, 1]),
        ("TVMFFIFunctionCall", [9, 9]),
    ]
    assert headline(collected.traces) == "3 errors in 2 traces"
    text = markdown(collected)
    assert "**2 errors**" in text
    assert "error: binding.so broke CALL-1" in text
    assert "(9 times)" in text
    counted = JUnitXml.fromstring(junit(collected))
    counted.update_statistics()
    assert (counted.tests, counted.failures, counted.errors, counted.skipped) == (5, 2, 0, 1)


def test_a_trace_that_saw_nothing_is_not_good(tmp_path: Path) -> None:
    collected = collect([put(tmp_path / "one.json", trace(crossings=0, exit_code=4))])
    (only,) = collected.traces.values()
    assert (only.sound, only.verdict()[0]) == (False, "no call seen")
    assert "no error in 1 trace; 1 saw no call" in page(collected)
    assert "⚪" in markdown(collected)
    counted = JUnitXml.fromstring(junit(collected))
    counted.update_statistics()
    assert counted.errors == 1


def test_what_waivers_name_is_told_with_the_reason(tmp_path: Path) -> None:
    known = finding(waived="fixed in 2.1", count=7)
    lines = trace([finding(check="argument-bool"), known], errors=1, waived=1)
    collected = collect([put(tmp_path / "one.jsonl", lines)])
    assert [(fault.kind, fault.count) for fault in faults(collected.traces)] == [
        ("error", 2),
        ("waived", 7),
    ]
    assert "waived: binding.so broke CALL-1" in markdown(collected)
    told = page(collected)
    assert "<h3>Waived</h3>" in told
    assert "<dd>fixed in 2.1</dd>" in told
    assert "waived: fixed in 2.1" in junit(collected)
    (put(tmp_path / "one.jsonl", trace([known], errors=0, waived=1)))
    (only,) = collect([tmp_path / "one.jsonl"]).traces.values()
    assert (only.sound, only.verdict()) == (True, ("broken, known", "known"))


def test_what_there_was_no_room_for_is_told(tmp_path: Path) -> None:
    lines = trace(lost_findings=3, unwatched=2)
    lines[0]["lost_runtimes"] = 1
    told = page(collect([put(tmp_path / "one.jsonl", lines)]))
    assert "one: there was no room for all that was seen (findings: 3, runtimes: 1)." in told
    assert "one: 2 programs ran without the layer." in told


def test_traces_stand_beside_reports_of_runs(tmp_path: Path) -> None:
    write(tmp_path / "run.json", report())
    put(tmp_path / "tests.jsonl", trace([finding()]))
    told = page(collect([tmp_path]))
    assert 'id="summary"' in told
    assert 'id="traces"' in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text[: text.rindex('{"kind":"trace"')], "truncated, or holds several"),
        (lambda text: text[:-9], ":3: not a line of JSON"),
        (lambda text: text + text, "truncated, or holds several"),
        (lambda text: text.replace('"count":2', '"count":0'), ":1: "),
        (lambda text: text.replace('"pid":7', '"pid":"7"'), ":1: "),
    ],
)
def test_a_damaged_report_is_refused(tmp_path: Path, change, told: str) -> None:
    path = put(tmp_path / "one.jsonl", trace([finding()]))
    path.write_text(change(path.read_text()))
    with pytest.raises(HarnessError, match=told):
        collect([path])


def test_tests_that_end_in_another_way_under_the_layer_are_told() -> None:
    bare = {("", name): Outcome("passed") for name in ("a", "b", "c")}
    traced = {("", "a"): Outcome("passed"), ("", "b"): Outcome("failed", "why")}
    assert differences(bare, dict(bare)) == []
    assert differences(bare, traced) == [
        "b: passed without, failed under trace",
        "c: passed without, not run under trace",
    ]
    assert summary_of(traced) == "1 failed, 1 passed"

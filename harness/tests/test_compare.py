# SPDX-License-Identifier: Apache-2.0
"""Regressions, fixes, new and gone cases."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from report_sample import case, report, write
from tvmffi_conform import HarnessError
from tvmffi_conform.cli import app
from tvmffi_conform.compare import compare
from tvmffi_conform.document import RANK, Report, report_of
from tvmffi_conform.tool import Tool
from typer.testing import CliRunner

TOOL = os.environ.get("TVMFFI_CONFORM_TOOL", "")
HARNESS = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")


def made(*cases: dict) -> Report:
    document = report(list(cases))
    document["selection"]["repeat"] = len(cases)
    return report_of(Path("r.json"), document)


def compared(old: Report, new: Report) -> tuple[list, list, list, list]:
    result = compare({"a": old}, {"a": new}, Tool(Path(TOOL)))
    return tuple(
        [(c.case, c.old, c.new) for c in changes]
        for changes in (result.regressions, result.fixes, result.new, result.gone)
    )


@pytest.mark.parametrize("old", RANK)
@pytest.mark.parametrize("new", RANK)
def test_every_pair_of_verdicts(old: str, new: str) -> None:
    worse, better, came, went = compared(made(case(verdict=old)), made(case(verdict=new)))
    change = [("any.one", old, new)]
    assert worse == (change if RANK[new] > RANK[old] else [])
    assert better == (change if RANK[new] < RANK[old] else [])
    assert (came, went) == ([], [])


def test_cases_that_come_and_go() -> None:
    old, new = made(case("any.old")), made(case("any.new"))
    assert compared(old, new) == ([], [], [("any.new", None, "pass")], [("any.old", "pass", None)])


def test_a_new_case_that_fails_is_a_regression() -> None:
    both = made(case(), case("any.two", "fail"))
    assert compared(made(case()), both)[0] == [("any.two", None, "fail")]
    advice = made(case(), case("any.two", "fail", level="SHOULD"))
    assert compared(made(case()), advice)[2] == [("any.two", None, "fail")]


def test_what_was_not_applicable_did_not_run() -> None:
    skipped, passed = made(case(verdict="skip")), made(case())
    assert compared(skipped, passed)[2] == [("any.one", "skip", "pass")]
    assert compared(passed, skipped)[3] == [("any.one", "pass", "skip")]


def test_of_repetitions_the_worst_counts() -> None:
    flaky = made(case(), case(verdict="fail"), case())
    assert compared(made(case()), flaky)[0] == [("any.one", "pass", "fail")]
    assert compared(flaky, flaky) == ([], [], [], [])


def test_cases_that_race_do_not_count() -> None:
    passed, failed = made({**case(), "races": True}), made({**case(verdict="fail"), "races": True})
    result = compare({"a": passed}, {"a": failed}, Tool(Path(TOOL)))
    assert [(c.case, c.old, c.new) for c in result.racing] == [("any.one", "pass", "fail")]
    assert not result.regressed
    assert not result.fixes


def test_implementations_that_one_side_lacks_are_named() -> None:
    old = {"a": made(case()), "b": made(case())}
    result = compare(old, {"b": made(case()), "c": made(case())}, Tool(Path(TOOL)))
    assert (result.added, result.removed, result.regressed) == (["c"], ["a"], False)


def test_the_command_ends_with_1_on_a_regression(tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", report())
    bad = write(tmp_path / "bad.json", report([case(verdict="fail")], version="0.1.10"))
    worse = CliRunner().invoke(app, ["compare", str(good), str(bad), "--tool", TOOL])
    assert worse.exit_code == 1
    assert "pass -> fail" in worse.output
    assert CliRunner().invoke(app, ["compare", str(bad), str(good), "--tool", TOOL]).exit_code == 0


@pytest.mark.parametrize("command", ["compare", "report"])
def test_a_reader_that_is_gone_ends_it_in_silence(tmp_path: Path, command: str) -> None:
    good = write(tmp_path / "good.json", report())
    words = [str(good), "--markdown", "-"] if command == "report" else [str(good), str(good)]
    tool = ["--tool", TOOL] if command == "compare" else []
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as output:
        done = subprocess.run(
            [sys.executable, "-m", "tvmffi_conform", command, *words, *tool],
            stdout=output,
            stderr=subprocess.PIPE,
            cwd=HARNESS,
            check=False,
        )
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


def test_the_verdicts_stand_below(tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", report())
    known = write(tmp_path / "known.json", report([case(verdict="xfail")]))
    words = ["compare", str(good), str(known), "--tool", TOOL]
    last = CliRunner().invoke(app, words).output.splitlines()[-1]
    assert last == "libtvm_ffi.so 0.1.9: conforms -> broken, known, 1 waived"


def test_an_interrupted_run_is_compared_when_asked(tmp_path: Path) -> None:
    half = {**report(), "complete": False}
    (tmp_path / "half.json").write_text(json.dumps(half), encoding="utf-8")
    whole = write(tmp_path / "whole.json", report())
    command = ["compare", str(tmp_path / "half.json"), str(whole), "--tool", TOOL]
    refused = CliRunner().invoke(app, command)
    assert isinstance(refused.exception, HarnessError)
    assert CliRunner().invoke(app, [*command, "--partial"]).exit_code == 0


def test_what_the_program_refuses_is_told() -> None:
    cut = report_of(Path("cut.json"), {**report(), "jobs": 0})
    with pytest.raises(HarnessError, match=r"cannot compare cut.json with r.json: .*: jobs: must"):
        compare({"a": cut}, {"a": made(case())}, Tool(Path(TOOL)))

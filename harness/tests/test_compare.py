# SPDX-License-Identifier: Apache-2.0
"""Regressions, fixes, new and gone cases."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_sample import case, report, write
from tvmffi_conform.cli import app
from tvmffi_conform.compare import RANK, compare
from tvmffi_conform.document import Report, report_of
from typer.testing import CliRunner


def made(*cases: dict) -> Report:
    return report_of(Path("r.json"), report(list(cases)))


def compared(old: Report, new: Report) -> tuple[list, list, list, list]:
    result = compare({"a": old}, {"a": new})
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


def test_implementations_that_one_side_lacks_are_named() -> None:
    result = compare({"a": made(case()), "b": made(case())}, {"b": made(case()), "c": made(case())})
    assert (result.added, result.removed, result.regressed) == (["c"], ["a"], False)


def test_the_command_ends_with_1_on_a_regression(tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", report())
    bad = write(tmp_path / "bad.json", report([case(verdict="fail")], version="0.1.10"))
    worse = CliRunner().invoke(app, ["compare", str(good), str(bad)])
    assert worse.exit_code == 1
    assert "pass -> fail" in worse.output
    assert CliRunner().invoke(app, ["compare", str(bad), str(good)]).exit_code == 0

# SPDX-License-Identifier: Apache-2.0
"""Cells are run once and kept; what went in decides when they are run again."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_tool import install, runs
from tvmffi_conform import HarnessError
from tvmffi_conform.cells import Cell, Outcome, Results, run_cells
from tvmffi_conform.tool import Tool, find_tool


class Bench:
    """A tool, a folder of results, and libraries."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.program = install(root / "bin")

    def library(self, name: str, words: str) -> Path:
        path = self.root / name
        path.write_text(words)
        return path

    def run(self, *cells: Cell, seconds: float = 30, jobs: int = 2) -> list[Outcome]:
        tool = Tool(self.program)
        results = Results(self.root / "results", tool)
        self.heard: list[str] = []
        return run_cells(
            cells, tool, results, seconds, jobs, lambda o: self.heard.append(o.cell.label)
        )


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_second_run_judges_nothing(bench: Bench) -> None:
    cells = [
        Cell("good", bench.library("a.so", "good 0.1.9")),
        Cell("bad", bench.library("b.so", "bad 0.1.7")),
    ]
    first, second = bench.run(*cells), bench.run(*cells)
    assert [o.report.good for o in first] == [True, False]
    assert [o.cached for o in first] == [False, False]
    assert [o.cached for o in second] == [True, True]
    assert [o.report.raw for o in second] == [o.report.raw for o in first]
    assert sorted(runs(bench.program)) == ["a.so", "b.so"]


def test_outcomes_come_in_the_order_of_the_cells(bench: Bench) -> None:
    cells = [Cell(str(n), bench.library(f"{n}.so", f"good 0.1.{n}")) for n in range(6)]
    outcomes = bench.run(*cells, jobs=3)
    assert [o.report.version for o in outcomes] == [f"0.1.{n}" for n in range(6)]
    assert sorted(bench.heard) == [str(n) for n in range(6)]


def test_whatever_goes_in_makes_a_new_run(bench: Bench) -> None:
    library, waivers = bench.library("a.so", "good 0.1.9"), bench.library("w.json", "{}")
    runtime = bench.library("r.so", "good 0.1.0")
    plain = Cell("a", library)
    variants = [
        plain,
        Cell("a", library, options=("--strict",)),
        Cell("a", library, waivers=waivers),
        Cell("a", library, signatures=waivers),
        Cell("a", library, other=waivers),
        Cell("a", library, runtime=runtime),
    ]
    assert not any(o.cached for o in bench.run(*variants))
    assert all(o.cached for o in bench.run(*variants))
    waivers.write_text("{ }")
    assert [o.cached for o in bench.run(*variants)] == [True, True, False, False, False, True]
    library.write_text("good 0.1.10")
    assert not bench.run(plain)[0].cached
    bench.program.with_name("tvmffi-conform-worker").write_text("another")
    assert not bench.run(plain)[0].cached
    observer = bench.root / "lib" / "observer" / "libtvm_ffi.so"
    observer.parent.mkdir(parents=True)
    observer.write_text("observer")
    assert not bench.run(plain)[0].cached
    assert bench.run(plain)[0].cached


def test_a_file_that_an_option_names_makes_a_new_run(bench: Bench) -> None:
    gate = bench.library("gate.json", "{}")
    cell = Cell("a", bench.library("a.so", "good 0.1.9"), options=("--gate", str(gate)))
    assert [bench.run(cell)[0].cached for _ in range(2)] == [False, True]
    gate.write_text("{ }")
    assert not bench.run(cell)[0].cached


def test_the_waivers_that_come_with_the_program(bench: Bench) -> None:
    cell = Cell("a", bench.library("a.so", "good 0.1.9"), waivers=Path("official"))
    report = bench.run(cell)[0].report
    assert report.cases[1].raw["title"] == "--waivers official"
    assert bench.run(cell)[0].cached


def test_what_could_not_be_loaded_has_its_verdict_and_is_tried_again(bench: Bench) -> None:
    cell = Cell("a", bench.library("a.so", "unjudged"))
    for _ in range(2):
        outcome = bench.run(cell)[0]
        assert (outcome.report.standing, outcome.cached) == ("not_judged", False)


def test_options_reach_the_program(bench: Bench) -> None:
    library = bench.library("a.so", "good 0.1.9")
    runtime = bench.library("r.so", "good 0.1.0")
    cell = Cell("a", library, runtime=runtime, options=("--strict", "-j", "1"))
    report = bench.run(cell)[0].report
    assert report.cases[1].raw["title"] == f"--strict -j 1 --runtime {runtime}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("crash", "boom"),
        ("unloadable", "cannot be loaded: no such symbol"),
        ("killed", "was killed by SIGKILL (run it again"),
        ("silent", "exited with 9 and printed nothing (run it alone"),
        ("cut", "truncated"),
        ("garbage", "not JSON"),
    ],
)
def test_a_run_without_a_report_costs_its_own_cell_only(
    bench: Bench, words: str, said: str
) -> None:
    cells = [
        Cell("broken", bench.library("b.so", words)),
        Cell("good", bench.library("a.so", "good 0.1.9")),
    ]
    broken, good = bench.run(*cells)
    assert broken.report is None
    assert said in broken.trouble
    assert good.report.good
    assert [o.cached for o in bench.run(*cells)] == [False, True]


def test_a_run_that_does_not_end_is_ended(bench: Bench) -> None:
    outcome = bench.run(Cell("hang", bench.library("h.so", "hang")), seconds=1)[0]
    assert outcome.report is None
    assert "no answer within 1 s" in outcome.trouble


def test_a_library_that_is_not_there(bench: Bench) -> None:
    outcome = bench.run(Cell("gone", bench.root / "gone.so"))[0]
    assert "gone.so: No such file" in outcome.trouble


@pytest.mark.parametrize("damage", ["cut", "changed", "no digest", "garbage for a digest"])
def test_a_kept_report_that_is_damaged_is_made_again(bench: Bench, damage: str) -> None:
    cell = Cell("a", bench.library("a.so", "good 0.1.9"))
    path = bench.run(cell)[0].report.path
    text, sum_ = path.read_text(), path.with_suffix(".sha256")
    if damage == "cut":
        path.write_text(text[: len(text) // 2])
    elif damage == "changed":
        path.write_text(text.replace('"conforms": true', '"conforms": false'))
    elif damage == "no digest":
        sum_.unlink()
    else:
        sum_.write_bytes(b"\xff")
    again = bench.run(cell)[0]
    assert not again.cached
    assert again.report.good
    assert bench.run(cell)[0].cached


def test_an_interruption_keeps_what_is_done(bench: Bench) -> None:
    cells = [Cell(str(n), bench.library(f"{n}.so", f"good 0.1.{n}")) for n in range(8)]
    tool = Tool(bench.program)
    results = Results(bench.root / "results", tool)

    def stop(_: Outcome) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_cells(cells, tool, results, 30, 1, stop)
    cached = [outcome.cached for outcome in bench.run(*cells)]
    assert cached[0]
    assert not cached[-1]


def test_the_program_is_looked_for(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_tool(str(bench.program)).path == bench.program.resolve()
    monkeypatch.setenv("TVMFFI_CONFORM", str(bench.program))
    assert find_tool().path == bench.program.resolve()
    monkeypatch.setenv("TVMFFI_CONFORM", str(bench.root / "nothing"))
    with pytest.raises(HarnessError, match="--tool or the variable TVMFFI_CONFORM"):
        find_tool()

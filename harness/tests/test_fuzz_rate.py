# SPDX-License-Identifier: Apache-2.0
"""fuzz_rate.py measures what it says it does; no test here asserts how fast anything is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fuzz"))
import fuzz_rate

MakeProgram = Callable[[Path, str], str]

LOADED = "library_bin: 2000 valid inputs per second on one core, loads; 1 of 10,000 crashes (2)"


@pytest.fixture
def program() -> MakeProgram:
    """Makes a program of some lines of Python."""

    def make(path: Path, lines: str) -> str:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{sys.executable}\nimport sys, time\n{lines}\n")
        path.chmod(0o755)
        return str(path)

    return make


def make_seeds(tree: Path) -> None:
    seeds = tree / "fuzz" / "seeds" / "library_bin"
    seeds.mkdir(parents=True)
    for size in (0, 79, 80, 120, 121):
        (seeds / f"of-{size}").write_bytes(bytes(size))


def test_a_rate_of_loads_is_the_programs(tmp_path: Path, program: MakeProgram) -> None:
    tool = program(tmp_path / "tool", f"time.sleep(0.5); print({LOADED!r}, sys.argv[1:])")
    rate = fuzz_rate.load(tool, "library.so")
    assert rate.wall == 2000
    # It slept, so that what it did was done in less time than the clock's.
    assert rate.processor > 2000


@pytest.mark.parametrize("lines", ["print('nothing')", f"print({LOADED!r}); sys.exit(2)"])
def test_a_program_without_a_rate_is_reported(
    tmp_path: Path, program: MakeProgram, lines: str
) -> None:
    with pytest.raises(SystemExit):
        fuzz_rate.load(program(tmp_path / "tool", lines), "library.so")


def test_the_reader_is_given_inputs_of_about_100_bytes(
    tmp_path: Path, program: MakeProgram
) -> None:
    make_seeds(tmp_path)
    told = tmp_path / "told"
    program(
        tmp_path / "fuzz" / "fuzz_library_bin",
        f"import json, os\nwith open({str(told)!r}, 'w') as out:\n"
        "  json.dump([sys.argv[1:-1], sorted(os.listdir(sys.argv[-1]))], out)\n"
        "time.sleep(0.2)\nprint('Done 1000 runs in 0 second(s)')",
    )
    rate = fuzz_rate.read(tmp_path, 1000)
    assert rate.wall < 1000 / 0.2
    assert rate.processor > rate.wall
    options, files = json.loads(told.read_text())
    assert files == ["of-120", "of-80"]
    assert {"-runs=1000", "-max_len=120", "-entropic=0"} <= set(options)


def test_fewer_inputs_than_were_asked_for_are_no_rate(tmp_path: Path, program: MakeProgram) -> None:
    make_seeds(tmp_path)
    program(tmp_path / "fuzz" / "fuzz_library_bin", "print('Done 999 runs in 0 second(s)')")
    with pytest.raises(SystemExit):
        fuzz_rate.read(tmp_path, 1000)


def test_a_line_has_both_rates_and_the_aim() -> None:
    line = fuzz_rate.Rate(1234.5, 2345678.4).line("loads", 100_000)
    assert line.split() == ["loads", "1,234", "2,345,678", "100,000"]

# SPDX-License-Identifier: Apache-2.0
"""bench_engine.py measures what it says it does; no test here asserts how fast anything is."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench_engine as bench

MEGABYTE = 1 << 20

# Stands for tvmffi-conform: holds some memory in a child of its own, and ends as it is told.
FAKE_TOOL = f"""#!{sys.executable}
import os, subprocess, sys
if os.environ.get("FAKE_CHILD"):
    hold = "import time; held = b'x' * int(" + os.environ["FAKE_CHILD"] + "); time.sleep(0.2)"
    subprocess.run([sys.executable, "-c", hold])
sys.exit(int(os.environ.get("FAKE_STATUS", "0")))
"""


@pytest.fixture
def tool(tmp_path: Path) -> str:
    path = tmp_path / "tool"
    path.write_text(FAKE_TOOL)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1.234, "1.23 s"), (0.1, "0.10 s"), (0.0123, "12.3 ms"), (0.00025, "250 us")],
)
def test_durations_have_a_fitting_unit(seconds: float, text: str) -> None:
    assert bench.duration(seconds) == text


def test_a_command_is_timed_with_what_it_waits_and_what_it_works() -> None:
    cost = bench.timed([sys.executable, "-c", "import time; time.sleep(0.3)"])
    assert cost.wall >= 0.3
    assert cost.processor < cost.wall
    busy = "import time\nwhile time.process_time() < 0.2: pass"
    assert bench.timed([sys.executable, "-c", busy]).processor >= 0.2


def test_a_case_costs_the_difference_by_the_number_of_cases(monkeypatch) -> None:
    def timed(command: list[str]) -> bench.Cost:
        assert "-j1" in command
        times = int(command[-1].removeprefix("--repeat="))
        return bench.Cost(wall=0.5 + times * 200e-6, processor=0.25 + times * 100e-6)

    monkeypatch.setattr(bench, "timed", timed)
    row = bench.case_row("a case", "tool", "lib.so", rounds=3)
    assert row.value == "200 us"
    assert row.note.endswith("processor time 100 us")


def test_the_sandbox_costs_what_its_fastest_run_takes_longer(monkeypatch) -> None:
    noise = iter(range(1000))

    def timed(command: list[str]) -> bench.Cost:
        times = int(command[-1].removeprefix("--repeat="))
        confined = "--sandbox=auto" in command
        start = (0.504 if confined else 0.5) + (next(noise) % 3 if times == 1 else 0)
        each = 206e-6 if confined else 200e-6
        return bench.Cost(wall=start + times * each, processor=0.1 + times * 100e-6)

    monkeypatch.setattr(bench, "timed", timed)
    start, case = bench.sandbox_rows("tool", "lib.so", rounds=3)
    assert (start.value, start.target) == ("4.0 ms", "5 ms")
    assert (case.value, case.target) == ("3.0 %", "5 %")


@pytest.mark.parametrize("status", [0, 1])
def test_either_judgement_is_a_measurement(tool: str, monkeypatch, status: int) -> None:
    monkeypatch.setenv("FAKE_STATUS", str(status))
    assert bench.timed([tool]).wall > 0


@pytest.mark.parametrize("status", [2, 3, 4])
def test_no_judgement_is_no_measurement(tool: str, monkeypatch, status: int) -> None:
    monkeypatch.setenv("FAKE_STATUS", str(status))
    with pytest.raises(SystemExit, match=f"ended with {status}"):
        bench.timed([tool])
    with pytest.raises(SystemExit, match=f"ended with {status}"):
        bench.peak([tool])


def test_memory_is_that_of_the_children_too(tool: str, monkeypatch) -> None:
    without, _, _ = bench.peak([tool])
    monkeypatch.setenv("FAKE_CHILD", str(64 * MEGABYTE))
    together, largest, samples = bench.peak([tool])
    assert together - without >= 60 * MEGABYTE
    assert largest >= 64 * MEGABYTE
    assert samples > 1


def test_a_process_that_has_gone_takes_no_memory() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert bench.share_of_memory(process.pid) == 0
    assert bench.share_of_memory(os.getpid()) > MEGABYTE


def test_the_family_holds_grandchildren() -> None:
    inner = "import time; time.sleep(5)"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    process = subprocess.Popen([sys.executable, "-c", outer])
    try:
        for _ in range(250):
            if len(bench.family(process.pid)) == 2:
                break
            time.sleep(0.02)
        assert len(bench.family(process.pid)) == 2
        assert len(bench.family(os.getpid())) >= 3
    finally:
        for member in bench.family(process.pid):
            os.kill(member, 9)
        process.wait()


def test_the_table_has_every_row_with_its_aim(tool: str, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["bench_engine.py", "--rounds=1", tool, "ref.so", "off.so"])
    assert bench.main() == 0
    shown = capsys.readouterr().out
    for what, aim in (
        ("all cases, reference", "0.5 s"),
        ("all cases, official runtime", "0.5 s"),
        ("one isolated case, reference", "250 us"),
        ("one isolated case, official runtime", "250 us"),
        ("list", "10 ms"),
        ("explain", "10 ms"),
        ("memory of all processes, at the peak", "64 MB"),
    ):
        line = next(line for line in shown.splitlines() if line.startswith(what + "  "))
        assert aim in line


def test_without_an_official_runtime_the_table_says_so(tool: str, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["bench_engine.py", "--rounds=1", tool, "ref.so"])
    assert bench.main() == 0
    shown = capsys.readouterr().out
    assert "No official runtime is available" in shown
    assert "official runtime  " not in shown

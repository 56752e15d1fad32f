# SPDX-License-Identifier: Apache-2.0
"""bench_report.py says of a run what its report says."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench_report

REPORTS = Path(__file__).resolve().parents[2] / "reports"
REPORT = json.loads((REPORTS / "bench/1.json").read_text(encoding="utf-8"))
for row in REPORT["operations"]:  # what was measured is not what is tested here
    row["ratio"]["faster"] = "A"
OWN = "look up 1 of 500 of its own, in 2 threads"

# Stands for tvmffi-conform: writes a report that is there, and says how it was called.
FAKE_TOOL = f"""#!{sys.executable}
import os, shutil, sys
shutil.copyfile(os.environ["FAKE_REPORT"], sys.argv[-1].removeprefix("json:"))
print(*sys.argv[1:], *map(os.path.realpath, (sys.argv[2], sys.argv[4])))
"""


def changed(title: str, times: tuple[float, float], faster: str) -> dict:
    """The report with other numbers in one row, which is added if it is not there."""
    report = copy.deepcopy(REPORT)
    report["operations"] = [row for row in report["operations"] if row["title"] != title]
    samples = [{"state": "measured", "median": time, "spread": 0.1} for time in times]
    ratio = {"median": times[1] / times[0], "low": 1, "high": 1, "faster": faster}
    report["operations"].append({"title": title, "samples": samples, "ratio": ratio})
    return report


def test_what_is_slower_is_named() -> None:
    text = bench_report.summary([changed("take a backtrace", (20.0, 10.0), "B")])
    assert text.startswith("The reference is slower in 1: take a backtrace. ")
    assert ", 1 slower |" in text


def test_each_aim_has_its_rows() -> None:
    """The smallest and the largest ratio of the rows that are meant, none of them left out."""
    report = changed("look up 1 of 100,000 functions, and release", (10.0, 20.04), "A")
    assert "| look-up of a function, by its name | 2x | 2.0x to " in bench_report.summary([report])
    report = changed("data type to `int32`, and release", (1.0, 77.0), "A")
    assert "x to 77x |" in bench_report.summary([report])
    report = changed("load the library", (299_000.0, 1e6), "A")
    assert "| load the library | under 0.3 ms | 0.30 ms |" in bench_report.summary([report])


def test_threads_stand_beside_the_one() -> None:
    text = bench_report.summary([changed(OWN, (18.25, 99.0), "A")])
    line = next(line for line in text.splitlines() if line.startswith(f"| {OWN[:-14]}"))
    assert line.endswith(" | 18.2 (99.0) |")


def test_most_runs_decide_and_the_others_are_named() -> None:
    """Slower in two of three is slower; in one of three it is told of, with the ratios' ends."""
    title = "take a backtrace"
    fast, slow = changed(title, (10.0, 20.0), "A"), changed(title, (20.0, 10.0), "B")
    text = bench_report.summary([slow, fast, slow])
    assert text.startswith(f"The reference is slower in 1: {title}. ")
    assert f"\n| {title} | 1 |  | 2 | 0.50 to 2.00 |\n" in text
    text = bench_report.summary([fast, slow, changed(title, (10.0, 10.0), "alike")])
    assert text.startswith("The reference is slower in no row. ")
    assert f"\n| {title} | 1 | 1 | 1 | 0.50 to 2.00 |\n" in text
    assert "All runs agree on every row." in bench_report.summary([fast, fast])


def test_numbers_are_medians_of_the_runs() -> None:
    runs = [changed("load the library", (time, 1e6), "A") for time in (1e5, 9e5, 2e5)]
    assert "| load the library | under 0.3 ms | 0.20 ms |" in bench_report.summary(runs)


def test_runs_of_other_operations_are_refused() -> None:
    with pytest.raises(ValueError, match="do not measure the same"):
        bench_report.summary([REPORT, changed(REPORT["operations"][0]["title"], (1, 2), "A")])


def test_the_cost_of_trace_is_told() -> None:
    said = bench_report.said_of_trace({"bare": {"call": 5.0}, "fast": {"call": 40.5}})
    assert "\n| | without | `fast` |\n|---|---|---|\n| call | 5.0 | +35.5 |\n" in said


def test_runs_become_a_page_and_their_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool, report = tmp_path / "tool", tmp_path / "report.json"
    library = tmp_path / "0.1.99/tvm_ffi/lib/libtvm_ffi.so"
    library.parent.mkdir(parents=True)
    library.touch()
    tool.write_text(FAKE_TOOL)
    tool.chmod(0o755)
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/9.json").touch()
    monkeypatch.setenv("FAKE_REPORT", str(report))
    for faster, code in (("A", 0), ("B", 1)):
        report.write_text(json.dumps(changed(OWN, (18.0, 99.0), faster)), encoding="utf-8")
        words = [bench_report.__file__, tool, tmp_path / "mine.so", library, tmp_path, "--runs=2"]
        done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, check=False)
        assert done.returncode == code
        page = (tmp_path / "bench.md").read_text(encoding="utf-8")
        called = (
            "bench reference.so --against official-0.1.99.so --rounds 31 --report json:bench.json"
        )
        assert f"`tvmffi-conform {called}`,\n2 runs on 2" in page
        assert f"\n```\n{called} {tmp_path / 'mine.so'} {library}\n```\n" in page
        assert bench_report.summary([json.loads(report.read_text(encoding="utf-8"))] * 2) in page
        kept = sorted((tmp_path / "bench").iterdir())
        assert [path.name for path in kept] == ["1.json", "2.json"]
        assert all(path.read_bytes() == report.read_bytes() for path in kept)

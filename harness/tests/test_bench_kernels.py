# SPDX-License-Identifier: Apache-2.0
"""bench_kernels.py runs what it says, before a terminal where it says so."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench_kernels as bench

# Stands for tvmffi-conform: notes how it was called, and what it saw of its output.
FAKE_TOOL = f"""#!{sys.executable}
import json, os, sys
with open(os.environ["FAKE_NOTES"], "a") as notes:
    print(json.dumps([sys.argv[1:], os.isatty(1), os.environ.get("COLUMNS")]), file=notes)
print("x" * 100000)
sys.exit(int(os.environ.get("FAKE_STATUS", "0")))
"""


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path = tmp_path / "tool"
    path.write_text(FAKE_TOOL)
    path.chmod(0o755)
    monkeypatch.setenv("FAKE_NOTES", str(tmp_path / "notes"))
    return str(path)


def test_every_function_has_a_signature() -> None:
    functions = json.loads(bench.signatures(300))["functions"]
    assert len(functions) == 300
    assert functions["mix_000"] == functions["mix_299"]
    assert [one["name"] for one in functions["mix_042"]["parameters"]] == ["x", "y", "n", "f"]


def test_both_modules_are_run(tool: str, tmp_path: Path) -> None:
    rows = list(bench.measure(tool, "one.so", "many.so", tmp_path, rounds=2))
    assert [row.target for row in rows] == ["2 s", "60 s"]
    calls = [json.loads(line) for line in (tmp_path / "notes").read_text().splitlines()]
    single, several = str(tmp_path / "one.json"), str(tmp_path / "many.json")
    assert calls[:3] == [[["one.so", "--signatures", single], False, calls[0][2]]] * 3
    assert calls[3:] == [[["many.so", "--signatures", several], True, "100"]]
    assert len(json.loads(Path(several).read_text())["functions"]) == bench.FUNCTIONS


def test_a_run_without_a_judgement_measures_nothing(
    tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench.timed_on_terminal([tool]).wall > 0
    monkeypatch.setenv("FAKE_STATUS", "1")
    assert bench.timed_on_terminal([tool]).wall > 0
    monkeypatch.setenv("FAKE_STATUS", "3")
    with pytest.raises(SystemExit, match="ended with 3"):
        bench.timed_on_terminal([tool])

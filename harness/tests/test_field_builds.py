# SPDX-License-Identifier: Apache-2.0
"""field_builds.py runs a tool on two builds and counts; nothing is compiled here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import field_builds
from field_builds import Judged
from field_kernels import Bug, Outcome

RIGHT, WRONG = Bug("add", 0, "adds", "correct"), Bug("add", 1, "subtracts", "formula")


def test_bugs_and_correct_kernels_are_counted_apart() -> None:
    judged = [
        Judged("one", RIGHT, Outcome(0)),
        Judged("one", WRONG, Outcome(1, ("kernel.x@add",))),
        Judged("two", RIGHT, Outcome(1, ("kernel.y@add",))),
        Judged("two", RIGHT, Outcome(None)),
        Judged("two", WRONG, Outcome(0)),
        Judged("two", WRONG, Outcome(5)),
    ]
    lines = field_builds.summary(judged)
    assert lines[2:] == [
        "| `one` | 1 | 1 | 1 | 0 | 0 |",
        "| `two` | 2 | 0 | 2 | 1 | 1 |",
        "| all | 3 | 1 | 3 | 1 | 1 |",
    ]
    page = "\n".join(field_builds.details(judged))
    assert "| `add` | subtracts | formula | conforms |" in page
    assert "| `add` | subtracts | formula | inconclusive |" in page
    assert "- `add`: exit 1 `kernel.y@add`" in page
    assert "- `add`: timeout" in page
    assert field_builds.details(judged[:2])[-1] == "None."


TOOL = """#!/bin/sh
module=$2 other=$4
for word; do report=${word#json:}; done
case $module in *hangs*) exec sleep 60 ;; *mute*) echo "it is broken" >&2; exit 3 ;; esac
echo '{"cases": [{"id": "kernel.same", "verdict": "fail", "level": "MUST"}]}' >"$report"
echo "$@" >"$other"
exit 1
"""


@pytest.fixture
def tool(tmp_path: Path) -> str:
    path = tmp_path / "tool"
    path.write_text(TOOL)
    path.chmod(0o755)
    return str(path)


def test_the_tool_is_told_of_the_other_build(tool: str, tmp_path: Path) -> None:
    other = tmp_path / "other.so"
    found = field_builds.judge(tool, tmp_path / "wrong.so", other, 30)
    assert found == Outcome(1, ("kernel.same",))
    words = other.read_text().split()
    assert words[:2] == ["run", str(tmp_path / "wrong.so")]
    assert words[words.index("--same-as") + 1] == str(other)
    assert words[words.index("--filter") + 1] == field_builds.CASES
    assert "--signatures" not in words


def test_runs_without_a_report_are_told(
    tool: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert field_builds.judge(tool, tmp_path / "mute.so", tmp_path / "o.so", 30) == Outcome(3)
    assert "it is broken" in capsys.readouterr().err
    assert field_builds.judge(tool, tmp_path / "hangs.so", tmp_path / "o.so", 0.5) == Outcome(None)

# SPDX-License-Identifier: Apache-2.0
"""run_pytest.py picks a Python that has pytest, hands on its verdict, and skips without one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import run_pytest


@pytest.mark.parametrize(("body", "status"), [("pass", 0), ("assert False", 1)])
def test_hands_on_pytests_verdict(tmp_path: Path, body: str, status: int) -> None:
    (tmp_path / "test_it.py").write_text(f"def test_it():\n    {body}\n")
    assert run_pytest.main(["-q", str(tmp_path)], root=tmp_path) == status


def test_no_test_at_all_is_no_success(tmp_path: Path) -> None:
    assert run_pytest.main(["-q", str(tmp_path)], root=tmp_path) not in (0, run_pytest.SKIPPED)


def test_skips_with_the_reason(tmp_path: Path, capfd) -> None:
    arguments = ["--needs", "no_such_module_anywhere", str(tmp_path)]
    assert run_pytest.main(arguments, root=tmp_path) == run_pytest.SKIPPED
    assert "no Python here has pytest and no_such_module_anywhere" in capfd.readouterr().out


def test_the_projects_own_python_comes_first(tmp_path: Path) -> None:
    own = tmp_path / ".venv" / "bin" / "python"
    assert run_pytest.candidates(tmp_path) == [sys.executable]
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\nexit 42\n")
    own.chmod(0o755)
    assert run_pytest.candidates(tmp_path) == [str(own), sys.executable]


def test_a_python_without_pytest_is_passed_over(tmp_path: Path) -> None:
    own = tmp_path / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\nexit 1\n")
    own.chmod(0o755)
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")
    assert run_pytest.main(["-q", str(tmp_path / "test_it.py")], root=tmp_path) == 0

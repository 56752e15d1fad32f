# SPDX-License-Identifier: Apache-2.0
"""The hook for pre-commit, run by the real pre-commit in a repository of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fake_tool import install, runs

pytest.importorskip("pre_commit")
HOOKS = Path(__file__).resolve().parents[2] / ".pre-commit-hooks.yaml"
CONFIG = """repos:
- repo: {hooks}
  rev: {revision}
  hooks:
  - id: tvmffi-conform-inspect
    args: [--strict]
"""


class Repository:
    """A repository that uses the hook, and one that the hook comes from."""

    def __init__(self, root: Path) -> None:
        self.root, self.program = root / "own", install(root / "bin")
        self.environment = {
            "PATH": f"{self.program.parent}:{os.environ['PATH']}",
            "HOME": str(root),
            "PRE_COMMIT_HOME": str(root / "kept"),
            **{
                f"GIT_{who}_{what}": "a@b"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }
        hooks = root / "hooks"
        hooks.mkdir()
        self.root.mkdir()
        shutil.copy(HOOKS, hooks)
        for folder in (hooks, self.root):
            self.git(folder, "init", "-q")
        self.git(hooks, "add", ".")
        self.git(hooks, "commit", "-q", "-m", "hooks")
        revision = self.git(hooks, "rev-parse", "HEAD").strip()
        self.put(".pre-commit-config.yaml", CONFIG.format(hooks=hooks, revision=revision))

    def call(self, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def git(self, folder: Path, *words: str) -> str:
        done = self.call(folder, "git", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def put(self, name: str, words: str) -> None:
        (self.root / name).write_text(words)
        self.git(self.root, "add", name)

    def check(self) -> subprocess.CompletedProcess[str]:
        return self.call(self.root, sys.executable, "-m", "pre_commit", "run", "--color", "never")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    if not shutil.which("git"):
        pytest.skip("there is no git")
    return Repository(tmp_path)


def test_libraries_that_are_committed_are_inspected(repository: Repository) -> None:
    for name in ("a.so", "b.so.1", "c.whl", "d.o", "e.a"):
        repository.put(name, "0.1.9")
    repository.put("notes.txt", "0.1.9")
    done = repository.check()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "inspect libraries for the TVM FFI ABI" in done.stdout
    assert sorted(runs(repository.program)) == ["a.so", "b.so.1", "c.whl", "d.o", "e.a"]
    told = (repository.program.parent / "inspected").read_text().split()
    assert told[:2] == ["-q", "--strict"]


def test_a_bad_library_stops_the_commit(repository: Repository) -> None:
    repository.put("a.so", "0.1.9 symbols.odd")
    done = repository.check()
    assert done.returncode == 1
    assert "Failed" in done.stdout


def test_without_libraries_nothing_is_run(repository: Repository) -> None:
    repository.put("notes.txt", "0.1.9")
    done = repository.check()
    assert done.returncode == 0
    assert "(no files to check)Skipped" in done.stdout
    assert not runs(repository.program)


def test_our_own_configuration_is_valid_and_local() -> None:
    config = HOOKS.with_name(".pre-commit-config.yaml")
    command = [sys.executable, "-m", "pre_commit", "validate-config", config]
    subprocess.run(command, check=True)
    assert re.findall(r"repo: (.*)", config.read_text(encoding="utf-8")) == ["local"]

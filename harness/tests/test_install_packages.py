# SPDX-License-Identifier: Apache-2.0
""".ci/install_packages on machines made of small scripts: every tool it may call is one of ours."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "install_packages"
BUILD_TOOLS = ("gcc", "cmake", "ninja", "readelf", "python3")
WANTED = ("gcc", "check")


@dataclass
class Answer:
    status: int
    said: str
    calls: list[str]


class Machine:
    """A PATH of its own. Unless told otherwise: Debian, root, everything installed and working."""

    def __init__(self, root: Path) -> None:
        self.bin, self.log = root / "bin", root / "log"
        self.bin.mkdir()
        for tool in ("sh", "grep", "env"):
            (self.bin / tool).symlink_to(shutil.which(tool) or "")
        for tool in BUILD_TOOLS:
            self.has(tool)
        self.has("pkg-config")
        self.has("id", "echo 0")
        self.has("dpkg-query", "printf '%s installed\\n' gcc check")
        self.logs("apt-get")

    def has(self, tool: str, body: str = "exit 0") -> None:
        (self.bin / tool).write_text(f"#!/bin/sh\n{body}\n")
        (self.bin / tool).chmod(0o755)

    def logs(self, tool: str, then: str = "exit 0") -> None:
        self.has(tool, f'echo "{tool} $*" >>"{self.log}"\n{then}')

    def lacks(self, *tools: str) -> None:
        for tool in tools:
            (self.bin / tool).unlink()

    def run(self, **variables: str) -> Answer:
        done = subprocess.run(
            [self.bin / "sh", SCRIPT, *WANTED],
            env={"PATH": str(self.bin), **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        calls = self.log.read_text().splitlines() if self.log.exists() else []
        return Answer(done.returncode, done.stderr, calls)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def verbs(answer: Answer) -> list[str]:
    return [next(w for w in call.split() if w in ("update", "install")) for call in answer.calls]


def test_nothing_is_done_where_nothing_is_missing(machine: Machine) -> None:
    assert machine.run() == Answer(0, "", [])


@pytest.mark.parametrize("state", ["gcc installed", "gcc installed\\ncheck config-files"])
def test_only_what_is_missing_is_installed(machine: Machine, state: str) -> None:
    machine.has("dpkg-query", f"printf '{state}\\n'; exit 1")
    answer = machine.run()
    assert answer.status == 0
    assert verbs(answer) == ["update", "install"]
    assert answer.calls[1].endswith("install --no-install-recommends check")
    assert " -y " in answer.calls[1]
    assert "installing: check" in answer.said


def test_installation_asks_no_questions(machine: Machine) -> None:
    machine.has("dpkg-query", "exit 1")
    machine.logs("apt-get", f'echo "frontend $DEBIAN_FRONTEND" >>"{machine.log}"')
    assert machine.run().calls.count("frontend noninteractive") == 2


def test_apt_is_quiet_but_for_errors(machine: Machine) -> None:
    machine.has("dpkg-query", "exit 1")
    machine.logs("apt-get", "echo unpacking; echo broken >&2; exit 100")
    said = machine.run().said
    assert "unpacking" not in said
    assert said.count("broken") == 2


def test_a_failing_update_does_not_stop_the_installation(machine: Machine) -> None:
    machine.has("dpkg-query", "exit 1")
    machine.logs("apt-get", 'case "$*" in *update*) exit 100;; esac')
    answer = machine.run()
    assert answer.status == 0
    assert verbs(answer) == ["update", "install"]
    assert "apt-get update failed" in answer.said


def test_root_is_asked_for_through_sudo(machine: Machine) -> None:
    machine.has("dpkg-query", "exit 1")
    machine.has("id", "echo 1000")
    machine.logs("sudo", 'exec "$@"')
    answer = machine.run()
    assert answer.status == 0
    assert [call.split()[0] for call in answer.calls] == ["sudo", "apt-get", "sudo", "apt-get"]


def test_without_root_and_sudo_the_tools_decide(machine: Machine) -> None:
    machine.has("dpkg-query", "exit 1")
    machine.has("id", "echo 1000")
    answer = machine.run()
    assert (answer.status, answer.calls) == (0, [])
    assert "not root, and sudo is not installed" in answer.said
    assert "as root: apt-get install gcc check" in answer.said
    assert "continuing" in answer.said


def test_missing_tools_are_named(machine: Machine) -> None:
    machine.has("dpkg-query", "exit 1")
    machine.logs("apt-get", "exit 100")
    machine.lacks("cmake", "ninja")
    machine.has("pkg-config", 'test "$2" != libelf')
    answer = machine.run()
    assert answer.status == 1
    assert "could not install these packages: gcc check" in answer.said
    assert "cannot build: missing tools and libraries: cmake ninja libelf.pc" in answer.said


@pytest.mark.parametrize(("there", "status"), [(True, 0), (False, 1)])
def test_elsewhere_than_on_debian_the_tools_decide(
    machine: Machine, there: bool, status: int
) -> None:
    machine.lacks("dpkg-query")
    if not there:
        machine.lacks("cmake")
    answer = machine.run()
    assert (answer.status, answer.calls) == (status, [])
    assert "not Debian; install these packages or their equivalents: gcc check" in answer.said


def test_apt_0_installs_nothing(machine: Machine) -> None:
    machine.has("dpkg-query", "exit 1")
    answer = machine.run(APT="0")
    assert (answer.status, answer.calls) == (0, [])
    machine.lacks("gcc")
    assert machine.run(APT="0").status == 1

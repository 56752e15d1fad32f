# SPDX-License-Identifier: Apache-2.0
"""cross/test.sh on machines made of small scripts: what is missing is named."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

CROSS = Path(__file__).resolve().parents[2] / "cross"
COREUTILS = ("env", "dirname", "nproc", "date", "mkdir", "chmod", "ls", "head", "tail", "cat", "rm")
TOOLS = ("sh", "sed", "grep", "find", "sort", "wc", *COREUTILS)
PACKAGES = {"i386": "i686-linux-gnu", "aarch64": "aarch64-linux-gnu", "s390x": "s390x-linux-gnu"}
EMULATED = ("aarch64", "s390x")
DEBIAN = {"i386": "i386", "aarch64": "arm64", "s390x": "s390x"}
ALL_RIGHT = "5 run in 1 ms: 5 passed"
# What the program writes about each program that it watches: it stands for all of them.
TRACED = """for word; do
  case $word in
  text:*) printf '%s\\n' '7 errors, 0 advice' '1 error, 0 advice' '0 errors, 0 advice' \
    'ANY-1; check any-tag' >"${word#text:}" ;;
  esac
done"""

# A build makes the program that the script runs next.
CMAKE = """
case "$*" in
*--build*) program=$2/bin/tvmffi-conform
  mkdir -p "$2/bin"; printf '#!/bin/sh\\n%s\\n' "$MADE" >"$program"; chmod +x "$program" ;;
esac
exit ${CMAKE_STATUS:-0}"""
CTEST = """
echo "$CTEST_SAYS"
echo '100% tests passed, 0 tests failed out of 3'"""


@dataclass
class Answer:
    status: int
    said: str
    summary: str


class Machine:
    """A PATH of its own, a copy of the scripts and, unless told otherwise, nothing else."""

    def __init__(self, root: Path) -> None:
        self.root, self.bin = root, root / "bin"
        self.bin.mkdir()
        shutil.copytree(CROSS, root / "cross")
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool) or "")
        self.has("uname", "echo x86_64")

    def has(self, tool: str, body: str = "exit 0") -> None:
        (self.bin / tool).write_text(f"#!/bin/sh\n{body}\n")
        (self.bin / tool).chmod(0o755)

    def has_compiler(self, machine: str) -> None:
        self.has(f"{PACKAGES[machine]}-gcc")
        self.has(f"{PACKAGES[machine]}-g++")
        if machine in EMULATED:
            self.has(f"qemu-{machine}", 'shift 2; exec "$@"')

    def has_libraries(self, machine: str, linker: str = "exit 0") -> None:
        folder = self.root / ".cache/sysroot" / DEBIAN[machine]
        (folder / "lib").mkdir(parents=True)
        (folder / ".complete").touch()
        (folder / "lib/ld.so").write_text(f"#!/bin/sh\n{linker}\n")
        (folder / "lib/ld.so").chmod(0o755)

    def is_whole(self, *machines: str) -> None:
        (self.root / ".cache/official/9/tvm_ffi/include").mkdir(parents=True)
        self.has("cmake", CMAKE)
        self.has("ctest", CTEST)
        mistakes = self.root / "conformance/tests/trace/trace_bugs.def"
        mistakes.parent.mkdir(parents=True)
        mistakes.write_text('MISTAKE("any-tag", "ANY-1", CALLER)\n')
        for machine in machines:
            self.has_compiler(machine)
            self.has_libraries(machine)

    def test(self, *machines: str, program: str = "", **variables: str) -> Answer:
        program = program or f"{TRACED}\necho '{ALL_RIGHT}'"
        done = subprocess.run(
            [self.bin / "sh", self.root / "cross/test.sh", *machines],
            env={"PATH": str(self.bin), "MADE": program, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        said, _, summary = done.stdout.rpartition("\n\n")
        return Answer(done.returncode, said, summary if said else done.stdout)


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("machine", PACKAGES)
def test_a_missing_compiler_is_named(here: Machine, machine: str) -> None:
    answer = here.test(machine)
    assert answer.status == 77
    compiler = PACKAGES[machine]
    assert f"no compiler {compiler}-gcc (Debian's package gcc-{compiler})" in answer.summary


def test_missing_musl_is_named(here: Machine) -> None:
    answer = here.test("musl")
    assert answer.status == 77
    assert "no compiler musl-gcc (Debian's package musl-tools)" in answer.summary


@pytest.mark.parametrize("machine", EMULATED)
def test_a_missing_emulator_is_named(here: Machine, machine: str) -> None:
    here.has_compiler(machine)
    (here.bin / f"qemu-{machine}").unlink()
    answer = here.test(machine)
    assert answer.status == 77
    assert f"no emulator qemu-{machine} (Debian's package qemu-user)" in answer.summary


def test_all_are_skipped_by_name(here: Machine) -> None:
    answer = here.test()
    assert answer.status == 77
    assert [line.split()[:2] for line in answer.summary.splitlines()] == [
        [machine, "skipped"] for machine in ("i386", "aarch64", "s390x", "musl")
    ]


@pytest.mark.parametrize("processor", ["aarch64", "ppc64le"])
def test_i386_needs_such_a_processor(here: Machine, processor: str) -> None:
    here.is_whole("i386")
    here.has("uname", f"echo {processor}")
    answer = here.test("i386")
    assert answer.status == 77
    assert "not an x86 processor" in answer.summary


@pytest.mark.parametrize("machine", PACKAGES)
def test_libraries_that_cannot_be_had_are_named(here: Machine, machine: str) -> None:
    here.has_compiler(machine)
    answer = here.test(machine)
    assert answer.status == 77
    packages = f"Debian's packages for {DEBIAN[machine]}"
    assert f"cannot fetch {packages}: apt is not installed" in answer.summary
    here.has("apt-get", "echo 'E: Unable to locate package check'; exit 100")
    here.has("dpkg-deb")
    answer = here.test(machine, OFFLINE="1")
    assert answer.status == 77
    assert "not fetched (OFFLINE)" in answer.summary
    answer = here.test(machine)
    assert answer.status == 77
    assert f"cannot fetch {packages}: E: Unable to locate package check" in answer.summary


def test_the_source_that_musl_needs_is_named(here: Machine) -> None:
    here.has("musl-gcc")
    answer = here.test("musl")
    assert answer.status == 77
    source = "the source of Debian's package check"
    assert f"cannot fetch {source}: apt is not installed" in answer.summary
    here.has("apt-get", "echo 'E: Unable to find a source package for check'; exit 100")
    here.has("dpkg-deb")
    answer = here.test("musl")
    assert answer.status == 77
    assert f"cannot fetch {source}: E: Unable to find a source package" in answer.summary


@pytest.mark.parametrize("machine", PACKAGES)
def test_programs_that_do_not_run_are_told_of(here: Machine, machine: str) -> None:
    here.has_compiler(machine)
    here.has_libraries(machine, "exit 1")
    answer = here.test(machine)
    assert answer.status == 77
    assert "cannot run its programs here" in answer.summary


def test_a_name_of_no_machine_is_a_mistake(here: Machine) -> None:
    here.is_whole("i386")
    for machines in (["s390"], ["i386", "s390"]):
        answer = here.test(*machines)
        assert answer.status == 1
        assert "unknown machine (known: i386, aarch64, s390x, musl)" in answer.summary


@pytest.mark.parametrize("machine", PACKAGES)
def test_what_passes_is_listed(here: Machine, machine: str) -> None:
    here.is_whole(machine)
    answer = here.test(machine)
    assert answer.status == 0
    assert answer.summary.count(ALL_RIGHT) == 3
    assert answer.summary.count("100% tests passed") == 4
    assert ("runner    skipped: emulation" in answer.summary) == (machine in EMULATED)
    assert answer.summary.count("mistakes for 1 checks") == (2 if machine == "aarch64" else 0)


def test_a_mistake_that_trace_does_not_see_is_named(here: Machine) -> None:
    here.is_whole("aarch64")
    answer = here.test(
        "aarch64", program=f"{TRACED.replace('any-tag', 'other')}\necho '{ALL_RIGHT}'"
    )
    assert answer.status == 1
    assert "FAILED: by audit: any-tag; see" in answer.summary
    assert "FAILED: by preload: any-tag; see" in answer.summary


def test_a_machine_that_was_named_is_not_skipped_unseen(here: Machine) -> None:
    here.is_whole("i386")
    assert here.test("i386", "s390x").status == 77
    assert here.test("s390x", "i386").status == 77
    assert here.test().status == 0
    assert here.test("i386", "s390x", program="exit 1").status == 1


def test_what_has_no_result_has_not_passed(here: Machine) -> None:
    here.is_whole("i386")
    for program in ("exit 0", f"echo '{ALL_RIGHT}'; exit 1", "exit 77"):
        answer = here.test("i386", program=program)
        assert answer.status == 1
        assert answer.summary.count("FAILED") == 3


def test_a_build_that_fails_is_a_failure(here: Machine) -> None:
    here.is_whole("i386", "s390x")
    answer = here.test("i386", CMAKE_STATUS="1")
    assert answer.status == 1
    assert "FAILED: configuring failed" in answer.summary


def test_cxx_that_is_missing_is_named(here: Machine) -> None:
    here.is_whole("i386")
    (here.bin / "i686-linux-gnu-g++").unlink()
    answer = here.test("i386")
    assert answer.status == 0
    assert "no compiler i686-linux-gnu-g++ (Debian's package g++-i686-linux-gnu)" in answer.summary
    here.has_compiler("i386")
    shutil.rmtree(here.root / ".cache/official")
    answer = here.test("i386")
    assert answer.status == 0
    assert "no official headers in .cache/official" in answer.summary


def test_tests_that_skip_themselves_are_a_failure(here: Machine) -> None:
    here.is_whole("i386")
    answer = here.test("i386", CTEST_SAYS="The following tests did not run: 7 - walks (Skipped)")
    assert answer.status == 1
    assert "compiled  FAILED: tests were skipped" in answer.summary

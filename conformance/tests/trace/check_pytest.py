# SPDX-License-Identifier: Apache-2.0
"""Runs pytest with --tvmffi-trace: the tests in which a wrong call is made fail, and no others.

Usage: check_pytest.py PYTHON TOOL RUNTIME.so FOLDER

A wrong call may be made by the test, by a copy of its process, or by a program that it starts; a
test that another pytest runs at the same time, as workers of pytest-xdist do, has not made it.

Where PYTHON has no pytest, the exit code is 77, which CTest takes as skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
CALLS = """
import ctypes
import os
import subprocess
import sys


class Value(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int32), ("padding", ctypes.c_uint32), ("v", ctypes.c_int64)]


VALUE = ctypes.POINTER(Value)


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, VALUE, ctypes.c_int32, VALUE)
def anything(self, args, num_args, result):
    return 0


def call(padding):
    runtime = ctypes.CDLL({runtime!r})
    function, argument, result = ctypes.c_void_p(), Value(1, padding, 3), Value()
    assert runtime.TVMFFIFunctionCreate(None, anything, None, ctypes.byref(function)) == 0
    runtime.TVMFFIFunctionCall(function, ctypes.byref(argument), 1, ctypes.byref(result))


def meet(name):
    # Opening a pipe waits for the other end.
    os.close(os.open(name, os.O_WRONLY if sys.argv[-1] == "test_one.py" else os.O_RDONLY))


if __name__ == "__main__":
    call(7)
"""
ALONE = """
from calls import *

call(7)


def test_right():
    call(0)


def test_wrong():
    call(7)


def test_right_again():
    call(0)


def test_copy():
    child = os.fork()
    if child == 0:
        call(7)
        os._exit(0)
    os.waitpid(child, 0)


def test_program():
    subprocess.run([sys.executable, "calls.py"], check=True)


def test_right_at_last():
    call(0)
"""
TOGETHER = """
from calls import *


def test_here():
    call(0)
    meet("before")
    if sys.argv[-1] == "test_one.py":
        call(7)
    meet("after")
    call(0)
"""


# Two at a time, under one layer.
KNOWN = (
    """{"waivers": [{"check": "argument-padding", "library": "LIBRARY", "reason": "as planned"}]}"""
)
BOTH = ["sh", "-c", '"$@" test_one.py & "$@" test_two.py; there=$?; wait $!; exit $there', "sh"]


def run(command: list[str], tests: Path) -> subprocess.CompletedProcess[str]:
    harness = Path(__file__).resolve().parents[3] / "harness"
    return subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(harness)},
        cwd=tests,
        check=False,
        capture_output=True,
        text=True,
    )


def expect(done: subprocess.CompletedProcess[str], *texts: str, status: int = 1) -> None:
    told = done.stdout + done.stderr
    for text in texts:
        assert text in told, f"{text} is not in\n{told}"
    assert done.returncode == status, told


def main(python: str, tool: str, runtime: str, folder: str) -> None:
    if not Path(python).exists():
        sys.exit(SKIPPED)
    if subprocess.run([python, "-c", "import pytest"], check=False, capture_output=True).returncode:
        sys.exit(SKIPPED)
    tests = Path(folder, "traced")
    tests.mkdir(exist_ok=True)
    (tests / "calls.py").write_text(CALLS.format(runtime=runtime))
    (tests / "test_alone.py").write_text(ALONE)
    for name in ("test_one.py", "test_two.py"):
        (tests / name).write_text(TOGETHER)
    for name in ("before", "after"):
        (tests / name).unlink(missing_ok=True)
        os.mkfifo(tests / name)
    options = ["-q", "-rA", "-p", "tvmffi_conform.pytest_plugin", "-p", "no:cacheprovider"]
    options += ["--tvmffi-trace", f"--tvmffi-conform-tool={tool}"]
    pytest = [python, "-m", "pytest", *options]
    alone = run([*pytest, "test_alone.py"], tests)
    expect(
        alone,
        *(f"FAILED test_alone.py::test_{name}" for name in ("wrong", "copy", "program")),
        *(f"PASSED test_alone.py::test_right{name}" for name in ("", "_again", "_at_last")),
        "argument-padding, 1 time: called from ",
        "argument-padding, 1 time: in process ",
        "seen 4 times",
        "1 error, 0 advice",
    )
    waived = ["--tvmffi-trace-waivers=known.json", "test_alone.py"]
    (tests / "known.json").write_text(KNOWN.replace("LIBRARY", "*ffi*"))
    known = run([*pytest, *waived], tests)
    expect(known, "6 passed", "0 errors, 0 advice, 1 waived", "seen 4 times", status=0)
    (tests / "known.json").write_text(KNOWN.replace("LIBRARY", "libother.so"))
    expect(run([*pytest, *waived, "-k", "test_wrong"], tests), "FAILED test_alone.py::test_wrong")
    together = run([tool, "trace", "--", *BOTH, *pytest], tests)
    expect(together, "FAILED test_one.py::test_here", "PASSED test_two.py::test_here")


main(*sys.argv[1:])

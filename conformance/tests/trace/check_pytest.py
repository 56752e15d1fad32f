# SPDX-License-Identifier: Apache-2.0
"""Runs pytest with --tvmffi-trace: of two tests, the one that makes a wrong call fails.

Usage: check_pytest.py PYTHON TOOL RUNTIME.so FOLDER

Where PYTHON has no pytest, the exit code is 77, which CTest takes as skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
TESTS = """
import ctypes


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


def test_right():
    call(0)


def test_wrong():
    call(7)


def test_right_again():
    call(0)
"""


def main(python: str, tool: str, runtime: str, folder: str) -> None:
    if not Path(python).exists():
        sys.exit(SKIPPED)
    if subprocess.run([python, "-c", "import pytest"], check=False, capture_output=True).returncode:
        sys.exit(SKIPPED)
    tests = Path(folder, "traced")
    tests.mkdir(exist_ok=True)
    (tests / "test_calls.py").write_text(TESTS.format(runtime=runtime))
    harness = Path(__file__).resolve().parents[3] / "harness"
    options = ["-q", "-p", "tvmffi_conform.pytest_plugin", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [
            python,
            "-m",
            "pytest",
            *options,
            "--tvmffi-trace",
            f"--tvmffi-conform-tool={tool}",
            tests,
        ],
        env={**os.environ, "PYTHONPATH": str(harness)},
        cwd=tests,
        check=False,
        capture_output=True,
        text=True,
    )
    told = done.stdout + done.stderr
    for text in (
        "1 failed, 2 passed",
        "test_wrong",
        "argument-padding, 1 times",
        "1 error, 0 advice",
    ):
        assert text in told, f"{text} is not in\n{told}"
    assert done.returncode == 1, told


main(*sys.argv[1:])

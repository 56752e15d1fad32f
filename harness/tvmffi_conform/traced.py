# SPDX-License-Identifier: Apache-2.0
"""`pytest --tvmffi-trace`: the tests run under `tvmffi-conform trace`, and a test in which a rule
of the ABI is broken fails.

pytest starts itself again under the program. The layer in the process tells how many errors it has
found, in this process and in those that it started; when that rises, the test at hand made them.
The workers of pytest-xdist have a layer each. The program's report follows at the end.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

VARIABLE = "TVMFFI_CONFORM_TRACE"  # set where the layer is
# Check, caller, callee, and the process, if it is another one.
Finding = tuple[str, int, int, int]


class DlInfo(ctypes.Structure):
    """What dladdr tells of an address."""

    _fields_ = (
        ("library", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


def place(address: int) -> str:
    """ "libfoo.so+0x120", or the address where no library is."""
    info = DlInfo()
    if not ctypes.CDLL(None).dladdr(ctypes.c_void_p(address), ctypes.byref(info)):
        return hex(address)
    library = os.path.basename(os.fsdecode(info.library or b"?"))
    return f"{library}+{hex(address - (info.base or 0))}"


class Layer:
    """The layer in this process."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)
        self.count = library.tvmffi_layer_errors
        self.count.restype = ctypes.c_uint64
        self.finding = library.tvmffi_layer_finding
        self.finding.restype = ctypes.c_char_p
        self.finding.argtypes = [ctypes.c_uint64] + 4 * [ctypes.POINTER(ctypes.c_uint64)]
        self.forget()

    def forget(self) -> None:
        """What was found so far is not news: no test made it, or a copy of the process told it."""
        self.errors, self.seen = self.count(), dict(self.findings())

    def findings(self) -> Iterator[tuple[Finding, int]]:
        """Each, and how often it was found."""
        count, caller, callee, process = (ctypes.c_uint64() for _ in range(4))
        index = 0
        while (name := self.finding(index, count, caller, callee, process)) is not None:
            if name:
                where = (caller.value, callee.value, process.value)
                yield (name.decode(), *where), count.value
            index += 1

    def news(self) -> list[str]:
        """What was found since the last time, a line each."""
        errors = self.count()
        if errors == self.errors:
            return []
        before, self.errors, self.seen = self.seen, errors, dict(self.findings())
        lines = []
        for finding, count in self.seen.items():
            new = count - before.get(finding, 0)
            if new:
                times = f"{new} time{'' if new == 1 else 's'}"
                lines.append(f"{finding[0]}, {times}: {told(finding)}")
        return lines


def told(finding: Finding) -> str:
    """Where it was made."""
    _, caller, callee, process = finding
    if process:
        return f"in process {process}, which the test started; see the report at the end"
    called = f", function {place(callee)}" if callee else ""
    return f"called from {place(caller)}{called}"


class Tracing:
    """The plugin where pytest runs under the program: a test in which errors are found fails."""

    def __init__(self) -> None:
        self.layer = Layer()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self.layer.forget()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        outcome = yield
        news = self.layer.news()
        if news:
            report = outcome.get_result()
            report.sections.append(("tvmffi-conform trace", "\n".join(news)))
            if report.outcome != "failed":
                report.outcome = "failed"
                report.longrepr = "rules of the ABI were broken:\n" + "\n".join(news)


def start_again(tool: Path, options: list[str], words: tuple[str, ...]) -> None:
    """Does not return: pytest runs under the program, with these options, from here on."""
    # As it was started: -m puts the current folder in the path of modules, the script pytest does
    # not. (Python 3.9 does not tell.)
    again = getattr(sys, "orig_argv", ["python", "-m", "pytest", *words])[1:]
    command = [str(tool), "trace", *options, "--", sys.executable, *again]
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(tool, command)

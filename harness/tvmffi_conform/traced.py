# SPDX-License-Identifier: Apache-2.0
"""`pytest --tvmffi-trace`: the tests run under `tvmffi-conform trace`, and a test in which a rule
of the ABI is broken fails.

pytest starts itself again under the program. The layer in the process tells how many errors it has
found; when that rises, the test at hand made them. The program's report follows at the end.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "TVMFFI_CONFORM_TRACE"  # set where the layer is


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
        self.finding.argtypes = [ctypes.c_uint64] + 3 * [ctypes.POINTER(ctypes.c_uint64)]
        self.errors, self.seen = self.count(), dict(self.findings())

    def findings(self) -> Iterator[tuple[tuple[str, int, int], int]]:
        """Check, caller and callee of each, and how often it was found."""
        count, caller, callee = (ctypes.c_uint64() for _ in range(3))
        index = 0
        while (name := self.finding(index, count, caller, callee)) is not None:
            if name:
                yield (name.decode(), caller.value, callee.value), count.value
            index += 1

    def news(self) -> list[str]:
        """What was found since the last time, a line each."""
        errors = self.count()
        if errors == self.errors:
            return []
        before, self.errors, self.seen = self.seen, errors, dict(self.findings())
        lines = []
        for (check, caller, callee), count in self.seen.items():
            new = count - before.get((check, caller, callee), 0)
            if new:
                called = f", function {place(callee)}" if callee else ""
                lines.append(f"{check}, {new} times: called from {place(caller)}{called}")
        return lines


def attached() -> Layer | None:
    """The layer, or None: pytest does not run under the program yet."""
    return Layer() if os.environ.get(VARIABLE) else None


def start_again(tool: Path, words: tuple[str, ...]) -> None:
    """Does not return: pytest runs under the program from here on."""
    command = [str(tool), "trace", "--", sys.executable, "-m", "pytest", *words]
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(tool, command)

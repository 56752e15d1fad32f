#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the battery on kernel modules, beside what it aims for: bench_kernels.py TOOL ONE MANY

ONE exports one function with four parameters, MANY exports 300 (conformance/bench/kernels_many.c).
Nothing is judged here; the exit status is 0 whatever the numbers are.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pty
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from bench_engine import Cost, Row, cost_row, timed

FUNCTIONS = 300
SIGNATURE = {
    "parameters": [
        {"name": "x", "kind": "tensor", "dtype": "float32", "shape": ["m"]},
        {"name": "y", "kind": "tensor", "dtype": "float32", "shape": ["m"], "role": "out"},
        {"name": "n", "kind": "int", "value": 3},
        {"name": "f", "kind": "float", "value": 2.5},
    ],
    "result": {"kind": "none"},
    "expected": {"y": "x * f + n"},
}


def signatures(functions: int) -> str:
    """The signature file of a module with so many functions."""
    return json.dumps({"functions": {f"mix_{i:03}": SIGNATURE for i in range(functions)}})


def drain(descriptor: int) -> None:
    """Reads what comes until the other end is closed."""
    with contextlib.suppress(OSError):
        while os.read(descriptor, 1 << 16):
            pass


def timed_on_terminal(command: list[str]) -> Cost:
    """As it runs before a person's eyes: the progress bar is drawn, and read."""
    start, before = time.perf_counter(), os.times()
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", "COLUMNS": "100"})
    reader = threading.Thread(target=drain, args=(terminal,))
    reader.start()
    _, status = os.waitpid(child, 0)
    reader.join()
    os.close(terminal)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: ended with {os.waitstatus_to_exitcode(status)}")
    after = os.times()
    processor = sum(after[2:4]) - sum(before[2:4])
    return Cost(time.perf_counter() - start, processor)


def measure(tool: str, one: str, many: str, folder: Path, rounds: int) -> Iterator[Row]:
    few, all_of_them = folder / "one.json", folder / "many.json"
    few.write_text(signatures(1), encoding="ascii")
    all_of_them.write_text(signatures(FUNCTIONS), encoding="ascii")
    single = [tool, one, "--signatures", str(few)]
    several = [tool, many, "--signatures", str(all_of_them)]
    yield cost_row("a kernel with four parameters", lambda: timed(single), "2 s", rounds)
    # Minutes, if each round of the others were made.
    cost = timed_on_terminal(several)
    note = f"one run, with a progress bar; processor time {cost.processor:.1f} s"
    yield Row(f"a library with {FUNCTIONS} functions", f"{cost.wall:.1f} s", "60 s", note)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("tool", help="tvmffi-conform")
    parser.add_argument("one", help="the module with one function")
    parser.add_argument("many", help=f"the module with {FUNCTIONS} functions")
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    print(
        f"Speed of the test suite on modules: {os.cpu_count()} processors, "
        f"initial load {load:.1f}.\n"
    )
    print(f"{'':<38}{'':>10}{'aim':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for row in measure(options.tool, options.one, options.many, Path(folder), options.rounds):
            print(f"{row.what:<38}{row.value:>10}{row.target:>10}   {row.note}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `tvmffi-conform inspect`, beside what it aims for: bench_inspect.py TOOL [FILE...]

The files measured are made here, of a few sizes; those given are measured too. Nothing is judged:
the exit status is 0 whatever the numbers are.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MB = 1_000_000
FUNCTIONS_PER_MB = 1500
FUNCTION_BYTES = 500
ROUNDS = 5
MANY = 1000
SAMPLE_SECONDS = 0.0005
MEMORY_TARGET = "64 MB beyond the mapping"


@dataclass(frozen=True)
class Cost:
    """Seconds on the clock; the most bytes of memory that were the process's own."""

    seconds: float
    memory: int


@dataclass(frozen=True)
class Row:
    what: str
    value: str
    target: str


def own_memory(process: int) -> int:
    """Anonymous memory: what is not mapped from a file."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return int(found.group(1)) * 1024 if found else 0


def run(tool: str, files: Sequence[Path]) -> Cost:
    command = [tool, "inspect", "--color", "never", *map(str, files)]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        most = 0
        while child.poll() is None:
            most = max(most, own_memory(child.pid))
            time.sleep(SAMPLE_SECONDS)
    if child.returncode not in (0, 1, 3):
        raise SystemExit(f"{' '.join(command[:4])}: ended with {child.returncode}")
    return Cost(time.perf_counter() - start, most)


def best(tool: str, files: Sequence[Path], rounds: int = ROUNDS) -> Cost:
    """The fastest of some rounds, after one that fills the page cache; the most memory of all."""
    run(tool, files)
    costs = [run(tool, files) for _ in range(rounds)]
    return Cost(min(one.seconds for one in costs), max(one.memory for one in costs))


def make_library(folder: Path, name: str, size: int, functions: int) -> Path:
    """A kernel module of about `size` bytes: functions, what it imports, and device code."""
    source, library = folder / f"{name}.s", folder / f"{name}.so"
    lines = [".text"]
    for i in range(functions):
        symbol = f"__tvm_ffi_kernel_{i}" if i % 10 == 0 else f"_ZN5bench6kernel{i}Ev"
        lines += [f".globl {symbol}", f".type {symbol},@function", f"{symbol}:"]
        lines += [f".zero {FUNCTION_BYTES}", f".size {symbol}, {FUNCTION_BYTES}"]
    lines += ["call TVMFFIErrorSetRaisedFromCStr@PLT", "call memcpy@PLT"]
    rest = size - functions * FUNCTION_BYTES
    lines += ['.section .nv_fatbin,"a"', f".zero {max(rest, 8)}"]
    lines += ['.section .note.GNU-stack,"",@progbits', ""]
    source.write_text("\n".join(lines), encoding="ascii")
    subprocess.run(["cc", "-shared", "-o", str(library), str(source)], check=True)
    source.unlink()
    return library


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def row(what: str, cost: Cost, target: str) -> Row:
    memory = f"{cost.memory / MB:.1f} MB"
    return Row(what, f"{milliseconds(cost.seconds)}, {memory}", target)


def measure(tool: str, given: Sequence[Path], folder: Path) -> list[Row]:
    rows = []
    for size, target in ((1, "20 ms"), (5, "100 ms"), (500, "2 s")):
        functions = min(size, 5) * FUNCTIONS_PER_MB
        library = make_library(folder, f"library{size}", size * MB, functions)
        rows.append(row(f"a library of {size} MB", best(tool, [library]), target))
        if size != 5:
            library.unlink()
    small = make_library(folder, "small", 100_000, 100)
    many = [folder / f"small{i}.so" for i in range(MANY)]
    for path in many:
        os.link(small, path)
    rows.append(row(f"{MANY} libraries of 100 kB", best(tool, many, 1), "10 s on two cores"))
    for path in given:
        title = f"{path.name}, {path.stat().st_size / MB:.1f} MB"
        rows.append(row(title, best(tool, [path], 1), ""))
    return rows


def show(rows: Sequence[Row]) -> None:
    print(f"inspect: the fastest of some rounds; memory of its own, target {MEMORY_TARGET}")
    for one in rows:
        target = f"  (target {one.target})" if one.target else ""
        print(f"  {one.what:<46} {one.value:>22}{target}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", metavar="TOOL", help="tvmffi-conform")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        show(measure(options.tool, options.files, Path(scratch)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

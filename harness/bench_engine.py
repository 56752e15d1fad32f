#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the suite itself: how long it takes and how much memory, beside what it aims for.

bench_engine.py TOOL REFERENCE [OFFICIAL]: OFFICIAL is left out where no official runtime is at
hand. Nothing is judged here; the exit status is 0 whatever the numbers are.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
BRIEF_CASE = "any.exports-the-conversion"
FEW, MANY = 500, 3500
SAMPLE_SECONDS = 0.0005

# Loads a library and says by how many bytes the process grew, as its share of memory (PSS).
LOAD_ONLY = """
import ctypes, re, sys
def pss():
    with open("/proc/self/smaps_rollup") as rollup:
        return int(re.search(r"^Pss: +([0-9]+)", rollup.read(), re.M)[1])
before = pss()
ctypes.CDLL(sys.argv[1])
print((pss() - before) * 1024)
"""


@dataclass(frozen=True)
class Row:
    what: str
    value: str
    target: str = ""
    note: str = ""


@dataclass(frozen=True)
class Cost:
    """Seconds on the clock, and seconds of processor time of all processes together."""

    wall: float
    processor: float

    def per_case(self, fewer: Cost) -> Cost:
        cases = MANY - FEW
        return Cost((self.wall - fewer.wall) / cases, (self.processor - fewer.processor) / cases)


def timed(command: list[str]) -> Cost:
    start = time.perf_counter()
    process = start_quietly(command)
    _, status, usage = os.wait4(process.pid, 0)
    check_end(process, status)
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime)


def check_end(process: subprocess.Popen[bytes], status: int) -> None:
    """A library may be judged either way; what did not come to a judgement has measured nothing."""
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(process.args)}: ended with {process.returncode}")


def start_quietly(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cost_row(what: str, measure: Callable[[], Cost], target: str, rounds: int) -> Row:
    """The median of `rounds` measurements, after one that does not count."""
    measure()
    costs = [measure() for _ in range(rounds)]
    walls = sorted(cost.wall for cost in costs)
    processor = statistics.median(cost.processor for cost in costs)
    note = f"{duration(walls[0])} to {duration(walls[-1])}; processor time {duration(processor)}"
    return Row(what, duration(statistics.median(walls)), target, note)


def duration(seconds: float) -> str:
    if seconds >= 0.1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 0.001 else f"{seconds * 1e6:.0f} us"


def megabytes(value: float) -> str:
    return f"{value / 1e6:.1f} MB"


# --- Time ---------------------------------------------------------------------------------------


def command_row(what: str, command: list[str], target: str, rounds: int) -> Row:
    return cost_row(what, lambda: timed(command), target, rounds)


def case_row(what: str, tool: str, library: str, rounds: int) -> Row:
    """What the engine adds to a case: a brief case run often, beside the same run less often."""

    def run(times: int) -> Cost:
        return timed([tool, library, "-q", "-j1", f"--filter={BRIEF_CASE}", f"--repeat={times}"])

    return cost_row(what, lambda: run(MANY).per_case(run(FEW)), "250 us", rounds)


def sandbox_rows(tool: str, library: str, rounds: int) -> Iterator[Row]:
    """What the sandbox adds: the fastest of each mode, in turns."""

    def run(mode: str, times: int) -> Cost:
        options = ("-q", "-j1", f"--sandbox={mode}", f"--filter={BRIEF_CASE}", f"--repeat={times}")
        return timed([tool, library, *options])

    def both(measured: Callable[[str], Cost], rounds: int) -> list[Cost]:
        costs = [(measured("off"), measured("auto")) for _ in range(rounds)]
        return [
            Cost(min(cost.wall for cost in mode), min(cost.processor for cost in mode))
            for mode in zip(*costs)
        ]

    off, auto = both(lambda mode: run(mode, 1), 5 * rounds)
    note = f"the fastest of {5 * rounds}: {duration(off.wall)} without, {duration(auto.wall)} in it"
    more = duration(max(0, auto.wall - off.wall))
    yield Row("start of a run in the sandbox, more", more, "5 ms", note)
    off, auto = both(lambda mode: run(mode, MANY).per_case(run(mode, FEW)), rounds)
    note = f"{duration(off.wall)} without, {duration(auto.wall)} in it"
    note += f"; processor time {duration(off.processor)}, {duration(auto.processor)}"
    yield Row(
        "a case in the sandbox, more", f"{100 * (auto.wall / off.wall - 1):.1f} %", "5 %", note
    )


# --- Memory -------------------------------------------------------------------------------------


def parents() -> Iterator[tuple[int, int]]:
    """Every process and its parent."""
    for entry in PROC.iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text(errors="replace")
        except OSError:
            continue
        yield int(entry.name), int(stat.rpartition(")")[2].split()[1])


def family(root: int) -> set[int]:
    members, table = {root}, dict(parents())
    while True:
        more = {child for child, parent in table.items() if parent in members} - members
        if not more:
            return members
        members |= more


def share_of_memory(process: int) -> int:
    """PSS in bytes: pages that several processes share count in parts. 0 if it has gone."""
    try:
        rollup = (PROC / str(process) / "smaps_rollup").read_text()
    except OSError:
        return 0
    for line in rollup.splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def peak(command: list[str]) -> tuple[int, int, int]:
    """The most memory of all processes of a run together, the largest of them, and the samples."""
    highest = samples = 0
    process = start_quietly(command)
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            check_end(process, status)
            return highest, usage.ru_maxrss * 1024, samples
        highest = max(highest, sum(share_of_memory(member) for member in family(process.pid)))
        samples += 1
        time.sleep(SAMPLE_SECONDS)


def memory_rows(tool: str, library: str, rounds: int) -> list[Row]:
    loaded = subprocess.run(
        [sys.executable, "-c", LOAD_ONLY, library], capture_output=True, text=True, check=False
    )
    alone = int(loaded.stdout) if loaded.returncode == 0 else 0
    runs = [peak([tool, library, "-q"]) for _ in range(rounds)]
    together, largest = max(run[0] for run in runs), max(run[1] for run in runs)
    samples = sum(run[2] for run in runs)
    return [
        Row(
            "memory of all processes, at the peak",
            megabytes(together - alone),
            "64 MB",
            f"{samples} samples; beyond {megabytes(alone)} that the library takes alone",
        ),
        Row("largest process, at its peak", megabytes(largest), "", "RSS, shared pages included"),
    ]


# --- The table ----------------------------------------------------------------------------------


def measure(tool: str, libraries: list[tuple[str, str]], rounds: int) -> Iterator[Row]:
    for name, library in libraries:
        yield command_row(f"all cases, {name}", [tool, library], "0.5 s", rounds)
    for name, library in libraries:
        yield case_row(f"one isolated case, {name}", tool, library, rounds)
    yield from sandbox_rows(tool, libraries[0][1], rounds)
    yield command_row("list", [tool, "list"], "10 ms", 3 * rounds)
    yield command_row("explain", [tool, "explain", BRIEF_CASE], "10 ms", 3 * rounds)
    yield from memory_rows(tool, libraries[-1][1], rounds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("tool", help="tvmffi-conform")
    parser.add_argument("reference", help="the reference runtime")
    parser.add_argument("official", nargs="?", default="", help="an official runtime")
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    options = parser.parse_args()
    libraries = [("reference", options.reference)]
    if options.official:
        libraries.append(("official runtime", options.official))
    load = os.getloadavg()[0]
    print(
        f"Speed of the test suite: medians of {options.rounds} runs, {os.cpu_count()} processors, "
        f"initial load {load:.1f}."
    )
    print(
        f"The cost of an isolated case is the difference between {MANY} and {FEW} runs of "
        f"{BRIEF_CASE}, with one job.\n"
    )
    print(f"{'':<38}{'':>10}{'aim':>10}")
    for row in measure(options.tool, libraries, options.rounds):
        print(f"{row.what:<38}{row.value:>10}{row.target:>10}   {row.note}".rstrip(), flush=True)
    if not options.official:
        print("No official runtime is available: only the reference was measured.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

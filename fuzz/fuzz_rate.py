#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how fast fuzzing is: fuzz_rate.py TOOL TREE REFERENCE [OFFICIAL].

The reader of library_bin under libFuzzer, with sanitizers and without, on inputs of about 100 bytes
(built in TREE; left out where there is no libFuzzer); and loading sound payloads of 4 modules by
each of the libraries, one of 10,000 crashing. One processor each; where others are busy on it, the
rate of its own time tells more than that of the clock. Nothing is judged here; the exit status is 0
whatever the numbers are.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import fuzz

TARGET = "library_bin"
SIZES = range(80, 121)
# By which sanitizers, how many inputs, what is aimed for.
READERS = (("address,undefined", 1_500_000, 300_000), ("", 4_000_000, 1_000_000))
LOADS_AIM = 100_000
LOADED = re.compile(r"library_bin: (\d+) valid inputs per second on one core")


@dataclass(frozen=True)
class Rate:
    """How many a second, of the clock and of processor time."""

    wall: float
    processor: float

    def line(self, what: str, aim: int) -> str:
        return f"{what:<50}{self.wall:>12,.0f}{self.processor:>14,.0f}{aim:>12,}"


def timed(command: list[str]) -> tuple[float, float, str]:
    """Seconds of the clock and of processor time, and what was written."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command}: ended with {done.returncode}\n{done.stdout[-2000:]}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, processor, done.stdout


def take_inputs(seeds: Path, folder: Path) -> None:
    for path in sorted(seeds.iterdir()):
        if path.stat().st_size in SIZES:
            shutil.copy(path, folder)


def read(tree: Path, runs: int) -> Rate:
    """The reader's rate; libFuzzer makes the inputs from those of the right size."""
    with tempfile.TemporaryDirectory() as folder:
        take_inputs(tree / "fuzz" / "seeds" / TARGET, Path(folder))
        command = [str(tree / "fuzz" / f"fuzz_{TARGET}"), f"-runs={runs}", "-seed=1"]
        # Shorter ones that do the same would take the place of those of about 100 bytes.
        options = {**fuzz.options_of(TARGET), "max_len": str(max(SIZES)), "reduce_inputs": "0"}
        command += [f"-{option}={value}" for option, value in options.items()]
        wall, processor, text = timed([*command, f"-dict={fuzz.HERE / TARGET}.dict", folder])
    done = re.findall(r"Done (\d+) runs", text)
    if done != [str(runs)]:
        raise SystemExit(f"libFuzzer did not say that it was done:\n{text[-2000:]}")
    return Rate(runs / wall, runs / processor)


def load(tool: str, library: str) -> Rate:
    wall, processor, text = timed([tool, "fuzz", "--rate", library])
    found = LOADED.search(text)
    if not found:
        raise SystemExit(f"no rate is in what the program says:\n{text}")
    return Rate(float(found[1]), float(found[1]) * wall / processor)


def measure(options: argparse.Namespace) -> Iterator[str]:
    clang = os.environ.get("CLANG", "clang")
    for sanitizers, runs, aim in READERS:
        tree = options.tree / (sanitizers.replace(",", "-") or "plain")
        tree.mkdir(parents=True, exist_ok=True)
        what = f"the reader under libFuzzer, {sanitizers or 'no sanitizer'}"
        if fuzz.can_fuzz(clang, tree, sanitizers):
            fuzz.build(clang, tree, [TARGET], sanitizers, os.cpu_count() or 1)
            yield read(tree, runs).line(what, aim)
        else:
            yield f"{what}: not measured, {clang} has no libFuzzer"
    yield load(options.tool, options.reference).line("loads by the reference", LOADS_AIM)
    if options.official:
        yield load(options.tool, options.official).line("loads by the official runtime", LOADS_AIM)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("tool", help="tvmffi-conform")
    parser.add_argument("tree", type=Path, help="where the fuzz targets are built")
    parser.add_argument("reference", help="the reference's library")
    parser.add_argument("official", nargs="?", help="the official runtime's")
    options = parser.parse_args()
    options.tree = options.tree.resolve()
    load_before = os.getloadavg()[0]
    print(f"Fuzzing: {os.cpu_count()} processors, load {load_before:.1f} before it began.\n")
    print(f"{'inputs a second, on one processor':<50}{'clock':>12}{'processor':>14}{'aim':>12}")
    for line in measure(options):
        print(line, flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what `trace` costs: bench_trace.py TOOL PROGRAM RUNTIME

PROGRAM (conformance/bench/trace_cost.c) times calls of each kind. It runs in turn without the layer
and with each preset, several times; of each row the least time counts. Nothing is judged here; the
exit status is 0 whatever the numbers are.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

ROUNDS = 5
PRESETS = ("fast", "standard", "deep")


def times(command: Sequence[str]) -> dict[str, float]:
    """The rows that the program prints: nanoseconds by name."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    rows = (line.split("\t") for line in done.stdout.splitlines())
    return {name: float(nanoseconds) for name, nanoseconds in rows}


def measure(tool: str, program: str, runtime: str) -> dict[str, dict[str, float]]:
    """By way of running, then by row, the least nanoseconds of all rounds."""
    ways = {"bare": [program, runtime]}
    for preset in PRESETS:
        trace = [tool, "trace", f"--preset={preset}", "--report=text:/dev/null", "--"]
        ways[preset] = [*trace, program, runtime]
    least: dict[str, dict[str, float]] = {}
    for _ in range(ROUNDS):
        for way, command in ways.items():
            best = least.setdefault(way, {})
            for name, now in times(command).items():
                best[name] = min(now, best.get(name, now))
    return least


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("tool", "program", "runtime"):
        parser.add_argument(name)
    arguments = parser.parse_args()
    least = measure(arguments.tool, arguments.program, arguments.runtime)
    print("a call under trace: nanoseconds, and in brackets those that the layer adds")
    print(f"  {'':34}{'bare':>8}" + "".join(f"{preset:>16}" for preset in PRESETS))
    for name, bare in least["bare"].items():
        cells = (f"{least[p][name]:.1f} ({least[p][name] - bare:+.1f})" for p in PRESETS)
        print(f"  {name:34}{bare:8.1f}" + "".join(f"{cell:>16}" for cell in cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())

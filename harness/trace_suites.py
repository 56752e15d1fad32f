#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the official package's own Python tests by themselves and under `trace`.

trace_suites.py PROGRAM VERSION...

The sources of each release come from the package index into a folder (--cache), as of
official_suites.py, and its tests run against the release itself, all files in one pytest. Each line
that is printed is a row of a table: what came of the tests, what the layer saw, and, with --rounds,
how much processor time and how much time the tests took under it: the medians of the ratios of runs
side by side, without the first, and without tests that compile C++, which takes most of the time
and where the layer has no part in it. The traces stay in the folder: `tvmffi-harness report` draws
them. Exit code 1: an error was found, or a test ends in another way than without the layer.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from official_suites import PINNED, Outcomes, fetch_sources, install, read_junit
from tvmffi_conform.fetch_runtimes import PROJECT, FetchError, Unreachable

HERE = Path(__file__).parent
COMPILING = {"test_dataclass_gen_abi_cpp.py"}
SECONDS = 1800
# Files whose time is the compiler's, or that need PyTorch or Rust.
LEFT_OUT = {
    "test_build.py",
    "test_build_inline.py",
    "test_cubin_launcher.py",
    "test_load_inline.py",
    "test_optional_torch_c_dlpack.py",
    "test_rust_static_init.py",
    "test_stubgen_rust.py",
}


@dataclass(frozen=True)
class Run:
    """What came of the tests, the processor time that they took, and the time."""

    outcomes: Outcomes
    seconds: float
    elapsed: float
    said: str


def requirements_of(cache: Path, version: str) -> Path:
    """The requirements of the official tests, with another release."""
    text = (HERE / "official_suites.txt").read_text(encoding="utf-8")
    made = cache / "requirements.txt"
    made.write_text(PINNED.sub(f"{PROJECT}=={version}", text), encoding="utf-8")
    return made


def run(
    python: Path, folder: Path, files: Sequence[str], junit: Path, before: Sequence[str]
) -> Run:
    """Runs the files in one pytest. `before`: what stands in front of the command."""
    junit.unlink(missing_ok=True)
    environment = {
        **os.environ,
        "PATH": f"{python.parent}:{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TVM_FFI_DISABLE_TORCH_C_DLPACK": "1",
    }
    environment.pop("PYTHONPATH", None)
    options = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", f"--junitxml={junit}"]
    start, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        [*before, str(python), "-m", "pytest", *options, *files],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
    end, elapsed = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - began
    outcomes = read_junit("", junit) if junit.exists() else {}
    seconds = end.ru_utime - start.ru_utime + end.ru_stime - start.ru_stime
    return Run(outcomes, seconds, elapsed, done.stdout[-2000:] + done.stderr[-2000:])


def differences(bare: Outcomes, traced: Outcomes) -> list[str]:
    """Tests that end in another way under the layer."""
    return [
        f"{name}: {bare[test].status if test in bare else 'not run'} without, "
        f"{traced[test].status if test in traced else 'not run'} under trace"
        for test in sorted(bare.keys() | traced.keys())
        for name in [test[1]]
        if test not in bare or test not in traced or bare[test].status != traced[test].status
    ]


def summary_of(outcomes: Outcomes) -> str:
    counts = collections.Counter(outcome.status for outcome in outcomes.values())
    return ", ".join(f"{count:,} {status}" for status, count in sorted(counts.items()))


def cost_of(python: Path, folder: Path, files: Sequence[str], layer: list[str], rounds: int) -> str:
    """Cells of the ratios of processor time and of time. What ran before was not measured."""
    short = [name for name in files if name not in COMPILING]
    ratios = []
    for _ in range(rounds - 1):
        bare, traced = (
            run(python, folder, short, folder / "cost.xml", before) for before in ([], layer)
        )
        ratios.append((traced.seconds / bare.seconds, traced.elapsed / bare.elapsed))
    return "".join(f" {statistics.median(column):.3f} |" for column in zip(*ratios, strict=True))


def try_release(program: Path, cache: Path, version: str, rounds: int, record: bool) -> bool:
    """Prints the row of a release. Whether there is nothing to look into."""
    cache.mkdir(parents=True, exist_ok=True)
    sources = fetch_sources(cache, version)
    python = install(cache, requirements_of(cache, version))
    folder = sources / "tests/python"
    files = sorted(path.name for path in folder.glob("test_*.py") if path.name not in LEFT_OUT)
    files += sorted(str(path.relative_to(folder)) for path in folder.glob("utils/test_*.py"))
    trace = cache.parent / f"{version}.jsonl"
    recording = [f"--record={trace.with_suffix('.rec')}"] if record else []
    layer = [str(program), "trace", f"--report=json:{trace}", *recording, "--"]
    bare = run(python, folder, files, cache / "bare.xml", [])
    traced = run(python, folder, files, cache / "traced.xml", layer)
    if not bare.outcomes or not traced.outcomes:
        print(f"{version}: no outcome\n{(traced if bare.outcomes else bare).said}")
        return False
    whole = json.loads(trace.read_text(encoding="utf-8").splitlines()[-1])
    processes = sum('"kind":"process"' in line for line in trace.open(encoding="utf-8"))
    unseen = [*layer[:2], f"--report=json:{cache / 'cost.jsonl'}", "--"]
    cost = cost_of(python, folder, files, unseen, rounds)
    print(
        f"| {version} | {summary_of(traced.outcomes)} | {processes} | {whole['crossings']:,} "
        f"| {whole['errors']} | {whole['advice']} |{cost}",
        flush=True,
    )
    different = differences(bare.outcomes, traced.outcomes)
    for line in different:
        print(f"  {line}", flush=True)
    return not different and whole["errors"] == 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=Path, metavar="PROGRAM", help="tvmffi-conform")
    parser.add_argument("versions", nargs="+", metavar="VERSION")
    parser.add_argument("--cache", type=Path, default=Path(".cache/trace-suites"), metavar="DIR")
    parser.add_argument("--rounds", type=int, default=1, help="how often both are run")
    parser.add_argument("--record", action="store_true", help="keep recordings, for `replay`")
    options = parser.parse_args()
    cache, good = options.cache.resolve(), True
    for version in options.versions:
        try:
            good &= try_release(
                options.program.resolve(), cache / version, version, options.rounds, options.record
            )
        except (Unreachable, FetchError, subprocess.SubprocessError) as error:
            print(f"{version}: {error}", flush=True)
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

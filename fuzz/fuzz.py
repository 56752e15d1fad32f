#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds fuzz targets with Clang and sanitizers and lets them run, several at once.

TREE is a build folder of its own; TREE/corpus/NAME keeps from run to run what was worth keeping,
and an input that broke something lies in TREE/crashes/NAME. Exit status: 0 nothing was found,
1 something was, 77 there is no libFuzzer.
"""

from __future__ import annotations

import argparse
import configparser
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
PROBE = "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d[0] == n; }"
STATUS = re.compile(rb"#(\d+)\t\w+ +cov: (\d+) ft: \d+ corp: (\d+)")
BROKEN = re.compile(
    rb"^.*(?:broken:|runtime error:|ERROR: (?:Address|Leak)San|WARNING: MemorySan|ERROR: libFuzzer)"
    rb".*$",
    re.M,
)
# What these are linked with was built without MemorySanitizer, which takes all that comes out of it
# for uninitialised.
NOT_FOR_MEMORY = {
    "baseline",
    "inspect",
    "metadata",
    "policy",
    "report",
    "signatures",
    "waivers",
}
LIMITS = {"max_len": "65536", "rss_limit_mb": "2048", "timeout": "10"}


@dataclass
class Run:
    """One target that runs, or has run."""

    name: str
    log: Path
    process: subprocess.Popen[bytes]
    started: float
    seconds: float = 0.0
    executions: int = 0
    coverage: int = 0
    corpus: int = 0
    finding: str = ""

    def look(self) -> bool:
        """Reads how far it is; true while it runs."""
        running = self.process.poll() is None
        text = self.log.read_bytes()
        for found in STATUS.findall(text)[-1:]:
            self.executions, self.coverage, self.corpus = map(int, found)
        if not self.seconds and not running:
            self.seconds = time.monotonic() - self.started
        if self.process.returncode:
            broken = BROKEN.search(text)
            self.finding = f"exit {self.process.returncode}"
            if broken:
                self.finding = broken.group().decode(errors="replace")
        return running

    def line(self) -> str:
        seconds = self.seconds or time.monotonic() - self.started
        state = self.finding or ("" if self.process.returncode is None else "nothing found")
        rate = self.executions / max(seconds, 0.1)
        counts = f"{self.executions:12,} {rate:10,.0f} {self.coverage:7} {self.corpus:7}"
        return f"{self.name:14} {counts}  {state}"


HEAD = f"{'target':14} {'executions':>12} {'a second':>10} {'cover':>7} {'corpus':>7}"


def with_those(engine: str, sanitizers: str) -> str:
    return f"{engine},{sanitizers}" if sanitizers else engine


def can_fuzz(clang: str, tree: Path, sanitizers: str) -> bool:
    command = [clang, f"-fsanitize={with_those('fuzzer', sanitizers)}", "-x", "c", "-"]
    command += ["-o", str(tree / "probe")]
    try:
        done = subprocess.run(command, input=PROBE.encode(), capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


def build(clang: str, tree: Path, names: Sequence[str], sanitizers: str, jobs: int) -> None:
    """Configures the tree, if that is yet to be done, and builds the targets."""
    targets = [f"fuzz_{name}" for name in names]
    commands = [["cmake", "--build", str(tree), "--parallel", str(jobs), "--target", *targets]]
    if not (tree / "build.ninja").exists():
        command = ["cmake", "-S", str(HERE.parent), "-B", str(tree), "-G", "Ninja"]
        command += [f"-DCMAKE_C_COMPILER={clang}", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]
        command += ["-DTVMFFI_FUZZ=ON", "-DTVMFFI_TESTS=OFF", "-DTVMFFI_WERROR=ON"]
        command += [f"-DTVMFFI_SANITIZE={with_those('fuzzer-no-link', sanitizers)}"]
        if os.environ.get("DLPACK_INCLUDE_DIR"):
            command.append(f"-DDLPACK_INCLUDE_DIR={os.environ['DLPACK_INCLUDE_DIR']}")
        commands.insert(0, command)
    for command in commands:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode:
            sys.exit(done.stdout.decode(errors="replace"))


def options_of(name: str) -> dict[str, str]:
    parser = configparser.ConfigParser()
    parser.read(HERE / f"{name}.options")
    own = dict(parser["libfuzzer"]) if parser.has_section("libfuzzer") else {}
    return {**LIMITS, **own}


def start(tree: Path, seeds: Path, name: str, seconds: int, seed: int) -> Run:
    corpus, crashes = tree / "corpus" / name, tree / "crashes" / name
    log = tree / f"run-{name}.log"
    corpus.mkdir(parents=True, exist_ok=True)
    crashes.mkdir(parents=True, exist_ok=True)
    command = [str(tree / "fuzz" / f"fuzz_{name}"), f"-max_total_time={seconds}", f"-seed={seed}"]
    command += [f"-artifact_prefix={crashes}/"]
    command += [f"-{option}={value}" for option, value in options_of(name).items()]
    if (HERE / f"{name}.dict").exists():
        command.append(f"-dict={HERE / name}.dict")
    known = HERE / "crashes" / name
    command += [str(corpus), str(seeds / name), *([str(known)] if known.exists() else [])]
    environment = {**os.environ, "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    return Run(name, log, process, time.monotonic())


def fuzz(
    tree: Path, seeds: Path, names: Sequence[str], seconds: int, jobs: int, seed: int
) -> list[Run]:
    """Lets each target run for so many seconds, `jobs` at a time; the table lives on a terminal."""
    live, shown = sys.stdout.isatty(), 0
    waiting, runs = list(names), []
    try:
        while True:
            running = sum(run.look() for run in runs)
            while waiting and running < jobs:
                runs.append(start(tree, seeds, waiting.pop(0), seconds, seed))
                running += 1
            if live:
                print("\033[A\033[K" * shown, end="")
                shown = len(runs) + 1
                print("\n".join([HEAD, *(run.line()[:110] for run in runs)]), flush=True)
            if not running:
                break
            time.sleep(0.5 if live else 0.1)
    finally:
        for run in runs:
            if run.process.poll() is None:
                run.process.terminate()
                run.process.wait()
    if not live:
        print("\n".join([HEAD, *(run.line() for run in runs)]))
    return runs


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tree", type=Path)
    parser.add_argument("seeds", type=Path, help="its folder NAME has the seeds of a target")
    parser.add_argument("names", nargs="*", help="targets (default: all)")
    parser.add_argument("--sanitizers", default="address,undefined", help="as in -fsanitize=")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--seed", type=int, default=0, help="the same one draws alike (default: another each time)"
    )
    arguments = parser.parse_args()
    clang = os.environ.get("CLANG", "clang")
    tree = arguments.tree.resolve()
    names = arguments.names or sorted(path.stem[len("fuzz_") :] for path in HERE.glob("fuzz_*.c"))
    sanitizers = arguments.sanitizers
    if "memory" in sanitizers.split(","):
        names = [name for name in names if name not in NOT_FOR_MEMORY]
        print(f"not for MemorySanitizer: {', '.join(sorted(NOT_FOR_MEMORY))}")
    tree.mkdir(parents=True, exist_ok=True)
    if not can_fuzz(clang, tree, sanitizers):
        print(f"SKIPPED: {clang} cannot build a fuzzer; Debian has it in libclang-rt-14-dev")
        return SKIPPED
    build(clang, tree, names, sanitizers, arguments.jobs)
    runs = fuzz(
        tree,
        arguments.seeds.resolve(),
        names,
        arguments.seconds,
        arguments.jobs,
        arguments.seed,
    )
    for run in runs:
        if run.finding:
            print(f"{run.name}: {run.finding}")
            print(f"  see {run.log} and {tree / 'crashes' / run.name}")
    return 1 if any(run.finding for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())

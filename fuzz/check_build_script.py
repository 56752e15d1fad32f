#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs .clusterfuzzlite/build.sh as OSS-Fuzz would, and what it leaves in $OUT without the rest.

check_build_script.py [--keep FOLDER] ENGINE SANITIZER [TARGET...]: libfuzzer or afl; address (with
undefined, as the test fuzz.all wants it), undefined or memory (afl: none); all targets or only
these. FOLDER/work/tvmffi-conform is then the build folder, for fuzz.py. With AFL++, what
fuzz/README.md says about many cores is done, too. Exit status: 0 every target is there with its
seeds and runs, 1 something is amiss, 77 the engine is not there.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from fuzz import HERE, NOT_FOR_MEMORY, SKIPPED, can_fuzz

RUNS, SECONDS, PATIENCE = 100, 2, 120
# The target that the README shows AFL++ with, and the instances of it on two processors.
SHOWN, INSTANCES = "library_bin", ("main", "other2")
AFL_DRIVER = Path("/usr/lib/afl/libAFLDriver.a")
# What AFL++ would otherwise ask of the machine.
AFL_TOLD = ("SKIP_CPUFREQ", "NO_AFFINITY", "NO_UI", "I_DONT_CARE_ABOUT_MISSING_CRASHES")
AFL_TOLD += ("SKIP_CRASHES", "FAST_CAL")
AFL_ENVIRONMENT = {**os.environ, **{f"AFL_{name}": "1" for name in AFL_TOLD}}
FLAGS = "-O1 -gline-tables-only -fno-sanitize-recover=all -fsanitize={},fuzzer-no-link"


def engine_environment(engine: str, sanitizer: str, clang: str) -> dict[str, str]:
    """The compilers and their flags, as an engine's users set them."""
    if engine == "afl":
        compilers = {"CC": "afl-clang-fast", "CXX": "afl-clang-fast++"}
        return {**compilers, "CFLAGS": "-O1", "LIB_FUZZING_ENGINE": str(AFL_DRIVER)}
    compilers = {"CC": clang, "CXX": clang.replace("clang", "clang++")}
    flags = FLAGS.format("address,undefined" if sanitizer == "address" else sanitizer)
    return {**compilers, "CFLAGS": flags, "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer"}


def environment(folder: Path, engine: str, sanitizer: str, clang: str) -> dict[str, str]:
    (folder / "src").mkdir()
    (folder / "src" / "tvmffi-conform").symlink_to(HERE.parent)
    made = {
        **os.environ,
        **engine_environment(engine, sanitizer, clang),
        "SANITIZER": sanitizer,
        "SRC": str(folder / "src"),
        "OUT": str(folder / "out"),
        "WORK": str(folder / "work"),
    }
    dlpack = os.environ.get("DLPACK_INCLUDE_DIR")
    told = [f"-DDLPACK_INCLUDE_DIR={dlpack}"] if dlpack else []
    # All targets are built for this one, so that what Clang warns of is an error here.
    told += ["-DTVMFFI_WERROR=ON"] if sanitizer == "address" else []
    return {**made, "CMAKE_ARGS": " ".join(told)}


def run_libfuzzer(target: Path, seeds: Path) -> str:
    """Runs it over its seeds; empty, or what is wrong."""
    command = [str(target), f"-runs={RUNS}", f"-artifact_prefix={target.parent}/", str(seeds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=target.parent)
    return "" if done.returncode == 0 and "Done" in done.stderr else done.stderr[-2000:]


def afl_stats(instance: Path) -> dict[str, str]:
    """What an instance says of itself; nothing if it has said nothing yet."""
    stats = instance / "fuzzer_stats"
    text = stats.read_text() if stats.exists() else ""
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {key.strip(): value.strip() for key, value in lines.items()}


def run_afl(target: Path, seeds: Path) -> str:
    """Fuzzes for a moment; empty, or what is wrong. The mode has to be the persistent one."""
    out = target.parent / f"afl_{target.name}"
    command = ["afl-fuzz", "-i", str(seeds), "-o", str(out), "-V", str(SECONDS), "-t", "5000"]
    done = subprocess.run(
        [*command, "-m", "none", "--", str(target)],
        capture_output=True,
        text=True,
        check=False,
        cwd=target.parent,
        env=AFL_ENVIRONMENT,
    )
    fields = afl_stats(out / "default")
    if done.returncode or int(fields.get("execs_done", "0")) < RUNS:
        return (done.stdout + done.stderr)[-2000:]
    if "persistent" not in fields["target_mode"]:
        return f"its mode is {fields['target_mode']}"
    crashes = int(fields["saved_crashes"])
    return f"{crashes} crashes in {out}" if crashes else ""


def has_ended(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def in_parallel(commands: str, out: Path) -> str:
    """Runs them in $OUT until each instance has run something; empty, or what is wrong."""
    wanted = set(INSTANCES)
    with subprocess.Popen(
        ["bash", "-c", f"nproc() {{ echo 2; }}; {commands}"],
        cwd=out,
        env=AFL_ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as shell:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and shell.poll() is None and wanted:
            found = out / "found"
            wanted = {name for name in wanted if not afl_stats(found / name).get("execs_done")}
            time.sleep(0.2)
        time.sleep(SECONDS)
        summary = ["afl-whatsup", "-s", "found"]
        said = subprocess.run(summary, cwd=out, capture_output=True, text=True, check=False).stdout
        with contextlib.suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGTERM)
        shell.wait()
    while not has_ended(shell.pid) and time.monotonic() < until:
        time.sleep(0.1)
    executions = [int(afl_stats(out / "found" / name).get("execs_done", 0)) for name in INSTANCES]
    if min(executions) < RUNS:
        return f"instances of AFL++ ran {executions} inputs"
    return "" if f"Fuzzers alive : {len(INSTANCES)}" in said else said


def many_cores(out: Path) -> str:
    """Does what the README says about many cores; empty, or what is wrong."""
    text = (HERE / "README.md").read_text()
    blocks = [block for block in re.findall(r"```sh\n(.*?)```", text, re.S) if "-M main" in block]
    if len(blocks) != 1:
        return "fuzz/README.md has no commands for many cores"
    unpack(out / f"fuzz_{SHOWN}_seed_corpus.zip", out / "seeds")
    return in_parallel(blocks[0], out)


def unpack(archive: Path, folder: Path) -> bool:
    """Whether there is a seed in the archive; all of them go into the folder."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    return any(path.is_file() for path in folder.rglob("*"))


def faults_of(out: Path, name: str, engine: str) -> Iterator[str]:
    """What is wrong with one target in $OUT."""
    target, seeds = out / f"fuzz_{name}", out / f"seeds_{name}"
    if not os.access(target, os.X_OK):
        yield "is not there"
        return
    for kind in ("dict", "options"):
        ours, theirs = HERE / f"{name}.{kind}", out / f"fuzz_{name}.{kind}"
        if ours.exists() and (not theirs.exists() or ours.read_bytes() != theirs.read_bytes()):
            yield f"has no {kind}"
    archive = out / f"fuzz_{name}_seed_corpus.zip"
    if not archive.exists() or not unpack(archive, seeds):
        yield "has no seeds"
        return
    wrong = run_afl(target, seeds) if engine == "afl" else run_libfuzzer(target, seeds)
    if wrong:
        yield f"does not run: {wrong}"


def not_in_image(cache: Path) -> Iterator[str]:
    """Which packages of the libraries that the build found the Dockerfile does not install."""
    dockerfile = (HERE.parent / ".clusterfuzzlite" / "Dockerfile").read_text().split()
    modules = re.findall(r"^\w+_MODULE_NAME:INTERNAL=(\S+)$", cache.read_text(), re.M)
    if not modules:
        yield "the build has found no library by pkg-config"
    for module in modules if shutil.which("dpkg") else ():
        place = ["pkg-config", "--variable=pcfiledir", module]
        found = subprocess.run(place, capture_output=True, text=True, check=True).stdout.strip()
        owner = subprocess.run(
            ["dpkg", "-S", f"{found}/{module}.pc"], capture_output=True, text=True, check=False
        ).stdout.partition(":")[0]
        if owner and owner not in dockerfile:
            yield f"the Dockerfile does not install {owner}, where {module} is"


def check(folder: Path, options: argparse.Namespace, clang: str) -> int:
    script, out = HERE.parent / ".clusterfuzzlite" / "build.sh", folder / "out"
    done = subprocess.run(
        [str(script), *options.names],
        env=environment(folder, options.engine, options.sanitizer, clang),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout[-8000:])
        return 1
    faults = list(not_in_image(folder / "work" / "tvmffi-conform" / "CMakeCache.txt"))
    # Nothing in $OUT may need what was there while it was built.
    (folder / "work").rename(folder / "gone")
    names = options.names or sorted(path.stem[len("fuzz_") :] for path in HERE.glob("fuzz_*.c"))
    left_out = NOT_FOR_MEMORY.intersection(names) if options.sanitizer == "memory" else set()
    names = [name for name in names if name not in left_out]
    faults += [
        f"{name} {fault}" for name in names for fault in faults_of(out, name, options.engine)
    ]
    faults += [f"{name} is there" for name in left_out if (out / f"fuzz_{name}").exists()]
    if options.engine == "afl":
        faults += filter(None, [many_cores(out)])
    (folder / "gone").rename(folder / "work")
    print("\n".join(faults) or f"{len(names)} targets run from $OUT alone")
    return 1 if faults else 0


def missing(engine: str, clang: str, folder: Path) -> str:
    """Why the engine is not available; empty if it is."""
    if engine == "libfuzzer":
        there = can_fuzz(clang, folder, "address")
        return (
            "" if there else f"{clang} cannot build a fuzzer; Debian has it in libclang-rt-14-dev"
        )
    there = shutil.which("afl-clang-fast") and shutil.which("afl-fuzz") and AFL_DRIVER.exists()
    return "" if there else "AFL++ is not installed; Debian has it in afl++"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--keep", type=Path, help="build in this folder, which is emptied first")
    parser.add_argument("engine", choices=["libfuzzer", "afl"])
    parser.add_argument("sanitizer", choices=["address", "undefined", "memory", "none"])
    parser.add_argument("names", nargs="*", help="targets (default: all)")
    options, clang = parser.parse_args(), os.environ.get("CLANG", "clang")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        why = missing(options.engine, clang, folder)
        if why:
            print(f"SKIPPED: {why}")
            return SKIPPED
        if options.keep:
            folder = options.keep.resolve()
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        return check(folder, options, clang)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the official runtime's own tests on its library and on the reference.

official_suites.py REFERENCE WITH_SYMBOLS

The sources of the release that official_suites.txt names come from the package index into a folder
(--cache), and nothing of them is kept elsewhere. Its Python tests run twice, a process for each
file: with the package as it is, and with our library in place of its own; its C++ tests are built
once and run twice, a process for each test: with the official library, and with ours that has its
C++ symbols, too. --report writes what differs as a page.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import re
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tvmffi_conform.fetch_runtimes import PROJECT, FetchError, Pip, Unreachable

HERE = Path(__file__).parent
PINNED = re.compile(rf"^{PROJECT}==(\S+)$", re.M)
FILE_SECONDS = 900
TEST_SECONDS = 60
# Files that can't run, and why.
LEFT_OUT = {"test_rust_static_init.py": "cargo fetches crates for it"}
# A test, by the file that it is in and its name there.
Test = tuple[str, str]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What came of a test: passed, failed, skipped; and the first line of why."""

    status: str
    why: str = ""


Outcomes = dict[Test, Outcome]


# ---------------------------------------------------------------------------------------------
# What is fetched
# ---------------------------------------------------------------------------------------------


def fetch_sources(cache: Path, version: str) -> Path:
    """The folder of the unpacked sources. Unreachable, FetchError: they are not to be had."""
    folder = cache / f"{PROJECT.replace('-', '_')}-{version}"
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    pip = Pip([sys.executable, "-m", "pip"])
    pip.run(
        "download",
        "--no-deps",
        "--no-binary",
        PROJECT,
        "--dest",
        str(cache),
        f"{PROJECT}=={version}",
    )
    with tarfile.open(next(cache.glob(f"*{version}.tar.gz"))) as archive:
        archive.extractall(cache, filter="data")
    return folder


def install(cache: Path, requirements: Path) -> Path:
    """A virtual environment with the release and what its tests need; the Python in it."""
    python = cache / "venv/bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(cache / "venv")], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(requirements)], check=True)
    return python


def package_of(python: Path) -> Path:
    """The folder of the installed package. Code of it runs, in a process of its own."""
    code = "import importlib.util as u; print(u.find_spec('tvm_ffi').submodule_search_locations[0])"
    return Path(
        subprocess.run(
            [str(python), "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
    )


def replace_library(package: Path, site: Path, library: Path) -> Path:
    """A copy of the package, which finds our library in place of its own."""
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    shutil.copytree(package, site / "tvm_ffi", symlinks=True)
    for description in package.parent.glob("apache_tvm_ffi-*.dist-info"):
        shutil.copytree(description, site / description.name)
    copy = site / "tvm_ffi/lib/libtvm_ffi.so"
    copy.unlink()
    shutil.copy(library.resolve(), copy)
    return site


# ---------------------------------------------------------------------------------------------
# Running
# ---------------------------------------------------------------------------------------------


def run_captured(
    command: Sequence[str], seconds: int, environment: Mapping[str, str], folder: Path | None = None
) -> subprocess.CompletedProcess[str] | Outcome:
    """Runs a program that prints what it likes. An outcome, if it took too long."""
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome("failed", f"takes more than {seconds} s")


# ---------------------------------------------------------------------------------------------
# The Python tests
# ---------------------------------------------------------------------------------------------


def first_line(text: str | None) -> str:
    return next((line.strip() for line in (text or "").splitlines() if line.strip()), "")


def read_junit(file: str, report: Path) -> Outcomes:
    """What a file's report says of each test."""
    found: Outcomes = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}"
        outcome = Outcome("passed")
        for kind in ("failure", "error"):
            if (node := case.find(kind)) is not None:
                outcome = Outcome("failed", first_line(node.get("message")))
        skipped = case.find("skipped")
        if outcome.status == "passed" and skipped is not None:
            outcome = Outcome("skipped", first_line(skipped.get("message")))
        found[file, name] = outcome
    return found


def run_file(python: Path, folder: Path, file: str, site: Path | None, scratch: Path) -> Outcomes:
    """Runs a file of tests. One that ends the process counts as a single test that failed."""
    report = scratch / f"{'reference' if site else 'official'}-{file}.xml"
    report.unlink(missing_ok=True)
    environment = {
        **os.environ,
        "TVM_FFI_DISABLE_TORCH_C_DLPACK": "1",
        # What a test compiles with one library isn't what it loads with the other.
        "TVM_FFI_CACHE_DIR": str(scratch / f"compiled-{'reference' if site else 'official'}"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment["PATH"] = f"{python.parent}:{environment['PATH']}"
    environment.pop("PYTHONPATH", None)
    if site is not None:
        environment["PYTHONPATH"] = str(site)
    command = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=",
        f"--junitxml={report}",
        file,
    ]
    done = run_captured(command, FILE_SECONDS, environment, folder)
    if isinstance(done, Outcome):
        return {(file, "(all)"): done}
    if not report.exists():
        why = (
            f"ends with signal {-done.returncode}"
            if done.returncode < 0
            else first_line(done.stderr)
        )
        return {(file, "(all)"): Outcome("failed", why)}
    return read_junit(file, report)


def run_python(
    python: Path, folder: Path, files: Iterable[str], site: Path | None, scratch: Path, jobs: int
) -> Outcomes:
    outcomes: Outcomes = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for part in pool.map(lambda file: run_file(python, folder, file, site, scratch), files):
            outcomes.update(part)
    return outcomes


# ---------------------------------------------------------------------------------------------
# The C++ tests
# ---------------------------------------------------------------------------------------------


def compile_tests(sources: Path, package: Path, scratch: Path, jobs: int) -> Path:
    """Builds the C++ tests against the official headers. Returns the program."""
    program = scratch / "gtest/tests"
    if program.exists():
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    files = sorted((sources / "tests/cpp").glob("test*.cc"))
    files += sorted((sources / "tests/cpp/extra").glob("test*.cc"))
    folders = ("include", "3rdparty/dlpack/include", "src", "tests/cpp")
    compiler = ["ccache", "g++"] if shutil.which("ccache") else ["g++"]
    options = ["-std=c++17", "-O0", "-w", *(f"-I{sources / folder}" for folder in folders)]

    def compile_one(file: Path) -> str:
        # Files in the two folders may have the same name.
        target = program.parent / f"{file.parent.name}-{file.stem}.o"
        if not target.exists():
            subprocess.run([*compiler, *options, "-c", str(file), "-o", str(target)], check=True)
        return str(target)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        objects = list(pool.map(compile_one, files))
    libraries = ["-ltvm_ffi", "-ltvm_ffi_testing", "-lgtest", "-lgtest_main", "-lpthread"]
    subprocess.run(
        ["g++", "-o", str(program), *objects, f"-L{package / 'lib'}", *libraries], check=True
    )
    return program


def list_tests(program: Path, environment: Mapping[str, str]) -> Iterator[str]:
    done = subprocess.run(
        [str(program), "--gtest_list_tests"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    suite = ""
    for line in done.stdout.splitlines():
        word = line.split("#")[0].rstrip()
        if word and not word.startswith(" "):
            suite = word
        elif word and suite.endswith(".") and "DISABLED_" not in word:
            yield suite + word.strip()


def run_test(program: Path, name: str, environment: Mapping[str, str]) -> Outcome:
    """Runs a C++ test in a process of its own: one may end it."""
    done = run_captured([str(program), f"--gtest_filter={name}"], TEST_SECONDS, environment)
    if isinstance(done, Outcome):
        return done
    if done.returncode == 0:
        return Outcome("skipped" if "[  SKIPPED ]" in done.stdout else "passed")
    symbol = re.search(r"undefined symbol: (\S+)", done.stderr)
    if symbol:
        return Outcome("failed", f"C++ symbol {demangled(symbol[1])}")
    thrown = re.search(r"what\(\):\s*(.*)", done.stderr) or re.search(
        r'C\+\+ exception with description "(.*)', done.stdout
    )
    if thrown:
        return Outcome("failed", thrown[1].strip())
    if done.returncode < 0:
        return Outcome("failed", f"ends with signal {-done.returncode}")
    failure = re.search(r"Failure\n(.*)", done.stdout)
    return Outcome("failed", failure[1].strip() if failure else "")


def demangled(symbol: str) -> str:
    done = subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=False)
    return done.stdout.strip().split("(")[0] or symbol


def run_gtest(program: Path, libraries: Path, names: Iterable[str], jobs: int) -> Outcomes:
    environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries)}
    names = list(names)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        outcomes = pool.map(lambda name: run_test(program, name, environment), names)
        return {("gtest", name): outcome for name, outcome in zip(names, outcomes, strict=True)}


# ---------------------------------------------------------------------------------------------
# The page
# ---------------------------------------------------------------------------------------------


def passed(outcomes: Outcomes) -> set[Test]:
    return {test for test, outcome in outcomes.items() if outcome.status == "passed"}


def general(why: str) -> str:
    """A reason without what differs between tests."""
    why = re.sub(r"0x[0-9a-f]+|\b\d+\b", "N", why)
    return re.sub(r"[|`]", "'", why)[:160]


class NothingPassed(Exception):
    """No test passes on the official library: it is not the libraries that fail."""


def unjudged(official: Outcomes) -> list[str]:
    """A table of the tests that tell nothing, since the official library does not pass them."""
    reasons = collections.Counter(
        (outcome.status, general(outcome.why))
        for outcome in official.values()
        if outcome.status != "passed"
    )
    if not reasons:
        return []
    lines = ["| on the official library | tests | why |", "|---|---:|---|"]
    lines += [f"| {status} | {count} | {why} |" for (status, why), count in sorted(reasons.items())]
    return [*lines, ""]


def section(title: str, official: Outcomes, reference: Outcomes) -> list[str]:
    """A table of the files in which tests pass on the official library and not on the reference."""
    if not passed(official):
        raise NothingPassed(f"{title}: {next(iter(official.values()), Outcome('failed')).why}")
    lost = sorted(passed(official) - passed(reference))
    lines = [f"## {title}", ""]
    lines += ["| | official library | reference |", "|---|---:|---:|"]
    lines += [f"| tests | {len(official)} | {len(reference)} |"]
    lines += [f"| passed | {len(passed(official))} | {len(passed(reference))} |"]
    lines += [f"| passed on the official library, not on the reference | | {len(lost)} |", ""]
    lines += unjudged(official)
    if not lost:
        return lines
    files = collections.Counter(
        (test[0] if test[0] != "gtest" else test[1].split(".")[0], general(why_of(reference, test)))
        for test in lost
    )
    lines += ["| file or suite | tests | why |", "|---|---:|---|"]
    lines += [f"| `{file}` | {count} | {why} |" for (file, why), count in sorted(files.items())]
    return [*lines, ""]


def why_of(outcomes: Outcomes, test: Test) -> str:
    if test in outcomes:
        return outcomes[test].why or outcomes[test].status
    whole = outcomes.get((test[0], "(all)"))
    return whole.why if whole else "the file could not be read"


def page(version: str, parts: Iterable[tuple[str, Outcomes, Outcomes]]) -> str:
    lines = [
        "# The official tests on the reference",
        "",
        f"Written by `make official-suites` (`harness/official_suites.py`): tests of {PROJECT}",
        f"{version}, from the package index, on its library and on the reference in its place. The",
        "Python tests run as they are, those that compile C++ included. The C++ tests are compiled",
        "against its headers and linked with the official library; there the reference is the one",
        "with C++ symbols (target `tvm_ffi_cxx`).",
        "",
    ]
    lines += [f"Not run: `{file}` ({why})." for file, why in sorted(LEFT_OUT.items())]
    lines.append("")
    for title, official, reference in parts:
        lines += section(title, official, reference)
    return "\n".join(lines).rstrip() + "\n"


# ---------------------------------------------------------------------------------------------
# The program
# ---------------------------------------------------------------------------------------------


def run_all(
    library: Path, with_symbols: Path, cache: Path, version: str, requirements: Path, jobs: int
) -> str:
    sources = fetch_sources(cache, version)
    python = install(cache, requirements)
    package = package_of(python)
    site = replace_library(package, cache / "site", library)
    folder = sources / "tests/python"
    files = sorted(path.name for path in folder.glob("test_*.py") if path.name not in LEFT_OUT)
    files += sorted(str(path.relative_to(folder)) for path in folder.glob("utils/test_*.py"))
    parts = []
    official = run_python(python, folder, files, None, cache, jobs)
    reference = run_python(python, folder, files, site, cache, jobs)
    parts.append(("Python", official, reference))
    program = compile_tests(sources, package, cache, jobs)
    names = list(list_tests(program, {**os.environ, "LD_LIBRARY_PATH": str(package / "lib")}))
    site = replace_library(package, cache / "site-cxx", with_symbols)
    parts.append(
        (
            "C++",
            run_gtest(program, package / "lib", names, jobs),
            run_gtest(program, site / "tvm_ffi/lib", names, jobs),
        )
    )
    return page(version, parts)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "reference", type=Path, metavar="REFERENCE", help="libtvm_ffi.so of the reference"
    )
    parser.add_argument(
        "with_symbols", type=Path, metavar="WITH_SYMBOLS", help="the same with C++ symbols"
    )
    parser.add_argument("--cache", type=Path, default=Path(".cache/official-suites"), metavar="DIR")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the page there")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    requirements = HERE / "official_suites.txt"
    found = PINNED.search(requirements.read_text(encoding="utf-8"))
    if found is None:
        parser.error(f"{requirements} names no release of {PROJECT}")
    cache = options.cache.resolve()
    try:
        text = run_all(
            options.reference, options.with_symbols, cache, found[1], requirements, options.jobs
        )
    except (Unreachable, FetchError, NothingPassed) as error:
        print(f"official_suites.py: {error}", file=sys.stderr)
        return 1
    if options.report:
        options.report.write_text(text, encoding="utf-8")
    print("\n".join(line for line in text.splitlines() if line.startswith(("## ", "| passed"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())

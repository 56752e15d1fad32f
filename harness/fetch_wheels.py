#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fetches the wheels that a list names into a folder: fetch_wheels.py LIST FOLDER

The list has one requirement a line, as in name==1.2; `#` starts a comment. In its place may stand
conformance/abi/releases.def: every release of the official runtime. --machine x86_64 fetches wheels
for Linux on that machine (repeatable), --platform win_amd64 those for a platform by pip's name,
into a folder of that name (repeatable). What is there already is not fetched again. Nothing is
unpacked or executed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tvmffi_conform.fetch_runtimes import PROJECT, FetchError, Pip, Unreachable

RELEASE = re.compile(r'^ABI_RELEASE\("([^"]+)"', re.M)
GLIBC = ("2014", "_2_17", "_2_24", "_2_27", "_2_28", "_2_34")
PYTHON = ("--python-version", "3.12", "--implementation", "cp", "--abi", "cp312", "--abi", "abi3")
PINNED = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[A-Za-z0-9.]+)")


def requirements(path: Path) -> list[tuple[str, str]]:
    """The names and versions in the list."""
    if path.suffix == ".def":
        return [(PROJECT, version) for version in RELEASE.findall(path.read_text("utf-8"))]
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        word = line.split("#")[0].strip()
        if not word:
            continue
        match = PINNED.fullmatch(word)
        if not match:
            raise FetchError(f"{path}: {word!r} is not of the form name==1.2")
        found.append((match["name"], match["version"]))
    return found


def wheel_of(folder: Path, name: str, version: str, machine: str) -> Path | None:
    start = f"{re.sub('[-_.]+', '_', name)}-{version}-".lower()
    wheels = [one for one in folder.glob("*.whl") if one.stem.endswith(machine)]
    return next((one for one in wheels if one.name.lower().startswith(start)), None)


def fetch_foreign(pip: Pip, folder: Path, name: str, version: str, platform: str) -> Path:
    """The wheel for another system, from the folder or from the index."""
    there = wheel_of(folder / platform, name, version, "")
    if there is None:
        options = ["--no-deps", "--only-binary=:all:", "--dest", str(folder / platform)]
        pip.run("download", *options, *PYTHON, "--platform", platform, f"{name}=={version}")
        there = wheel_of(folder / platform, name, version, "")
    if there is None:
        raise FetchError(f"pip brought no wheel of {name} {version} for {platform}")
    return there


def fetch(pip: Pip, folder: Path, name: str, version: str, machine: str = "") -> Path:
    """The wheel, from the folder or from the index; for this machine if none is named."""
    there = wheel_of(folder, name, version, machine)
    if there is None:
        options = ["--no-deps", "--only-binary=:all:", "--dest", str(folder)]
        if machine:
            options += PYTHON
            options += [f"--platform=manylinux{one}_{machine}" for one in GLIBC]
        pip.run("download", *options, f"{name}=={version}")
        there = wheel_of(folder, name, version, machine)
    if there is None:
        raise FetchError(f"pip brought no wheel of {name} {version}")
    return there


def main(arguments: Sequence[str] | None = None, pip: Pip | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog="Exit status: 0 all are there, 1 some are not, 2 usage.",
    )
    parser.add_argument("list", type=Path, metavar="LIST")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--machine", action="append", metavar="MACHINE", help="as in x86_64")
    parser.add_argument("--platform", action="append", metavar="PLATFORM", help="as in win_amd64")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    pip = pip or Pip([sys.executable, "-m", "pip"])
    failed = 0
    try:
        wanted = requirements(options.list)
    except (FetchError, OSError) as error:
        parser.error(str(error))
    way, places = fetch, options.machine or [""]
    if options.platform:
        way, places = fetch_foreign, options.platform
    for name, version, place in [(*one, place) for one in wanted for place in places]:
        try:
            print(way(pip, options.folder, name, version, place))
        except (FetchError, Unreachable) as error:
            failed += 1
            print(f"{name} {version}: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""From what a matrix names to libraries on this machine: paths, builds, and releases."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from . import HarnessError, fetch_runtimes
from .plan import Source

REQUIREMENT = re.compile(r"(?P<project>[A-Za-z0-9._-]+?)\s*(?P<bounds>([<>=!~]=?|===).*)?")
BOUND = re.compile(r"(?P<sign>==|>=|<=|!=|<|>)\s*(?P<version>[0-9][0-9A-Za-z.]*)")
BUILD_SECONDS = 1800
ELSE = "ask for another version, or give a library by its path"


@dataclass(frozen=True)
class Provided:
    """A library that can be judged. `label`: the source's name, and the version if it has many."""

    label: str
    library: Path
    source: Source


def build(source: Source, folder: Path) -> None:
    """Runs the build command of a source in `folder`. HarnessError: it fails, and how."""
    try:
        done = subprocess.run(
            source.build,
            shell=True,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=BUILD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise HarnessError(f"{source.name}: the build took more than {BUILD_SECONDS} s") from error
    if done.returncode != 0:
        tail = "\n  ".join((done.stderr or done.stdout).strip().splitlines()[-8:])
        raise HarnessError(
            f"{source.name}: the build ended with {done.returncode}: {source.build}; run it in "
            f"{folder.resolve()} to fix it\n  {tail}"
        )


def fits(version: str, bounds: str) -> bool:
    """Whether a version lies within bounds such as ">=0.1.9,<0.2"."""
    key = fetch_runtimes.natural_key(version)
    for bound in filter(None, (part.strip() for part in bounds.split(","))):
        parsed = BOUND.fullmatch(bound)
        if not parsed:
            raise HarnessError(
                f"{bound!r} is not a version bound (such as ==0.1.9, >=0.1.9, <0.2 or !=0.1.13)"
            )
        limit = fetch_runtimes.natural_key(parsed["version"])
        holds = {
            "==": key == limit,
            "!=": key != limit,
            "<": key < limit,
            ">": key > limit,
            "<=": key <= limit,
            ">=": key >= limit,
        }[parsed["sign"]]
        if not holds:
            return False
    return True


def candidate(version: str) -> bool:
    """Whether a version is no release yet: the package index has them asked for by name."""
    return fetch_runtimes.natural_key(version)[1] < 0


def versions(
    source: Source, pip: fetch_runtimes.Pip | None, cache: fetch_runtimes.Cache
) -> list[str]:
    """The releases that a requirement speaks of, oldest first: no candidates in a range."""
    parsed = REQUIREMENT.fullmatch(source.requirement.strip())
    if not parsed or parsed["project"].lower().replace("_", "-") != fetch_runtimes.PROJECT:
        raise HarnessError(
            f"{source.name}: {source.requirement!r} is not a requirement of "
            f"{fetch_runtimes.PROJECT} (give another library by its path)"
        )
    bounds = parsed["bounds"] or ""
    for version in source.withdrawn:
        if not fetch_runtimes.VERSION.fullmatch(version):
            raise HarnessError(f"{source.name}: {version!r} in `withdrawn` is not a version")
    exact = BOUND.fullmatch(bounds.strip())
    if exact and exact["sign"] == "==":
        return sorted({exact["version"], *source.withdrawn}, key=fetch_runtimes.natural_key)
    if not bounds:
        return [*source.withdrawn, fetch_runtimes.NEWEST]
    known = pip.all_versions() if pip else [v for v in cache.versions() if not candidate(v)]
    fitting = {version for version in known if fits(version, bounds)}
    found = sorted(fitting.union(source.withdrawn), key=fetch_runtimes.natural_key)
    if not found:
        where = "the package index" if pip else "the cache (--offline)"
        raise HarnessError(
            f"{source.name}: {where} has no release with {bounds}; widen the requirement"
        )
    return found


class Provider:
    """Brings sources to this machine. `offline` uses what the cache has."""

    def __init__(self, cache: Path, offline: bool = False) -> None:
        self.cache = fetch_runtimes.Cache(cache)
        self.pip = None if offline else fetch_runtimes.Pip([sys.executable, "-m", "pip"])
        self.fetcher = fetch_runtimes.Fetcher(self.cache, self.pip)

    def provide(self, source: Source, folder: Path) -> list[Provided]:
        """The libraries of a source; several if it names a range of releases.

        HarnessError says which source could not be had and why; others are not concerned.
        """
        if source.path is not None:
            if source.build:
                build(source, folder)
            if not source.path.is_file():
                raise HarnessError(
                    f"{source.name}: no such file: {source.path}; fix the path, or say with "
                    "which command it is built"
                )
            return [Provided(source.name, source.path.resolve(), source)]
        try:
            wanted = versions(source, self.pip, self.cache)
        except (fetch_runtimes.FetchError, fetch_runtimes.Unreachable) as error:
            raise HarnessError(f"{source.name}: {error}; {ELSE}") from error
        return [self.release(source, version, len(wanted) > 1) for version in wanted]

    def release(self, source: Source, version: str, labelled: bool) -> Provided:
        result = self.fetcher.fetch(version)
        if result.folder is None:
            raise HarnessError(f"{source.name}: {version} cannot be had: {result.note}; {ELSE}")
        label = f"{source.name} {result.folder.name}" if labelled else source.name
        return Provided(label, (result.folder / fetch_runtimes.LIBRARY).resolve(), source)

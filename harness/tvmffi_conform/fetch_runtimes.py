#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fetches official TVM FFI runtimes: library and headers, out of the wheels of apache-tvm-ffi.

Each version ends up in a folder of its own, `<cache>/<version>/tvm_ffi/{lib,include}`, which
appears whole or not at all. What is there already is not fetched again, so a second run needs no
network. The wheels come through pip, which checks them against the index's digests; nothing in
them is executed here.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath

PROJECT = "apache-tvm-ffi"
NEWEST = "newest"
LIBRARY = PurePosixPath("tvm_ffi/lib/libtvm_ffi.so")
HEADERS = (
    PurePosixPath("tvm_ffi/include/tvm/ffi/c_api.h"),
    PurePosixPath("tvm_ffi/include/dlpack/dlpack.h"),
)
WANTED_FOLDERS = ("tvm_ffi/lib/", "tvm_ffi/include/")
MAX_FILES = 20_000
MAX_BYTES = 512 * 1024 * 1024
PIP_SECONDS = 180
VERSION = re.compile(
    r"(?P<release>[0-9]+(\.[0-9]+)*)((?P<stage>a|b|rc|\.post|\.dev)(?P<number>[0-9]+))?"
)


class FetchError(Exception):
    """Something a person has to look at; the message says what was wrong with what."""


class Unreachable(Exception):
    """The package index gave no answer; the message holds pip's last word."""


class Outcome(Enum):
    FETCHED = "fetched"
    CACHED = "cached"
    UNREACHABLE = "unreachable"
    FAILED = "failed"


@dataclass(frozen=True)
class Result:
    """What became of one requested version; `folder` is None unless the runtime is there."""

    asked: str
    outcome: Outcome
    folder: Path | None
    note: str = ""

    def line(self) -> str:
        tail = str(self.folder) if self.folder else self.note
        if self.folder and self.note:
            tail = f"{tail}  ({self.note})"
        return f"{self.asked:<20} {self.outcome.value:<12} {tail}"


def natural_key(version: str) -> tuple[tuple[int, ...], int, int]:
    """Orders versions as the index does: 0.1.9 < 0.1.13rc0 < 0.1.13 < 0.1.13.post2."""
    parts = VERSION.fullmatch(version)
    if not parts:
        raise ValueError(f"{version!r} is not a version")
    rank = {".dev": -4, "a": -3, "b": -2, "rc": -1, None: 0, ".post": 1}[parts["stage"]]
    return tuple(int(part) for part in parts["release"].split(".")), rank, int(parts["number"] or 0)


class Cache:
    """The folder of unpacked runtimes, one sub-folder a version."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def folder(self, version: str) -> Path:
        return self.root / version

    def has(self, version: str) -> bool:
        return all((self.folder(version) / path).is_file() for path in (LIBRARY, *HEADERS))

    def versions(self) -> list[str]:
        """Every complete version, oldest first."""
        if not self.root.is_dir():
            return []
        names = (entry.name for entry in self.root.iterdir() if VERSION.fullmatch(entry.name))
        return sorted((name for name in names if self.has(name)), key=natural_key)

    def add(self, version: str, wheel: Path) -> None:
        """Unpacks `wheel` beside the cached versions and moves it in with one rename."""
        with tempfile.TemporaryDirectory(dir=self.incoming()) as scratch:
            tree = Path(scratch) / "tree"
            unpack(wheel, tree)
            missing = [str(path) for path in (LIBRARY, *HEADERS) if not (tree / path).is_file()]
            if missing:
                raise FetchError(f"{wheel.name} holds no {', '.join(missing)}")
            target = self.folder(version)
            try:
                if target.is_dir() and not self.has(version):
                    shutil.rmtree(target)
                os.rename(tree, target)
            except OSError as error:
                # Another process may have been faster; then its copy is as good as this one.
                if not self.has(version):
                    raise FetchError(f"cannot move {version} into {target}: {error}") from error

    def incoming(self) -> Path:
        """Where half-done work lies: deeper than any search for `<cache>/*/tvm_ffi` looks."""
        folder = self.root / ".incoming"
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def checked_members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The members worth unpacking. One member that no wheel may hold, and all are refused."""
    members = archive.infolist()
    if len(members) > MAX_FILES:
        raise FetchError(f"it holds {len(members)} files, more than {MAX_FILES}")
    if sum(member.file_size for member in members) > MAX_BYTES:
        raise FetchError(f"it would unpack to more than {MAX_BYTES >> 20} MiB")
    seen: set[str] = set()
    for member in members:
        name = member.filename
        strange = any(part in ("", ".", "..") for part in name.rstrip("/").split("/"))
        if strange or "\\" in name or ":" in name:
            raise FetchError(f"the member {name!r} would land outside of its folder")
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise FetchError(f"the member {name!r} is neither a file nor a folder")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FetchError(f"the member {name!r} is compressed in a way that wheels are not")
        if name in seen:
            raise FetchError(f"the member {name!r} is there twice")
        seen.add(name)
    return [m for m in members if not m.is_dir() and m.filename.startswith(WANTED_FOLDERS)]


def unpack(wheel: Path, target: Path) -> None:
    """Unpacks the library and the headers of `wheel` into the new folder `target`.

    Refused, with FetchError and nothing outside of `target` touched: a broken archive, a member
    that would land elsewhere, links, and sizes that no honest wheel has. A member that is longer
    than the archive's table says is read no further than that, and then fails its checksum.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member in checked_members(archive):
                path = target.joinpath(*PurePosixPath(member.filename).parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source, open(path, "xb") as sink:
                    shutil.copyfileobj(source, sink, 1 << 20)
    except FetchError as error:
        raise FetchError(f"{wheel.name} is refused: {error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError) as error:
        raise FetchError(f"{wheel.name} cannot be unpacked: {error}") from error


def explain_failure(said: str, wanted: str) -> FetchError | Unreachable:
    """What pip's refusal to bring `wanted` means."""
    if "No module named pip" in said:
        return FetchError("this Python has no pip; on Debian: apt-get install python3-pip-whl")
    lines = [line[len("ERROR:") :].strip() for line in said.splitlines() if "ERROR:" in line[:6]]
    word = lines[0] if lines else "pip gave no reason"
    if word == "Exception:":  # one of its own: what it is stands below the traceback
        return FetchError(f"pip cannot fetch {wanted}: {said.rstrip().splitlines()[-1]}")
    # pip has one sentence for "no such version" and for "no answer from the index", but only after
    # an answer can it say which versions there are.
    known = re.search(r"\(from versions: (.*?)\)", word)
    if known and known.group(1) != "none":
        return FetchError(f"the package index has no wheel of {wanted} for this machine")
    if known or re.search(r"No matching distribution|OSError|HTTP error|[Cc]onnection|time", word):
        return Unreachable(f"the package index could not be reached (pip: {word})")
    return FetchError(f"pip cannot fetch {wanted}: {word}")


def pip_command(wheels: Path = Path("/usr/share/python-wheels")) -> list[str]:
    """What starts pip: this Python's own, or the wheel that Debian keeps for virtual environments,
    which runs without being installed."""
    kept = sorted(wheels.glob("pip-*.whl"))
    if importlib.util.find_spec("pip") is None and kept:
        return [sys.executable, str(kept[-1] / "pip")]
    return [sys.executable, "-m", "pip"]


class Pip:
    """The package index, as pip shows it. `command` starts pip; tests hand in one of their own."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)

    def ask(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Whatever pip answers. Unreachable: it takes too long. FetchError: there is no pip."""
        options = ["--disable-pip-version-check", "--no-input", "--retries", "1"]
        try:
            return subprocess.run(
                [*self.command, *arguments, *options],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=PIP_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise Unreachable(f"the package index gave no answer within {PIP_SECONDS} s") from error
        except OSError as error:
            raise FetchError(f"cannot start {self.command[0]}: {error}") from error

    def run(self, *arguments: str) -> str:
        """pip's standard output. Unreachable: the index does not answer. FetchError: it says no."""
        done = self.ask(*arguments)
        if done.returncode == 0:
            return done.stdout
        raise explain_failure(done.stderr + done.stdout, arguments[-1])

    def all_versions(self) -> list[str]:
        """Every release that installs on this machine, oldest first; none that was withdrawn."""
        answer = self.run("index", "versions", PROJECT)
        found = re.search(r"^Available versions: (.*)$", answer, re.MULTILINE)
        versions = [word.strip() for word in found.group(1).split(",")] if found else []
        if not versions or not all(VERSION.fullmatch(word) for word in versions):
            raise FetchError(
                f"pip's answer about the versions of {PROJECT} is not understood: {answer[:200]!r}"
            )
        return sorted(versions, key=natural_key)

    def newest(self) -> str:
        """The newest release that installs on this machine."""
        return self.all_versions()[-1]

    def download(self, version: str, folder: Path) -> Path:
        """The wheel of `version`, downloaded into `folder`."""
        options = ["--no-deps", "--only-binary=:all:", "--dest", str(folder)]
        self.run("download", *options, f"{PROJECT}=={version}")
        wheels = list(folder.glob("*.whl"))
        if len(wheels) != 1 or wheels[0].name.split("-")[1:2] != [version]:
            raise FetchError(f"pip brought {[w.name for w in wheels]} for {PROJECT} {version}")
        return wheels[0]


class Fetcher:
    """Brings versions into the cache. Once the index has not answered, it is not asked again."""

    def __init__(self, cache: Cache, pip: Pip | None) -> None:
        self.cache = cache
        self.pip = pip
        self.why_unreachable = "" if pip else "the package index was not used"

    def fetch(self, asked: str) -> Result:
        """One version, or `newest`: without an answer that is the newest in the cache."""
        try:
            if asked == NEWEST:
                return self.fetch_newest()
            return self.fetch_version(asked, asked)
        except Unreachable as error:
            return Result(asked, Outcome.UNREACHABLE, None, self.no_answer(error))
        except FetchError as error:
            return Result(asked, Outcome.FAILED, None, str(error))

    def fetch_newest(self) -> Result:
        try:
            version = self.ask().newest()
        except Unreachable as error:
            cached = self.cache.versions()
            if not cached:
                raise
            note = f"the newest in the cache; {self.no_answer(error)}"
            return Result(NEWEST, Outcome.CACHED, self.cache.folder(cached[-1]), note)
        return self.fetch_version(version, f"{NEWEST}={version}")

    def fetch_version(self, version: str, label: str) -> Result:
        if self.cache.has(version):
            return Result(label, Outcome.CACHED, self.cache.folder(version))
        pip = self.ask()
        with tempfile.TemporaryDirectory(dir=self.cache.incoming()) as scratch:
            self.cache.add(version, pip.download(version, Path(scratch)))
        return Result(label, Outcome.FETCHED, self.cache.folder(version))

    def ask(self) -> Pip:
        if self.pip is None:
            raise Unreachable(self.why_unreachable)
        return self.pip

    def no_answer(self, error: Unreachable) -> str:
        """Notes that the index need not be asked again, and says why."""
        self.pip, self.why_unreachable = None, str(error)
        return self.why_unreachable


def read_list(path: str) -> list[str]:
    """The versions named in a list file: one a line, `#` starts a comment."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise argparse.ArgumentTypeError(
            f"cannot read the list of versions {path}: {error}"
        ) from error
    return [version(word) for line in lines if (word := line.split("#")[0].strip())]


def version(word: str) -> str:
    """A version a user asked for. Nothing else becomes part of a path or of a command."""
    if word != NEWEST and not VERSION.fullmatch(word):
        raise argparse.ArgumentTypeError(
            f"{word!r} is neither a version, as in 0.1.9, nor {NEWEST!r}"
        )
    return word


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description="Fetch official TVM FFI runtimes (library and headers) into a cache folder.",
        epilog="Exit status: 0 every version is there, 1 one of them failed, 2 usage, "
        "3 the package index was not reachable and a version is missing.",
    )
    made.add_argument(
        "versions",
        nargs="*",
        type=version,
        metavar="VERSION",
        help=f"as in 0.1.9, or {NEWEST!r} (the default when no list is given either)",
    )
    made.add_argument(
        "--list",
        type=read_list,
        default=[],
        metavar="FILE",
        help="a file that names versions, one a line",
    )
    made.add_argument(
        "--cache",
        type=Path,
        default=Path(".cache/official"),
        metavar="DIR",
        help="default: %(default)s",
    )
    made.add_argument("--offline", action="store_true", help="use the cache only")
    made.add_argument(
        "--print-library",
        action="store_true",
        help="print only the paths of the libraries, one a line; the rest goes to standard error",
    )
    return made


def exit_status(results: Iterable[Result]) -> int:
    outcomes = {result.outcome for result in results}
    if Outcome.FAILED in outcomes:
        return 1
    return 3 if Outcome.UNREACHABLE in outcomes else 0


def main(arguments: Sequence[str] | None = None, pip: Pip | None = None) -> int:
    options = parser().parse_args(arguments)
    if pip is None:
        pip = Pip(pip_command())
    fetcher = Fetcher(Cache(options.cache), None if options.offline else pip)
    results = []
    for asked in dict.fromkeys(options.list + options.versions) or [NEWEST]:
        result = fetcher.fetch(asked)
        results.append(result)
        print(result.line(), file=sys.stderr if options.print_library else sys.stdout, flush=True)
        if options.print_library and result.folder:
            print(result.folder / LIBRARY, flush=True)
    return exit_status(results)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Modules loaded in many releases of the runtime: which load, which do not, and why.

Each loading has a process of its own and a time limit: nothing of a module runs in this one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import selectors
import signal
import struct
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from threading import Timer
from typing import Any, BinaryIO, Callable

from . import HarnessError
from .document import parse, schema
from .fetch_runtimes import LIBRARY, NEWEST, VERSION, FetchError, Unreachable
from .printable import printable
from .provide import Provider, candidate
from .tool import Tool, reason_of

FORMAT = "tvmffi-harness-load/1"
SCHEMA = "load.schema.json"
CHILD = Path(__file__).with_name("load_one.py")
BINDINGS = ("lazy", "now")
SECONDS = 10.0
KEPT = 16384  # bytes of what a loading prints: the last ones
UNPACKER = Path(__file__).with_name("unpack_one.py")
UNPACK_SECONDS = 600.0
HEAD, MOST_PART = struct.Struct("<cI"), 1 << 20  # of what it writes
MOST_FILES, MOST_BYTES = 20_000, 8 << 30  # of a wheel, unpacked
LONGEST = 500  # characters of a reason

LOADED, REFUSED, ABORTED, CRASHED, EXITED, HUNG, NOT_TRIED = (
    "loaded",
    "refused",
    "aborted",
    "crashed",
    "exited",
    "hung",
    "not tried",
)

VERBS = {
    LOADED: "loads",
    REFUSED: "refused",
    ABORTED: "aborts",
    CRASHED: "crashes",
    EXITED: "exits",
    HUNG: "hangs",
    NOT_TRIED: "not tried",
}
WORDS = {
    "glibc": "needs",
    "missing symbol": "missing symbol",
    "missing library": "missing library",
    "type attribute": "no type attribute",
    "type": "no type",
    "architecture": "not for this machine:",
}

# What the loader or the runtime says, by cause; the group is what it is about.
CAUSES = [
    ("glibc", re.compile(r"version [`']((?:GLIBC|GLIBCXX|CXXABI)_[^' ]+)' not found")),
    ("missing symbol", re.compile(r"undefined symbol: ([^\s,)]+)")),
    ("missing library", re.compile(r"(\S+): cannot open shared object file")),
    ("type attribute", re.compile(r"[Cc]annot find type attribute [`'\"]?([^\s`'\",)]+)")),
    ("type", re.compile(r"[Cc]annot find (?:object )?type [`'\"]?([^\s`'\",)]+)")),
    ("architecture", re.compile(r"(wrong ELF class|Exec format error|invalid ELF header)")),
]


@dataclass(frozen=True)
class Loading:
    """What came of loading a module once."""

    outcome: str
    cause: str | None = None
    names: tuple[str, ...] = ()
    text: str | None = None

    def reason(self) -> str:
        """In a few words: "missing symbol TVMFFIHandleInitOnce and 2 more"."""
        end = VERBS[self.outcome]
        if self.cause not in WORDS:
            return end
        more = f" and {len(self.names) - 1} more" if len(self.names) > 1 else ""
        about = f"{WORDS[self.cause]} {self.names[0]}{more}"
        return about if self.outcome == REFUSED else f"{end}: {about}"


@dataclass(frozen=True)
class Load:
    """A module in a release, bound lazily and eagerly."""

    module: str
    release: str
    lazy: Loading
    now: Loading

    def loads(self) -> bool:
        return self.lazy.outcome == self.now.outcome == LOADED

    def word(self) -> str:
        """What a table says of it."""
        if self.loads():
            return "loads"
        if self.lazy.outcome == LOADED:
            return f"loads lazily: {self.now.reason()}"
        return self.lazy.reason()


@dataclass(frozen=True)
class Release:
    """A runtime to load modules in, or why it could not be had."""

    name: str
    library: Path | None
    sha256: str | None = None
    trouble: str | None = None


@dataclass(frozen=True)
class Module:
    name: str  # unique among the modules
    path: str  # as people see it
    library: Path
    sha256: str
    floor: str | None = None
    lacking: dict[str, list[str]] = field(default_factory=dict)  # by release, as `inspect` knows
    root: str = ""  # the folder that its operand lies in, or was unpacked to


@dataclass
class Loads:
    """The whole table. `releases` and `modules` are in order, `loads` by module and release."""

    releases: list[dict[str, Any]]
    modules: list[dict[str, Any]]
    loads: dict[tuple[str, str], Load]
    machine: str = ""
    libc: str = ""
    seconds: float = SECONDS
    sandbox: str = "off"  # what each loading was confined by

    def get(self, module: str, release: str) -> Load | None:
        """None: the release could not be had."""
        return self.loads.get((module, release))


# --- One loading ---------------------------------------------------------------------------------


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return printable(lines[-1])[-LONGEST:] if lines else ""


def judged(outcome: str, said: str, printed: str) -> Loading:
    """The cause, from what the loader said and what was printed last."""
    text = printable(said)[:LONGEST] if said else last_line(printed)
    for cause, pattern in CAUSES:
        found = pattern.search(said) or pattern.search(printed)
        if found:
            return Loading(outcome, cause, (printable(found[1])[:LONGEST],), text or None)
    return Loading(outcome, "other", (), text or None)


def outcome_of(status: int, answer: bytes, printed: bytes) -> Loading:
    said = answer.decode("utf-8", "replace")
    told = printed.decode("utf-8", "replace")
    if said == "loaded":
        return Loading(LOADED)
    what, _, why = said.partition(" ")
    if what == "runtime":
        return Loading(NOT_TRIED, "other", (), f"the runtime: {printable(why)}"[:LONGEST])
    if what == "module":
        return judged(REFUSED, why, told)
    if status == -signal.SIGABRT:
        return judged(ABORTED, "", told)
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return judged(CRASHED, "", f"{told}\n{name}" if not told.strip() else told)
    # The loader itself ends a process like this where it cannot go on.
    return judged(EXITED, "", told)


def watch(child: subprocess.Popen[bytes], answer: int, deadline: float) -> tuple[bytes, bytes]:
    """What it answers and the end of what it prints, until it ends or the deadline comes."""
    kept = {answer: b"", child.stdout.fileno(): b""}
    with selectors.DefaultSelector() as selector:
        for descriptor in kept:
            os.set_blocking(descriptor, False)
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            ended = child.poll() is not None
            left = deadline - time.monotonic()
            if left <= 0:
                break
            ready = selector.select(0 if ended else min(left, 0.05))
            if ended and not ready:
                break
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                kept[key.fd] = (kept[key.fd] + data)[-KEPT:]
                if not data:
                    selector.unregister(key.fd)
    return kept[answer], kept[child.stdout.fileno()]


@dataclass(frozen=True)
class Confinement:
    """How a loading is confined: by this program, as it says."""

    tool: Tool
    mode: str  # auto or on
    told: str  # what is in force

    def words(self, descriptor: int, reads: Sequence[Path]) -> list[str]:
        """What a command is begun with, so that it can read these files and what they need."""
        command = [str(self.tool.path), "confine", "--quiet", f"--sandbox={self.mode}"]
        command += [f"--descriptor={descriptor}"]
        command += [f"--read={path}" for path in (sys.base_prefix, *reads)]
        return [*command, "--"]


def confinement(tool: Tool, mode: str) -> Confinement | None:
    """None: nothing is confined. HarnessError: `on` promises what cannot be kept here."""
    if mode == "off":
        return None
    tried = tool.ask("confine", f"--sandbox={mode}", "--", "true")
    if tried.returncode:
        raise HarnessError(reason_of(tried))
    told = tried.stderr.strip().rpartition("sandbox: ")[2]
    return Confinement(tool, mode, printable(told))


def end(child: subprocess.Popen[bytes]) -> None:
    """Ends it and what it started. What confines it has a folder to remove."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.terminate()
        child.wait(1)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def load_once(
    runtime: Path,
    module: Path,
    binding: str,
    seconds: float = SECONDS,
    confined: Confinement | None = None,
) -> Loading:
    """Loads a module in a process of its own, and ends that and what it started."""
    reader, writer = os.pipe()
    python = os.path.realpath(sys.executable)
    command = confined.words(writer, [CHILD, runtime, module]) if confined else []
    command += [python, "-I", "-S", str(CHILD), str(writer)]
    deadline = time.monotonic() + seconds
    try:
        child = subprocess.Popen(
            [*command, str(runtime), str(module), binding],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[writer],
            start_new_session=True,
        )
    except OSError as error:
        os.close(reader)
        os.close(writer)
        return Loading(NOT_TRIED, "other", (), f"cannot start a process: {error.strerror}")
    os.close(writer)
    try:
        answer, printed = watch(child, reader, deadline)
        try:
            status = child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            status = None
    finally:
        end(child)
        child.stdout.close()
        os.close(reader)
    if status is None:
        return Loading(HUNG, "other", (), f"it did not return within {seconds:g} s")
    return outcome_of(status, answer, printed)


def told_of(loading: Loading, module: Module, release: str) -> Loading:
    """Without the folder of the moment; and the loader names the first missing symbol, the tables
    know all of the C API."""
    if loading.text and module.root:
        loading = replace(loading, text=loading.text.replace(f"{module.root}/", ""))
    lacking = module.lacking.get(release, [])
    if loading.cause != "missing symbol" or loading.names[0] not in lacking:
        return loading
    rest = [name for name in lacking if name != loading.names[0]]
    return replace(loading, names=(*loading.names, *rest))


def load_both(
    release: Release, module: Module, seconds: float, confined: Confinement | None
) -> Load:
    if release.library is None:
        raise ValueError(f"{release.name} has no library")
    both = [
        load_once(release.library, module.library, binding, seconds, confined)
        for binding in BINDINGS
    ]
    return Load(module.name, release.name, *(told_of(one, module, release.name) for one in both))


def load_all(
    releases: Sequence[Release],
    modules: Sequence[Module],
    seconds: float,
    jobs: int,
    done: Callable[[Load], None],
    confined: Confinement | None = None,
) -> Loads:
    """Every module in every release that could be had. `done` is told of each."""
    table = Loads(
        [{"name": r.name, "sha256": r.sha256, "trouble": r.trouble} for r in releases],
        [{"name": m.name, "path": m.path, "sha256": m.sha256, "floor": m.floor} for m in modules],
        {},
        platform.machine(),
        " ".join(platform.libc_ver()),
        seconds,
        confined.told if confined else "off",
    )
    ready = [one for one in releases if one.library is not None]
    pool = ThreadPoolExecutor(jobs)
    try:
        waiting = [pool.submit(load_both, r, m, seconds, confined) for m in modules for r in ready]
        for future in as_completed(waiting):
            load = future.result()
            table.loads[load.module, load.release] = load
            done(load)
    finally:
        pool.shutdown(cancel_futures=True)
    return table


# --- Releases ------------------------------------------------------------------------------------


def releases_of(names: Sequence[str], provider: Provider) -> list[Release]:
    """The releases of these names, or all that there are, oldest first; fetched where needed."""
    return [release_of(name, provider) for name in names or all_names(provider)]


def all_names(provider: Provider) -> list[str]:
    """What the package index has; without it, what the cache has."""
    known = [name for name in provider.cache.versions() if not candidate(name)]
    if provider.pip is not None:
        try:
            known = provider.pip.all_versions()
        except (FetchError, Unreachable) as error:
            if not known:
                raise HarnessError(f"{error}; name releases of the cache with --release") from error
    if not known:
        raise HarnessError("the cache has no release (leave out --offline, or give --runtime)")
    return known


def release_of(name: str, provider: Provider) -> Release:
    if name != NEWEST and not VERSION.fullmatch(name):
        raise HarnessError(f"{name!r} is neither a version, as in 0.1.9, nor {NEWEST!r}")
    result = provider.fetcher.fetch(name)
    if result.folder is None:
        return Release(name, None, None, printable(result.note))
    library = (result.folder / LIBRARY).resolve()
    return Release(result.folder.name, library, digest(library))


# --- What to load --------------------------------------------------------------------------------


def digest(path: Path) -> str:
    whole = hashlib.sha256()
    with open(path, "rb") as source:
        for block in iter(lambda: source.read(1 << 20), b""):
            whole.update(block)
    return whole.hexdigest()


def runtime_of(path: Path) -> Release:
    """A library of one's own as a release, by its path."""
    if not path.is_file():
        raise HarnessError(f"{path}: no such file (give the path of a runtime)")
    return Release(str(path), path.resolve(), digest(path))


def read_exactly(stream: BinaryIO, size: int) -> bytes:
    """HarnessError: there is less."""
    found = stream.read(size)
    if len(found) != size:
        raise HarnessError("what reads it ended too early")
    return found


def take_files(stream: BinaryIO, folder: Path) -> None:
    """Makes the files that unpack_one.py tells of. HarnessError: one would land elsewhere, or it is
    too much; what is told is a stranger's."""
    files = size = 0
    with contextlib.ExitStack() as opened:
        sink: BinaryIO | None = None
        while True:
            kind, length = HEAD.unpack(read_exactly(stream, HEAD.size))
            size += length
            files += kind == b"F"
            if length > MOST_PART or files > MOST_FILES or size > MOST_BYTES:
                raise HarnessError("unpacks to more than this reads")
            part = read_exactly(stream, length)
            if kind == b"D" and sink:
                sink.write(part)
            elif kind == b"F":
                opened.close()
                name = part.decode(errors="replace")
                parts = PurePosixPath(name).parts
                if not parts or ".." in parts or name.startswith("/") or "\0" in name:
                    raise HarnessError(f"the member {name!r} is not sound")
                path = folder.joinpath(*parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                sink = opened.enter_context(open(path, "xb"))
            elif kind == b"Z":
                return
            else:
                raise HarnessError(f"cannot be unpacked: {part.decode(errors='replace')[:LONGEST]}")


def unpack(wheel: Path, folder: Path, confined: Confinement | None = None) -> None:
    """Unpacks a wheel, which a process of its own reads. HarnessError: it is not sound."""
    reader, writer = os.pipe()
    command = confined.words(writer, [UNPACKER, wheel]) if confined else []
    command += [os.path.realpath(sys.executable), "-I", "-S", str(UNPACKER), str(writer)]
    try:
        child = subprocess.Popen(
            [*command, str(wheel)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[writer],
            start_new_session=True,
        )
    except OSError as error:
        os.close(reader)
        raise HarnessError(f"{wheel}: cannot start a process: {error.strerror}") from error
    finally:
        os.close(writer)
    late = Timer(UNPACK_SECONDS, child.terminate)
    late.start()
    try:
        with os.fdopen(reader, "rb") as stream:
            take_files(stream, folder)
    except (HarnessError, OSError, ValueError) as error:
        raise HarnessError(f"{wheel}: {printable(str(error))}") from error
    finally:
        late.cancel()
        end(child)


def place_of(operand: Path, told: str, scratch: Path, number: int) -> Path:
    """Where the library lies that `inspect` told of."""
    start = f"{operand}!"
    if told.startswith(start):
        return scratch / str(number) / told[len(start) :]
    return Path(told)


def modules_of(
    operands: Iterable[Path], tool: Tool, scratch: Path, confined: Confinement | None = None
) -> list[Module]:
    """The modules that paths name: libraries, and those in wheels and folders that use the ABI."""
    found: list[Module] = []
    for number, operand in enumerate(operands):
        if not operand.exists():
            raise HarnessError(f"{operand}: no such file or folder")
        document = tool.inspect([operand])
        alone = operand.is_file() and not zipfile.is_zipfile(operand)
        for trouble in document["unreadable"]:
            raise HarnessError(f"{trouble['path']}: {trouble['message']}")
        wanted = [one for one in document["files"] if alone or is_module(one)]
        if not wanted:
            raise HarnessError(f"{operand}: no module in it (a library that uses the ABI)")
        if zipfile.is_zipfile(operand):
            unpack(operand, scratch / str(number), confined)
        for one in wanted:
            path = operand if alone else place_of(operand, one["path"], scratch, number)
            packed = scratch / str(number)
            root = packed if packed.is_dir() else operand if operand.is_dir() else path.parent
            module = module_from(one, path.resolve(), found)
            found.append(replace(module, root=str(root.resolve())))
    return found


def is_module(file: dict[str, Any]) -> bool:
    return file["kind"] == "shared library" and file["profile"] in ("module", "user of the API")


def module_from(file: dict[str, Any], library: Path, others: Sequence[Module]) -> Module:
    if file["kind"] != "shared library":
        raise HarnessError(f"{file['path']}: not a shared library ({file['kind']})")
    if not library.is_file():
        raise HarnessError(f"{file['path']}: cannot be found on disk as {library}")
    name = file["path"].split("!")[-1].rsplit("/", 1)[-1]
    if any(one.library == library for one in others):
        raise HarnessError(f"{file['path']}: given twice; name each module once")
    taken = {one.name for one in others}
    unique = name if name not in taken else file["path"]
    api = file["api"]
    return Module(
        unique, file["path"], library, file["sha256"], api["floor"], api["releases_lacking"]
    )


# --- The file ------------------------------------------------------------------------------------


def loading_document(loading: Loading) -> dict[str, Any]:
    return {
        "outcome": loading.outcome,
        "cause": loading.cause,
        "names": list(loading.names),
        "text": loading.text,
    }


def document_of(table: Loads) -> dict[str, Any]:
    """The table as JSON, in the order of modules and releases."""
    loads = [
        {
            "module": load.module,
            "release": load.release,
            "lazy": loading_document(load.lazy),
            "now": loading_document(load.now),
        }
        for module in table.modules
        for release in table.releases
        if (load := table.get(module["name"], release["name"]))
    ]
    return {
        "format": FORMAT,
        "machine": table.machine,
        "libc": table.libc,
        "seconds": table.seconds,
        "sandbox": table.sandbox,
        "releases": table.releases,
        "modules": table.modules,
        "loads": loads,
    }


def text_of(table: Loads) -> str:
    return json.dumps(document_of(table), indent=1) + "\n"


def loading_from(document: dict[str, Any]) -> Loading:
    return Loading(
        document["outcome"], document["cause"], tuple(document["names"]), document["text"]
    )


def loads_from(path: Path, document: dict[str, Any]) -> Loads:
    """A table from its JSON. HarnessError: it is not one."""
    schema(SCHEMA).refuse(path, document)
    loads = [
        Load(one["module"], one["release"], loading_from(one["lazy"]), loading_from(one["now"]))
        for one in document["loads"]
    ]
    return Loads(
        document["releases"],
        document["modules"],
        {(load.module, load.release): load for load in loads},
        document["machine"],
        document["libc"],
        document["seconds"],
        document.get("sandbox", "off"),
    )


def read_loads(path: Path) -> Loads:
    return loads_from(path, parse(path))


# --- The table for people ------------------------------------------------------------------------


def spans(table: Loads, only: int | None = None) -> list[tuple[str, list[str]]]:
    """Releases in a row in which all modules, or one, do the same, and what they do there."""
    rows: list[tuple[list[str], list[str]]] = []
    modules = table.modules if only is None else [table.modules[only]]
    for release in table.releases:
        words = [word_of(table, module["name"], release) for module in modules]
        if rows and rows[-1][1] == words:
            rows[-1][0].append(release["name"])
        else:
            rows.append(([release["name"]], words))
    return [(span_name(names), words) for names, words in rows]


def span_name(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def word_of(table: Loads, module: str, release: dict[str, Any]) -> str:
    if release["trouble"]:
        return f"not tried: {printable(release['trouble'])}"
    load = table.get(module, release["name"])
    return load.word() if load else "not tried: interrupted"


def reasons(table: Loads) -> list[tuple[str, str, str]]:
    """Of each failure the module, its word, and the line that was said; each once."""
    seen: dict[tuple[str, str], str] = {}
    for load in table.loads.values():
        failed = load.now if load.lazy.outcome == LOADED else load.lazy
        if failed.outcome != LOADED and failed.text:
            seen.setdefault((load.module, load.word()), failed.text)
    return [(module, word, text) for (module, word), text in seen.items()]

# SPDX-License-Identifier: Apache-2.0
"""Stands for the C program in tests: what a "library" says in words is what becomes of its run.

good VERSION · bad VERSION · vague VERSION · told REPORT · cut · garbage · crash · killed · silent ·
hang · unloadable · unjudged. Each run is noted in a log.
For `trace`: the command is run; a file `rules` says how many errors there were, or, in the place of
a number, that no call was seen.
For `inspect`: FLOOR [FINDING...] · wheel · unreadable · crash · hang · garbage · killer (of the
worker that asked).
"""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

from report_sample import (
    case,
    decided,
    finding,
    inspected_file,
    inspection,
    put,
    report,
    trace,
    vague,
)

JUDGED = ("good", "bad", "vague", "told", "unloadable", "unjudged")
PROGRAM = """#!{python}
import sys
sys.path[:0] = {path!r}
from fake_tool import main
main({log!r})
"""


def install(folder: Path) -> Path:
    """Writes the program and its worker into a folder, and says where the program is."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "tvmffi-conform"
    here = [str(Path(__file__).resolve().parent), *sys.path]
    text = PROGRAM.format(python=sys.executable, path=here, log=str(folder / "log"))
    program.write_text(text)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (folder / "tvmffi-conform-worker").write_text("worker")
    return program


def runs(program: Path) -> list[str]:
    """The names of the libraries that were judged, in order."""
    log = program.parent / "log"
    return log.read_text().split() if log.exists() else []


def answer(word: str, rest: list[str], arguments: list[str]) -> tuple[str, int]:
    """The report and the exit code for a library of one kind."""
    if word == "good":
        cases = [case(), case("any.options", clauses=["ANY-2"], title=" ".join(arguments) or "-")]
        return json.dumps(report(cases, version=rest[0])), 0
    if word == "told":
        return " ".join(rest), json.loads(" ".join(rest))["exit_code"]
    if word == "bad":
        return json.dumps(report([case(verdict="fail")], version=rest[0])), 1
    if word == "vague":
        return json.dumps(report(vague(), version=rest[0])), 5
    if word == "unjudged":
        return json.dumps(decided(report([]), "not_judged")), 3
    return {"cut": ('{"format": "tvmffi-', 0), "garbage": ("no JSON", 0)}[word]


def looked_at(path: str) -> tuple[list[dict], list[dict]]:
    """What `inspect` has found in one file, and what it could not read."""
    word, *rest = Path(path).read_text().split()
    if word in JUDGED:
        word, rest = "0.1.9", []
    if word == "crash":
        sys.exit(-11)
    if word == "hang":
        time.sleep(60)
    if word == "killer" and "TVMFFI_TEST_WORKER" in os.environ:
        os.kill(os.getppid(), signal.SIGKILL)
    if word == "garbage":
        print("no JSON")
        sys.exit(0)
    if word == "unreadable":
        return [], [{"path": path, "message": "is a text file"}]
    names = [f"{path}!a.so", f"{path}!b.so"] if word == "wheel" else [path]
    made = inspected_file()
    api = {**made["api"], "floor": None if word == "wheel" else word}
    empty = {"symbol": None, "detail": None, "reason": None, "clause": None}
    findings = [{"id": name, "level": "error", **empty} for name in rest]
    profile = "runtime" if Path(path).name.startswith("libtvm_ffi") else "module"
    kept = {"api": api, "findings": findings, "profile": profile}
    return [inspected_file(path=n, **kept) for n in names], []


def asked(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """The reports that `inspect` has to write, and the files."""
    reports, paths, left = {}, [], iter(words)
    for word in left:
        if word == "--report":
            kind, _, place = next(left).partition(":")
            reports[kind] = place
        elif word == "--policy":
            next(left)
        elif word not in ("-q", "--strict", "--"):
            paths.append(word)
    return reports, paths


def inspect(log: str, words: list[str]) -> None:
    reports, paths = asked(words)
    Path(log).with_name("inspected").write_bytes(os.fsencode("\n".join(words)))
    with open(log, "a", encoding="utf-8", errors="surrogateescape") as sink:
        sink.writelines(f"{Path(path).name}\n" for path in paths)
    found = [looked_at(path) for path in paths]
    files = [file for entry, _ in found for file in entry]
    unreadable = [bad for _, entry in found for bad in entry]
    made = inspection(files, unreadable=unreadable)
    made["totals"]["errors"] = sum(len(file["findings"]) for file in files)
    made["totals"]["unreadable"] = len(unreadable)
    if reports.get("json") == "-":
        print(json.dumps(made))
    elif reports:
        Path(reports["json"]).write_text(json.dumps(made))
        Path(reports["sarif"]).write_text('{"version": "2.1.0", "runs": []}')
    sys.exit(3 if unreadable else 1 if made["totals"]["errors"] else 0)


def traced(log: str, words: list[str]) -> None:
    """Runs the command, and writes the reports."""
    place = words.index("--")
    reports = dict(
        word.removeprefix("--report=").split(":", 1)
        for word in words[:place]
        if word.startswith("--report=")
    )
    Path(log).with_name("traced").write_text("\n".join(words))
    status = subprocess.run(words[place + 1 :], check=False).returncode
    rules = Path("rules").read_text() if Path("rules").exists() else "0"
    errors = int(rules) if rules.isdecimal() else 0
    lines = trace([finding()] * errors, exit_code=status, crossings=13 * rules.isdecimal())
    put(Path(reports["json"]), lines)
    Path(reports["sarif"]).write_text('{"version": "2.1.0", "runs": []}')
    Path(reports["text"]).write_text(f"{errors} errors\n")
    sys.exit(1 if errors else status)


def main(log: str) -> None:
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        version = Path(log).with_name("version")
        print(version.read_text() if version.exists() else "a program for tests")
        return
    if arguments[0] == "inspect":
        inspect(log, arguments[1:])
        return
    if arguments[0] == "trace":
        traced(log, arguments[1:])
    library = Path(arguments.pop())
    with open(log, "a", encoding="utf-8") as sink:
        sink.write(f"{library.name}\n")
    word, *rest = library.read_text().split()
    if word == "crash":
        print("boom", file=sys.stderr)
        sys.exit(-11)
    if word == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "silent":
        sys.exit(9)
    if word == "hang":
        time.sleep(60)
    if word == "unloadable":
        print("tvmffi-conform: it cannot be loaded: no such symbol\nLook there.", file=sys.stderr)
        sys.exit(3)
    place = arguments.index("--report")
    path = Path(arguments[place + 1].split(":", 1)[1])
    told = [*arguments[2:place], *arguments[place + 2 :]]
    Path(log).with_name("arguments").write_text(" ".join(told))
    text, status = answer(word, rest, told)
    path.write_text(text)
    sys.exit(status)

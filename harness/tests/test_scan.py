# SPDX-License-Identifier: Apache-2.0
"""Scans: what is found, what is not asked for twice, and what one bad file costs."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import IO

import pytest
from fake_tool import install, runs
from tvmffi_conform import HarnessError
from tvmffi_conform import scan as scanning
from tvmffi_conform.cli import app
from tvmffi_conform.scan import (
    BATCH_FILES,
    Input,
    Threads,
    Totals,
    batches,
    below,
    inputs,
    scan,
)
from tvmffi_conform.tool import Tool
from typer.testing import CliRunner, Result


class Hub:
    """A folder of "libraries", and a scan of it."""

    def __init__(self, root: Path) -> None:
        self.root, self.program = root, install(root / "bin")
        self.folder, self.output = root / "hub", root / "scan.jsonl"
        self.folder.mkdir()

    def put(self, name: str, words: str = "0.1.9") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words)
        return path

    def scan(self, *paths: Path, seconds: float = 30, jobs: int = 2) -> Totals:
        crew = Threads(Tool(self.program), jobs, seconds)
        return scan(paths or [self.folder], self.output, crew, lambda _: None)

    def lines(self) -> dict[str, dict]:
        found = map(json.loads, self.output.read_text().splitlines())
        return {os.path.basename(line["input"]): line for line in found}


@pytest.fixture
def hub(tmp_path: Path) -> Hub:
    return Hub(tmp_path)


def test_libraries_and_wheels_are_found_and_nothing_else(hub: Hub) -> None:
    wanted = ["a.so", "b.so.1", "c.so.1.2.3", "deep/er/d.whl", "e.cpython-311.so"]
    for name in [*wanted, "f.sol", "g.txt", "so", ".so", "h.so.bak", "i.whl.metadata"]:
        hub.put(name)
    (hub.folder / "link.so").symlink_to(hub.folder / "a.so")
    (hub.folder / "circle").symlink_to(hub.folder)
    found = [os.path.relpath(path, hub.folder) for path in below(str(hub.folder))]
    assert sorted(found) == sorted(wanted)


def test_each_input_has_a_line(hub: Hub) -> None:
    hub.put("a.so", "0.1.9 symbols.odd")
    hub.put("b.whl", "wheel")
    hub.put("c.so", "unreadable")
    totals = hub.scan()
    lines = hub.lines()
    assert lines["a.so"]["files"][0]["floor"] == "0.1.9"
    assert lines["a.so"]["files"][0]["findings"] == ["symbols.odd"]
    assert [f["path"][-5:] for f in lines["b.whl"]["files"]] == ["!a.so", "!b.so"]
    assert lines["c.so"]["unreadable"] == ["is a text file"]
    assert (totals.inputs, totals.troubles) == (3, 1)
    assert totals.floors == {"0.1.9": 1, "none": 2}
    assert totals.findings == {"symbols.odd": 1}


def test_what_is_the_same_is_not_inspected_again(hub: Hub) -> None:
    for number in range(5):
        hub.put(f"{number}.so")
    hub.scan()
    assert hub.scan().inputs == 5
    assert len(runs(hub.program)) == 5
    hub.put("2.so", "0.1.10")
    hub.put("5.so")
    totals = hub.scan()
    assert sorted(runs(hub.program)[5:]) == ["2.so", "5.so"]
    assert totals.floors == {"0.1.9": 5, "0.1.10": 1}


def test_a_line_cut_by_an_interruption_is_made_again(hub: Hub) -> None:
    for number in range(4):
        hub.put(f"{number}.so")
    hub.scan()
    text = hub.output.read_bytes()
    hub.output.write_bytes(text[:-30])
    assert hub.scan().inputs == 4
    assert len(runs(hub.program)) == 5
    assert sorted(hub.lines()) == ["0.so", "1.so", "2.so", "3.so"]
    hub.output.write_bytes(b"x" * 200_000)
    assert hub.scan().inputs == 4


@pytest.mark.parametrize("words", ["crash", "garbage", "hang"])
def test_one_bad_file_costs_itself_only(hub: Hub, words: str) -> None:
    for number in range(5):
        hub.put(f"{number}.so", words if number == 3 else "0.1.9")
    totals = hub.scan(seconds=2)
    assert (totals.inputs, totals.troubles) == (5, 1)
    lines = hub.lines()
    assert [name for name, line in lines.items() if line["unreadable"]] == ["3.so"]
    assert all(lines[f"{n}.so"]["files"] for n in (0, 1, 2, 4))


def test_odd_names_go_alone_and_come_back_as_they_are(hub: Hub) -> None:
    names = [b"a\xff.so", b"b\n.so", b"c\\x.so", b"-q.so", "d\u200b.so".encode(), b"e!f.so"]
    for name in names:
        Path(os.fsdecode(os.fsencode(hub.folder) + b"/" + name)).write_text("0.1.9")
    assert hub.scan().inputs == len(names)
    found = {os.fsencode(os.path.basename(json.loads(x)["input"])) for x in hub.output.open()}
    assert found == set(names)
    assert all(line["files"] for line in hub.lines().values())


def test_a_list_names_files(hub: Hub) -> None:
    hub.put("a.so")
    listing = hub.put("list.txt", "# of mine\n\na.so\nhub-is-not-here.so\n")
    entries = list(inputs(listing))
    assert [os.path.basename(entry.path) for entry in entries] == ["a.so", "hub-is-not-here.so"]
    assert [entry.size for entry in entries] == [5, -1]
    totals = hub.scan(listing)
    assert (totals.inputs, totals.troubles) == (2, 1)


def test_batches_are_bounded_by_number_and_by_weight() -> None:
    small = [Input(f"/{n}.so", 10, 0) for n in range(2 * BATCH_FILES + 1)]
    assert [len(group) for group in batches(small)] == [BATCH_FILES, BATCH_FILES, 1]
    large = [Input(f"/{n}.so", 40 << 20, 0) for n in range(3)]
    assert [len(group) for group in batches(large)] == [1, 1, 1]
    odd = [Input("/a.so", 1, 0), Input("/b\n.so", 1, 0), Input("/c.so", 1, 0)]
    assert [len(group) for group in batches(odd)] == [1, 1, 1]


def test_inputs_are_not_gathered_before_they_are_looked_at(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the list: what is ahead of the work is a few batches."""
    ahead = {"given": 0, "done": 0, "most": 0}

    def endless(_: Path):
        for number in range(100 * BATCH_FILES):
            ahead["given"] += 1
            ahead["most"] = max(ahead["most"], ahead["given"] - ahead["done"])
            yield Input(f"/{number}.so", 1, 1)

    def answered(group: list[Input], *_: object) -> list[dict]:
        return [scanning.line_of(entry, [], []) for entry in group]

    monkeypatch.setattr(scanning, "inputs", endless)
    monkeypatch.setattr(scanning, "inspect", answered)

    def done(count: int) -> None:
        ahead["done"] += count

    totals = scan([hub.folder], hub.output, Threads(Tool(hub.program), 2, 30), done)
    assert totals.inputs == 100 * BATCH_FILES
    assert ahead["most"] <= (2 * scanning.AHEAD + 1) * BATCH_FILES + 1


def command(hub: Hub, *paths: Path) -> Result:
    words = [*paths, "-o", hub.output, "--tool", hub.program]
    return CliRunner().invoke(app, ["scan", *map(str, words)])


def test_the_command(hub: Hub) -> None:
    hub.put("a.so", "0.1.9")
    hub.put("b.so", "0.1.10 symbols.odd")
    done = command(hub, hub.folder)
    assert done.exit_code == 0
    assert done.output.index("0.1.9") < done.output.index("0.1.10")
    assert "2 inputs, 2 ELF files in them" in done.output
    hub.put("c.so", "unreadable")
    done = command(hub, hub.folder)
    assert done.exit_code == 3
    assert f"{hub.folder}/c.so: " in done.stderr
    assert "1 unreadable" in done.stdout


def test_of_many_that_cannot_be_read_some_are_named(hub: Hub) -> None:
    for number in range(25):
        hub.put(f"{number:02}.so", "unreadable")
    said = command(hub, hub.folder).stderr.splitlines()
    assert len(said) == 21
    assert said[0].startswith(f"{hub.folder}/00.so: ")
    assert said[20] == f"... and more, in lines of {hub.output} with `unreadable`"


def test_a_scan_that_cannot_be_written_is_told_of(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.put("a.so")
    hub.output.mkdir(parents=True)
    assert "Is a directory" in str(command(hub, hub.folder).exception)
    if not Path("/dev/full").exists():
        return
    hub.output.rmdir()

    def opened(path: Path, mode: str, **words: str) -> IO:
        return open("/dev/full" if mode == "a" else path, mode, **words)

    monkeypatch.setattr(scanning, "open", opened, raising=False)
    assert f"{hub.output}: No space left on device" in str(command(hub, hub.folder).exception)


def test_a_path_that_is_none_and_a_file_that_is_no_scan(hub: Hub) -> None:
    assert "no such file" in str(command(hub, hub.root / "none").exception)
    hub.put("a.so")
    hub.output.write_text('{"input": 3}\n')
    said = str(command(hub, hub.folder).exception)
    assert said.startswith(f"{hub.output}:1: no line of a scan")


def test_how_files_are_confined_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def ask(_: Tool, *words: str, **__: float) -> subprocess.CompletedProcess[str]:
        asked.append(words)
        refused = "tvmffi-conform: --sandbox=on: cannot keep" if "--sandbox=on" in words else ""
        return subprocess.CompletedProcess(words, 2 if refused else 0, "{}", refused)

    monkeypatch.setattr(Tool, "ask", ask)
    tool = Tool(Path("tool"))
    tool.confine_inspect("off")
    tool.inspect([Path("a.so")])
    assert "--sandbox=off" in asked[-1]
    with pytest.raises(HarnessError, match="cannot keep"):
        tool.confine_inspect("on")

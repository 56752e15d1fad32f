# SPDX-License-Identifier: Apache-2.0
"""Scans on a Dask cluster: a real scheduler and real workers, which die when a test wants it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fake_tool import install
from tvmffi_conform import HarnessError, cluster
from tvmffi_conform import scan as scanning
from tvmffi_conform.cli import app
from tvmffi_conform.cluster import Cluster, inspect_there
from tvmffi_conform.scan import Threads, Totals, scan
from tvmffi_conform.tool import Tool
from typer.testing import CliRunner

distributed = pytest.importorskip("distributed")
HARNESS = Path(__file__).resolve().parents[1]
START_SECONDS = 60
BATCH, FILES = 6, 48
SETTINGS = {
    "TVMFFI_TEST_WORKER": "1",
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s",
}


def until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + START_SECONDS
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.02)


class Dask:
    """A scheduler and its workers, each a process of `dask` on the loopback."""

    def __init__(self, root: Path) -> None:
        self.root, self.exits, self.workers = root, ExitStack(), []
        self.file = root / "scheduler.json"
        self.scheduler = self.start("scheduler", "--port", "0", "--scheduler-file", str(self.file))
        try:
            until(self.is_written, "no scheduler")
            self.address = json.loads(self.file.read_text())["address"]
        except BaseException:
            self.exits.close()
            raise

    def is_written(self) -> bool:
        """The file is made empty, and filled then."""
        return self.file.exists() and self.file.read_text().rstrip().endswith("}")

    def start(self, *words: str, path: Path = HARNESS) -> subprocess.Popen:
        command = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1"]
        log = self.exits.enter_context((self.root / "log").open("ab"))
        process = subprocess.Popen(
            [*command, "--no-dashboard", "--dashboard-address", "127.0.0.1:0"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=self.root,
            env={**os.environ, **SETTINGS, "PYTHONPATH": str(path)},
            start_new_session=True,
        )
        self.exits.callback(self.end, process)
        return process

    def worker(self, path: Path = HARNESS) -> subprocess.Popen:
        options = ["--nthreads", "1", "--no-nanny", "--local-directory", str(self.root)]
        self.workers.append(self.start("worker", self.address, *options, path=path))
        return self.workers[-1]

    def wait_for(self, count: int) -> None:
        with distributed.Client(self.address, set_as_default=False) as client:
            until(lambda: len(client.nthreads()) == count, f"not {count} workers")

    @staticmethod
    def end(process: subprocess.Popen) -> None:
        process.kill()
        process.wait()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    (tmp_path / "dask").mkdir()
    running = Dask(tmp_path / "dask")
    with running.exits:
        yield running


class Hub:
    """A folder of "libraries", scanned here or by a cluster."""

    def __init__(self, root: Path) -> None:
        self.root, self.program, self.folder = root, install(root / "bin"), root / "hub"
        self.folder.mkdir()

    def put(self, count: int, words: str = "0.1.9", first: int = 0) -> None:
        for number in range(first, first + count):
            (self.folder / f"{number:04}.so").write_text(words)

    def cluster(self, dask: Dask, **options: object) -> Cluster:
        return Cluster(dask.address, Tool(self.program), 30, str(self.program), **options)

    def scan(
        self, crew: Cluster | Threads, output: str, done: Callable[[int], None] = lambda _: None
    ) -> Totals:
        return scan([self.folder], self.root / output, crew, done)

    def lines(self, output: str) -> list[str]:
        return sorted((self.root / output).read_text().splitlines())


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    monkeypatch.setattr(scanning, "BATCH_FILES", BATCH)
    return Hub(tmp_path)


def test_it_finds_the_same_as_a_scan_here_though_a_worker_dies(hub: Hub, dask: Dask) -> None:
    hub.put(FILES, "0.1.9 symbols.odd")
    hub.put(1, "unreadable", FILES)
    hub.put(1, "crash", FILES + 1)
    doomed = dask.worker()
    dask.worker()
    dask.wait_for(2)
    heard: list[int] = []

    def done(count: int) -> None:
        if not heard:
            # In mid-scan: one batch is there, and the program is at work for others.
            os.killpg(doomed.pid, signal.SIGKILL)
            doomed.wait()
        heard.append(count)

    totals = hub.scan(hub.cluster(dask), "there.jsonl", done)
    assert len(heard) > 5
    assert doomed.returncode == -signal.SIGKILL
    hub.scan(Threads(Tool(hub.program), 2, 30), "here.jsonl")
    assert hub.lines("there.jsonl") == hub.lines("here.jsonl")
    assert (totals.inputs, totals.troubles) == (FILES + 2, 2)


def test_a_file_that_workers_die_of_costs_itself_only(hub: Hub, dask: Dask) -> None:
    hub.put(2 * BATCH)
    (hub.folder / "0007.so").write_text("killer")
    for _ in range(3):
        dask.worker()
    dask.wait_for(3)
    totals = hub.scan(hub.cluster(dask), "scan.jsonl")
    bad = [line for line in map(json.loads, hub.lines("scan.jsonl")) if line["unreadable"]]
    assert [Path(line["input"]).name for line in bad] == ["0007.so"]
    assert bad[0]["unreadable"] == ["1 worker died while inspecting it"]
    assert (totals.inputs, totals.troubles) == (2 * BATCH, 1)
    assert sum(worker.poll() is not None for worker in dask.workers) == 2
    (hub.folder / "0007.so").write_text("0.1.9")
    assert hub.scan(hub.cluster(dask), "scan.jsonl").troubles == 0


def test_a_scheduler_that_dies_ends_the_scan_which_goes_on_later(hub: Hub, dask: Dask) -> None:
    hub.put(FILES)
    dask.worker()
    dask.wait_for(1)
    with pytest.raises(
        HarnessError, match=r"the scheduler is gone.*continues where this one ended"
    ):
        hub.scan(hub.cluster(dask), "scan.jsonl", lambda _: dask.end(dask.scheduler))
    kept = len(hub.lines("scan.jsonl"))
    assert BATCH <= kept < FILES
    assert hub.scan(Threads(Tool(hub.program), 2, 30), "scan.jsonl").inputs == FILES
    assert len(hub.lines("scan.jsonl")) == FILES


def test_workers_that_cannot_do_it(hub: Hub, dask: Dask, tmp_path: Path) -> None:
    hub.put(1)
    with pytest.raises(HarnessError, match=r"no worker for 0.5 s; start some with `dask w"):
        hub.scan(hub.cluster(dask, patience=0.5), "scan.jsonl")
    stranger = dask.worker(path=tmp_path)
    dask.wait_for(1)
    with pytest.raises(HarnessError, match=r"No module named 'tvmffi_conform'.*on all workers"):
        hub.scan(hub.cluster(dask), "scan.jsonl")
    dask.end(stranger)
    dask.worker()
    dask.wait_for(1)
    crew = hub.cluster(dask)
    (hub.program.parent / "version").write_text("another")
    with pytest.raises(HarnessError, match=r"on the worker .* is another, and where .* all machin"):
        hub.scan(crew, "scan.jsonl")
    (hub.program.parent / "version").unlink()
    assert hub.scan(hub.cluster(dask), "scan.jsonl").inputs == 1


def test_a_worker_that_sees_other_files(hub: Hub) -> None:
    with pytest.raises(HarnessError, match=r"no folder /nowhere .all workers must see"):
        inspect_there([["/nowhere/a.so", 3, 3]], str(hub.program), "", 30)


def test_where_no_scheduler_is(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.3)
    hub.put(1)

    def said(address: str) -> str:
        words = [hub.folder, "-o", hub.root / "o", "--tool", hub.program, "--scheduler", address]
        return str(CliRunner().invoke(app, ["scan", *map(str, words)]).exception)

    assert said("tcp://127.0.0.1:9").startswith("tcp://127.0.0.1:9: no Dask scheduler answers")
    for wrong in ("nonsense", "ftp://x", "tcp://127.0.0.1", "tcp://127.0.0.1:99999"):
        assert said(wrong).startswith(f"--scheduler {wrong}: is not an address")


def test_without_dask(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(HarnessError, match=r"pip install 'tvmffi-conform\[cluster\]'"):
        Cluster("tcp://127.0.0.1:9", Tool(hub.program), 30)

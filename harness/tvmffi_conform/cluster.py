# SPDX-License-Identifier: Apache-2.0
"""The workers of a Dask cluster inspect the batches of a scan.

They run this package and the same version of the program, and see the files at the same paths.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import astuple, replace
from functools import cache
from importlib import import_module
from types import ModuleType

from . import HarnessError
from .scan import Input, Remainder, inspect, line_of
from .summary import plural
from .tool import NAME, Tool, find_tool

CONNECT_SECONDS, PATIENCE_SECONDS = 10, 60
ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?[^\s/]+:[0-9]{1,5}")
# How often the scheduler is asked how many workers there are.
ASK_SECONDS = 2
GOES_ON = "the same command continues where this one ended"
GONE = (OSError, asyncio.TimeoutError, CancelledError)


def dask() -> ModuleType:
    """Dask's side of the network, loaded when it is wanted: that takes its time."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise HarnessError(
            f"a scan on a cluster needs Dask ({error}); install it with the extra `cluster`, as "
            "in: pip install 'tvmffi-conform[cluster]'"
        ) from error


@cache
def program(explicit: str | None, version: str) -> Tool:
    """The program on this machine. HarnessError: it is not there, or not the one that is due."""
    try:
        tool = find_tool(explicit)
        seen = tool.version()
    except HarnessError as error:
        raise HarnessError(f"on the worker {socket.gethostname()}: {error}") from error
    if seen != version:
        raise HarnessError(
            f"on the worker {socket.gethostname()}: {tool.path} is {seen}, and where the scan was "
            f"started it is {version}; install one version of {NAME} on all machines"
        )
    return tool


def inspect_there(
    group: list[list], explicit: str | None, version: str, seconds: float, sandbox: str = "auto"
) -> list:
    """What a worker does: `inspect`, with the program and the files that it has itself."""
    entries = [Input(*fields) for fields in group]
    for folder in {os.path.dirname(entry.path) for entry in entries if entry.size >= 0}:
        if not os.path.isdir(folder):
            raise HarnessError(
                f"on the worker {socket.gethostname()}: no folder {folder} "
                "(all workers must see the files at the same paths)"
            )
    tool = program(explicit, version)
    tool.confine_inspect(sandbox)
    return inspect(entries, tool, seconds)


# Only what every worker knows crosses the network: one that cannot unpickle what it is sent dies of
# it, and this one can say that the package is not there.
CALL = "__import__('tvmffi_conform.cluster').cluster.inspect_there(*arguments)"


class Cluster:
    """A crew of workers. One that dies has its batches done by others.

    `most` bounds the batches that are worked on at a time, `patience` the seconds without any
    worker. HarnessError: Dask is not installed, or no scheduler answers at the address, or it is
    none (a client that is told one that it cannot read ends with a traceback, half a minute later).
    """

    def __init__(
        self,
        address: str,
        tool: Tool,
        seconds: float,
        explicit: str | None = None,
        most: int | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        if not ADDRESS.fullmatch(address) or int(address.rpartition(":")[2]) > 65535:
            raise HarnessError(
                f"--scheduler {address}: is not an address (expected tcp://HOST:PORT)"
            )
        self.dask = dask()
        self.address, self.most, self.patience = address, most, patience
        self.task = (explicit, tool.version(), seconds, tool.sandbox)
        self.threads, self.asked, self.seen = 0, float("-inf"), time.monotonic()

    def __enter__(self) -> Cluster:
        try:
            self.client = self.dask.Client(
                self.address, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (*GONE, ValueError) as error:
            raise HarnessError(
                f"{self.address}: no Dask scheduler answers there ({error}); `dask scheduler` "
                "starts one and says its address"
            ) from error
        self.pool = self.client.get_executor(pure=False)
        self.seen = time.monotonic()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.pool.shutdown(wait=False)
        self.client.close(timeout=CONNECT_SECONDS)

    def gone(self, error: BaseException) -> HarnessError:
        why = f" ({error})" if str(error) else ""
        return HarnessError(f"{self.address}: the scheduler is gone{why}; {GOES_ON}")

    def width(self) -> int:
        """The threads of all workers, asked for now and then; 1 while there are none."""
        now = time.monotonic()
        if now - self.asked >= ASK_SECONDS:
            try:
                self.threads = sum(self.client.nthreads().values())
            except GONE as error:
                raise self.gone(error) from error
            self.asked = time.monotonic()
        if self.threads:
            self.seen = now
        elif now - self.seen > self.patience:
            raise HarnessError(
                f"{self.address}: no worker for {self.patience:g} s; start some with `dask worker "
                f"{self.address}`; {GOES_ON}"
            )
        return max(1, min(self.threads, self.most or self.threads))

    def submit(self, group: list[Input]) -> Future[list[dict]]:
        fields = [list(astuple(entry)) for entry in group]
        return self.pool.submit(eval, CALL, {"arguments": [fields, *self.task]})

    def ended(self, running: Iterable[Future[list[dict]]]) -> set[Future[list[dict]]]:
        while True:
            done = wait(running, timeout=ASK_SECONDS, return_when=FIRST_COMPLETED).done
            if done:
                return done
            self.width()

    def after(self, group: list[Input], error: BaseException) -> Remainder:
        """A batch that several workers died of is tried file by file; a file is given up.

        The next scan tries it again: its line has no size by which it could be the same still.
        """
        if isinstance(error, HarnessError):
            raise error
        if isinstance(error, GONE):
            raise self.gone(error) from error
        if not isinstance(error, self.dask.KilledWorker):
            raise HarnessError(
                f"{self.address}: a worker cannot do its work: {type(error).__name__}: {error}; "
                f"install this version of tvmffi-conform on all workers; {GOES_ON}"
            ) from error
        if len(group) > 1:
            return Remainder(groups=[[entry] for entry in group])
        what = f"{plural(error.allowed_failures + 1, 'worker')} died while inspecting it"
        return Remainder([line_of(replace(group[0], size=-1, changed=-1), [], [what])])

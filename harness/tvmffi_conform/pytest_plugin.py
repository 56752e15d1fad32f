# SPDX-License-Identifier: Apache-2.0
"""`pytest --tvmffi-conform kernel.so`: each case of the battery is a test, beside the others.

A library is judged once, when tests are collected; the tests tell what came of each case:

    pass                          passes
    fail, or no verdict           fails, if it counts: a MUST, or what --tvmffi-conform-gate says
    fail of what does not count   is skipped, with a warning
    not applicable                is skipped, with the reason
    waived                        xfail, with the waiver's reason; a pass then fails

and a test `verdict` fails where no case does, and the library still does not conform: too little of
it could be judged, for example.

Installed with an entry point of the group `pytest11` it is there in every run of pytest, so what it
needs is loaded when the option is given. From a checkout: `-p tvmffi_conform.pytest_plugin`.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from . import HarnessError
from .printable import printable

if TYPE_CHECKING:
    from .document import Case, Report

# Options that go to the program as they are, with what their help says.
PATHS = {
    "runtime": "the runtime that modules are loaded into",
    "signatures": "how the functions of a module are called (JSON)",
    "same-as": "another build of a module, such as that of the release before",
    "waivers": "known deviations and their reasons (JSON), or official",
}
WORDS = {
    "gate": ("LEVEL|FILE", "what counts: must, should, hardening, or a file"),
    "scope": ("SCOPE[,SCOPE]", "judge a runtime by core, frontend or headers"),
    "min-judged": ("PERCENT", "inconclusive below this share of the MUST clauses; 0: never"),
}
PATTERNS = {
    "filter": "only these cases: a glob over case ids or clauses (repeatable)",
    "exclude": "not these cases (repeatable)",
}
OPTION = "--tvmffi-conform"
TRACE = "--tvmffi-trace"
WRITTEN = pytest.StashKey[str]()  # the signature file that is written for a run
MARKERS = {
    "tvmffi_must": "a case of the TVM FFI ABI that a library must pass",
    "tvmffi_should": "a case of the TVM FFI ABI that a library should pass",
    "tvmffi_hardening": "a case of the TVM FFI ABI about hostile, extreme or racing use",
}


class ConformWarning(UserWarning):
    """A library does not do what it should."""


class Deviation(Exception):
    """A case did not pass; the text has the expected and the actual value."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tvmffi-conform", "conformance to the TVM FFI ABI")
    group.addoption(
        OPTION, action="append", default=[], metavar="FILE.so", help="judge this (repeatable)"
    )
    for name, told in PATHS.items():
        group.addoption(f"{OPTION}-{name}", metavar="FILE", help=told)
    for name, (value, told) in WORDS.items():
        group.addoption(f"{OPTION}-{name}", metavar=value, help=told)
    for name, told in PATTERNS.items():
        group.addoption(f"{OPTION}-{name}", action="append", default=[], metavar="GLOB", help=told)
    group.addoption(
        f"{OPTION}-strict", action="store_true", help=f"the same as {OPTION}-gate=should"
    )
    group.addoption(
        f"{OPTION}-timeout", type=float, default=600, metavar="SECONDS", help="of one library"
    )
    group.addoption(
        f"{OPTION}-kernels",
        metavar="FILE.py",
        help="functions marked with @kernel: signatures and results of the module's functions",
    )
    group.addoption(f"{OPTION}-tool", metavar="FILE", help="the C program tvmffi-conform")
    group.addoption(
        TRACE, action="store_true", help="fail tests in which calls break a rule of the ABI"
    )
    group.addoption(
        f"{TRACE}-waivers", metavar="FILE", help="findings that are known, and fail no test"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    from .traced import VARIABLE

    if config.getoption(TRACE) and VARIABLE not in os.environ:
        from .tool import find_tool
        from .traced import start_again

        tool = find_tool(config.getoption(f"{OPTION}-tool"))
        waivers = config.getoption(f"{TRACE}-waivers")
        options = ["--waivers", str(config.invocation_params.dir / waivers)] if waivers else []
        start_again(tool.path, options, config.invocation_params.args)


def pytest_configure(config: pytest.Config) -> None:
    for name, told in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {told}")
    if config.getoption(TRACE):
        from .traced import VARIABLE, Tracing

        if VARIABLE in os.environ:
            config.pluginmanager.register(Tracing(), "tvmffi-trace")


def libraries(config: pytest.Config) -> dict[Path, None]:
    """The libraries to judge, in the order of the command line."""
    folder = config.invocation_params.dir
    return dict.fromkeys((folder / name).resolve() for name in config.getoption(OPTION))


def arguments(config: pytest.Config) -> list[str]:
    """What the program is told beside the library."""
    folder = config.invocation_params.dir
    told = ["--strict"] if config.getoption(f"{OPTION}-strict") else []
    for name in WORDS:
        value = config.getoption(f"{OPTION}-{name}")
        if value is not None:
            is_file = name == "gate" and (folder / value).is_file()
            told += [f"--{name}", str(folder / value) if is_file else value]
    for name in PATHS:
        path = config.getoption(f"{OPTION}-{name}")
        if path:
            official = name == "waivers" and path == "official"
            told += [f"--{name}", path if official else str(folder / path)]
    for name in PATTERNS:
        for pattern in config.getoption(f"{OPTION}-{name}"):
            told += [f"--{name}", pattern]
    described = described_kernels(config)
    return [*told, "--signatures", described] if described else told


def described_kernels(config: pytest.Config) -> str | None:
    """The signature file that is written for the functions marked with @kernel; once a run."""
    source = config.getoption(f"{OPTION}-kernels")
    if not source:
        return None
    if config.getoption(f"{OPTION}-signatures"):
        raise HarnessError(f"{OPTION}-kernels takes the place of {OPTION}-signatures: give one")
    if WRITTEN not in config.stash:
        from .kernels import write_described

        folder = tempfile.TemporaryDirectory(prefix="tvmffi-kernels-")
        config.add_cleanup(folder.cleanup)
        path = config.invocation_params.dir / source
        config.stash[WRITTEN] = str(write_described(path, Path(folder.name)))
    return config.stash[WRITTEN]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Library | None:
    if file_path.resolve() in libraries(parent.config):
        return Library.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Adds the libraries that do not lie where tests are looked for."""
    own = (CaseTest, WaiverTest, VerdictTest)
    known = {item.path.resolve() for item in items if isinstance(item, own)}
    for path in libraries(session.config):
        if path not in known:
            items += session.genitems(Library.from_parent(session, path=path))


class Library(pytest.File):
    """One library, judged when its cases are asked for."""

    def collect(self) -> Iterator[pytest.Item]:
        from .tool import find_tool

        option = self.config.getoption
        try:
            if not self.path.is_file():
                raise HarnessError(f"{self.path}: no such file")
            tool = find_tool(option(f"{OPTION}-tool"))
            answer = tool.judge(self.path, arguments(self.config), option(f"{OPTION}-timeout"))
            if answer.report is None:
                raise HarnessError(f"{self.path}: {answer.trouble}")
        except HarnessError as error:
            lines = map(printable, str(error).splitlines())
            raise self.CollectError("\n".join(lines)) from error
        return self.tests(answer.report)

    def tests(self, report: Report) -> Iterator[pytest.Item]:
        clauses = {clause["id"]: clause for clause in report.raw["clauses"]}
        for case in report.cases:
            yield CaseTest.from_parent(self, name=case.id, case=case, report=report, texts=clauses)
        for waiver in report.raw["unmatched_waivers"]:
            yield WaiverTest.from_parent(self, name=f"waiver[{printable(waiver)}]")
        if not (report.good or report.red):
            yield VerdictTest.from_parent(self, name="verdict", report=report)


class CaseTest(pytest.Item):
    """One case, and what came of it."""

    def __init__(self, case: Case, report: Report, texts: dict[str, dict], **kept: object) -> None:
        super().__init__(**kept)
        self.case, self.texts = case, texts
        self.counts = report.counts(case)
        self.add_marker(f"tvmffi_{case.level.lower()}")
        self.extra_keyword_matches.update((case.chapter, *case.clauses))
        self.user_properties += [("clauses", " ".join(case.clauses)), ("level", case.level)]
        if case.verdict in ("xfail", "xpass"):
            reason = printable(case.raw["waiver"]["reason"])
            self.add_marker(pytest.mark.xfail(reason=reason, raises=Deviation, strict=True))

    def runtest(self) -> None:
        verdict = self.case.verdict
        if verdict == "skip":
            pytest.skip(printable(self.case.reason))
        if verdict in ("pass", "xpass"):
            return
        if verdict != "xfail" and not self.counts:
            what = f"warning: {next(iter(self.seen()))}"
            warnings.warn_explicit(what, ConformWarning, str(self.path), 1)
            pytest.skip(what)
        raise Deviation("\n".join([*self.asked(), *self.seen(), self.again()]))

    def asked(self) -> Iterator[str]:
        """The clauses that the case is for, as the spec has them."""
        for name in self.case.clauses:
            clause = self.texts[name]
            yield f"{clause['level']} {name}: {clause['title']}."

    def seen(self) -> Iterable[str]:
        """Expected and actual, or why there is no verdict."""
        if self.case.reason:
            yield printable(self.case.reason)
        for evidence in self.case.raw["evidence"]:
            what = f"{printable(evidence['what'])}: " if evidence["what"] else ""
            expected, seen = printable(evidence["expected"]), printable(evidence["seen"])
            yield f"{what}expected {expected}, actual {seen}"
        if not self.case.reason and not self.case.raw["evidence"]:
            yield f"the verdict is {self.case.verdict}"

    def again(self) -> str:
        options = [f"{OPTION}-{name}" for name in ("runtime", "signatures", "same-as")]
        told = [
            f"{option.replace(OPTION + '-', '--')}={self.config.getoption(option)} "
            for option in options
            if self.config.getoption(option)
        ]
        return f"reproduce: tvmffi-conform repro {''.join(told)}{self.case.id} {self.path}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: str | None = None) -> object:
        if isinstance(excinfo.value, Deviation):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"case {self.case.id}"


class WaiverTest(pytest.Item):
    """A waiver that meets no case: it fails, as it does in the program."""

    def runtest(self) -> None:
        raise Deviation(f"{self.name} meets no case that was run; take it out of the waivers")

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: str | None = None) -> object:
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


class VerdictTest(pytest.Item):
    """Of a library that no test of a case is red for, and that does not conform all the same."""

    def __init__(self, report: Report, **kept: object) -> None:
        super().__init__(**kept)
        self.report = report

    def runtest(self) -> None:
        from .summary import verdict_of

        words, _, remark = verdict_of(self.report)
        raise Deviation(printable(f"{words}: {remark}"))

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: str | None = None) -> object:
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, "verdict"

# SPDX-License-Identifier: Apache-2.0
"""Sources brought to this machine, cells made of them, and the whole command."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from fake_tool import install, runs
from rich.console import Console
from tvmffi_conform import HarnessError, cli, terminal
from tvmffi_conform.cli import app
from tvmffi_conform.fetch_runtimes import HEADERS, LIBRARY
from tvmffi_conform.gather import collect
from tvmffi_conform.matrix import Gathered, cells_of, file_name
from tvmffi_conform.plan import Source
from tvmffi_conform.provide import Provided, Provider, fits
from typer.testing import CliRunner, Result


@pytest.mark.parametrize(
    ("version", "bounds", "expected"),
    [
        ("0.1.9", ">=0.1.9,<0.2", True),
        ("0.1.10", ">=0.1.9", True),
        ("0.1.8.post2", ">=0.1.9", False),
        ("0.1.13.post2", ">0.1.13", True),
        ("0.1.9", "!=0.1.9", False),
        ("0.1.9", "<=0.1.9, >0.1", True),
        ("0.1.9", "==0.1.9", True),
    ],
)
def test_versions_within_bounds(version: str, bounds: str, expected: bool) -> None:
    assert fits(version, bounds) is expected


def test_a_bound_that_is_none() -> None:
    with pytest.raises(HarnessError, match="is not a version bound"):
        fits("0.1.9", "~=0.1")


def release(cache: Path, version: str, words: str) -> None:
    for name in (LIBRARY, *HEADERS):
        path = cache / "releases" / version / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words)


def test_offline_the_cache_is_asked(tmp_path: Path) -> None:
    for version in ("0.1.7", "0.1.8", "0.1.9", "0.1.10rc0", "0.1.10"):
        release(tmp_path, version, f"good {version}")
    provider = Provider(tmp_path / "releases", offline=True)
    source = Source("official", requirement="apache-tvm-ffi>=0.1.9")
    labels = [made.label for made in provider.provide(source, tmp_path)]
    assert labels == ["official 0.1.9", "official 0.1.10"]
    more = Source("official", requirement="apache-tvm-ffi>=0.1.9", withdrawn=("0.1.8", "0.1.9"))
    labels = [made.label for made in provider.provide(more, tmp_path)]
    assert labels == ["official 0.1.8", "official 0.1.9", "official 0.1.10"]
    strange = Source("official", requirement="apache-tvm-ffi>=0.1.9", withdrawn=("../0.1.8",))
    with pytest.raises(HarnessError, match=r"'\.\./0\.1\.8' in `withdrawn` is not a version"):
        provider.provide(strange, tmp_path)
    one = Source("official", requirement="apache-tvm-ffi==0.1.7")
    assert [made.label for made in provider.provide(one, tmp_path)] == ["official"]
    with pytest.raises(HarnessError, match=r"the cache \(--offline\) has no release with >0.2"):
        provider.provide(Source("official", requirement="apache-tvm-ffi>0.2"), tmp_path)
    with pytest.raises(HarnessError, match="is not a requirement of apache-tvm-ffi"):
        provider.provide(Source("other", requirement="numpy>1"), tmp_path)


def test_a_build_comes_first(tmp_path: Path) -> None:
    provider = Provider(tmp_path / "releases", offline=True)
    source = Source("ours", path=tmp_path / "a.so", build="echo good 0.1.9 > a.so")
    assert provider.provide(source, tmp_path)[0].library == (tmp_path / "a.so").resolve()
    failing = Source("ours", path=tmp_path / "b.so", build="echo the reason >&2; exit 3")
    with pytest.raises(HarnessError, match=r"(?s)ended with 3.*the reason"):
        provider.provide(failing, tmp_path)
    with pytest.raises(HarnessError, match="no such file:"):
        provider.provide(Source("ours", path=tmp_path / "c.so"), tmp_path)


def provided(name: str) -> Provided:
    return Provided(name, Path(f"/{name}.so"), Source(name, path=Path(f"/{name}.so")))


def test_every_module_in_every_runtime() -> None:
    cells = cells_of(Gathered([provided("a"), provided("b")], [provided("m")]))
    assert [cell.label for cell in cells] == ["a", "b", "m in a", "m in b"]
    assert [cell.runtime for cell in cells[2:]] == [Path("/a.so"), Path("/b.so")]
    assert [cell.label for cell in cells_of(Gathered([], [provided("m")]))] == ["m"]
    told = cells_of(Gathered([provided("a")], [provided("m")]), ("--sandbox=on",))
    assert all(cell.options == ("--sandbox=on",) for cell in told)


def test_file_names_are_safe_and_of_their_own() -> None:
    taken: set[str] = set()
    labels = ["a b", "a/b", "../../x", "<script>", "..."]
    names = [file_name(label, taken) for label in labels]
    assert names == ["a-b.json", "a-b-2.json", "x.json", "script.json", "report.json"]


class Matrix:
    """A folder with a plan, run by the command itself."""

    def __init__(self, root: Path) -> None:
        self.root, self.program = root, install(root / "bin")
        self.plan = root / "matrix.toml"

    def source(self, kind: str, name: str, words: str | None) -> None:
        if words is not None:
            (self.root / f"{name}.so").write_text(words)
        with self.plan.open("a") as sink:
            sink.write(f'[[{kind}]]\nname = "{name}"\npath = "{name}.so"\n')

    def run(self) -> Result:
        options = ["-o", self.root / "out", "--tool", self.program, "--cache", self.root / "cache"]
        return CliRunner().invoke(app, ["matrix", str(self.plan), *map(str, options), "--offline"])


@pytest.fixture
def matrix(tmp_path: Path) -> Matrix:
    return Matrix(tmp_path)


def test_a_matrix_is_judged_and_written(matrix: Matrix) -> None:
    matrix.source("runtime", "ours", "good 0.1.9")
    matrix.source("runtime", "theirs", "good 0.1.7")
    matrix.source("module", "kernels", "good 0.1.9")
    assert matrix.run().exit_code == 0
    found = collect([matrix.root / "out"])
    assert list(found.reports) == ["ours", "theirs", "kernels in ours", "kernels in theirs"]
    assert not found.missing
    assert matrix.run().exit_code == 0
    assert len(runs(matrix.program)) == 4


def test_a_folder_that_cannot_be_is_refused_before_anything_runs(matrix: Matrix) -> None:
    matrix.source("runtime", "ours", "good 0.1.9")
    (matrix.root / "out").write_text("")
    assert isinstance(matrix.run().exception, FileExistsError)
    assert not runs(matrix.program)


def test_on_a_narrow_terminal_figures_stay_whole(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow = Console(width=40, file=io.StringIO())
    for module in (cli, terminal):
        monkeypatch.setattr(module, "out", narrow)
    matrix.source("runtime", "an-implementation-with-a-long-name", "good 0.1.15")
    assert matrix.run().exit_code == 0
    said = [line.rstrip() for line in narrow.file.getvalue().splitlines()]
    assert said[:2] == ["an-implementation-with-a-long-name:", "conforms"]
    assert said[2:4] == [
        "  0.1.15, core 2 of 2 MUST",
        "  judged 2 of 2 applicable MUST clauses",
    ]


def test_one_that_does_not_conform(matrix: Matrix) -> None:
    matrix.source("runtime", "ours", "bad 0.1.9")
    done = matrix.run()
    assert done.exit_code == 1
    assert "not conformant, 1 cases failed" in done.output


def test_one_of_which_too_little_could_be_judged(matrix: Matrix) -> None:
    matrix.source("runtime", "ours", "good 0.1.9")
    matrix.source("runtime", "theirs", "vague 0.1.9")
    done = matrix.run()
    assert done.exit_code == 5
    assert "theirs: inconclusive, 1 of 3 applicable MUST clauses could be judged" in done.output
    matrix.source("runtime", "worse", "bad 0.1.9")
    assert matrix.run().exit_code == 1
    matrix.source("runtime", "broken", "unjudged")
    done = matrix.run()
    assert done.exit_code == 3
    assert "broken: not judged, its constructor crashed" in done.output
    assert collect([matrix.root / "out"]).missing == {}


def test_what_has_no_result_is_told_and_the_rest_is_judged(matrix: Matrix) -> None:
    matrix.source("runtime", "ours", "good 0.1.9")
    matrix.source("runtime", "gone", None)
    matrix.source("runtime", "broken", "unloadable")
    assert matrix.run().exit_code == 3
    found = collect([matrix.root / "out"])
    assert list(found.reports) == ["ours"]
    assert found.missing["gone"].startswith(f"{matrix.plan}: runtime[1]: gone: no such file: ")
    assert "fix the path" in found.missing["gone"]
    assert "cannot be loaded" in found.missing["broken"]


def test_a_release_that_cannot_be_installed(matrix: Matrix) -> None:
    matrix.source("runtime", "ours", "good 0.1.9")
    with matrix.plan.open("a") as sink:
        for name, bounds in (("one", "==9.9.9"), ("many", ">=9")):
            sink.write(f'[[runtime]]\nname = "{name}"\nrequirement = "apache-tvm-ffi{bounds}"\n')
        sink.write('[[runtime]]\nname = "built"\npath = "x.so"\nbuild = "echo why; exit 3"\n')
    assert matrix.run().exit_code == 3
    found = collect([matrix.root / "out"])
    assert list(found.reports) == ["ours"]
    said = list(found.missing.values())
    assert said[0].startswith(f"{matrix.plan}: runtime[1]: one: 9.9.9 cannot be had: ")
    assert said[0].endswith("; ask for another version, or give a library by its path")
    assert said[1].startswith(f"{matrix.plan}: runtime[2]: many: ")
    assert said[1].endswith("; widen the requirement")
    assert said[2].startswith(f"{matrix.plan}: runtime[3]: built: the build ended with 3: ")
    assert f"run it in {matrix.root} to fix it\n  why" in said[2]


def test_an_index_that_was_tampered_with_is_refused(matrix: Matrix) -> None:
    matrix.source("runtime", "ours", "good 0.1.9")
    matrix.run()
    index = matrix.root / "out" / "matrix.json"
    whole = json.loads(index.read_text())

    def refused(cells: object) -> str:
        index.write_text(json.dumps({**whole, "cells": cells}))
        with pytest.raises(HarnessError) as caught:
            collect([matrix.root / "out"])
        return str(caught.value)

    assert "run `tvmffi-harness matrix` again" in refused(None)
    assert "cells/0: needs a label and a report" in refused([{"label": 3, "report": None}])
    stolen = [{"label": "a", "report": "../bin/tvmffi-conform"}]
    assert "is not a file of this folder" in refused(stolen)
    assert "gone.json: No such file" in refused([{"label": "a", "report": "gone.json"}])

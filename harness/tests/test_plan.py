# SPDX-License-Identifier: Apache-2.0
"""The TOML file of a matrix: what is understood, and what is refused where."""

from __future__ import annotations

from pathlib import Path

import pytest
import report_sample  # noqa: F401 - skips these tests where a package is missing
from tvmffi_conform import HarnessError
from tvmffi_conform.plan import read_plan

WHOLE = """
[limits]
seconds = 30
jobs = 2

[[runtime]]
name = "official"
requirement = "apache-tvm-ffi>=0.1.9"
withdrawn = ["0.1.13"]

[[runtime]]
name = "ours"
path = "build/libtvm_ffi.so"
build = "make"
waivers = "w.json"
options = ["--strict"]

[[module]]
name = "kernels"
path = "/abs/kernels.so"
signatures = "k.json"
"""


def plan_file(folder: Path, text: str) -> Path:
    path = folder / "matrix.toml"
    path.write_text(text)
    return path


def test_a_whole_plan(tmp_path: Path) -> None:
    plan = read_plan(plan_file(tmp_path, WHOLE))
    assert (plan.seconds, plan.jobs, plan.folder) == (30, 2, tmp_path)
    official, ours = plan.runtimes
    assert official.requirement == "apache-tvm-ffi>=0.1.9"
    assert (official.withdrawn, ours.withdrawn) == (("0.1.13",), ())
    assert ours.path == tmp_path / "build/libtvm_ffi.so"
    assert (ours.build, ours.waivers, ours.options) == ("make", tmp_path / "w.json", ("--strict",))
    assert plan.modules[0].path == Path("/abs/kernels.so")
    assert plan.modules[0].signatures == tmp_path / "k.json"


ONE = '[[runtime]]\nname = "a"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no [[runtime]] and no [[module]]"),
        ("[[runtime]", "no TOML"),
        ('[[runtimes]]\nname = "a"', "unknown table; did you mean 'runtime'?"),
        (ONE + 'pth = "x"', "runtime[0]: unknown key 'pth'; did you mean 'path'?"),
        (ONE + "zzz = 1", "runtime[0]: unknown key 'zzz'; known: name"),
        (ONE + 'signatures = "x"', "runtime[0]: unknown key 'signatures'"),
        (ONE, "needs either a path or a requirement"),
        (ONE + 'path = "x"\nrequirement = "y"', "needs either a path or a requirement"),
        ('[[runtime]]\npath = "x"', "runtime[0]: needs a name"),
        (ONE + 'requirement = "y"\nbuild = "make"', "needs the path of what it builds"),
        (ONE + "path = 3", "runtime[0].path: 3 is not a text in quotes"),
        (ONE + 'path = "x"\noptions = [1]', "runtime[0].options: a list of texts"),
        ('[runtime]\nname = "a"', "write [[runtime]], with two brackets"),
        (ONE + 'path = "x"\n' + ONE + 'path = "y"', "runtime[1]: there is a runtime named 'a'"),
        ("[limits]\nseconds = 0\n" + ONE + 'path = "x"', "limits.seconds: 0 is not between"),
        ("[limits]\njobs = 1000\n" + ONE + 'path = "x"', "limits.jobs: 1000 is not between"),
        ("[limits]\njobs = true\n" + ONE + 'path = "x"', "limits.jobs: True is not a whole number"),
        ("limits = 3\n" + ONE + 'path = "x"', "must be a table"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = plan_file(tmp_path, text)
    with pytest.raises(HarnessError) as caught:
        read_plan(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="No such file"):
        read_plan(tmp_path / "none.toml")
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"a = '\xff'")
    with pytest.raises(HarnessError, match="no text in UTF-8 from byte 5"):
        read_plan(path)

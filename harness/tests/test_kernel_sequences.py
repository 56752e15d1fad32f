# SPDX-License-Identifier: Apache-2.0
"""The state in which each sequence begins: the author's modules are loaded again for it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kernel_source import functions
from tvmffi_conform import HarnessError
from tvmffi_conform.kernels import write_judged_by

pytest.importorskip("numpy")

STATE = """
import helper

made = []

class Box:
    next_id = 0
    scale = 1

    def __init__(self, start):
        self.start, self.id = start, Box.next_id
        Box.next_id += 1
        made.append(self)
        helper.made.append(self)

    def numbers(self): return [self.id, made.index(self), helper.made.index(self)]
    def start_of(self): return self.start
    def scaled(self): return Box.scale * self.start

def box(start: int) -> Object: return Box(start)
def set_scale(s: float) -> None: Box.scale = s
def scaled_by(s: float) -> float: return s * Box.scale
def numbered() -> int: return Box.next_id
"""
STATE_STEPS = [
    '{"call": "numbered"}',
    '{"call": "box", "arguments": {"start": 5}, "keep": "a"}',
    '{"call": "set_scale", "arguments": {"s": 4.0}}',
    '{"call": "a.scaled"}',
    '{"call": "scaled_by", "arguments": {"s": 0.5}}',
    '{"call": "box", "arguments": {"start": 6}, "keep": "b"}',
    '{"call": "b.numbers"}',
    '{"call": "a.numbers"}',
    '{"call": "numbered"}',
]
STATE_RESULTS = ["0", None, None, "20.0", "2.0", None, "(1, 1, 1,)", "(0, 0, 0,)", "2"]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with helper.py, which files in it import."""
    (tmp_path / "helper.py").write_text("made = []\n")
    yield tmp_path
    for name in ("helper", "state_oracle", "spread", "spread.part", "installed_beside"):
        sys.modules.pop(name, None)


def state(*listed: str) -> str:
    """Functions that have a state, part of it in another file, with a sequence of these steps."""
    sequence = f'{{"steps": [{", ".join(listed)}]}}'
    text = STATE.replace("\ndef ", "\n@kernel\ndef ")
    return text.replace("@kernel\ndef box", f"@kernel(sequences=[{sequence}, {sequence}])\ndef box")


def results(sequence: dict) -> list[str | None]:
    return [step.get("expected", {}).get("result") for step in sequence["steps"]]


def test_each_sequence_begins_in_the_state_of_a_loaded_file(folder: Path) -> None:
    notes: list[str] = []
    sequences = functions(folder, state(*STATE_STEPS), notes)["box"]["sequences"]
    assert [results(sequence) for sequence in sequences] == [STATE_RESULTS] * 2
    assert notes == []


def test_modules_are_as_before_when_a_file_was_loaded_again(folder: Path) -> None:
    from tvmffi_conform.python_file import load_module, loaded_again

    (folder / "spread").mkdir()  # a package without a file
    (folder / "spread" / "part.py").touch()
    (folder / "site-packages").mkdir()
    (folder / "site-packages" / "installed_beside.py").touch()
    text = "import helper, numpy, os, sys, spread.part\n"
    text += "sys.path.insert(0, os.path.dirname(__file__) + '/site-packages')\n"
    text += "import installed_beside\nsys.path.pop(0)\nif fail: raise OSError('twice')\n"
    path = folder / "kernels.py"
    path.write_text(text.replace("if fail:", "if False:"))
    first = load_module(path)
    before = dict(sys.modules)
    with loaded_again(path) as module:
        assert sys.modules[module.__name__] is module is not first
        assert module.helper is sys.modules["helper"] is not first.helper
        assert module.spread.part is not first.spread.part
        assert module.spread is not first.spread
        assert (module.numpy, module.installed_beside) == (first.numpy, first.installed_beside)
    assert sys.modules == before
    path.write_text(text.replace("if fail:", "if True:"))
    with pytest.raises(HarnessError, match="OSError: twice"), loaded_again(path):
        pass
    assert sys.modules == before


def test_modules_of_other_folders_are_loaded_again(tmp_path: Path) -> None:
    from tvmffi_conform.python_file import load_module, loaded_again

    for name, text in {
        "source/reference_beyond.py": "from counter_beyond import count\n",
        "source/counter_beyond.py": "made = []\ndef count(): made.append(1); return len(made)\n",
        "tests/kernels.py": "import sys; sys.path.insert(0, {source!r})\nimport reference_beyond\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.format(source=str(tmp_path / "source")))
    try:
        first = load_module(path)
        before = dict(sys.modules)
        assert first.reference_beyond.count() == 1
        with loaded_again(path) as module:
            assert module.reference_beyond.count() == 1
        assert first.reference_beyond.count() == 2
        assert sys.modules == before
    finally:
        for name in ("reference_beyond", "counter_beyond"):
            sys.modules.pop(name, None)
        sys.path[:] = [one for one in sys.path if one != str(tmp_path / "source")]


@pytest.fixture
def registering(tmp_path: Path) -> Iterator[Path]:
    """A folder with a package that is imported once only, and a file beside others that uses it."""
    for name, text in {
        "source/registering/__init__.py": """
import os
if "TVMFFI_CONFORM_TEST_REGISTERED" in os.environ: raise ValueError("registered twice")
os.environ["TVMFFI_CONFORM_TEST_REGISTERED"] = "1"
shared = []
""",
        "source/registering/inner/beside.py": "made = []\n",
        "source/registering/inner/kernels.py": """
import sys
if {source!r} not in sys.path: sys.path.insert(0, {source!r})
import registering
from registering.inner import beside
def count():
    for numbers in (registering.shared, beside.made): numbers.append(1)
    return len(registering.shared), len(beside.made)
""",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text.format(source=str(tmp_path / "source")))
    yield path
    os.environ.pop("TVMFFI_CONFORM_TEST_REGISTERED", None)
    for name in ("registering", "registering.inner", "registering.inner.beside", "helper"):
        sys.modules.pop(name, None)
    sys.path[:] = [one for one in sys.path if one != str(tmp_path / "source")]


def test_a_module_that_is_loaded_once_only_is_shared(registering: Path) -> None:
    from tvmffi_conform.python_file import load_module, loaded_again

    notes: list[str] = []
    first = load_module(registering)
    before = dict(sys.modules)
    assert first.count() == (1, 1)
    for number in (2, 3):
        with loaded_again(registering, notes.append) as module:
            assert module.count() == (number, 1)
        assert sys.modules == before
        assert first.registering.inner.beside is first.beside
    assert first.count() == (4, 2)
    (note,) = notes
    assert "registering" in note.partition("(")[2].partition(")")[0]
    assert note.endswith("ValueError: registered twice): all sequences share their state")


def test_sequences_are_worked_out_beside_a_module_that_is_loaded_once_only(
    registering: Path, tmp_path: Path
) -> None:
    notes: list[str] = []
    folder = tmp_path / "beside"
    folder.mkdir()
    (folder / "helper.py").write_text("made = []\n")
    text = registering.read_text() + state(*STATE_STEPS)
    sequences = functions(folder, text, notes)["box"]["sequences"]
    assert [results(sequence) for sequence in sequences] == [STATE_RESULTS] * 2
    (note,) = notes
    assert "all sequences share their state" in note


def oracle_results(
    folder: Path, oracle: str, *listed: str, notes: list[str]
) -> list[list[str | None]]:
    """What an oracle gives for the steps, listed in a signature file twice."""
    told = functions(folder, state(*listed))
    for function in told.values():
        del function["calls"]
    told["box"]["sequences"] = [{"steps": list(map(json.loads, listed))}] * 2
    (folder / "k.json").write_text(json.dumps({"functions": told}))
    (folder / "state_oracle.py").write_text(STATE.replace(" -> Object", ""))
    path = write_judged_by(folder / "k.json", oracle, folder / "judged", notes.append)
    return list(map(results, json.loads(path.read_text())["functions"]["box"]["sequences"]))


def test_the_file_of_an_oracle_is_loaded_again(folder: Path) -> None:
    notes: list[str] = []
    file = str(folder / "state_oracle.py")
    assert oracle_results(folder, file, *STATE_STEPS, notes=notes) == [STATE_RESULTS] * 2
    assert notes == []


def test_an_imported_oracle_is_relied_on_for_objects_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(folder))
    notes: list[str] = []
    _, make, set_scale, scaled, *_ = STATE_STEPS
    made = oracle_results(
        folder, "state_oracle", make, '{"call": "a.start_of"}', set_scale, scaled, notes=notes
    )
    assert made == [[None, "5", None, None]] * 2
    told = (
        "is not worked out (it uses no object, and an imported module is not loaded again for each "
        "sequence), nor is what follows; only what is stated there is judged"
    )
    assert notes == [f"box: sequences[{number}].steps[2] {told}" for number in range(2)]

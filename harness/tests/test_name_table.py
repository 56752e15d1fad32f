# SPDX-License-Identifier: Apache-2.0
"""name_table.py: the project's table against the cached releases and the reference, and tables of
our own against what releases made here say. No network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import name_table
import release_names
from name_table import Row
from release_names import ReleaseNames
from tvmffi_conform import fetch_runtimes as fetch

OFFICIAL = Path(__file__).resolve().parents[2] / ".cache" / "official"
TOOL = os.environ.get("TVMFFI_CONFORM_TOOL", "")
REFERENCE = Path(TOOL).parents[1] / "lib" / "libtvm_ffi.so" if TOOL else Path()

OLD = ReleaseNames(["f.old", "f.stays"], {"int": 1})
NEW = ReleaseNames(["f.new", "f.stays"], {"int": 1, "a.Late": None, "a.Fixed": 77})


@pytest.mark.skipif(not fetch.Cache(OFFICIAL).versions(), reason="no official wheel in the cache")
def test_the_projects_table_agrees_with_the_cached_releases(
    capsys: pytest.CaptureFixture,
) -> None:
    status = name_table.main(["--check"])
    assert status == 0, capsys.readouterr().out


@pytest.mark.skipif(not REFERENCE.is_file(), reason="TVMFFI_CONFORM_TOOL names no built program")
def test_the_reference_has_no_name_that_releases_lack() -> None:
    now = [row for row in name_table.read_table(name_table.TABLE.read_text()) if not row.gone]
    known = {(row.kind, row.name, row.index) for row in now}
    assert name_table.items_of(release_names.read(REFERENCE)) - known == set()


def test_the_projects_table_is_as_write_would_write_it() -> None:
    text = name_table.TABLE.read_text()
    comment = text[: text.index('ABI_REGISTERED_FUNCTION("')]
    assert name_table.table_text(name_table.read_table(text), comment) == text


def test_rows_say_from_when_to_when() -> None:
    rows = name_table.rows_for({"0.1.9": OLD, "0.1.10rc0": NEW, "0.1.10": NEW})
    assert rows == [
        Row("FUNCTION", "f.new", None, "0.1.10rc0", None),
        Row("FUNCTION", "f.old", None, "0.1.9", "0.1.10rc0"),
        Row("FUNCTION", "f.stays", None, "0.1.9", None),
        Row("TYPE", "a.Fixed", 77, "0.1.10rc0", None),
        Row("TYPE", "a.Late", None, "0.1.10rc0", None),
        Row("TYPE", "int", 1, "0.1.9", None),
    ]
    assert name_table.read_table(name_table.table_text(rows, "")) == rows


def test_what_a_new_release_changed_is_said() -> None:
    rows = name_table.rows_for({"0.1.9": OLD})
    assert list(name_table.differences(rows, {"0.1.9": OLD, "0.1.10": NEW})) == [
        "0.1.10: has the function f.new, which the table lacks",
        "0.1.10: has the type a.Fixed (index 77), which the table lacks",
        "0.1.10: has the type a.Late, which the table lacks",
        "0.1.10: lacks the function f.old, which the table gives it",
    ]


def test_a_name_that_comes_back_is_refused() -> None:
    with pytest.raises(name_table.TableError, match=r"function f\.old was removed and added again"):
        name_table.rows_for({"0.1.9": OLD, "0.1.10": NEW, "0.1.11": OLD})


def test_a_row_that_is_not_understood_is_no_row_less() -> None:
    with pytest.raises(name_table.TableError, match="not understood"):
        name_table.read_table('ABI_REGISTERED_TYPE("a", 0.1.9, NULL)\n')


class Place:
    """A cache with one release, whose answer is given, and a table."""

    def __init__(self, root: Path) -> None:
        self.cache, self.table = root / "cache", root / "names.def"
        self.table.write_text("// A comment that stays.\n\n#undef ABI_REGISTERED_TYPE\n")
        self.add("0.1.9", OLD)

    def add(self, version: str, names: ReleaseNames | None) -> Path:
        for path in (fetch.LIBRARY, *fetch.HEADERS):
            file = self.cache / version / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"")
        if names:
            kept = {"functions": names.functions, "types": names.types}
            (self.cache / version / name_table.KEPT).write_text(json.dumps(kept))
        return self.cache / version / fetch.LIBRARY

    def run(self, *arguments: str) -> int:
        places = ["--cache", str(self.cache), "--table", str(self.table)]
        return name_table.main([*places, *arguments])


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_write_brings_the_table_up_to_date(place: Place) -> None:
    assert place.run() == 1
    assert place.run("--write") == 0
    assert place.table.read_text().startswith("// A comment that stays.\n\nABI_REGISTERED_F")
    assert place.run() == 0
    place.add("0.1.10", NEW)
    assert place.run() == 1


def test_an_empty_cache_proves_nothing(place: Place, tmp_path: Path) -> None:
    assert name_table.main(["--cache", str(tmp_path / "nothing")]) == 3


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 0;", "no function ffi.FunctionListGlobalNamesFunctor"),
        ("__builtin_trap();", "exit status -"),
    ],
)
def test_a_library_that_cannot_answer_is_told_of(
    place: Place, capsys: pytest.CaptureFixture, body: str, said: str
) -> None:
    library = place.add("0.1.10", None)
    source = (
        f"int TVMFFIFunctionGetGlobal(void *name, void **out) {{ (void)name; (void)out; {body} }}"
    )
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], input=source.encode(), check=True
    )
    assert place.run() == 1
    complaint = capsys.readouterr().err
    assert str(library) in complaint
    assert said in complaint
    assert not (place.cache / "0.1.10" / name_table.KEPT).exists()


def test_what_is_no_library_is_told_of(place: Place, capsys: pytest.CaptureFixture) -> None:
    library = place.add("0.1.10", None)
    assert place.run() == 1
    assert f"asking {library} for its names failed" in capsys.readouterr().err

# SPDX-License-Identifier: Apache-2.0
"""version_table.py: the project's table against the cached wheels, and a table of our own against
releases made here. No network."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("elftools", reason="no pyelftools here; `make deps` brings it")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import abi_tables
import version_table
from tvmffi_conform import fetch_runtimes as fetch

ROOT = Path(__file__).resolve().parents[2]
OFFICIAL = ROOT / ".cache" / "official"
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")

FUNCTIONS = "ABI_FUNCTION(a, ABI_VERSION(0, 1, 0), int, First, (void))\n"
STRUCTS = """
#ifndef ABI_FIELD_FORMERLY
#define ABI_FIELD_FORMERLY(structure, field, before, name, offset, size)
#endif
ABI_STRUCT(TVMFFICell, ABI_VERSION(0, 1, 0), 16, 8)
ABI_FIELD(TVMFFICell, data, void *, ABI_VERSION(0, 1, 0), 0, 8, 0, 4)
ABI_FIELD(TVMFFICell, more, void *, ABI_VERSION(0, 1, 2), 8, 8, 4, 4)
"""
FLAGS = """
ABI_ENUMERATOR(TVMFFIKind, KindOne, ABI_VERSION(0, 1, 0), 1)
ABI_ENUMERATOR(TVMFFIKind, KindUno, ABI_VERSION(0, 1, 2), 1)
"""
RELEASES = """// A comment that stays.

ABI_RELEASE("0.1.0", ABI_VERSION(0, 1, 0), false, false,
            "a reason "
            "in two parts")

#undef ABI_RELEASE_EXCEPTION
#undef ABI_RELEASE
"""
OLD_HEADER = """
typedef struct { void *data; } TVMFFICell;
typedef enum { kTVMFFIKindOne = 1 } TVMFFIKind;
"""
NEW_HEADER = """
typedef struct { void *data; void *more; } TVMFFICell;
typedef enum { kTVMFFIKindUno = 1 } TVMFFIKind;
"""

# Stands for pip: the wheels of the folder given first; those named in the second are withdrawn.
FAKE_PIP = """
import pathlib, shutil, sys
stock, yanked, arguments = pathlib.Path(sys.argv[1]), sys.argv[2].split(","), sys.argv[3:]
wheels = {path.name.split("-")[1]: path for path in sorted(stock.glob("*.whl"))}
if arguments[0] == "index":
    offered = [version for version in wheels if version not in yanked]
    print(f"apache-tvm-ffi ({offered[-1]})\\nAvailable versions: " + ", ".join(offered))
else:
    version = next(word for word in arguments if "==" in word).split("==")[1]
    if version not in wheels:
        sys.exit("ERROR: Could not find a version that satisfies the requirement "
                 f"apache-tvm-ffi=={version} (from versions: {', '.join(wheels) or 'none'})")
    shutil.copy(wheels[version], arguments[arguments.index("--dest") + 1])
"""


class Place:
    """Tables, an index with wheels made here, and a cache."""

    def __init__(self, root: Path) -> None:
        self.root, self.tables = root, root / "abi"
        self.stock, self.cache = root / "stock", root / "cache"
        self.stock.mkdir()
        self.tables.mkdir()
        for name, text in (
            ("functions.def", FUNCTIONS),
            ("structs.def", STRUCTS),
            ("flags.def", FLAGS),
            ("type_indices.def", ""),
            ("releases.def", RELEASES),
        ):
            (self.tables / name).write_text(text)
        (root / "pip.py").write_text(FAKE_PIP)
        self.yanked = ""

    def offer(self, version: str, reports: str, header: str, functions: str = "First") -> None:
        numbers = zip(("MAJOR", "MINOR", "PATCH"), reports.split("."))
        macros = "".join(f"#define TVM_FFI_VERSION_{name} {value}\n" for name, value in numbers)
        source = self.root / "library.c"
        source.write_text(
            "".join(f"int TVMFFI{one}(void) {{ return 0; }}\n" for one in functions.split())
        )
        library = self.root / "library.so"
        subprocess.run(["cc", "-shared", "-o", library, source], check=True)
        with zipfile.ZipFile(
            self.stock / f"apache_tvm_ffi-{version}-py3-none-any.whl", "w"
        ) as wheel:
            wheel.write(library, "tvm_ffi/lib/libtvm_ffi.so")
            wheel.writestr("tvm_ffi/include/tvm/ffi/c_api.h", macros + header)
            wheel.writestr("tvm_ffi/include/tvm/ffi/extra/c_env_api.h", "")
            wheel.writestr("tvm_ffi/include/dlpack/dlpack.h", "")

    def run(self, *arguments: str) -> int:
        pip = fetch.Pip([sys.executable, str(self.root / "pip.py"), str(self.stock), self.yanked])
        places = ["--cache", str(self.cache), "--tables", str(self.tables)]
        return version_table.main([*places, *arguments], pip)

    def releases(self) -> str:
        return (self.tables / "releases.def").read_text()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.offer("0.1.0", "0.1.0", OLD_HEADER)
    return made


@pytest.mark.skipif(not fetch.Cache(OFFICIAL).versions(), reason="no official wheel in the cache")
@needs_cc
def test_the_projects_table_agrees_with_the_cached_wheels(capsys: pytest.CaptureFixture) -> None:
    status = version_table.main(["--offline"])
    assert status == 0, capsys.readouterr().out


@needs_cc
def test_the_projects_table_is_as_write_would_write_it() -> None:
    text = (version_table.TABLES / "releases.def").read_text()
    tables = abi_tables.read(version_table.TABLES)
    assert version_table.table_text(tables, version_table.leading_comment(text)) == text


@needs_cc
def test_a_right_table_is_content(place: Place, capsys: pytest.CaptureFixture) -> None:
    assert place.run() == 0
    assert "1 releases are as the tables say" in capsys.readouterr().out


@needs_cc
def test_a_new_release_is_a_change_of_data(place: Place, capsys: pytest.CaptureFixture) -> None:
    place.offer("0.1.2.post1", "0.1.3", NEW_HEADER)
    place.yanked = "0.1.2.post1"
    before = place.releases()
    assert place.run("--check") == 1
    assert "0.1.2.post1: new; it reports 0.1.3, yanked" in capsys.readouterr().out
    assert place.releases() == before
    assert place.run("--write") == 0
    after = place.releases()
    assert after.startswith("// A comment that stays.\n\nABI_RELEASE(")
    assert '"a reason in two parts"' in after
    assert 'ABI_RELEASE("0.1.2.post1", ABI_VERSION(0, 1, 3), false, true,' in after
    assert "ABI_RELEASE_EXCEPTION(" not in after
    assert place.run("--check") == 0


@needs_cc
def test_a_release_ahead_of_what_it_reports_is_an_exception(place: Place) -> None:
    place.offer("0.1.1", "0.1.1", NEW_HEADER)
    assert place.run("--check") == 1
    assert place.run("--write") == 0
    assert 'ABI_RELEASE_EXCEPTION("0.1.1", true, "TVMFFICell.more")' in place.releases()
    assert 'ABI_RELEASE_EXCEPTION("0.1.1", true, "kTVMFFIKindUno")' in place.releases()
    assert place.run("--check") == 0


@needs_cc
def test_a_release_behind_what_it_reports_is_an_exception(place: Place) -> None:
    place.offer("0.1.1.post0", "0.1.2", OLD_HEADER)
    assert place.run("--write") == 0
    assert 'ABI_RELEASE_EXCEPTION("0.1.1.post0", false, "TVMFFICell.more")' in place.releases()
    assert place.run("--check") == 0


@needs_cc
@pytest.mark.parametrize(
    ("header", "functions", "complaint"),
    [
        (OLD_HEADER, "First Second", "has the function TVMFFISecond"),
        (OLD_HEADER.replace("void *", "int *x; void *"), "First", "field of TVMFFICell: x"),
        (OLD_HEADER.replace("void *", "int "), "First", "another field of TVMFFICell: data"),
        (OLD_HEADER.replace("= 1", "= 2"), "First", "another enumerator of TVMFFIKind"),
        (OLD_HEADER + "typedef struct { int a; } TVMFFINew;", "First", "has the struct TVMFFINew"),
    ],
)
def test_what_no_table_knows_needs_a_person(
    place: Place, capsys: pytest.CaptureFixture, header: str, functions: str, complaint: str
) -> None:
    place.offer("0.1.1", "0.1.1", header, functions)
    assert place.run("--write") == 1
    assert complaint in capsys.readouterr().out
    assert place.run("--check") == 1


@needs_cc
def test_a_release_that_left_the_index_leaves_the_table(place: Place) -> None:
    table = place.tables / "releases.def"
    row = 'ABI_RELEASE("0.1.1", ABI_VERSION(0, 1, 1), false, false, NULL)\n\n#undef ABI_RELEASE_E'
    table.write_text(table.read_text().replace("\n#undef ABI_RELEASE_E", row))
    assert place.run("--check") == 1
    assert place.run("--write") == 0
    assert "0.1.1" not in place.releases()


def test_without_an_index_nothing_is_claimed(place: Place) -> None:
    for wheel in place.stock.iterdir():
        wheel.unlink()
    assert place.run() == 3
    assert place.run("--offline") == 3

# SPDX-License-Identifier: Apache-2.0
"""inspect against readelf and pyelftools, on libraries of this machine and on cached wheels; and
that the comparison notices what it should. TVMFFI_CONFORM names the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "harness"))
import check_inspect
import elf_truth
from runtimes import RELEASES

ROOT = Path(__file__).resolve().parents[3]
TOOL = os.environ.get("TVMFFI_CONFORM", "")
OFFICIAL = ROOT / ".cache" / "official"
ENOUGH = 200

pytestmark = pytest.mark.skipif(
    shutil.which("readelf") is None or shutil.which("cc") is None, reason="no readelf or no cc"
)

SOURCE = """
extern int TVMFFIObjectIncRef(void *);
extern void *memcpy(void *, const void *, unsigned long);
extern int absent(void) __attribute__((weak));
int own(void *p, void *q)
{
  memcpy(p, q, 3);
  return TVMFFIObjectIncRef(p) + (absent ? absent() : 0);
}
int __tvm_ffi_add(void *p, void *q) { return own(p, q); }
__attribute__((visibility("hidden"))) int hidden(void) { return 1; }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("truth")
    (folder / "library.c").write_text(SOURCE)
    made = folder / "library.so"
    options = ["-shared", "-fPIC", "-O0", "-fno-builtin", "-Wl,-soname,libown.so.1"]
    runpath = ["-Wl,--enable-new-dtags,-rpath,$ORIGIN/x"]
    source = str(folder / "library.c")
    subprocess.run(["cc", *options, *runpath, "-o", str(made), source], check=True)
    return made


def test_both_witnesses_see_what_was_built(library: Path) -> None:
    for seen in (elf_truth.by_pyelftools(library.read_bytes()), elf_truth.by_readelf(library)):
        assert seen.soname == "libown.so.1"
        assert seen.runpath == "$ORIGIN/x"
        assert "libc.so.6" in seen.needed
        assert {"TVMFFIObjectIncRef", "absent"} <= seen.imports
        assert any(name.startswith("memcpy@GLIBC_") for name in seen.imports)
        assert {"own", "__tvm_ffi_add"} <= seen.exports
        assert "hidden" not in seen.exports
        assert seen.floors()["GLIBC"][0] == 2


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM does not name the program")
@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("soname", "libother.so", "soname"),
        ("runpath", None, "runpath"),
        ("needed", [], "needed"),
        ("imports", [], "imports"),
        ("import_count", 1, "import count"),
        ("exports", [], "exports of the ABI"),
        ("export_count", 1, "export count"),
        ("glibc", "2.99", "glibc"),
        ("bits", 16, "bits"),
        ("byte_order", "middle", "byte_order"),
    ],
)
def test_a_wrong_word_is_noticed(library: Path, key: str, value: object, complaint: str) -> None:
    said = check_inspect.inspected(TOOL, [library])[str(library)]
    truth = elf_truth.by_readelf(library)
    assert list(check_inspect.contradictions(said, truth)) == []
    said[key] = value
    lines = list(check_inspect.contradictions(said, truth))
    assert len(lines) == 1
    assert lines[0].startswith(complaint)


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM does not name the program")
def test_a_version_that_a_library_defines_is_no_need(tmp_path: Path) -> None:
    (tmp_path / "own.c").write_text("int own(void) { return 1; }\n")
    (tmp_path / "own.map").write_text("GLIBC_2.99 { own; };\n")
    made = tmp_path / "own.so"
    options = ["-shared", "-fPIC", "-nostdlib", f"-Wl,--version-script={tmp_path / 'own.map'}"]
    subprocess.run(["cc", *options, "-o", str(made), str(tmp_path / "own.c")], check=True)
    said = check_inspect.inspected(TOOL, [made])[str(made)]
    assert said["glibc"] is None
    assert list(check_inspect.contradictions(said, elf_truth.by_readelf(made))) == []


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM does not name the program")
def test_official_runtimes_are_read_right() -> None:
    libraries = [OFFICIAL / one / "tvm_ffi" / "lib" / "libtvm_ffi.so" for one in RELEASES]
    libraries = [path for path in libraries if path.is_file()]
    if not libraries:
        pytest.skip("no official wheel in the cache")
    for outcome in check_inspect.check_many(TOOL, libraries):
        assert outcome.complaints == (), outcome.path


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM does not name the program")
def test_libraries_of_this_machine_are_read_right(capsys: pytest.CaptureFixture) -> None:
    status = check_inspect.main([TOOL, "--machine", str(ENOUGH), "--least", str(ENOUGH)])
    said = capsys.readouterr().out
    if status == check_inspect.SKIPPED:
        pytest.skip(f"this machine has fewer than {ENOUGH} libraries: {said}")
    assert status == 0, said

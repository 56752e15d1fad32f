# SPDX-License-Identifier: Apache-2.0
"""Modules loaded in many runtimes: every way in which that can end, the table, and its file."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import time
import zipfile
from pathlib import Path

import pytest
from tvmffi_conform import HarnessError
from tvmffi_conform import load as loading
from tvmffi_conform.cli import app
from tvmffi_conform.gather import collect
from tvmffi_conform.load import (
    HEAD,
    MOST_PART,
    Confinement,
    Load,
    Loading,
    Loads,
    confinement,
    load_once,
    read_loads,
    reasons,
    spans,
    take_files,
    text_of,
    unpack,
)
from tvmffi_conform.tool import Tool
from typer.testing import CliRunner, Result

ROOT = Path(__file__).resolve().parents[2]
TOOL = os.environ.get("TVMFFI_CONFORM_TOOL") or str(ROOT / "build/dev/bin/tvmffi-conform")
OFFICIAL = ROOT / ".cache" / "official"
NEWEST = OFFICIAL / "0.1.15.post2" / "tvm_ffi" / "lib"

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no cc")
needs_tool = pytest.mark.skipif(not Path(TOOL).is_file(), reason="the program is not built")

RUNTIME = "void TVMFFIObjectIncRef(void) {}"
NEWER = RUNTIME + " void TVMFFIHandleInitOnce(void) {}"
MODULE = """
extern void TVMFFIHandleInitOnce(void);
int __tvm_ffi_add(void *h, const void *a, int n, void *r) { TVMFFIHandleInitOnce(); return 0; }
"""


def library(path: Path, source: str, *flags: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    command = ["cc", "-shared", "-fPIC", "-w", "-Wl,-z,lazy", "-xc", "-", "-xnone", *flags]
    subprocess.run([*command, "-o", str(path)], input=source, text=True, check=True)
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runtimes, and a cache in which they are releases."""
    folder = tmp_path_factory.mktemp("load")
    for version, source in (("0.1.0", RUNTIME), ("0.1.1", RUNTIME), ("0.1.5", NEWER)):
        release = folder / "cache" / "releases" / version / "tvm_ffi"
        library(release / "lib" / "libtvm_ffi.so", source, "-Wl,-soname,libtvm_ffi.so")
        for header in ("tvm/ffi/c_api.h", "dlpack/dlpack.h"):
            path = release / "include" / header
            path.parent.mkdir(parents=True)
            path.touch()
    library(folder / "libmodule.so", MODULE)
    return folder


def runtime(made: Path, version: str = "0.1.5") -> Path:
    return made / "cache" / "releases" / version / "tvm_ffi" / "lib" / "libtvm_ffi.so"


def constructor(
    made: Path,
    body: str,
    seconds: float = 20,
    confined: Confinement | None = None,
    head: str = "",
) -> Loading:
    """What comes of a module that does this while it is loaded."""
    headers = "".join(f"#include <{name}.h>\n" for name in ("stdio", "stdlib", "unistd", "signal"))
    text = f"{headers}{head}\n__attribute__((constructor)) static void f(void) {{ {body} }}"
    module = library(made / "hostile" / f"{abs(hash(body))}.so", text)
    return load_once(runtime(made), module, "now", seconds, confined)


@needs_compiler
def test_lazy_and_eager_binding_differ(made: Path) -> None:
    module = made / "libmodule.so"
    old, new = runtime(made, "0.1.0"), runtime(made)
    assert load_once(new, module, "now") == load_once(new, module, "lazy") == Loading("loaded")
    assert load_once(old, module, "lazy") == Loading("loaded")
    refused = load_once(old, module, "now")
    assert (refused.outcome, refused.cause) == ("refused", "missing symbol")
    assert refused.names == ("TVMFFIHandleInitOnce",)
    assert refused.reason() == "missing symbol TVMFFIHandleInitOnce"


@needs_compiler
@pytest.mark.parametrize(
    ("body", "outcome", "cause", "names", "said"),
    [
        ("abort();", "aborted", "other", (), None),
        (
            'fputs("Cannot find type attribute __new__\\n", stderr); abort();',
            "aborted",
            "type attribute",
            ("__new__",),
            "Cannot find type attribute __new__",
        ),
        ("*(volatile int *)8 = 1;", "crashed", "other", (), "SIGSEGV"),
        ('puts("bye\\033[2J"); fflush(stdout); _exit(0);', "exited", "other", (), "bye\\x1b[2J"),
        ("raise(SIGKILL);", "crashed", "other", (), "SIGKILL"),
    ],
)
def test_ends_of_all_kinds(
    made: Path, body: str, outcome: str, cause: str, names: tuple[str, ...], said: str | None
) -> None:
    assert constructor(made, body) == Loading(outcome, cause, names, said)
    if Path(TOOL).is_file():
        confined = confinement(Tool(Path(TOOL)), "auto")
        assert constructor(made, body, confined=confined) == Loading(outcome, cause, names, said)


@needs_compiler
@needs_tool
def test_a_confined_module_does_not_reach_out(made: Path, tmp_path: Path) -> None:
    confined = confinement(Tool(Path(TOOL)), "auto")
    assert confinement(Tool(Path(TOOL)), "off") is None
    if confined is None or "landlock" not in confined.told.partition("; not")[0]:
        pytest.skip("no Landlock here")
    reached = tmp_path / "reached"
    body = f'FILE *file = fopen("{reached}", "w"); if (file) fclose(file);'
    assert constructor(made, body, confined=confined) == Loading("loaded")
    assert not reached.exists()
    assert constructor(made, body) == Loading("loaded")
    assert reached.exists()


@needs_compiler
@needs_tool
def test_what_confines_a_module_that_hangs_tidies_up(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    confined = confinement(Tool(Path(TOOL)), "auto")
    assert constructor(made, "for (;;) pause();", 0.7, confined).outcome == "hung"
    assert not list(tmp_path.iterdir())


@needs_compiler
def test_a_hang_costs_its_time_limit(made: Path) -> None:
    begun = time.monotonic()
    hung = constructor(made, "for (;;) pause();", seconds=0.7)
    assert hung == Loading("hung", "other", (), "it did not return within 0.7 s")
    assert time.monotonic() - begun < 10


@needs_compiler
def test_a_flood_of_output_is_not_kept(made: Path) -> None:
    hung = constructor(made, "for (;;) write(2, f, 4096);", seconds=0.7)
    assert hung.outcome == "hung"
    much = "for (int i = 0; i < 3000000; ++i) putchar(i % 60 ? 'x' : '\\n'); fflush(stdout);"
    assert constructor(made, much) == Loading("loaded")
    ended = constructor(made, much + "abort();")
    assert ended.outcome == "aborted"
    assert len(ended.text or "") < 100


@needs_compiler
def test_what_a_module_starts_is_ended(made: Path) -> None:
    """A child that holds on to the output delays nothing, and does not stay."""
    note = made / "child.pid"
    body = f"""if (fork() == 0) {{
      FILE *out = fopen("{note}", "w"); fprintf(out, "%d", getpid()); fclose(out);
      for (;;) pause();
    }} while (access("{note}", F_OK)) {{}}"""
    begun = time.monotonic()
    assert constructor(made, body) == Loading("loaded")
    assert time.monotonic() - begun < 10
    child = int(note.read_text() or 0)
    state = Path(f"/proc/{child}/stat")
    for _ in range(1000):
        if not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] in "ZX":
            return
    pytest.fail("it is still there")


@needs_compiler
def test_missing_libraries_versions_and_other_machines(made: Path) -> None:
    folder = made / "missing"
    needed = library(folder / "libneeded.so", "void f(void) {}", "-Wl,-soname,libneeded.so")
    user = library(folder / "libuser.so", "extern void f(void); void *p = f;", str(needed))
    needed.unlink()
    found = load_once(runtime(made), user, "lazy")
    assert (found.outcome, found.cause, found.names) == (
        "refused",
        "missing library",
        ("libneeded.so",),
    )
    script = folder / "libc.map"
    script.write_text("GLIBC_2.99 { f; };")
    libc = library(
        folder / "stub" / "libc.so.6",
        "void f(void) {}",
        "-nostdlib",
        "-Wl,-soname,libc.so.6",
        f"-Wl,--version-script={script}",
    )
    newer = library(folder / "libnewer.so", "extern void f(void); void *p = f;", str(libc))
    found = load_once(runtime(made), newer, "lazy")
    assert (found.cause, found.names) == ("glibc", ("GLIBC_2.99",))
    data = bytearray(newer.read_bytes())
    data[4] ^= 3  # the class
    newer.write_bytes(data)
    assert load_once(runtime(made), newer, "lazy").cause == "architecture"


@needs_compiler
def test_a_runtime_that_cannot_be_loaded_is_no_fault_of_the_module(made: Path) -> None:
    text = made / "text.so"
    text.write_text("no library")
    found = load_once(text, made / "libmodule.so", "lazy")
    assert (found.outcome, found.cause) == ("not tried", "other")
    assert (found.text or "").startswith("the runtime: ")


def run(made: Path, *arguments: object) -> Result:
    fixed = ["--tool", TOOL, "--cache", str(made / "cache"), "--offline"]
    return CliRunner().invoke(app, ["load", *fixed, *map(str, arguments)])


@needs_compiler
@needs_tool
def test_the_table_of_releases(made: Path, tmp_path: Path) -> None:
    kept = tmp_path / "load.json"
    done = run(made, made / "libmodule.so", "-o", kept)
    assert done.exit_code == 1, done.output
    assert "0.1.0 to 0.1.1: loads lazily: missing symbol TVMFFIHandleInitOnce" in done.output
    assert "0.1.5: loads\n" in done.output
    assert "1 module in 3 releases: 1 of 3 load" in done.output
    table = read_loads(kept)
    assert [one["name"] for one in table.releases] == ["0.1.0", "0.1.1", "0.1.5"]
    assert table.modules[0]["floor"] == "0.1.5"
    load = table.get("libmodule.so", "0.1.0")
    assert load is not None
    assert (load.lazy.outcome, load.now.outcome) == ("loaded", "refused")
    assert load.now.text == "libmodule.so: undefined symbol: TVMFFIHandleInitOnce"
    assert text_of(table) == kept.read_text()
    assert collect([kept, kept.parent]).loads == [table, table]


@needs_compiler
@needs_tool
def test_exit_codes(made: Path) -> None:
    module = made / "libmodule.so"
    assert run(made, module, "--release", "0.1.5").exit_code == 0
    assert run(made, module, "--runtime", runtime(made)).exit_code == 0
    missing = run(made, module, "--release", "0.1.5", "--release", "0.1.9")
    assert missing.exit_code == 3
    assert "0.1.9: not tried" in missing.output
    for wrong, words in (
        (["nothing.so"], "no such file"),
        ([module, module], "given twice"),
        ([module, "--release", "latest"], "is neither a version"),
        ([module, "--runtime", "nothing.so"], "no such file"),
        ([runtime(made).parents[1] / "include"], "has no library or wheel in it"),
    ):
        with pytest.raises(HarnessError, match=words):
            run_plain(made, *wrong)


def run_plain(made: Path, *arguments: object) -> None:
    error = run(made, *arguments).exception
    if error is not None and not isinstance(error, SystemExit):
        raise error


@needs_compiler
@needs_tool
def test_wheels_and_folders(made: Path, tmp_path: Path) -> None:
    helper = library(
        tmp_path / "x" / "libhelper.so", "void help(void) {}", "-Wl,-soname,libhelper.so"
    )
    user = library(
        tmp_path / "x" / "libuser.so",
        MODULE + "extern void help(void); void *use_help = help;",
        str(helper),
        "-Wl,-rpath,$ORIGIN",
    )
    wheel = tmp_path / "x-1-py3-none-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(helper, "x/libhelper.so")
        archive.write(user, "x/libuser.so")
    for operand in (wheel, tmp_path / "x"):
        done = run(made, operand, "--release", "0.1.5", "-o", tmp_path / "load.json")
        assert done.exit_code == 0, done.output
        assert [one["name"] for one in read_loads(tmp_path / "load.json").modules] == ["libuser.so"]


def test_a_wheel_that_leads_outside_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("../out.so", "x")
    with pytest.raises(HarnessError, match=r"'\.\./out\.so' is not sound"):
        unpack(wheel, tmp_path / "in")
    assert not (tmp_path / "out.so").exists()
    wheel.write_text("no wheel")
    for confined in (None, *tool_confines()):
        with pytest.raises(HarnessError, match="cannot be unpacked"):
            unpack(wheel, tmp_path / "in", confined)


def tool_confines() -> list[Confinement | None]:
    return [confinement(Tool(Path(TOOL)), "auto")] if Path(TOOL).is_file() else []


def parts(*told: tuple[bytes, bytes]) -> io.BytesIO:
    return io.BytesIO(b"".join(HEAD.pack(kind, len(what)) + what for kind, what in told))


def test_what_reads_a_wheel_is_not_believed(tmp_path: Path) -> None:
    take_files(parts((b"F", b"a/b.so"), (b"D", b"xy"), (b"D", b"z"), (b"Z", b"")), tmp_path)
    assert (tmp_path / "a" / "b.so").read_bytes() == b"xyz"
    for told, why in (
        ([(b"F", b"../out.so")], "is not sound"),
        ([(b"F", b"/out.so")], "is not sound"),
        ([(b"F", b"")], "is not sound"),
        ([(b"D", b"nowhere")], "cannot be unpacked"),
        ([(b"F", b"c.so"), (b"D", b"half")], "ended too early"),
        ([(b"E", b"broken")], "cannot be unpacked: broken"),
    ):
        with pytest.raises(HarnessError, match=why):
            take_files(parts(*told), tmp_path)
    with pytest.raises(HarnessError, match="more than this reads"):
        take_files(io.BytesIO(HEAD.pack(b"D", MOST_PART + 1)), tmp_path)
    with pytest.raises(FileExistsError):
        take_files(parts((b"F", b"a/b.so")), tmp_path)


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    table = sample()
    document = json.loads(text_of(table))
    path = tmp_path / "load.json"
    path.write_text(json.dumps(document))
    assert read_loads(path) == table
    document["loads"][0]["lazy"]["outcome"] = "fine"
    path.write_text(json.dumps(document))
    with pytest.raises(HarnessError, match="lazy"):
        read_loads(path)


def sample() -> Loads:
    names = ["0.1.0", "0.1.1", "0.1.2", "0.1.3"]
    ends = [
        Loading("aborted", "type attribute", ("__x__",), "Cannot find type attribute __x__"),
        Loading("aborted", "type attribute", ("__x__",), "Cannot find type attribute __x__"),
        Loading("loaded"),
    ]
    loads = {("m.so", n): Load("m.so", n, end, end) for n, end in zip(names, ends)}
    releases = [{"name": n, "sha256": None, "trouble": None} for n in names[:3]]
    releases.append({"name": names[3], "sha256": None, "trouble": "no answer\033"})
    digest = "0" * 64
    modules = [{"name": "m.so", "path": "m.so", "sha256": digest, "floor": None}]
    return Loads(releases, modules, loads, "x86_64", "glibc 2.36", 10.0)


def test_releases_that_do_the_same_share_a_row() -> None:
    assert spans(sample()) == [
        ("0.1.0 to 0.1.1", ["aborts: no type attribute __x__"]),
        ("0.1.2", ["loads"]),
        ("0.1.3", ["not tried: no answer\\x1b"]),
    ]
    line = "Cannot find type attribute __x__"
    assert reasons(sample()) == [("m.so", "aborts: no type attribute __x__", line)]


def test_all_missing_functions_are_named() -> None:
    module = loading.Module("m.so", "m.so", Path("m.so"), "0" * 64, "0.1.5", {"0.1.0": ["A", "B"]})
    refused = Loading("refused", "missing symbol", ("B",), "undefined symbol: B")
    told = loading.told_of(refused, module, "0.1.0")
    assert (told.names, told.reason()) == (("B", "A"), "missing symbol B and 1 more")
    other = Loading("refused", "missing symbol", ("f",), "undefined symbol: f")
    assert loading.told_of(other, module, "0.1.0") == other


@needs_tool
@pytest.mark.skipif(not NEWEST.is_dir(), reason="no official release in the cache")
def test_an_official_library_in_cached_releases(tmp_path: Path) -> None:
    """It aborts where the runtime lacks a type attribute, which no list of functions shows."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "releases").symlink_to(OFFICIAL)
    named = [word for one in ("0.1.0", NEWEST.parents[1].name) for word in ("--release", one)]
    done = run(tmp_path, NEWEST / "libtvm_ffi_testing.so", *named)
    assert done.exit_code == 1, done.output
    assert "0.1.0: aborts: no type attribute __ffi_enum__" in done.output
    assert f"{NEWEST.parents[1].name}: loads" in done.output

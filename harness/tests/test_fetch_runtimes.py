# SPDX-License-Identifier: Apache-2.0
"""fetch_runtimes.py against a pip of our own and wheels made here. No network, no installed pip."""

from __future__ import annotations

import stat
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runtimes
from tvmffi_conform import fetch_runtimes as fetch

LIBRARY = "tvm_ffi/lib/libtvm_ffi.so"
C_API = "tvm_ffi/include/tvm/ffi/c_api.h"
DLPACK = "tvm_ffi/include/dlpack/dlpack.h"
WHEEL = {
    LIBRARY: b"\x7fELF",
    C_API: b"// c",
    DLPACK: b"// d",
    "tvm_ffi/core.py": b"raise SystemExit",
}

# Stands for pip. `index` names the newest wheel of the folder given first, `download` copies one
# out of it. Each call is written to the log given second; "down" plays an index that is away.
FAKE_PIP = """
import pathlib, shutil, sys
stock, log, down = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3] == "down"
arguments = sys.argv[4:]
with log.open("a") as sink:
    print(*arguments, file=sink)
wheels = {path.name.split("-")[1]: path for path in sorted(stock.glob("*.whl"))}
if arguments[0] == "index":
    if down:
        sys.exit("ERROR: No matching distribution found for apache-tvm-ffi")
    print(f"apache-tvm-ffi ({list(wheels)[-1]})\\nAvailable versions: " + ", ".join(wheels))
else:
    version = next(word for word in arguments if "==" in word).split("==")[1]
    if down or version not in wheels:
        known = "none" if down else ", ".join(wheels)
        sys.exit("ERROR: Could not find a version that satisfies the requirement "
                 f"apache-tvm-ffi=={version} (from versions: {known})")
    shutil.copy(wheels[version], arguments[arguments.index("--dest") + 1])
"""


class Index:
    """A package index in a folder, and the cache that is filled from it."""

    def __init__(self, root: Path) -> None:
        self.stock, self.cache, self.log = root / "stock", root / "cache", root / "log"
        self.program = root / "fake_pip.py"
        self.stock.mkdir()
        self.program.write_text(FAKE_PIP)
        self.down = False

    def offer(self, version: str, files: dict[str, bytes] | None = None) -> Path:
        wheel = self.stock / f"apache_tvm_ffi-{version}-cp311-cp311-any.whl"
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in (WHEEL if files is None else files).items():
                archive.writestr(name, content)
        return wheel

    def run(self, *arguments: str) -> int:
        state = "down" if self.down else "up"
        pip = fetch.Pip([sys.executable, str(self.program), str(self.stock), str(self.log), state])
        return fetch.main(["--cache", str(self.cache), *arguments], pip)

    def calls(self) -> list[str]:
        return (
            [line.split()[0] for line in self.log.read_text().splitlines()]
            if self.log.exists()
            else []
        )

    def cached(self) -> list[str]:
        return sorted(p.name for p in self.cache.glob("[!.]*")) if self.cache.exists() else []

    def leftovers(self) -> list[Path]:
        return list(self.cache.glob(".incoming/*"))


@pytest.fixture
def index(tmp_path: Path) -> Index:
    made = Index(tmp_path)
    made.offer("0.1.0")
    made.offer("0.1.9")
    return made


def test_fetches_library_and_headers_and_nothing_else(index: Index, capsys) -> None:
    assert index.run("0.1.0", "0.1.9") == 0
    assert index.cached() == ["0.1.0", "0.1.9"]
    tree = index.cache / "0.1.9"
    files = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
    assert files == {LIBRARY, C_API, DLPACK}
    assert (tree / LIBRARY).read_bytes() == b"\x7fELF"
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["0.1.0", "fetched"],
        ["0.1.9", "fetched"],
    ]
    assert index.leftovers() == []


def test_a_second_run_asks_nobody(index: Index, capsys) -> None:
    index.run("0.1.0")
    calls = index.calls()
    assert index.run("0.1.0") == 0
    assert index.calls() == calls
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["0.1.0", "cached"]


def test_newest_is_what_the_index_says(index: Index, capsys) -> None:
    assert index.run("newest") == 0
    assert index.cached() == ["0.1.9"]
    assert "newest=0.1.9" in capsys.readouterr().out
    assert index.run() == 0, "newest is the default"
    assert index.calls() == ["index", "download", "index"]


def test_without_an_answer_newest_is_the_newest_in_the_cache(index: Index, capsys) -> None:
    for version in ("0.1.9", "0.1.10", "0.1.10.post1", "0.1.2"):
        index.offer(version)
    assert index.run("0.1.9", "0.1.10.post1", "0.1.10", "0.1.2") == 0
    index.down = True
    assert index.run("newest") == 0
    out = capsys.readouterr().out.splitlines()[-1]
    assert "0.1.10.post1" in out
    assert "could not be reached" in out


def test_an_index_that_is_away_is_named_and_asked_once(index: Index, capsys) -> None:
    index.run("0.1.0")
    index.log.unlink()
    index.down = True
    assert index.run("0.1.9", "0.1.0", "0.1.3") == 3
    outcomes = [line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:]]
    assert outcomes == [["0.1.9", "unreachable"], ["0.1.0", "cached"], ["0.1.3", "unreachable"]]
    assert index.calls() == ["download"]
    assert index.leftovers() == []


def test_offline_asks_nobody(index: Index, capsys) -> None:
    assert index.run("--offline", "newest") == 3
    assert index.calls() == []
    assert "was not used" in capsys.readouterr().out


def test_a_version_that_does_not_exist_is_a_failure_not_an_outage(index: Index, capsys) -> None:
    assert index.run("0.0.7") == 1
    assert "has no wheel of apache-tvm-ffi==0.0.7" in capsys.readouterr().out
    assert index.cached() == []


def test_a_pip_that_cannot_be_started_is_a_failure(tmp_path: Path, capsys) -> None:
    pip = fetch.Pip([str(tmp_path / "absent")])
    assert fetch.main(["--cache", str(tmp_path / "c"), "0.1.0"], pip) == 1
    assert "cannot start" in capsys.readouterr().out


def test_a_pip_that_hangs_is_an_outage(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(fetch, "PIP_SECONDS", 0.2)
    pip = fetch.Pip([sys.executable, "-c", "import time; time.sleep(60)"])
    assert fetch.main(["--cache", str(tmp_path / "c"), "0.1.0"], pip) == 3
    assert "no answer within" in capsys.readouterr().out


def test_an_answer_that_is_not_understood_is_a_failure(tmp_path: Path, capsys) -> None:
    pip = fetch.Pip([sys.executable, "-c", "print('apache-tvm-ffi (../../etc)')"])
    assert fetch.main(["--cache", str(tmp_path / "c"), "newest"], pip) == 1
    assert "not understood" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("ERROR: Could not install packages due to an OSError: ReadTimeout", fetch.Unreachable),
        ("ERROR: HTTP error 503 while getting the page", fetch.Unreachable),
        ("ERROR: No matching distribution found for x", fetch.Unreachable),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", fetch.FetchError),
        ("/usr/bin/python3: No module named pip", fetch.FetchError),
        ("ERROR: Exception:\nTraceback\nOSError: [Errno 28] No space", fetch.FetchError),
        ("", fetch.FetchError),
    ],
)
def test_what_pip_says_is_told_apart(said: str, kind: type) -> None:
    told = fetch.explain_failure(said, "x==1")
    assert type(told) is kind
    assert not str(told).endswith("Exception:")


def test_without_pip_the_wheel_of_debian_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [sys.executable, "-m", "pip"]
    wheel = tmp_path / "pip-23.0.1-py3-none-any.whl"
    monkeypatch.setattr(fetch.importlib.util, "find_spec", lambda name: None)
    assert fetch.pip_command(tmp_path) == own
    wheel.touch()
    assert fetch.pip_command(tmp_path) == [sys.executable, str(wheel / "pip")]
    monkeypatch.setattr(fetch.importlib.util, "find_spec", lambda name: name)
    assert fetch.pip_command(tmp_path) == own


@pytest.mark.parametrize("word", ["../0.1.0", "0.1.0/..", "", "latest", "0.1.*", "-r", "0.1.0 "])
def test_only_versions_become_paths(index: Index, word: str, capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        index.run("--", word)
    assert stop.value.code == 2
    assert "is neither a version" in capsys.readouterr().err
    assert index.calls() == []


def test_print_library_prints_paths_alone(index: Index, capsys) -> None:
    assert index.run("--print-library", "0.1.0") == 0
    said = capsys.readouterr()
    assert said.out == f"{index.cache / '0.1.0' / LIBRARY}\n"
    assert "fetched" in said.err


def test_a_list_names_versions(index: Index, tmp_path: Path) -> None:
    versions = tmp_path / "list.txt"
    versions.write_text("# the oldest\n0.1.0\n\nnewest # whatever it is\n0.1.0\n")
    assert index.run("--list", str(versions)) == 0
    assert index.cached() == ["0.1.0", "0.1.9"]
    assert index.calls() == ["download", "index", "download"]


def test_the_projects_own_list_is_sound() -> None:
    versions = fetch.read_list(str(Path(__file__).resolve().parents[1] / "runtimes.txt"))
    assert fetch.NEWEST in versions
    assert len(versions) >= 3


@pytest.mark.parametrize("name", ["requirements.in", "requirements.lock"])
def test_the_newest_release_is_installed(name: str) -> None:
    pinned = runtimes.LIST.with_name(name).read_text(encoding="utf-8")
    assert f"apache-tvm-ffi=={runtimes.NEWEST} " in pinned


def test_an_incomplete_folder_is_replaced(index: Index) -> None:
    half = index.cache / "0.1.0" / "tvm_ffi" / "lib"
    half.mkdir(parents=True)
    (half / "libtvm_ffi.so").write_bytes(b"old")
    assert index.run("0.1.0") == 0
    assert (half / "libtvm_ffi.so").read_bytes() == b"\x7fELF"


def test_a_faster_process_is_no_failure(index: Index, monkeypatch) -> None:
    rename = fetch.os.rename

    def late(source: Path, target: Path) -> None:
        if not target.exists():
            fetch.unpack(index.stock / "apache_tvm_ffi-0.1.0-cp311-cp311-any.whl", target)
        rename(source, target)

    monkeypatch.setattr(fetch.os, "rename", late)
    assert index.run("0.1.0") == 0
    assert index.cached() == ["0.1.0"]
    assert index.leftovers() == []


@pytest.mark.parametrize("absent", [LIBRARY, C_API, DLPACK])
def test_a_wheel_without_its_parts_is_refused(index: Index, absent: str, capsys) -> None:
    index.offer("0.1.0", {name: text for name, text in WHEEL.items() if name != absent})
    assert index.run("0.1.0") == 1
    assert f"holds no {absent}" in capsys.readouterr().out
    assert index.cached() == []


@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "/outside",
        "tvm_ffi/lib/../../../outside",
        "tvm_ffi/lib/./x",
        "tvm_ffi//lib/x",
        "tvm_ffi\\..\\outside",
        "C:outside",
    ],
)
def test_a_member_that_would_land_elsewhere_is_refused(index: Index, name: str, capsys) -> None:
    before = set(index.stock.parent.rglob("*"))
    index.offer("0.1.0", {**WHEEL, name: b"x"})
    assert index.run("0.1.0") == 1
    assert "outside of its folder" in capsys.readouterr().out
    assert index.cached() == []
    made = set(index.stock.parent.rglob("*")) - before
    assert not [path for path in made if path.name == "outside"]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_refused(index: Index, kind: int, capsys) -> None:
    wheel = index.offer("0.1.0")
    member = zipfile.ZipInfo("tvm_ffi/lib/link")
    member.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(member, "/etc/passwd")
    assert index.run("0.1.0") == 1
    assert "neither a file nor a folder" in capsys.readouterr().out
    assert index.cached() == []


def test_compressions_that_wheels_do_not_use_are_refused(index: Index, capsys) -> None:
    wheel = index.offer("0.1.0")
    with zipfile.ZipFile(wheel, "a", zipfile.ZIP_LZMA) as archive:
        archive.writestr("tvm_ffi/lib/x", b"other")
    assert index.run("0.1.0") == 1
    assert "compressed in a way" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_is_there_twice_is_refused(index: Index, capsys) -> None:
    wheel = index.offer("0.1.0")
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(LIBRARY, b"other")
    assert index.run("0.1.0") == 1
    assert "there twice" in capsys.readouterr().out


def test_sizes_have_bounds(index: Index, capsys, monkeypatch) -> None:
    monkeypatch.setattr(fetch, "MAX_BYTES", 1 << 20)
    index.offer("0.1.0", {**WHEEL, "tvm_ffi/lib/bomb": bytes(2 << 20)})
    assert index.run("0.1.0") == 1
    assert "unpack to more than 1 MiB" in capsys.readouterr().out
    monkeypatch.setattr(fetch, "MAX_FILES", 3)
    assert index.run("0.1.9") == 1
    assert "more than 3" in capsys.readouterr().out


def test_a_size_that_lies_is_not_believed(index: Index, tmp_path: Path, capsys) -> None:
    """A member of 1 MiB that claims 10 bytes: no more than those are written, and it is refused."""
    big = bytes(1 << 20)
    wheel = index.offer("0.1.0", {**WHEEL, "tvm_ffi/lib/bomb": big})
    honest = wheel.read_bytes()
    lying = honest.replace(len(big).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != honest
    wheel.write_bytes(lying)
    assert index.run("0.1.0") == 1
    assert "cannot be unpacked" in capsys.readouterr().out
    assert index.cached() == []


@pytest.mark.parametrize("damage", ["empty", "text", "truncated", "bit"])
def test_a_damaged_wheel_is_refused(index: Index, damage: str, capsys) -> None:
    wheel = index.offer("0.1.0", {**WHEEL, LIBRARY: bytes(range(256)) * 64})
    whole = wheel.read_bytes()
    flipped = bytearray(whole)
    flipped[80] ^= 0xFF
    wheel.write_bytes(
        {"empty": b"", "text": b"hello", "truncated": whole[:-40], "bit": bytes(flipped)}[damage]
    )
    assert index.run("0.1.0") == 1
    assert "cannot be unpacked" in capsys.readouterr().out
    assert index.cached() == []
    assert index.leftovers() == []


def test_versions_are_ordered_as_the_index_orders_them() -> None:
    rising = [
        "0.1.2.dev1",
        "0.1.2a1",
        "0.1.2b1",
        "0.1.2rc0",
        "0.1.2",
        "0.1.2.post2",
        "0.1.10",
        "1.0",
    ]
    shuffled = rising[4:] + rising[:4]
    assert sorted(shuffled, key=fetch.natural_key) == rising
    with pytest.raises(ValueError, match="not a version"):
        fetch.natural_key("x")

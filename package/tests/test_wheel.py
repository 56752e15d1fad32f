# SPDX-License-Identifier: Apache-2.0
"""`pip install .` and `make wheel`, each into a virtual environment with nothing in it.

The folder to build in is PACKAGE_TREE (kept from run to run), a module that conforms is
PACKAGE_KERNEL. What the package requires is taken from the environment that runs this, without
which it would have to come over the network.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TREE = Path(os.environ["PACKAGE_TREE"])
KERNEL = os.environ["PACKAGE_KERNEL"]

# Of the C library, or of the compiler's that every system has (what unwinds the stack).
SYSTEM = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
UNWINDER = "libgcc_s.so.1"
# Parts of the C library of their own before glibc 2.34.
SYSTEM |= {"libpthread.so.0", "libdl.so.2"}
# The oldest glibc that the wheel is linked for (package/make_wheel.sh).
OLDEST = 28


COMPLETIONS = (
    "bash-completion/completions/tvmffi-conform",
    "zsh/site-functions/_tvmffi-conform",
    "fish/vendor_completions.d/tvmffi-conform.fish",
)


def run(*command: str | Path, status: int = 0, **more) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


class Clean:
    """A virtual environment with nothing in it but pip and, out of the way, what is required."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True, symlinks=True)
        self.python = folder / "bin" / "python"
        purelib = self.ask("import sysconfig; print(sysconfig.get_path('purelib'))")
        self.packages = Path(purelib)
        required = Path(purelib) / "required.pth"
        required.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        self.work = folder.parent / "elsewhere"
        self.work.mkdir()
        self.environment = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "HOME": str(self.work)}

    def ask(self, code: str) -> str:
        return run(self.python, "-c", code).strip()

    def pip(self, *arguments: str | Path) -> None:
        command = [self.python, "-m", "pip", "--disable-pip-version-check", *arguments]
        run(*command, env={**os.environ, "PIP_NO_INDEX": "1"})

    def __call__(self, *command: str | Path, status: int = 0) -> str:
        return run(*command, status=status, cwd=self.work, env=self.environment)


@pytest.fixture
def clean(tmp_path: Path) -> Clean:
    return Clean(tmp_path / "environment")


def use(clean: Clean) -> None:
    """Both commands work from a folder that has nothing to do with the project."""
    package = Path(clean("python", "-c", "import tvmffi_conform as p; print(p.__file__)")).parent
    assert package == clean.packages / "tvmffi_conform"
    program = package / "program"
    reference = program / "lib" / "libtvm_ffi.so"
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"project\(tvmffi_conform VERSION ([0-9.]+)", cmake)
    assert version
    assert clean("tvmffi-conform", "--version").startswith(f"tvmffi-conform {version[1]},")

    clean("tvmffi-conform", reference, "-q", "--report", "json:reference.json")
    report = json.loads((clean.work / "reference.json").read_text(encoding="utf-8"))
    assert report["complete"]
    verdicts = [case["verdict"] for case in report["cases"]]
    assert verdicts.count("pass") > 2000
    assert set(verdicts) <= {"pass", "skip"}

    # A module is judged on the reference that came along.
    assert "CONFORMS" in clean("tvmffi-conform", KERNEL, "--min-judged", "0")
    assert "CONFORMS" in clean("tvmffi-conform", reference, "--filter", "layout.*")
    clean("tvmffi-conform", "inspect", "-q", reference)
    clean("tvmffi-conform", "vectors", "vectors")
    assert (clean.work / "vectors" / "any.json").read_bytes() == (
        program / "share" / "tvmffi-conform" / "vectors" / "any.json"
    ).read_bytes()
    assert (program / "share" / "tvmffi-conform" / "spec" / "any.md").is_file()
    assert (program / "include" / "tvm" / "ffi" / "c_api.h").is_file()

    command = ["python", "-m", "pytest", "-p", "no:cacheprovider", "-q", "--tvmffi-conform", KERNEL]
    command.append("--tvmffi-conform-min-judged=0")
    assert re.search(r"\d passed", clean(*command))

    # What there is besides the program is where man and shells look, seen from Python's bin/.
    share = clean.packages.parents[2] / "share"
    for place in ("man/man1/tvmffi-conform.1", *COMPLETIONS):
        assert (share / place).is_file(), place
    if shutil.which("man"):
        assert clean("man", "-w", "tvmffi-conform").strip() == str(
            share / "man" / "man1" / "tvmffi-conform.1"
        )
    told = subprocess.run(
        [clean.python.parent / "tvmffi-conform", "self-test"], capture_output=True, text=True
    )
    assert (told.returncode, "build the project with `make`" in told.stderr) == (2, True)

    clean("tvmffi-harness", "report", "reference.json", "-o", "page.html")
    assert "layout" in (clean.work / "page.html").read_text(encoding="utf-8")
    (clean.work / "matrix.toml").write_text(
        f'[[runtime]]\nname = "bundled"\npath = "{reference}"\n'
        'options = ["--filter", "layout.*"]\n',  # all cases have run above
        encoding="utf-8",
    )
    clean("tvmffi-harness", "matrix", "matrix.toml", "-o", "results")
    assert list((clean.work / "results").glob("*bundled*.json"))


def test_what_pip_installs_works_from_any_folder(clean: Clean) -> None:
    settings = {
        "build-dir": TREE / "cmake",
        "cmake.define.CMAKE_C_FLAGS_RELEASE": "-O0",  # how fast it is shows elsewhere
        "cmake.define.DLPACK_INCLUDE_DIR": os.environ["DLPACK_INCLUDE_DIR"],
    }
    told = [f"--config-settings={name}={value}" for name, value in settings.items()]
    clean.pip("install", "-q", "--no-build-isolation", *told, ROOT)
    use(clean)
    clean.pip("uninstall", "-q", "-y", "tvmffi-conform")
    left = [path for path in (clean.packages / "tvmffi_conform").rglob("*") if path.is_file()]
    assert {path.suffix for path in left} <= {".pyc"}, left


def needed(path: Path) -> set[str]:
    told = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=False)
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", told.stdout))


def newest_glibc(path: Path) -> int:
    """The newest version of glibc of which a file asks for symbols: 28 for 2.28."""
    told = subprocess.run(["readelf", "-VW", path], capture_output=True, text=True, check=True)
    return max((int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", told.stdout)), default=0)


def test_the_wheel_needs_nothing_but_the_c_library(clean: Clean, tmp_path: Path) -> None:
    out = tmp_path / "wheel"
    quick = {**os.environ, "CMAKE_ARGS": "-DCMAKE_C_FLAGS_RELEASE=-O1"}  # as above
    run(ROOT / "package" / "make_wheel.sh", sys.executable, TREE, out, env=quick)
    (wheel,) = out.glob("*.whl")
    tag = re.fullmatch(r"tvmffi_conform-[0-9.]+-py3-none-manylinux_2_(\d+)_\w+\.whl", wheel.name)
    assert tag, wheel.name
    here = int(os.confstr("CS_GNU_LIBC_VERSION").split(".")[1])
    assert int(tag[1]) <= (OLDEST if importlib.util.find_spec("ziglang") else here)
    assert wheel.stat().st_size < 10 << 20

    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "content")
    program = tmp_path / "content" / "tvmffi_conform" / "program"
    assert needed(program / "bin" / "tvmffi-conform") <= SYSTEM
    assert needed(program / "libexec" / "tvmffi-conform" / "tvmffi-conform-worker") <= SYSTEM
    for library in (program / "lib").rglob("*.so"):
        assert needed(library) <= SYSTEM | {UNWINDER}
    assert not list(program.rglob("mutants"))
    # One of the libraries that cases load is cut off, so that nothing can be read from it.
    for path in set(program.rglob("*")) - set(program.rglob("truncated.so")):
        if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
            assert newest_glibc(path) <= int(tag[1]), path

    # Moved away, so that nothing of it can be what works below.
    hidden = TREE / "hidden"
    shutil.rmtree(hidden, ignore_errors=True)
    (TREE / "static").rename(hidden)
    try:
        clean.pip("install", "-q", wheel)
        use(clean)
    finally:
        hidden.rename(TREE / "static")

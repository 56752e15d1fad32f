# SPDX-License-Identifier: Apache-2.0
"""What `make conform` installs, builds and prints, and what a build says that lacks something."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def packages(variable: str) -> set[str]:
    """A list of Debian packages of the Makefile."""
    found = re.search(rf"^{variable} := ((?:.*\\\n)*.*)$", MAKEFILE, re.MULTILINE)
    assert found
    return set(found[1].replace("\\\n", " ").split())


def commands(*goals: str) -> str:
    """What make would run."""
    done = subprocess.run(
        ["make", "-n", *goals], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_judging_installs_and_builds_what_it_needs() -> None:
    to_use, to_develop = packages("TO_USE"), packages("TO_DEVELOP")
    assert not to_use & (to_develop | packages("EXTRAS"))
    words = set(commands("conform", "PRESET=nothing-is-built-here").split())
    assert to_use <= words
    assert not words & (to_develop | packages("EXTRAS") | {"venv", "ctest", "--preset"})
    assert to_use | to_develop | packages("EXTRAS") <= set(commands("test").split())


def configure(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    cmake, make = shutil.which("cmake"), shutil.which("ninja")
    assert cmake
    return subprocess.run(
        [cmake, "-S", ROOT, "-B", folder, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={make}", *words],
        env={"PATH": str(folder / "empty"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_missing_is_named_with_its_packages(tmp_path: Path) -> None:
    done = configure(tmp_path)
    said = " ".join(done.stderr.split())
    assert done.returncode == 1
    assert "not found (libraries with their headers): a C compiler, pkg-config, libelf, " in said
    wanted = re.search(r"^ *apt-get install (.*)$", done.stderr, re.MULTILINE)
    assert wanted
    named = set(wanted[1].split())
    assert named <= packages("TO_USE")
    needed = packages("TO_USE") - {"libseccomp-dev"}  # without it, no seccomp
    assert {name for name in needed if name.endswith("-dev")} <= named


def test_one_library_that_is_missing_is_named_alone(tmp_path: Path) -> None:
    config = tmp_path / "pkg-config"
    config.write_text('#!/bin/sh\ntest "$2" != jansson\n')
    config.chmod(0o755)
    done = configure(tmp_path, f"-DPKG_CONFIG_EXECUTABLE={config}", CC="/bin/false")
    assert re.search(r"headers\): +jansson$", done.stderr, re.MULTILINE)
    assert re.search(r"^ *apt-get install libjansson-dev$", done.stderr, re.MULTILINE)


class Tree:
    """A folder to run conform.sh in, where cmake and what it would build are small scripts."""

    def __init__(self, root: Path) -> None:
        self.root, self.log = root, root / "log"
        self.script("bin/cmake", f'echo "cmake $*" >>{self.log}')
        self.script("fetch", "echo official.so")
        self.judges()

    def script(self, name: str, body: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def judges(self, reference: int = 0, official: int = 0) -> None:
        body = f"case $* in *official.so) exit {official} ;; esac; echo judged; exit {reference}"
        self.script("build/dev/bin/tvmffi-conform", body)

    def run(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [ROOT / "harness" / "conform.sh", "dev", "2", "w.json", "-DA=1 -DB=2", "./fetch"],
            cwd=self.root,
            env={"PATH": f"{self.root / 'bin'}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_a_folder_that_is_configured_stays_as_it_is(tree: Tree) -> None:
    assert tree.run().returncode == 0
    configuring, building = tree.log.read_text().splitlines()
    assert "-DTVMFFI_TESTS=OFF -DTVMFFI_MUTANTS=OFF -DA=1 -DB=2" in configuring
    assert "--target tvmffi-conform brought_libraries tvm_ffi_shared -- --quiet" in building
    (tree.root / "build/dev/build.ninja").touch()
    tree.log.unlink()
    assert tree.run().returncode == 0
    assert tree.log.read_text().splitlines() == [building]


@pytest.mark.parametrize(("reference", "official"), [(0, 1), (1, 0), (5, 0)])
def test_what_does_not_conform_is_the_exit_status(
    tree: Tree, reference: int, official: int
) -> None:
    tree.judges(reference, official)
    assert tree.run().returncode == (reference or official)


def test_without_the_package_index_the_reference_is_judged(tree: Tree) -> None:
    tree.script("fetch", "exit 3")
    done = tree.run()
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "judged")
    assert "No official runtime was judged" in done.stdout

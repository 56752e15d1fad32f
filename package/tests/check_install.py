# SPDX-License-Identifier: Apache-2.0
"""Installs the project, uses it as others would, and does so again where it was moved to:

check_install.py --build BUILD --stage FOLDER --consumer FILE.c --libdir lib
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
find_package(tvmffi 0.1 REQUIRED)
foreach(library IN ITEMS reference reference_static)
  add_executable(with_${library} %s)
  target_link_libraries(with_${library} PRIVATE tvmffi::${library})
endforeach()
add_library(mine MODULE %s)
target_link_libraries(mine PRIVATE tvmffi::headers)
add_custom_target(judge COMMAND tvmffi::conform inspect -q $<TARGET_FILE:mine>)
"""

# Each of these is in the place that its readers look at.
PLACES = [
    "bin/tvmffi-conform",
    "libexec/tvmffi-conform/tvmffi-conform-worker",
    "libexec/tvmffi-conform/libraries/carrier.so",
    "LIB/libtvm_ffi.so",
    "LIB/libtvm_ffi.a",
    "LIB/tvmffi-conform/observer/libtvm_ffi.so",
    "LIB/tvmffi-conform/trace/libtvmffi_conform_audit.so",
    "LIB/tvmffi-conform/trace/libtvmffi_conform_layer.so",
    "LIB/tvmffi-conform/trace/libtvmffi_conform_preload.so",
    "LIB/pkgconfig/tvm_ffi.pc",
    "LIB/cmake/tvmffi/tvmffi-config.cmake",
    "include/tvm/ffi/c_api.h",
    "include/tvmffi-conform/dlpack/dlpack.h",
    "share/man/man1/tvmffi-conform.1",
    "share/bash-completion/completions/tvmffi-conform",
    "share/zsh/site-functions/_tvmffi-conform",
    "share/fish/vendor_completions.d/tvmffi-conform.fish",
    "share/tvmffi-conform/spec/any.md",
    "share/tvmffi-conform/vectors/any.json",
    "share/tvmffi-conform/schemas/report.schema.json",
    "share/tvmffi-conform/waivers/official.json",
]


def run(*command: str | Path, status: int = 0, **more) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    if done.returncode != status:
        sys.exit(f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def judge(prefix: Path, libdir: str, work: Path) -> None:
    """The program judges the runtime beside it, and finds all that its cases load."""
    report = work / "report.json"
    tool = prefix / "bin" / "tvmffi-conform"
    run(
        tool, prefix / libdir / "libtvm_ffi.so", "-q", "--filter", "library-bin.*", "--filter",
        "layout.*", "--filter", "module.*", "--report", f"json:{report}", cwd=work,
    )  # fmt: skip
    cases = json.loads(report.read_text(encoding="utf-8"))["cases"]
    passed = [case["id"] for case in cases if case["verdict"] == "pass"]
    loading = [id for id in passed if id.startswith(("library-bin.", "module."))]
    if len(passed) < 200 or len(loading) < 100:
        sys.exit(f"only {len(passed)} cases passed, {len(loading)} of them about modules")
    if "ANY-1" not in run(tool, "explain", "ANY-1", cwd=work):
        sys.exit("the program does not know the text of its clauses")


def build_with_cmake(prefix: Path, arguments: argparse.Namespace, work: Path) -> None:
    source = work / "cmake"
    source.mkdir()
    text = PROJECT % (arguments.consumer, arguments.consumer)
    (source / "CMakeLists.txt").write_text(text, encoding="utf-8")
    run("cmake", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", source / "build")
    for library in ("reference", "reference_static"):
        run(source / "build" / f"with_{library}")
    run("cmake", "--build", source / "build", "--target", "judge")


def build_with_pkg_config(prefix: Path, arguments: argparse.Namespace, work: Path) -> None:
    folder = prefix / arguments.libdir
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder / "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "tvm_ffi", env=environment).split()
    program = work / "with_pkg_config"
    run("cc", arguments.consumer, *flags, "-o", program)
    run(program, env={**os.environ, "LD_LIBRARY_PATH": str(folder)})


def check(prefix: Path, arguments: argparse.Namespace) -> None:
    missing = [
        place for place in (name.replace("LIB", arguments.libdir) for name in PLACES)
        if not (prefix / place).is_file()
    ]  # fmt: skip
    if missing:
        sys.exit(f"not installed in {prefix}: {missing}")
    work = prefix.parent / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    judge(prefix, arguments.libdir, work)
    self_test_without_mutants(prefix / "bin" / "tvmffi-conform")
    build_with_cmake(prefix, arguments, work)
    build_with_pkg_config(prefix, arguments, work)


def self_test_without_mutants(program: Path) -> None:
    """Mutants are a component of their own. That they are not there is no verdict."""
    done = subprocess.run([program, "self-test"], capture_output=True, text=True, check=False)
    if done.returncode != 2 or "--component mutants" not in done.stderr:
        sys.exit(f"self-test without mutants: {done.returncode}\n{done.stderr}")


def without_debug_information(archive: Path, work: Path) -> bytes:
    """Debug information says where the sources were, and may: nothing is looked up there."""
    bare = work / archive.name
    run("strip", "--strip-debug", "-o", bare, archive)
    return bare.read_bytes()


def names_of_folders(prefix: Path, folders: list[Path]) -> list[str]:
    """What would be looked up in one of the folders: installed texts, what archives hold, and
    libraries' search paths."""
    found = []
    for path in sorted(prefix.rglob("*")):
        if not path.is_file():
            continue
        content = path.read_bytes()
        if content[:4] == b"\x7fELF":
            # (Some of what cases load is damaged, and readelf says so.)
            told = subprocess.run(["readelf", "-dW", path], capture_output=True, check=False)
            content = b"".join(line for line in told.stdout.splitlines() if b"PATH)" in line)
        elif content[:8] == b"!<arch>\n":
            content = without_debug_information(path, prefix.parent)
        found += [f"{path}: {folder}" for folder in folders if os.fsencode(folder) in content]
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--build", "--stage", "--consumer"):
        parser.add_argument(name, type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--libdir", required=True)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.stage, ignore_errors=True)
    first, second = arguments.stage / "first", arguments.stage / "moved" / "there"
    run("cmake", "--install", arguments.build, "--prefix", first)
    named = names_of_folders(first, [arguments.build, first])
    if named:
        sys.exit("these would break after a move:\n" + "\n".join(named))
    check(first, arguments)
    second.parent.mkdir()
    first.rename(second)
    check(second, arguments)
    print("installed, used, moved, and used again")


if __name__ == "__main__":
    main()

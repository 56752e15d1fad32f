#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Brings modules that others' tools make into a folder: produce.py [--cache DIR] [ORIGIN...]

Each origin is a project at a fixed version. Its packages go into an environment of its own below
the cache; its modules become DIR/ORIGIN/NAME.so. What is there already is not made again.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from runtimes import NEWEST

HERE = Path(__file__).resolve().parent
TVM_FFI = f"apache-tvm-ffi=={NEWEST}"
TVM = "apache-tvm==0.27.0.post1"
TILELANG = "tilelang==0.1.15"
TILELANG_RUNTIME = "apache-tvm-ffi==0.1.12"
TOKENSPEED = "tokenspeed-kernel==0.1.4"
CUDA_RUNTIME = "nvidia-cuda-runtime==13.5.37"
JAX_TVM_FFI = "jax-tvm-ffi==0.1.3"

# From the source distribution of the runtime: where a module's source lies, and its name.
EXAMPLES = (
    ("examples/stable_c_abi/src/add_one_cpu.c", "c_add_one_cpu"),
    ("examples/quickstart/compile/add_one_cpu.cc", "cxx_add_one_cpu"),
    ("examples/python_packaging/src/extension.cc", "extension"),
    ("addons/tvm_ffi_orcjit/examples/quick-start/add.cc", "add"),
)
KERNELS_OF_TOKENSPEED = (
    "flashinfer_softmax",
    "fused_topk_topp",
    "kvcacheio",
    "merge_state",
    "rmsnorm_fused_parallel",
    "rope",
    "routing",
)


class Failed(Exception):
    """A module could not be made: what was tried, and what came of it."""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """The output of a command. Failed: it did not end well, with the last lines it wrote."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        tail = "\n  ".join((done.stderr or done.stdout).strip().splitlines()[-6:])
        raise Failed(f"{' '.join(words[:4])}: exit code {done.returncode}\n  {tail}")
    return done.stdout


def environment(cache: Path, name: str, *requirements: str) -> Path:
    """The folder of programs of an environment that has these packages."""
    folder = cache / "venvs" / name
    programs, stamp = folder / "bin", folder / "requirements.txt"
    wanted = "\n".join(requirements) + "\n"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        venv.create(folder, with_pip=True)
        run(programs / "pip", "--disable-pip-version-check", "install", "-q", *requirements)
        stamp.write_text(wanted, encoding="utf-8")
    return programs


def fetched(cache: Path, requirement: str, pattern: str, *options: str) -> Path:
    """The file of a release, downloaded once; `pattern` finds it among those of its project."""
    folder = cache / "downloads" / requirement.replace("==", "-")
    if not list(folder.glob(pattern)):
        quiet = ["--disable-pip-version-check", "-q", "--no-deps", "--dest", str(folder)]
        run(sys.executable, "-m", "pip", "download", *quiet, *options, requirement)
    found = list(folder.glob(pattern))
    if not found:
        raise Failed(f"{requirement}: pip downloaded no file that matches {pattern}")
    return found[0]


def unpack(wheel: Path, ending: str, folder: Path, name: str) -> None:
    """The one file of a wheel with this ending, as `folder`/`name`."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        within = [one for one in archive.namelist() if one.endswith(ending)]
        if len(within) != 1:
            raise Failed(f"{wheel.name}: {len(within)} files end in {ending}")
        with archive.open(within[0]) as source, open(folder / name, "wb") as target:
            shutil.copyfileobj(source, target)


def tvm(cache: Path) -> None:
    """Kernels of our own through apache-tvm: LLVM, generated C, the virtual machine."""
    programs = environment(cache, "tvm", TVM, TVM_FFI)
    run(programs / "python", HERE / "tvm_kernels.py", cache / "tvm")


def tilelang(cache: Path) -> None:
    """Kernels of our own through tilelang."""
    programs = environment(cache, "tilelang", TILELANG, TILELANG_RUNTIME)
    run(programs / "python", HERE / "tilelang_kernels.py", cache / "tilelang")


def tvm_ffi(cache: Path) -> None:
    """The runtime's own examples, built against its wheel as their instructions say."""
    programs = environment(cache, "tvm_ffi", TVM_FFI)
    archive = fetched(cache, TVM_FFI, "*.tar.gz", "--no-binary", "apache-tvm-ffi")
    sources = archive.with_name(archive.name.removesuffix(".tar.gz"))
    if not sources.is_dir():
        shutil.unpack_archive(archive, archive.parent)
    folder = cache / "tvm_ffi"
    folder.mkdir(parents=True, exist_ok=True)
    for source, name in EXAMPLES:
        in_c = source.endswith(".c")
        compiler = "gcc" if in_c else "g++"
        config = programs / "tvm-ffi-config"
        flags = run(config, "--cflags" if in_c else "--cxxflags").split()
        linked = [word for ask in ("--ldflags", "--libs") for word in run(config, ask).split()]
        run(
            compiler,
            *("-shared", "-O3", "-fPIC", "-fvisibility=hidden"),
            *flags,
            sources / source,
            *linked,
            *("-o", folder / f"{name}.so"),
        )
    libraries = Path(run(programs / "tvm-ffi-config", "--libdir").strip())
    shutil.copyfile(libraries / "libtvm_ffi_testing.so", folder / "testing.so")


def tokenspeed(cache: Path) -> None:
    """CUDA kernels of a wheel, what they link to, and an empty library for the driver."""
    wheel = fetched(cache, TOKENSPEED, "*.whl", "--only-binary=:all:")
    for name in KERNELS_OF_TOKENSPEED:
        unpack(wheel, f"/objs/{name}/{name}.so", cache / "tokenspeed", f"{name}.so")
    cuda = fetched(cache, CUDA_RUNTIME, "*.whl", "--only-binary=:all:")
    libraries = cache / "libraries"
    unpack(cuda, "/libcudart.so.13", libraries, "libcudart.so.13")
    empty = libraries / "no_driver.c"
    empty.write_text("int no_driver;\n", encoding="utf-8")
    driver = ["-Wl,-soname,libcuda.so.1", "-o", libraries / "libcuda.so.1"]
    run("gcc", "-shared", "-fPIC", empty, *driver)


def jax_tvm_ffi(cache: Path) -> None:
    """The extension in the wheel of the bridge to JAX."""
    wheel = fetched(cache, JAX_TVM_FFI, "*.whl", "--only-binary=:all:")
    unpack(wheel, "/jax_tvm_ffi.so", cache / "jax_tvm_ffi", "jax_tvm_ffi.so")


ORIGINS: dict[str, Callable[[Path], None]] = {
    "tvm": tvm,
    "tilelang": tilelang,
    "tvm_ffi": tvm_ffi,
    "tokenspeed": tokenspeed,
    "jax_tvm_ffi": jax_tvm_ffi,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog="Exit status: 0 all were made, 1 some were not, 2 usage.",
    )
    parser.add_argument("--cache", type=Path, default=Path(".cache/modules"), metavar="DIR")
    parser.add_argument("origins", nargs="*", metavar="ORIGIN", help=", ".join(ORIGINS))
    options = parser.parse_args(arguments)
    unknown = [name for name in options.origins if name not in ORIGINS]
    if unknown:
        parser.error(f"unknown origin {unknown[0]!r} (known: {', '.join(ORIGINS)})")
    cache, failed = options.cache.resolve(), 0
    for name in options.origins or ORIGINS:
        if list((cache / name).glob("*.so")):
            continue
        try:
            ORIGINS[name](cache)
            made = sorted(path.stem for path in (cache / name).glob("*.so"))
            print(f"{name}: {', '.join(made)}", flush=True)
        except (Failed, OSError) as error:
            shutil.rmtree(cache / name, ignore_errors=True)
            failed += 1
            print(f"{name}: {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

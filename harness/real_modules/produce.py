#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Brings modules that others' tools make into a folder: produce.py [--cache DIR] [ORIGIN...]

Each origin is a project at a fixed version. Its packages go into an environment of its own below
the cache; its modules become DIR/ORIGIN/NAME.so. What is there already is not made again.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from runtimes import NEWEST

HERE = Path(__file__).resolve().parent
TVM_FFI = f"apache-tvm-ffi=={NEWEST}"
TVM = "apache-tvm==0.27.0.post1"
TILELANG = "tilelang==0.1.15"
TILELANG_RUNTIME = "apache-tvm-ffi==0.1.12"
TOKENSPEED = "tokenspeed-kernel==0.1.4"
TOKENSPEED_KDA = "tokenspeed-cutedsl-kda==0.1.0.post20260923"
CUDA_RUNTIME = "nvidia-cuda-runtime==13.5.37"
JAX_TVM_FFI = "jax-tvm-ffi==0.1.3"
CUTE_DSL = "nvidia-cutlass-dsl==4.8.1"
FLASHINFER = "flashinfer-python==0.7.2.post1"
SGLANG = "sglang==0.5.23"

# nvcc, what it calls and what it compiles against. No GPU is needed to compile for one.
TOOLKIT = (
    "nvidia-cuda-nvcc==13.5.37",
    "nvidia-cuda-crt==13.5.37",
    "nvidia-nvvm==13.5.37",
    "nvidia-cuda-cccl==13.3.5.0.6",
    CUDA_RUNTIME,
)
ARCHITECTURE = "sm_80"

# From the source distribution of the runtime: where a module's source lies, and its name.
EXAMPLES = (
    ("examples/stable_c_abi/src/add_one_cpu.c", "c_add_one_cpu"),
    ("examples/quickstart/compile/add_one_cpu.cc", "cxx_add_one_cpu"),
    ("examples/python_packaging/src/extension.cc", "extension"),
    ("addons/tvm_ffi_orcjit/examples/quick-start/add.cc", "add"),
)
# The same for CUDA, each linked with the CUDA runtime as a shared library and as a static one.
CUDA_EXAMPLES = (
    ("examples/quickstart/compile/add_one_cuda.cu", "add_one"),
    ("examples/kernel_library/scale_kernel.cu", "scale"),
)
CUBIN_EXAMPLE = "examples/cubin_launcher/embedded_cubin/embed_with_tvm_ffi/src"

# Of flashinfer's sources: what is compiled with its binding, into a module of that name.
KERNELS_OF_FLASHINFER = ("quantization", "page", "cascade")

# Of sglang's headers: the module, its header, and each function with what it is an instance of.
# sglang writes such a source when a kernel is first called, and compiles it.
KERNELS_OF_SGLANG = (
    ("add_constant", "elementwise/add_constant", {"add_constant": "add_constant<1>"}),
    (
        "clamp_position",
        "elementwise/clamp_position",
        {"clamp_position": "ClampPosition<int64_t>::run"},
    ),
    ("rmsnorm", "elementwise/rmsnorm", {"rmsnorm": "RMSNormKernel<512, false, fp16_t>::run"}),
    (
        "activation",
        "elementwise/activation",
        {
            name: f"ActivationKernel<bf16_t, false>::{name}"
            for name in ("run_activation", "run_activation_filtered", "run_unary_activation")
        },
    ),
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


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """The output of a command. Failed: it did not end well, with the last lines it wrote."""
    words = [str(word) for word in command]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
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


def unpacked(archive: Path) -> Path:
    """The folder that a wheel or a source distribution was unpacked into, beside it."""
    name = archive.name.removesuffix(".tar.gz").removesuffix(".whl")
    folder = archive.with_name(name)
    if not folder.is_dir():
        if archive.suffix == ".whl":
            shutil.unpack_archive(archive, folder, "zip")
        else:
            shutil.unpack_archive(archive, archive.parent)
    return folder


def site_packages(programs: Path) -> Path:
    """Where the packages of an environment lie."""
    say = "import sysconfig; print(sysconfig.get_path('platlib'))"
    return Path(run(programs / "python", "-c", say).strip())


@dataclass(frozen=True)
class Toolkit:
    """nvcc from the package index, and the runtime whose headers it compiles against."""

    folder: Path
    config: Path  # tvm-ffi-config
    libraries: Path  # libcudart.so.13, and libcudart.so for the linker

    def environ(self) -> dict[str, str]:
        """The surroundings of a build: this toolkit, and none that the machine has."""
        kept = {name: value for name, value in os.environ.items() if name != "LIBRARY_PATH"}
        paths = [str(self.folder / "bin"), *os.get_exec_path()]
        return kept | {"CUDA_HOME": str(self.folder), "PATH": os.pathsep.join(paths)}

    def nvcc(self, target: Path, *words: str | Path, standard: str = "c++17") -> None:
        """Compiles and links a module."""
        flags = ["-shared", "-O2", f"-arch={ARCHITECTURE}", f"-std={standard}"]
        include = run(self.config, "--includedir").strip()
        libraries = run(self.config, "--libdir").strip()
        target.parent.mkdir(parents=True, exist_ok=True)
        run(
            self.folder / "bin" / "nvcc",
            *flags,
            *("-Xcompiler", "-fPIC,-fvisibility=hidden"),
            *(f"-I{include}", "-o", target),
            *words,
            *(f"-L{self.libraries}", f"-L{libraries}", "-ltvm_ffi"),
            env=self.environ(),
        )


def libraries_of(cache: Path) -> Path:
    """The folder of libraries that modules for CUDA need, with one that says there is no driver."""
    libraries = cache / "libraries"
    cuda = fetched(cache, CUDA_RUNTIME, "*.whl", "--only-binary=:all:")
    unpack(cuda, "/libcudart.so.13", libraries, "libcudart.so.13")
    driver = ["-Wl,-soname,libcuda.so.1", "-o", libraries / "libcuda.so.1"]
    run("gcc", "-shared", "-fPIC", HERE / "no_driver.c", *driver)
    linker_s = libraries / "libcudart.so"
    linker_s.unlink(missing_ok=True)
    linker_s.symlink_to("libcudart.so.13")
    return libraries


def toolkit(cache: Path) -> Toolkit:
    programs = environment(cache, "nvcc", *TOOLKIT, TVM_FFI)
    folder = site_packages(programs) / "nvidia" / "cu13"
    return Toolkit(folder, programs / "tvm-ffi-config", libraries_of(cache))


def tvm(cache: Path) -> None:
    """Kernels of our own through apache-tvm: LLVM, generated C, the virtual machine, CUDA."""
    programs = environment(cache, "tvm", TVM, TVM_FFI)
    tools = toolkit(cache)
    environ = tools.environ() | {
        "LD_LIBRARY_PATH": str(tools.libraries),
        "TVM_CUDA_COMPILE_MODE": "nvcc",
    }
    run(programs / "python", HERE / "tvm_kernels.py", cache / "tvm", env=environ)


def tilelang(cache: Path) -> None:
    """Kernels of our own through tilelang, their device code through nvcc."""
    programs = environment(cache, "tilelang", TILELANG, TILELANG_RUNTIME)
    environ = toolkit(cache).environ()
    run(programs / "python", HERE / "tilelang_kernels.py", cache / "tilelang", env=environ)


def sources_of_tvm_ffi(cache: Path) -> Path:
    return unpacked(fetched(cache, TVM_FFI, "*.tar.gz", "--no-binary", "apache-tvm-ffi"))


def tvm_ffi(cache: Path) -> None:
    """The runtime's own examples, built against its wheel as their instructions say."""
    programs = environment(cache, "tvm_ffi", TVM_FFI)
    sources = sources_of_tvm_ffi(cache)
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


def nvcc(cache: Path) -> None:
    """Kernels of our own and the runtime's CUDA examples, by nvcc."""
    tools, sources, folder = toolkit(cache), sources_of_tvm_ffi(cache), cache / "nvcc"
    for name, source in [("kernels", HERE / "nvcc_kernels.cu")] + [
        (name, sources / path) for path, name in CUDA_EXAMPLES
    ]:
        # scale_kernel.cu uses `half` without the header that declares it.
        words = ["-include", "cuda_fp16.h", source]
        tools.nvcc(folder / f"{name}.so", "--cudart=shared", *words)
        tools.nvcc(folder / f"{name}_static.so", "--cudart=static", *words)
    cubin(tools, sources / CUBIN_EXAMPLE, folder)


def cubin(tools: Toolkit, sources: Path, folder: Path) -> None:
    """The example of an embedded cubin, by the CUDA runtime and by the driver."""
    compiler, image = tools.folder / "bin" / "nvcc", folder / "kernel.cubin"
    as_cubin = ["-cubin", f"-arch={ARCHITECTURE}", "-o", image]
    run(compiler, *as_cubin, sources / "kernel.cu", env=tools.environ())
    include = run(tools.config, "--includedir").strip()
    headers = [f"-I{include}", f"-I{tools.folder / 'include'}"]
    for name, by_driver in (("cubin", 0), ("cubin_driver", 1)):
        plain, embedded = folder / f"{name}_plain.o", folder / f"{name}.o"
        how = f"-DTVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API={by_driver}"
        flags = ["-c", "-O2", "-fPIC", "-std=c++17", "-fvisibility=hidden", how, *headers]
        run("g++", *flags, sources / "lib_embedded.cc", "-o", plain)
        python = tools.config.with_name("python")
        files = ["--input-obj", plain, "--output-obj", embedded, "--cubin", image]
        run(python, "-m", "tvm_ffi.utils.embed_cubin", *files, "--name", "env")
        driver = tools.libraries / "libcuda.so.1" if by_driver else f"-L{tools.libraries}"
        linked = [driver] if by_driver else [driver, "-lcudart"]
        runtime = run(tools.config, "--libdir").strip()
        linked += [f"-L{runtime}", "-ltvm_ffi", "-o", folder / f"{name}.so"]
        run("g++", "-shared", "-Wl,--no-as-needed", embedded, *linked)


def cute(cache: Path) -> None:
    """Kernels of our own through the CuTe DSL, ahead of time, with the DSL's runtime library."""
    programs = environment(cache, "cute", CUTE_DSL, TVM_FFI)
    folder, libraries = cache / "cute", cache / "libraries"
    run(programs / "python", HERE / "cute_kernels.py", folder)
    libraries.mkdir(parents=True, exist_ok=True)
    needed = site_packages(programs) / "nvidia_cutlass_dsl/cu12/lib/libcute_dsl_runtime.so"
    shutil.copyfile(needed, libraries / needed.name)
    config = programs / "tvm-ffi-config"
    linked = [f"-L{libraries}", "-lcute_dsl_runtime"]
    linked += [f"-L{run(config, '--libdir').strip()}", "-ltvm_ffi"]
    objects = sorted(folder.glob("*.o"))
    run("gcc", "-shared", *objects, *linked, "-o", folder / "kernels.so")


def flashinfer(cache: Path) -> None:
    """Kernels whose sources are in the wheel, by nvcc, as its own builds on a user's machine do."""
    tools = toolkit(cache)
    data = unpacked(fetched(cache, FLASHINFER, "*.whl", "--only-binary=:all:")) / "flashinfer/data"
    dtypes = [f"-DFLASHINFER_ENABLE_{name}" for name in ("F16", "BF16", "FP8_E4M3", "FP8_E5M2")]
    include = [f"-I{data / 'include'}", f"-I{data / 'csrc'}"]
    for name in KERNELS_OF_FLASHINFER:
        sources = [data / f"csrc/{name}.cu", data / f"csrc/flashinfer_{name}_binding.cu"]
        target = cache / "flashinfer" / f"{name}.so"
        tools.nvcc(target, "--cudart=shared", *dtypes, *include, *sources)


def sglang(cache: Path) -> None:
    """Kernels whose headers are in the wheel, by nvcc, as its own builds on a user's machine do."""
    tools, folder = toolkit(cache), cache / "sglang"
    wheel = fetched(cache, SGLANG, "*.whl", "--only-binary=:all:")
    jit = unpacked(wheel) / "sglang/kernels/jit"
    folder.mkdir(parents=True, exist_ok=True)
    for name, header, functions in KERNELS_OF_SGLANG:
        headers = ("container/tensor.h", "extra/c_env_api.h", "function.h")
        lines = [f"#include <tvm/ffi/{path}>" for path in headers]
        lines += [f'#include "{jit / "csrc" / header}.cuh"', "namespace sglang {"]
        exports = functions.items()
        lines += [f"TVM_FFI_DLL_EXPORT_TYPED_FUNC({one}, ({made}));" for one, made in exports]
        source = folder / f"{name}.cu"
        source.write_text("\n".join([*lines, "}"]) + "\n", encoding="utf-8")
        # 800: compute capability 8.0, as sglang passes it.
        flags = ["--cudart=shared", "--expt-relaxed-constexpr", "-DSGL_CUDA_ARCH=800"]
        target = folder / f"{name}.so"
        tools.nvcc(target, *flags, f"-I{jit / 'include'}", source, standard="c++20")


def tokenspeed(cache: Path) -> None:
    """CUDA kernels of two wheels; one is the CuTe DSL's, with the CUDA runtime undeclared."""
    wheel = fetched(cache, TOKENSPEED, "*.whl", "--only-binary=:all:")
    for name in KERNELS_OF_TOKENSPEED:
        unpack(wheel, f"/objs/{name}/{name}.so", cache / "tokenspeed", f"{name}.so")
    wheel = fetched(cache, TOKENSPEED_KDA, "*.whl", "--only-binary=:all:")
    unpack(wheel, "/objs/libkda.so", cache / "tokenspeed", "kda.so")
    libraries_of(cache)


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
    "nvcc": nvcc,
    "cute": cute,
    "flashinfer": flashinfer,
    "sglang": sglang,
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

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program of each package that needs C++ symbols, on the official library and on ours.

real_packages.py PROGRAM=LIBRARY...

PROGRAM is a file in real_packages/ without its ending, and LIBRARY the reference with the C++
symbols of the release that the package needs. Each package comes from the index into a virtual
environment of its own (--cache). A program runs in two processes: with the official package as it
is, and with our library in the place of its own; both have to print the same. --report writes a
page.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from official_suites import package_of, replace_library

HERE = Path(__file__).parent
# What each program needs; the release of apache-tvm-ffi is the newest that the package accepts.
NEEDS = {
    "tvm_te": ("apache-tvm==0.27.0.post1", "apache-tvm-ffi==0.1.15.post2", "numpy"),
    "tilelang_lower": ("tilelang==0.1.15", "apache-tvm-ffi==0.1.12"),
    "orcjit_load": ("apache-tvm-ffi-orcjit==0.1.3", "apache-tvm-ffi==0.1.15.post2"),
}
SECONDS = 600
HEAD = """\
# Packages that need C++ symbols, on the reference

Written by `harness/real_packages.py`: each program of `harness/real_packages/` runs with the
package as it is, and with the reference with C++ symbols in the place of the official library
([how it is built](../reference/README.md#c-symbols)). TileLang needs the symbols of 0.1.12.

```sh
cmake --build build/dev --target tvm_ffi_cxx
cmake -B build/cxx-0.1.12 -S . --preset dev \\
  -DTVMFFI_CXX_HEADERS=$PWD/.cache/official/0.1.12/tvm_ffi/include
cmake --build build/cxx-0.1.12 --target tvm_ffi_cxx
PYTHONPATH=harness python3 harness/real_packages.py --report reports/packages.md \\
  tvm_te=build/dev/lib/cxx/libtvm_ffi.so orcjit_load=build/dev/lib/cxx/libtvm_ffi.so \\
  tilelang_lower=build/cxx-0.1.12/lib/cxx/libtvm_ffi.so
```

| program | packages | printed | on the reference |
|---|---|---:|---|
"""


def install(venv: Path, needs: tuple[str, ...]) -> Path:
    """The Python of a virtual environment that has these packages."""
    python = venv / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *needs], check=True)
    return python


def run(python: Path, program: Path, site: Path | None) -> str:
    """What a program printed, and how it ended."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTHONPATH", None)
    if site is not None:
        environment["PYTHONPATH"] = str(site)
    done = subprocess.run(
        [str(python), str(program)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return done.stdout + (f"exit {done.returncode}\n{done.stderr}" if done.returncode else "")


def page(results: dict[str, tuple[str, str]]) -> str:
    lines = HEAD.splitlines()
    for name, (official, ours) in results.items():
        size = f"{len(official.splitlines())} lines"
        same = "the same" if official == ours else "differs"
        lines += [f"| `{name}.py` | {', '.join(NEEDS[name])} | {size} | {same} |"]
    for name, (official, _) in results.items():
        lines += ["", f"`{name}.py` prints:", "", "```", official.rstrip(), "```"]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="+", metavar="PROGRAM=LIBRARY")
    parser.add_argument("--cache", type=Path, default=Path(".cache/packages"), metavar="DIR")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the page there")
    options = parser.parse_args()
    results = {}
    for chosen in options.programs:
        name, _, library = chosen.partition("=")
        if name not in NEEDS or not Path(library).is_file():
            parser.error(f"{chosen}: expects one of {', '.join(NEEDS)}, `=`, and a library")
        cache = options.cache.resolve()
        python = install(cache / name, NEEDS[name])
        site = replace_library(package_of(python), cache / f"{name}-site", Path(library))
        program = HERE / "real_packages" / f"{name}.py"
        results[name] = (run(python, program, None), run(python, program, site))
        print(f"{name}: {'the same' if results[name][0] == results[name][1] else 'differs'}")
        if results[name][0].startswith("exit") or "\nexit " in results[name][0]:
            print(f"{name}: fails with the official library, too", file=sys.stderr)
    if options.report:
        options.report.write_text(page(results), encoding="utf-8")
    return any(official != ours for official, ours in results.values())


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Makes the Debian package of a build folder and looks into it: check_deb.py BUILD STAGE.

Exit code 77: this is not Debian, or dpkg-dev is missing.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

SKIPPED = 77

# Of what is in it, relative to usr/; a * is the folder of libraries.
HOLDS = [
    "bin/tvmffi-conform",
    "libexec/tvmffi-conform/tvmffi-conform-worker",
    "libexec/tvmffi-conform/libraries/carrier.so",
    "lib/*libtvm_ffi.so",
    "lib/*tvmffi-conform/observer/libtvm_ffi.so",
    "lib/*pkgconfig/tvm_ffi.pc",
    "lib/*cmake/tvmffi/tvmffi-config.cmake",
    "include/tvm/ffi/c_api.h",
    "include/tvmffi-conform/dlpack/dlpack.h",
    "share/man/man1/tvmffi-conform.1.gz",
    "share/doc/tvmffi-conform/copyright",
    "share/doc/tvmffi-conform/changelog.gz",
    "share/bash-completion/completions/tvmffi-conform",
    "share/zsh/vendor-completions/_tvmffi-conform",
    "share/fish/vendor_completions.d/tvmffi-conform.fish",
]
NEEDS = ["libarchive", "libc6", "libelf1", "libjansson4", "libnettle", "libxml2"]


def run(*command: str | Path) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def faults(package: Path, stage: Path) -> list[str]:
    found = []
    depends = run("dpkg-deb", "--field", package, "Depends")
    found += [f"it does not depend on {name}: {depends}" for name in NEEDS if name not in depends]
    content = run("dpkg-deb", "--contents", package)
    for name in HOLDS:
        pattern = re.escape(name).replace(r"\*", "([^ ]*/)?")
        if not re.search(rf" \./usr/{pattern}$", content, re.MULTILINE):
            found.append(f"it does not hold /usr/{name}")
    if "/mutants/" in content or not all(
        line.split()[1] == "root/root" for line in content.splitlines()
    ):
        found.append("it holds mutants, or files that are not root's")

    # Unpacked, it works where it lies.
    run("dpkg-deb", "--extract", package, stage / "root")
    tool = stage / "root" / "usr" / "bin" / "tvmffi-conform"
    (reference,) = (
        path for path in (stage / "root").rglob("libtvm_ffi.so") if path.parent.name != "observer"
    )
    said = run(tool, reference, "--filter", "library-bin.*")
    if not re.search(r"judged \d+ of \d+ applicable MUST clauses", said):
        found.append(f"the program of the package does not judge:\n{said}")

    if shutil.which("lintian"):
        told = subprocess.run(
            ["lintian", "--no-cfg", "--fail-on", "error", package],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if told.returncode != 0:
            found.append(f"lintian:\n{told.stdout}{told.stderr}")
    else:
        print("lintian is not installed; its rules were not tried")
    return found


def main() -> None:
    build, stage = (Path(argument).resolve() for argument in sys.argv[1:])
    missing = [name for name in ("dpkg-deb", "dpkg-shlibdeps") if not shutil.which(name)]
    if missing:
        print(f"skipped: {' and '.join(missing)} not installed")
        sys.exit(SKIPPED)
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    run("cpack", "--config", build / "CPackConfig.cmake", "-B", stage)
    (package,) = stage.glob("*.deb")
    if not re.fullmatch(r"tvmffi-conform_[0-9.]+_[a-z0-9]+\.deb", package.name):
        sys.exit(f"an odd name: {package.name}")
    found = faults(package, stage)
    if found:
        sys.exit("\n".join(found))
    print(f"{package.name} holds what it should, and works")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Chooses the runtime that the official package finds: TVMFFI_LIBRARY, or else its own.

The package looks for its library beside itself, by way of the record of its installation. So it is
copied, together with that record, and the copy gets the other library.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

LIBRARY = "tvm_ffi/lib/libtvm_ffi.so"
# What nobody needs in order to run: headers and sources.
LEFT_OUT = shutil.ignore_patterns("include", "3rdparty", "src", "share", "cython", "__pycache__")


def copy_package(folder: Path, library: Path) -> None:
    """Copies the installed package into `folder`, with another library in it."""
    installed = importlib.metadata.distribution("apache-tvm-ffi")
    package = Path(str(installed.locate_file("tvm_ffi")))
    record = next(package.parent.glob("apache_tvm_ffi-*.dist-info"))
    shutil.copytree(package, folder / "tvm_ffi", ignore=LEFT_OUT)
    shutil.copytree(record, folder / record.name)
    shutil.copyfile(library, folder / LIBRARY)


def pytest_configure(config: pytest.Config) -> None:
    library = os.environ.get("TVMFFI_LIBRARY")
    if library is None:
        return
    scratch = tempfile.TemporaryDirectory(prefix="tvm_ffi-")
    config.add_cleanup(scratch.cleanup)
    copy_package(Path(scratch.name), Path(library))
    sys.path.insert(0, scratch.name)

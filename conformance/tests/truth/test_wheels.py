# SPDX-License-Identifier: Apache-2.0
"""The findings of inspect in a wheel against nm, readelf and auditwheel; and that the comparison
notices what it should. TVMFFI_CONFORM names the program."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("auditwheel")
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "harness"))
import check_wheels

TOOL = os.environ.get("TVMFFI_CONFORM", "")
Findings = list[dict[str, Any]]

pytestmark = [
    pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM does not name the program"),
    pytest.mark.skipif(
        not all(shutil.which(one) for one in ("cc", "nm", "readelf")), reason="no tools"
    ),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="the tags are of x86-64"),
]

MODULE = """
extern void TVMFFIHandleInitOnce(void), TVMFFINothing(void), _ZN3tvm3ffi3addEi(void);
extern void helped(void), newer(void);
void *uses[] = {TVMFFIHandleInitOnce, TVMFFINothing, _ZN3tvm3ffi3addEi, helped, newer};
int __tvm_ffi_add(void *h, const void *a, int n, void *r) { return 0; }
void *PyInit_user(void) { return uses; }
"""
RUNTIME = "void TVMFFIObjectIncRef(void) {}"


def library(path: Path, source: str, *flags: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    command = [
        "cc",
        "-shared",
        "-fPIC",
        "-w",
        "-nostdlib",
        "-xc",
        "-",
        "-xnone",
        "-o",
        path,
        *flags,
    ]
    subprocess.run(list(map(str, command)), input=source, text=True, check=True)
    return path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of many flaws: a second runtime, a newer glibc than its tag, too little required."""
    folder = tmp_path_factory.mktemp("wheel")
    (folder / "c.map").write_text("GLIBC_2.38 { newer; };")
    libc = library(
        folder / "libc.so.6",
        "void newer(void) {}",
        "-Wl,-soname,libc.so.6",
        f"-Wl,--version-script={folder / 'c.map'}",
    )
    members = folder / "members"
    helper = library(members / "libhelper.so", "void helped(void) {}", "-Wl,-soname,libhelper.so")
    library(members / "libtvm_ffi-1a2b.so", RUNTIME, "-Wl,-soname,libtvm_ffi-1a2b.so")
    library(members / "user.abi3.so", MODULE, helper, libc, "-Wl,-rpath,$ORIGIN")
    made = folder / "some-1.0-cp39-abi3-manylinux_2_28_x86_64.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for one in sorted(members.iterdir()):
            archive.write(one, f"some/{one.name}")
        text = "Metadata-Version: 2.1\nName: some\nRequires-Dist: apache-tvm-ffi>=0.1.2\n"
        archive.writestr("some-1.0.dist-info/METADATA", text)
        tag = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp39-abi3-manylinux_2_28_x86_64\n"
        archive.writestr("some-1.0.dist-info/WHEEL", tag)
        archive.writestr(
            "some-1.0.dist-info/RECORD", "".join(f"{n},,\n" for n in archive.namelist())
        )
    return made


def test_each_finding_is_seen(wheel: Path) -> None:
    outcome = check_wheels.check(TOOL, wheel)
    assert outcome.complaints == []
    assert {
        "symbols.unknown-api",
        "symbols.mangled-tvm-ffi",
        "wheel.bundled-runtime",
        "wheel.above-tag",
        "wheel.requires-too-little",
    } <= set(outcome.findings)
    assert "symbols.unresolved" not in outcome.findings


def without(kind: str) -> Callable[[Findings], Findings]:
    return lambda findings: [one for one in findings if one["id"] != kind]


def with_more(kind: str, symbol: str | None) -> Callable[[Findings], Findings]:
    more = {"id": kind, "level": "error", "symbol": symbol, "detail": None, "reason": None}
    return lambda findings: [*findings, more]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (without("symbols.unknown-api"), "no finding symbols.unknown-api TVMFFINothing"),
        (without("wheel.bundled-runtime"), "no finding wheel.bundled-runtime"),
        (without("wheel.requires-too-little"), "no finding wheel.requires-too-little"),
        (without("wheel.above-tag"), "auditwheel says (2, 38)"),
        (with_more("symbols.unresolved", "helped"), "nobody else sees symbols.unresolved helped"),
        (with_more("elf.executable-stack", None), "nobody else sees elf.executable-stack"),
    ],
)
def test_a_wrong_finding_is_noticed(
    wheel: Path, tmp_path: Path, change: Callable[[Findings], Findings], complaint: str
) -> None:
    said = json.loads(check_wheels.said(TOOL, "inspect", "--report", "json:-", wheel))
    for file in said["files"]:
        file["findings"] = change(file["findings"])
    (tmp_path / "said.json").write_text(json.dumps(said))
    liar = tmp_path / "liar"
    liar.write_text(f"#!/bin/sh\ncat {tmp_path / 'said.json'}\n")
    liar.chmod(0o755)
    assert any(complaint in one for one in check_wheels.check(str(liar), wheel).complaints)

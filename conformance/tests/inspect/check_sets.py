# SPDX-License-Identifier: Apache-2.0
"""Files that `inspect` looks at together: imports that other libraries of the same wheel, folder
or command line export. Devices that embedded code is for. The cached releases of the official
runtime, in which nothing is wrong.

Usage: check_sets.py --tool TOOL [--cc CC] [--official FOLDER]
"""

from __future__ import annotations

import argparse
import json
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sets_formats import BESIDE, FOUND, HELP, PACKAGES, UNKNOWN, Package, helper, user

Json = dict[str, Any]
USER = """
extern void TVMFFITestingHelper(void), _ZN3tvm3ffi9OwnHelperEv(void), cudaHelper(void), plain(void);
void *uses[] = {TVMFFITestingHelper, _ZN3tvm3ffi9OwnHelperEv, cudaHelper, plain};
int __tvm_ffi_add(void *h, const void *a, int n, void *r) { return !h + !a + n + !r; }
"""
HELPER = """
void TVMFFITestingHelper(void) {}
void _ZN3tvm3ffi9OwnHelperEv(void) {}
void cudaHelper(void) {}
void plain(void) {}
"""
RUNTIME = "void TVMFFIObjectIncRef(void) {}"
FOUND_ALONE = {"symbols.unknown-api", "symbols.mangled-tvm-ffi", "symbols.unresolved"}


@dataclass
class Shop:
    """Where libraries are made and inspected."""

    tool: str
    cc: str
    folder: Path
    made: int = 0

    def library(self, path: Path, source: str, *flags: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [self.cc, "-shared", "-fPIC", "-w", "-xc", "-", "-xnone", "-o", str(path)]
        command += ["-Wl,--no-as-needed", *flags]
        subprocess.run(command, input=source, text=True, check=True)
        return path

    def inspect(self, *files: Path) -> Json:
        command = [self.tool, "inspect", "--report", "json:-", *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return json.loads(done.stdout)

    def findings(self, *files: Path) -> dict[str, set[str]]:
        """The findings of each library, by its file name."""
        found = self.inspect(*files)["files"]
        return {
            Path(file["path"].split("!")[-1]).name: {one["id"] for one in file["findings"]}
            for file in found
        }

    def new_folder(self) -> Path:
        self.made += 1
        folder = self.folder / str(self.made)
        folder.mkdir()
        return folder

    def pair(self, *, helper: str = HELPER, needs: bool = True) -> tuple[Path, Path]:
        """A library and one that it needs, which lie in folders of their own."""
        folder = self.new_folder()
        second = self.library(folder / "b" / "libhelper.so", helper, "-Wl,-soname,libhelper.so.1")
        linked = [str(second)] if needs else []
        first = self.library(folder / "a" / "libuser.so", USER, *linked)
        return first, second


def pack(wheel: Path, members: dict[str, Path]) -> Path:
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, path in members.items():
            archive.write(path, name)
    return wheel


def in_one_wheel(shop: Shop) -> bool:
    first, second = shop.pair()
    wheel = first.parent / "x-1-py3-none-linux_x86_64.whl"
    pack(wheel, {"x/libuser.so": first, "x.libs/libhelper-8d2a.so": second})
    return not shop.findings(wheel)["libuser.so"] & FOUND_ALONE


def on_one_command_line(shop: Shop) -> bool:
    first, second = shop.pair()
    alone = shop.findings(first)["libuser.so"] & FOUND_ALONE
    orders = [shop.findings(first, second), shop.findings(second, first)]
    # Who exports an unversioned symbol is not known as long as libhelper.so.1 is not.
    return alone == FOUND_ALONE and not any(one["libuser.so"] & FOUND_ALONE for one in orders)


def a_library_that_is_unpacked_into_a_file(shop: Shop) -> bool:
    """A member of more than 32 MiB, also where what reads it may write nowhere else."""
    first, _ = shop.pair()
    with first.open("ab") as library:
        library.truncate(40 << 20)
    wheel = first.parent / "x-1-py3-none-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(first, "x/libuser.so")
    return "libuser.so" in shop.findings(wheel)


def in_one_folder(shop: Shop) -> bool:
    first, _ = shop.pair()
    found = shop.findings(first.parents[1])
    return list(found) == ["libuser.so", "libhelper.so"] and not found["libuser.so"] & FOUND_ALONE


def beside_it_on_disk(shop: Shop) -> bool:
    first, second = shop.pair()
    shutil.copy(second, first.parent / "libhelper.so.1")
    found = shop.findings(first)
    return list(found) == ["libuser.so"] and not found["libuser.so"] & FOUND_ALONE


def where_its_runpath_leads(shop: Shop) -> bool:
    folder = shop.new_folder()
    helper = shop.library(folder / "lib" / "libh.so", HELPER, "-Wl,-soname,libh.so")
    runpath = "-Wl,--enable-new-dtags,-rpath,/nowhere:$ORIGIN/../lib"
    user = shop.library(folder / "bin" / "libuser.so", USER, str(helper), runpath)
    return not shop.findings(user)["libuser.so"] & FOUND_ALONE


def through_another(shop: Shop) -> bool:
    first, second = shop.pair(needs=False)
    between = shop.library(
        first.parent / "libbetween.so", "", "-Wl,-soname,libbetween.so", str(second)
    )
    user = shop.library(first.parent / "libuser.so", USER, str(between))
    wheel = pack(first.parent / "x.whl", {p.name: p for p in (user, between, second)})
    return not shop.findings(wheel)["libuser.so"] & FOUND_ALONE


def not_where_nothing_needs_it(shop: Shop) -> bool:
    first, second = shop.pair(needs=False)
    wheel = pack(first.parent / "x.whl", {"libuser.so": first, "libhelper.so": second})
    return shop.findings(wheel)["libuser.so"] >= FOUND_ALONE


def not_what_it_lacks(shop: Shop) -> bool:
    """All libraries are known then: a plain symbol that none of them exports is unresolved."""
    first, second = shop.pair(helper=HELPER.replace("void plain", "void other"))
    document = shop.inspect(first, second)
    (user,) = (file for file in document["files"] if file["name"] == "libuser.so")
    found = [(one["id"], one["symbol"]) for one in user["findings"] if one["id"] in FOUND_ALONE]
    return found == [("symbols.unresolved", "plain")]


def not_of_another_machine(shop: Shop) -> bool:
    first, second = shop.pair()
    data = bytearray(second.read_bytes())
    struct.pack_into("<H", data, 18, 2 if data[18] != 2 else 3)
    second.write_bytes(data)
    return shop.findings(first, second)["libuser.so"] >= FOUND_ALONE


def no_mangled_name_of_a_runtime(shop: Shop) -> bool:
    """A runtime does not promise the C++ symbols that it exports, wherever it lies."""
    first, second = shop.pair(helper=HELPER + RUNTIME)
    found = shop.findings(first, second)["libuser.so"] & FOUND_ALONE
    return found == {"symbols.mangled-tvm-ffi"}


def a_bundled_runtime_counts_as_needed(shop: Shop) -> bool:
    folder = shop.new_folder()
    name = "libtvm_ffi-8d2a1f3c.so"
    runtime = shop.library(folder / name, RUNTIME, f"-Wl,-soname,{name}")
    source = "extern void TVMFFIObjectIncRef(void); void *use = TVMFFIObjectIncRef;"
    user = shop.library(folder / "libuser.so", source, str(runtime))
    wheel = folder / "x-1-py3-none-linux_x86_64.whl"
    pack(wheel, {"x/libuser.so": user, f"x.libs/{name}": runtime})
    found = shop.findings(wheel)
    return (
        "wheel.bundled-runtime" in found[name]
        and "linking.libtvm-ffi-not-needed" not in found["libuser.so"]
        and "linking.libtvm-ffi-not-needed" in shop.findings(unrelated(shop, user))["libuser.so"]
    )


def unrelated(shop: Shop, library: Path) -> Path:
    return Path(shutil.copy(library, shop.new_folder()))


def an_unpacked_wheel(shop: Shop) -> bool:
    folder = shop.new_folder()
    shop.library(folder / "x" / "libuser.so", USER)
    description = folder / "x-1.dist-info"
    description.mkdir()
    (description / "WHEEL").write_text("Wheel-Version: 1.0\nTag: py3-none-any\n")
    (description / "METADATA").write_text("Name: x\n")
    said = "wheel.tagged-any" in shop.findings(folder)["libuser.so"]
    # With two it is the folder of many packages.
    other = folder / "y-1.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Name: y\n")
    return said and "wheel.tagged-any" not in shop.findings(folder)["libuser.so"]


def a_folder_without_loops(shop: Shop) -> bool:
    folder = shop.new_folder()
    shop.library(folder / "libuser.so.1.2", USER)
    (folder / "again").symlink_to(folder)
    (folder / "libother.so").symlink_to(folder / "libuser.so.1.2")
    (folder / "text.so.txt").write_text("no library")
    return list(shop.findings(folder)) == ["libuser.so.1.2"]


def mistakes_of_package(shop: Shop, package: Package) -> list[str]:
    """What is wrong with the findings of its first member."""
    folder = shop.new_folder()
    place = folder / package.wheel
    if package.wheel:
        with zipfile.ZipFile(place, "w") as archive:
            for name, data in package.members.items():
                archive.writestr(name, data)
    for name, data in package.members.items() if not package.wheel else ():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    first = next(iter(package.members))
    found = {
        one["id"]
        for file in shop.inspect(place)["files"]
        if first in file["path"]
        for one in file["findings"]
    }
    wrong = [f"lacks {one}" for one in package.has - found]
    wrong += [f"has {one}" for one in package.lacks & found]
    return [f"{package.what}: {one}" for one in wrong]


def dylibs_beside_it_on_disk(shop: Shop) -> bool:
    """The library alone is named; the other is found where it says that it lies."""
    folder = shop.new_folder()
    for name in ("x", "x.dylibs"):
        (folder / name).mkdir()
    (folder / "x" / "u.so").write_bytes(user(BESIDE, HELP))
    alone = shop.findings(folder / "x" / "u.so")["u.so"]
    (folder / "x.dylibs" / "libhelper.dylib").write_bytes(helper(HELP))
    found = shop.findings(folder / "x" / "u.so")
    rpath = user("@rpath/libhelper.dylib", HELP, rpaths=["/nowhere", "@loader_path/../x.dylibs"])
    (folder / "x" / "v.so").write_bytes(rpath)
    also = shop.findings(folder / "x" / "v.so")
    right = list(found) == ["u.so"] and not (found["u.so"] | also["v.so"]) & set(FOUND[1:])
    return right and UNKNOWN not in alone


def container(*entries: tuple[int, int, int, int], cut: int = 0) -> bytes:
    """A fatbin, as cuobjdump of CUDA 13.5 reads it: kind, number, flags and size of each entry."""
    body = b""
    for kind, number, flags, size in entries:
        head = struct.pack("<HHIQIIHHI", kind, 0x101, 64, size + cut, 0, 0, 8, 1, number)
        body += head + struct.pack("<QQQQ", 0, flags, 0, 0) + bytes(size)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def device_library(shop: Shop, data: bytes, section: str) -> Path:
    numbers = ",".join(map(str, data))
    source = f'__asm__(".section {section},\\"a\\"\\n.byte {numbers}\\n.previous");'
    return shop.library(shop.new_folder() / "libdevice.so", source)


def device_text(shop: Shop, data: bytes) -> str:
    library = device_library(shop, data, ".hip_fatbin")
    command = [shop.tool, "inspect", str(library)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def devices(shop: Shop, data: bytes, section: str = ".nv_fatbin") -> list[tuple[str, int]]:
    library = device_library(shop, data, section)
    (file,) = shop.inspect(library)["files"]
    return [(one["target"], one["count"]) for one in file["device_targets"]]


def devices_of_fatbins(shop: Shop) -> bool:
    first = container((2, 90, 0x11, 40), (2, 100, 0x1200011, 8), (2, 90, 0x100011, 0))
    second = container((2, 90, 0x11, 16), (1, 90, 0x8011, 24), (1, 90, 0x108011, 8))
    found = devices(shop, first + bytes(16) + second)
    code = [("sm_90", 2), ("sm_90a", 1), ("sm_100f", 1)]
    return found == [*code, ("compute_90", 1), ("compute_90a", 1)]


HOST = ("host-x86_64-unknown-linux--", b"")


def bundle(*entries: tuple[str, bytes], align: int = 4096) -> bytes:
    """As clang-offload-bundler of LLVM 14 writes it: the name and the code of each entry."""
    at = 32 + sum(24 + len(name) for name, _ in entries)
    head, body = struct.pack("<24sQ", b"__CLANG_OFFLOAD_BUNDLE__", len(entries)), b""
    for name, code in entries:
        body += bytes(-(at + len(body)) % align)
        head += struct.pack("<QQQ", at + len(body), len(code), len(name)) + name.encode()
        body += code
    return head + body


def devices_of_bundles(shop: Shop) -> bool:
    one = bundle(HOST, ("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", b"code!"))
    other = bundle(
        HOST,
        ("hip-amdgcn-amd-amdhsa-gfx942", b"more"),
        ("hip-spirv64-amd-amdhsa--amdgcnspirv", b"x"),
    )
    other += bytes(-len(other) % 4096)
    found = devices(shop, one + bytes(-len(one) % 4096) + other + other, ".hip_fatbin")
    return found == [("amdgcnspirv", 2), ("gfx90a:sramecc+:xnack-", 1), ("gfx942", 2)]


def devices_of_compressed_bundles(shop: Shop) -> bool:
    def compressed(version: int, size: str) -> bytes:
        head = struct.pack("<4sHH" + size, b"CCOB", version, 1, *([64] if size else []))
        return head + bytes([0xA5]) * (64 - len(head))

    plain = bundle(HOST, ("hip-amdgcn-amd-amdhsa--gfx942", b"code"), align=8)
    plain += bytes(-len(plain) % 4096)
    sound = [compressed(1, ""), compressed(2, "I"), compressed(3, "Q")]
    damaged = [sound[1][:-1], compressed(4, "Q"), sound[1][:8]]
    said = "for gfx942; some of it compressed, which is not read\n"
    return all(said in device_text(shop, plain + one) for one in sound) and not any(
        said in device_text(shop, plain + one) for one in damaged
    )


def devices_of_damaged_bundles(shop: Shop) -> bool:
    whole = bundle(HOST, ("hip-amdgcn-amd-amdhsa--gfx90a", b"code"), align=8)
    longer = bundle(HOST, ("hip-amdgcn-amd-amdhsa--gfx942" + "+" * 300, b"code"), align=8)
    many = whole[:24] + struct.pack("<Q", 1 << 60) + whole[32:]
    return (
        devices(shop, whole, ".hip_fatbin") == [("gfx90a", 1)]
        and all(
            devices(shop, whole[:cut], ".hip_fatbin") == [] for cut in (24, 40, 80, len(whole) - 1)
        )
        and devices(shop, longer, ".hip_fatbin") == []
        and devices(shop, many, ".hip_fatbin") == [("gfx90a", 1)]
        and devices(shop, bundle(("other-device", b"code")), ".hip_fatbin") == []
    )


def devices_of_damaged_fatbins(shop: Shop) -> bool:
    whole = container((2, 80, 0x11, 8), (2, 90, 0x11, 8))
    return (
        devices(shop, container((2, 80, 0x11, 8), cut=1 << 40)) == []
        and devices(shop, whole[:-1]) == []
        and devices(shop, b"__CLANG_OFFLOAD_BUNDLE__", ".hip_fatbin") == []
        and devices(shop, whole + b"rest of it") == [("sm_80", 1), ("sm_90", 1)]
    )


def devices_of_an_embedded_cubin(shop: Shop) -> bool:
    def cubin(abi_version: int, flags: int) -> bytes:
        head = b"\x7fELF\2\1\1\x29" + bytes([abi_version]) + bytes(7)
        return head + struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 0, flags, 64, 0, 0, 0, 0, 0)

    source = "".join(
        f'__attribute__((visibility("hidden"))) const unsigned char __tvm_ffi__cubin_{i}[]'
        f" = {{{','.join(map(str, data))}}};\n"
        f"const void *use_{i}(void) {{ return __tvm_ffi__cubin_{i}; }}\n"
        for i, data in enumerate([cubin(8, 0x6006402), cubin(7, 0x560556)])
    )
    library = shop.library(shop.new_folder() / "libdevice.so", source)
    (file,) = shop.inspect(library)["files"]
    found = [(one["target"], one["count"]) for one in file["device_targets"]]
    return file["cubins"] == 2 and found == [("sm_86", 1), ("sm_100", 1)]


CHECKS: list[Callable[[Shop], bool]] = [
    in_one_wheel,
    on_one_command_line,
    a_library_that_is_unpacked_into_a_file,
    in_one_folder,
    beside_it_on_disk,
    where_its_runpath_leads,
    through_another,
    not_where_nothing_needs_it,
    not_what_it_lacks,
    not_of_another_machine,
    no_mangled_name_of_a_runtime,
    a_bundled_runtime_counts_as_needed,
    an_unpacked_wheel,
    a_folder_without_loops,
    dylibs_beside_it_on_disk,
    devices_of_fatbins,
    devices_of_damaged_fatbins,
    devices_of_bundles,
    devices_of_compressed_bundles,
    devices_of_damaged_bundles,
    devices_of_an_embedded_cubin,
]


def official_errors(shop: Shop, folder: Path) -> list[str]:
    """What is an error in a cached release; its testing library needs the one beside it."""
    mistakes = []
    for release in sorted(folder.glob("[0-9]*")):
        files = shop.inspect(release)["files"]
        if len(files) != len(list(release.rglob("*.so"))):
            mistakes.append(f"{release.name}: {len(files)} files were read")
        mistakes += [
            f"{release.name}: {file['name']}: {one['id']} {one['symbol']}"
            for file in files
            for one in file["findings"]
            if one["level"] == "error"
        ]
    return mistakes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--official", type=Path, help="unpacked releases, each in a folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(options.tool, options.cc, Path(folder))
        mistakes = [check.__name__ for check in CHECKS if not check(shop)]
        for package in PACKAGES:
            mistakes += mistakes_of_package(shop, package)
        if options.official:
            mistakes += official_errors(shop, options.official)
    print(*mistakes, f"{len(CHECKS) + len(PACKAGES)} checks, {len(mistakes)} mistakes", sep="\n")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())

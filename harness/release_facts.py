# SPDX-License-Identifier: Apache-2.0
"""What a release of the official runtime has, read from its wheel's library and headers.

Nothing of a release is executed: exported functions are read from the dynamic symbols of its
library, and structs and enumerators from the debug information of its headers, compiled.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

OURS = ("TVMFFI", "DL")
POINTER_BYTES = 8
# Members that only align what they share a union with.
ALIGNMENT_ONLY = "__ensure_align"
INCLUDES = "#include <tvm/ffi/c_api.h>\n#include <tvm/ffi/extra/c_env_api.h>\n"


@dataclass(frozen=True)
class Field:
    offset: int
    size: int


@dataclass
class Struct:
    size: int
    fields: dict[str, Field] = field(default_factory=dict)


@dataclass
class ReleaseFacts:
    """`enums` holds the enumerators of each enumeration by name, Begin and End marks included."""

    reports: str
    functions: list[str]
    structs: dict[str, Struct]
    enums: dict[str, dict[str, int]]

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def read(runtime: Path, cc: str = "cc") -> ReleaseFacts:
    """The facts of the unpacked wheel `runtime`, the folder `tvm_ffi`."""
    headers = runtime / "include"
    structs, enums = read_headers(headers, cc)
    return ReleaseFacts(
        reports=reported_version(headers / "tvm" / "ffi" / "c_api.h"),
        functions=exported_functions(runtime / "lib" / "libtvm_ffi.so"),
        structs=structs,
        enums=enums,
    )


def exported_functions(library: Path) -> list[str]:
    """The functions of the C API that the library defines, sorted."""
    with open(library, "rb") as source:
        dynamic = ELFFile(source).get_section_by_name(".dynsym")
        names = {
            symbol.name
            for symbol in dynamic.iter_symbols()
            if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["type"] == "STT_FUNC"
        }
    return sorted(name for name in names if name.startswith("TVMFFI"))


def reported_version(header: Path) -> str:
    """What TVMFFIGetVersion answers: it is compiled from these three numbers."""
    text = header.read_text(encoding="utf-8")
    numbers = []
    for part in ("MAJOR", "MINOR", "PATCH"):
        found = re.search(rf"^#define TVM_FFI_VERSION_{part} +(\d+)", text, re.MULTILINE)
        if not found:
            raise ValueError(f"{header} does not define TVM_FFI_VERSION_{part}")
        numbers.append(found.group(1))
    return ".".join(numbers)


def read_headers(headers: Path, cc: str) -> tuple[dict[str, Struct], dict[str, dict[str, int]]]:
    with tempfile.TemporaryDirectory() as scratch:
        compiled = Path(scratch) / "headers.o"
        options = ["-g", "-gdwarf-4", "-fno-eliminate-unused-debug-types", "-std=c11"]
        subprocess.run(
            [cc, *options, "-I", str(headers), "-x", "c", "-c", "-", "-o", str(compiled)],
            input=INCLUDES,
            text=True,
            check=True,
        )
        structs: dict[str, Struct] = {}
        enums: dict[str, dict[str, int]] = {}
        with open(compiled, "rb") as source:
            for unit in ELFFile(source).get_dwarf_info().iter_CUs():
                for name, die in named_types(unit):
                    if die.tag == "DW_TAG_structure_type":
                        structs[name] = Struct(byte_size(die), dict(members(die, 0)))
                    else:
                        enums[name] = dict(enumerators(die))
    return structs, enums


def named_types(unit: CompileUnit) -> Iterator[tuple[str, DIE]]:
    """The structs and enumerations of ours; one without a tag goes by its typedef's name."""
    typedefs: dict[int, str] = {}
    dies = list(unit.get_top_DIE().iter_children())
    for die in dies:
        if die.tag == "DW_TAG_typedef" and "DW_AT_type" in die.attributes:
            typedefs.setdefault(die.get_DIE_from_attribute("DW_AT_type").offset, name_of(die))
    for die in dies:
        if die.tag in ("DW_TAG_structure_type", "DW_TAG_enumeration_type"):
            name = name_of(die) or typedefs.get(die.offset, "")
            if name.startswith(OURS) and "DW_AT_byte_size" in die.attributes:
                yield name, die


def name_of(die: DIE) -> str:
    value = die.attributes.get("DW_AT_name")
    return value.value.decode() if value else ""


def members(die: DIE, base: int) -> Iterator[tuple[str, Field]]:
    """The members with their offsets, those of unnamed unions and structs among them."""
    for member in die.iter_children():
        if member.tag != "DW_TAG_member" or name_of(member) == ALIGNMENT_ONLY:
            continue
        place = member.attributes.get("DW_AT_data_member_location")
        offset = base + (place.value if place else 0)
        kind = member.get_DIE_from_attribute("DW_AT_type")
        if name_of(member):
            yield name_of(member), Field(offset, byte_size(kind))
        else:
            yield from members(kind, offset)


def byte_size(die: DIE) -> int:
    """How many bytes a value of the type takes, through typedefs, qualifiers and arrays."""
    count = 1
    while "DW_AT_byte_size" not in die.attributes:
        if die.tag == "DW_TAG_array_type":
            for bound in die.iter_children():
                count *= bound.attributes["DW_AT_upper_bound"].value + 1
        if "DW_AT_type" not in die.attributes:
            return count * POINTER_BYTES
        die = die.get_DIE_from_attribute("DW_AT_type")
    return count * die.attributes["DW_AT_byte_size"].value


def enumerators(die: DIE) -> Iterator[tuple[str, int]]:
    for one in die.iter_children():
        yield name_of(one), one.attributes["DW_AT_const_value"].value

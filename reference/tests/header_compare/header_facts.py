# SPDX-License-Identifier: Apache-2.0
"""What a C header declares, as facts that can be compared: one subject, one description each.

The compiler itself says what there is: it is made to keep the debug information of everything that
the header declares, and `readelf` prints that. Nothing has to be listed by hand, so nothing can be
forgotten. Subjects are named as in `field TVMFFIAny.type_index` or `function TVMFFIObjectIncRef`;
descriptions hold sizes, offsets, values and types, with typedefs resolved.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Facts = dict[str, str]

# The headers of others that a header of the ABI may include.
FOREIGN = ("dlpack/dlpack.h", "stddef.h", "stdint.h")
# Words that a `(` may follow at file scope without a function being declared there.
NOT_FUNCTIONS = re.compile(
    "alignas|asm|bool|char|decltype|double|float|int|long|noexcept|operator|short|signed|sizeof"
    "|static_assert|unsigned|void"
)
DIE = re.compile(r"^ *<\d+><([0-9a-f]+)>: Abbrev Number: \d+(?: \((DW_TAG_\w+)\))?")
DEPTH = re.compile(r"^ *<(\d+)>")
ATTRIBUTE = re.compile(r"^ *<[0-9a-f]+> +(DW_AT_\w+) *: (?:\([^)]*\):? ?)*(.*?)\s*$")
PROBE = "header_facts_probe_"


class HeaderError(Exception):
    """A header does not compile, or a tool is missing; the message is the tool's."""


@dataclass
class Entry:
    """One entry of the debug information."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Entry] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.attributes.get("DW_AT_name", "")

    def number(self, attribute: str, default: int = 0) -> int:
        text = self.attributes.get(attribute)
        return default if text is None else int(text.split()[0], 0)


@dataclass(frozen=True)
class Compiler:
    """A compiler, its language, and the include folders in the order of their search."""

    command: str
    language: str  # "c" or "c++"
    standard: str
    include: tuple[Path, ...]
    readelf: str = "readelf"

    def run(self, source: str, *options: str) -> str:
        folders = [f"-I{folder}" for folder in self.include]
        command = [self.command, "-x", self.language, f"-std={self.standard}", *folders, *options]
        return run_tool([*command, "-"], source)

    def debug_information(self, source: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "facts.o"
            keep = ("-g", "-gdwarf-4", "-fno-eliminate-unused-debug-types")
            self.run(source, "-c", "-w", "-O0", *keep, "-o", str(output))
            return run_tool([self.readelf, "--wide", "--debug-dump=info", str(output)], "")


def run_tool(command: Sequence[str], text: str) -> str:
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    except OSError as error:
        raise HeaderError(f"cannot start {command[0]}: {error}") from error
    if done.returncode != 0:
        raise HeaderError(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def header_facts(compiler: Compiler, headers: Sequence[str]) -> Facts:
    """All facts about what `headers` (as in `tvm/ffi/c_api.h`) declare, and nothing else.

    What they take from elsewhere is collected from FOREIGN alone and left out. Should they begin
    to include a header that is not named there, its facts show up as theirs, for a person to see.
    """
    everything = source_facts(compiler, includes(headers))
    foreign = source_facts(compiler, includes(FOREIGN))
    return {subject: fact for subject, fact in everything.items() if subject not in foreign}


def includes(headers: Sequence[str]) -> str:
    return "".join(f"#include <{header}>\n" for header in headers)


def source_facts(compiler: Compiler, text: str) -> Facts:
    """All facts about a source text."""
    names = declared_functions(compiler.run(text, "-E", "-P"))
    probes = "".join(f"__typeof__({name}) *{PROBE}{name};\n" for name in names)
    reader = Reader(compiler.debug_information(text + probes))
    return {**macro_facts(compiler.run(text, "-E", "-dM")), **reader.facts()}


def declared_functions(text: str) -> list[str]:
    """Names that a `(` follows outside of all braces and parentheses of preprocessed text."""
    text = re.sub(r'extern\s*"C"\s*\{', " ", text)
    tokens = re.findall(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\w+|[^\w\s]', text)
    depth, names = 0, {}
    for token, following in zip(tokens, [*tokens[1:], ""]):
        if token in "({":
            depth += 1
        elif token in ")}":
            depth = max(0, depth - 1)  # the brace of extern "C" has no partner any more
        elif depth == 0 and following == "(" and re.match(r"[A-Za-z]", token):
            names[token] = True
    return [name for name in names if not NOT_FUNCTIONS.fullmatch(name)]


def macro_facts(text: str) -> Facts:
    """Macros and what stands behind them. Include guards and the compiler's own are left out."""
    defined = re.findall(r"^#define (\w+)(\([^)]*\))?[ ]?(.*)$", text, re.MULTILINE)
    return {
        f"macro {name}": " ".join((parameters + " " + body).split())
        for name, parameters, body in defined
        if not name.startswith("_") and not name.endswith("_H_")
    }


class Reader:
    """Debug information, as readelf prints it, turned into facts."""

    def __init__(self, text: str) -> None:
        self.entries: dict[str, Entry] = {}
        self.typedef_names: dict[int, str] = {}
        self.parse(text)
        for entry in self.entries.values():
            target = self.target(entry)
            if entry.tag == "DW_TAG_typedef" and target and is_aggregate(target):
                self.typedef_names.setdefault(id(target), entry.name)

    def parse(self, text: str) -> None:
        stack: list[Entry] = []
        entry = None
        for line in text.splitlines():
            if found := DIE.match(line):
                offset, tag = found.groups()
                depth = int(DEPTH.match(line).group(1))  # type: ignore[union-attr]
                if tag is None:
                    continue
                entry = Entry(tag)
                del stack[depth:]
                if stack:
                    stack[-1].children.append(entry)
                stack.append(entry)
                self.entries[offset] = entry
            elif entry is not None and (found := ATTRIBUTE.match(line)):
                entry.attributes[found.group(1)] = found.group(2)

    def target(self, entry: Entry) -> Entry | None:
        found = re.search(r"<0x([0-9a-f]+)>", entry.attributes.get("DW_AT_type", ""))
        return self.entries[found.group(1)] if found else None

    def facts(self) -> Facts:
        return {
            subject: fact
            for entry in self.entries.values()
            for subject, fact in self.entry_facts(entry)
        }

    def entry_facts(self, entry: Entry) -> Iterator[tuple[str, str]]:
        if entry.tag == "DW_TAG_variable" and entry.name.startswith(PROBE):
            function = self.target(self.target(entry) or entry)
            if function and function.tag == "DW_TAG_subroutine_type":
                yield f"function {entry.name[len(PROBE) :]}", self.describe(function)
        elif entry.tag == "DW_TAG_typedef":
            yield f"type {entry.name}", self.describe(self.target(entry))
        elif is_aggregate(entry) and self.aggregate_name(entry):
            yield from self.aggregate_facts(entry, self.aggregate_name(entry))

    def aggregate_name(self, entry: Entry) -> str:
        return self.typedef_names.get(id(entry)) or entry.name

    def aggregate_facts(self, entry: Entry, name: str) -> Iterator[tuple[str, str]]:
        kind = entry.tag[len("DW_TAG_") : -len("_type")]
        if "DW_AT_declaration" in entry.attributes:
            return
        yield f"type {name}", f"{kind} {name}"
        size = entry.number("DW_AT_byte_size")
        if kind == "enumeration":
            yield f"layout {name}", f"{size} bytes, {self.describe(self.target(entry))}"
            for child in entry.children:
                yield f"enumerator {child.name}", f"{child.number('DW_AT_const_value')} in {name}"
        else:
            alignment = entry.attributes.get("DW_AT_alignment", "that of its fields")
            yield f"layout {name}", f"{size} bytes, alignment {alignment}"
            yield from self.field_facts(entry, name, 0)

    def field_facts(self, entry: Entry, name: str, base: int) -> Iterator[tuple[str, str]]:
        """The fields of a struct or union; those of an anonymous member count as its own."""
        for member in entry.children:
            if member.tag != "DW_TAG_member":
                continue
            offset = base + member.number("DW_AT_data_member_location")
            inner = self.target(member)
            if not member.name and inner:
                yield from self.field_facts(inner, name, offset)
            else:
                place = f"offset {offset}, {self.size(inner)} bytes, {self.describe(inner)}"
                yield f"field {name}.{member.name}", place

    def size(self, entry: Entry | None) -> int:
        if entry is None:
            return 0
        if entry.tag == "DW_TAG_array_type":
            count = 1
            for dimension in entry.children:
                last = dimension.number("DW_AT_upper_bound", -1)  # as gcc says it; clang counts
                count *= dimension.number("DW_AT_count", last + 1)
            return count * self.size(self.target(entry))
        if "DW_AT_byte_size" in entry.attributes:
            return entry.number("DW_AT_byte_size")
        return self.size(self.target(entry))

    def describe(self, entry: Entry | None) -> str:
        """A type, spelt the same however a header spells it."""
        if entry is None:
            return "void"
        inner = self.target(entry)
        if entry.tag == "DW_TAG_typedef":
            return self.describe(inner)
        if entry.tag == "DW_TAG_pointer_type":
            return f"pointer to {self.describe(inner)}"
        if entry.tag in ("DW_TAG_const_type", "DW_TAG_volatile_type"):
            return f"{entry.tag[len('DW_TAG_') : -len('_type')]} {self.describe(inner)}"
        if entry.tag == "DW_TAG_array_type":
            return f"array of {self.size(entry)} bytes of {self.describe(inner)}"
        if entry.tag == "DW_TAG_subroutine_type":
            return f"function ({self.parameters(entry)}) returning {self.describe(inner)}"
        if is_aggregate(entry):
            name = self.aggregate_name(entry) or "without a name"
            return f"{entry.tag[len('DW_TAG_') : -len('_type')]} {name}"
        return entry.name

    def parameters(self, function: Entry) -> str:
        """In C, `f()` says nothing of its parameters; in C++, and in a header for both, none."""
        named = [c for c in function.children if c.tag == "DW_TAG_formal_parameter"]
        words = [self.describe(self.target(child)) for child in named]
        open_ended = any(c.tag == "DW_TAG_unspecified_parameters" for c in function.children)
        return ", ".join([*words, "..."] if open_ended and words else words)


def is_aggregate(entry: Entry) -> bool:
    kinds = ("structure", "class", "union", "enumeration")
    return entry.tag in {f"DW_TAG_{kind}_type" for kind in kinds}

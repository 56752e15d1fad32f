# SPDX-License-Identifier: Apache-2.0
"""The comparison of headers must see what there is to see: each test doctors a copy of ours.

Run by ctest with CC, CXX, READELF and DLPACK_INCLUDE in the environment. Needs no official runtime:
our own headers, as they are, stand for the official ones.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import compare_headers
from header_facts import Compiler, Facts, HeaderError, header_facts

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OURS = ROOT / "reference" / "include"
DLPACK = Path(os.environ.get("DLPACK_INCLUDE", "/usr/include"))
C = (os.environ.get("CC", "cc"), "c", "c11")
CXX = (os.environ.get("CXX", "c++"), "c++", "c++17")
READELF = os.environ.get("READELF", "readelf")


def facts_of(folder: Path, compiler: tuple[str, str, str] = C) -> Facts:
    command, language, standard = compiler
    include = (folder, DLPACK)
    headers = compare_headers.HEADERS
    return header_facts(Compiler(command, language, standard, include, READELF), headers)


def verdicts(ours: Facts, official: Facts) -> dict[str, str]:
    """What the comparison reports, by subject: missing, extra or differs."""
    heads = (text.splitlines()[0] for text in compare_headers.judge(ours, official, []))
    return {subject: verdict for verdict, subject in (head.split(maxsplit=1) for head in heads)}


class Doctored(unittest.TestCase):
    """Each test changes a copy of the headers and looks at what the comparison says."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.true_facts = facts_of(OURS)

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.copy = Path(folder.name) / "include"
        shutil.copytree(OURS, self.copy)
        self.c_api = self.copy / "tvm/ffi/c_api.h"
        self.c_env_api = self.copy / "tvm/ffi/extra/c_env_api.h"

    def change(
        self, path: Path, pattern: str | re.Pattern[str], by: str, times: int | None = 1
    ) -> None:
        """Replaces `pattern`, which must be there `times` times (None: at least once)."""
        text, count = re.subn(pattern, by, path.read_text(encoding="utf-8"))
        self.assertTrue(count == times or (times is None and count), f"{pattern}: {count} times")
        path.write_text(text, encoding="utf-8")

    def seen(self) -> dict[str, str]:
        """What the comparison reports of the doctored copy: its verdict, by subject."""
        return verdicts(facts_of(self.copy), self.true_facts)

    def test_an_untouched_copy_agrees(self) -> None:
        self.assertEqual(self.seen(), {})

    def test_a_missing_field(self) -> None:
        self.change(self.c_api, r"  void \*cpp_call;\n", "")
        self.assertEqual(
            self.seen(),
            {
                "field TVMFFIFunctionCell.cpp_call": "missing",
                "layout TVMFFIFunctionCell": "differs",
            },
        )

    def test_a_missing_field_that_leaves_the_size_alone(self) -> None:
        self.change(self.c_api, r"    uint32_t zero_padding;\n", "")
        self.assertEqual(self.seen(), {"field TVMFFIAny.zero_padding": "missing"})

    def test_an_additional_field(self) -> None:
        self.change(self.c_api, r"  void \*cpp_call;\n", "  void *cpp_call, *more;\n")
        self.assertEqual(self.seen()["field TVMFFIFunctionCell.more"], "extra")

    def test_two_fields_that_changed_places(self) -> None:
        self.change(
            self.c_api,
            r"  uint32_t major;\n  uint32_t minor;",
            "  uint32_t minor;\n  uint32_t major;",
        )
        self.assertEqual(
            self.seen(),
            {"field TVMFFIVersion.major": "differs", "field TVMFFIVersion.minor": "differs"},
        )

    def test_a_field_of_another_type_and_the_same_size(self) -> None:
        self.change(self.c_api, r"uint64_t combined_ref_count;", "int64_t combined_ref_count;")
        self.assertEqual(self.seen(), {"field TVMFFIObject.combined_ref_count": "differs"})

    def test_a_field_that_lost_its_const(self) -> None:
        self.change(self.c_api, r"const char \*v_c_str;", "char *v_c_str;")
        self.assertEqual(self.seen(), {"field TVMFFIAny.v_c_str": "differs"})

    def test_a_callback_field_with_another_signature(self) -> None:
        self.change(
            self.c_api, r"\(\*deleter\)\(void \*self, int flags\)", "(*deleter)(void *self)"
        )
        self.assertEqual(self.seen(), {"field TVMFFIObject.deleter": "differs"})

    def test_an_array_of_another_length(self) -> None:
        self.change(self.c_api, r"char v_bytes\[8\];", "char v_bytes[7];")
        self.assertEqual(self.seen(), {"field TVMFFIAny.v_bytes": "differs"})

    def test_a_packed_struct(self) -> None:
        self.change(
            self.c_api, r"\} TVMFFIFieldInfo;", "} __attribute__((packed)) TVMFFIFieldInfo;"
        )
        self.assertEqual(self.seen()["layout TVMFFIFieldInfo"], "differs")

    def test_an_aligned_struct(self) -> None:
        self.change(
            self.c_api, r"\} TVMFFIVersion;", "} __attribute__((aligned(16))) TVMFFIVersion;"
        )
        self.assertEqual(self.seen()["layout TVMFFIVersion"], "differs")

    def test_an_enumerator_of_another_value(self) -> None:
        self.change(self.c_api, r"kTVMFFIMap = 72,", "kTVMFFIMap = 172,")
        self.assertEqual(self.seen(), {"enumerator kTVMFFIMap": "differs"})

    def test_a_missing_enumerator(self) -> None:
        self.change(self.c_api, r"kTVMFFIOpaquePyObject = 74,", "")
        self.assertEqual(self.seen(), {"enumerator kTVMFFIOpaquePyObject": "missing"})

    def test_an_additional_enumerator_shifts_the_end(self) -> None:
        self.change(self.c_api, r"(kTVMFFIStaticObjectEnd),", r"kTVMFFIMore, \1,")
        self.assertEqual(
            self.seen(),
            {"enumerator kTVMFFIMore": "extra", "enumerator kTVMFFIStaticObjectEnd": "differs"},
        )

    def test_a_missing_function(self) -> None:
        self.change(self.c_api, r"TVM_FFI_DLL int TVMFFIObjectIncRef\([^;]*;", "")
        self.assertEqual(self.seen(), {"function TVMFFIObjectIncRef": "missing"})

    def test_an_additional_function(self) -> None:
        self.change(
            self.c_env_api, r"(TVM_FFI_DLL int TVMFFIEnvCheckSignals)", r"int More(int); \1"
        )
        self.assertEqual(self.seen(), {"function More": "extra"})

    def test_functions_with_other_signatures(self) -> None:
        self.change(self.c_api, r"TVMFFIGetTypeInfo\(int32_t", "TVMFFIGetTypeInfo(int64_t")
        self.change(self.c_api, r"TVM_FFI_DLL int (TVMFFIObjectDecRef)", r"TVM_FFI_DLL void \1")
        self.change(
            self.c_api, r"(TVMFFIFunctionCall\(TVMFFIObjectHandle func,) TVM", r"\1 const TVM"
        )
        self.change(self.c_api, r"(TVMFFIErrorSetRaisedFromCStr\([^)]*)\)", r"\1, ...)")
        self.change(
            self.c_env_api, r"TVMFFIEnvCheckSignals\(void\)", "TVMFFIEnvCheckSignals(int x)"
        )
        names = "FunctionCall GetTypeInfo ObjectDecRef ErrorSetRaisedFromCStr EnvCheckSignals"
        self.assertEqual(self.seen(), {f"function TVMFFI{n}": "differs" for n in names.split()})

    def test_a_typedef_of_another_type(self) -> None:
        self.change(
            self.c_env_api, r"typedef void \*TVMFFIStreamHandle", "typedef int TVMFFIStreamHandle"
        )
        self.assertEqual(self.seen()["type TVMFFIStreamHandle"], "differs")

    def test_macros(self) -> None:
        self.change(
            self.c_api, r"#define TVM_FFI_VERSION_MINOR 1\n", "#define TVM_FFI_VERSION_MINOR 2\n"
        )
        self.change(self.c_api, r"#define TVM_FFI_VERSION_MAJOR 0\n", "")
        self.change(
            self.c_api, r"(#define TVM_FFI_VERSION_PATCH)", r"#define TVM_FFI_MORE(x) x\n\1"
        )
        self.assertEqual(
            self.seen(),
            {
                "macro TVM_FFI_VERSION_MINOR": "differs",
                "macro TVM_FFI_VERSION_MAJOR": "missing",
                "macro TVM_FFI_MORE": "extra",
            },
        )

    @unittest.skipUnless(CXX[0], "no C++ compiler")
    def test_no_name_is_forgotten(self) -> None:
        """Every enumerator, function and type in the text is missed once it is renamed."""
        official = facts_of(OURS, CXX)
        for kind, pattern in {
            "enumerator": r"\b(kTVMFFI\w+)\b",
            "function": r"\b(TVMFFI\w+)\b(?=\()",
            "type": r"\b(TVMFFI\w+)\b(?!\()",
        }.items():
            with self.subTest(kind=kind):
                names = self.rename_all(pattern)
                self.assertGreater(len(names), 20)
                seen = verdicts(facts_of(self.copy, CXX), official)
                missed = {subject for subject, verdict in seen.items() if verdict == "missing"}
                self.assertLessEqual({f"{kind} {name}" for name in names}, missed)

    def test_no_field_is_forgotten(self) -> None:
        fields = {subject for subject in self.true_facts if subject.startswith("field ")}
        names = {subject.rsplit(".")[-1] for subject in fields}
        self.assertGreater(len(fields), 60)
        self.rename_all(rf"\b({'|'.join(names)})\b")
        missed = {subject for subject, verdict in self.seen().items() if verdict == "missing"}
        self.assertLessEqual(fields, missed)

    def rename_all(self, pattern: str) -> set[str]:
        """Appends `_` to all names in a fresh copy's code that match; returns those names."""
        names: set[str] = set()
        for path in (self.c_api, self.c_env_api):
            text = (OURS / path.relative_to(self.copy)).read_text(encoding="utf-8")
            text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
            names |= set(re.findall(pattern, text))
            path.write_text(re.sub(pattern, r"\1_", text), encoding="utf-8")
        return names

    def test_a_header_that_does_not_compile_is_no_agreement(self) -> None:
        self.change(self.c_api, r"\} TVMFFIVersion;", "} ;;; TVMFFIVersion")
        with self.assertRaises(HeaderError):
            self.seen()

    @unittest.skipUnless(CXX[0], "no C++ compiler")
    def test_as_cxx_its_own_part_counts(self) -> None:
        official = facts_of(OURS, CXX)
        self.change(self.c_api, r"inline int32_t (TVMFFIObjectGetTypeIndex)", r"inline int64_t \1")
        self.change(
            self.c_api, r"#define TVM_FFI_INT32_ : int32_t", "#define TVM_FFI_INT32_ : int16_t"
        )
        seen = verdicts(facts_of(self.copy, CXX), official)
        self.assertEqual(seen["function TVMFFIObjectGetTypeIndex"], "differs")
        self.assertEqual(seen["layout TVMFFIBacktraceUpdateMode"], "differs")


class KnownDifferences(unittest.TestCase):
    def known(self, text: str) -> list[compare_headers.Known]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "known.txt"
            path.write_text(text, encoding="utf-8")
            return list(compare_headers.read_known(path))

    def test_they_cover_exactly_what_they_say(self) -> None:
        known = self.known(
            "# why\n\nextra | macro A | 1 | old name\ndiffers | macro B | 2 | ours\n"
        )
        ours = {"macro A": "1", "macro B": "2"}
        self.assertEqual(compare_headers.judge(ours, {"macro B": "3"}, known), [])
        self.assertEqual(len(compare_headers.judge(ours, {"macro B": "2"}, known)), 1, "B is stale")
        self.assertEqual(len(compare_headers.judge(ours, {}, known)), 2, "B is extra, and stale")
        self.assertEqual(
            len(compare_headers.judge({**ours, "macro A": "9"}, {"macro B": "3"}, known)), 2
        )
        self.assertEqual(len(compare_headers.judge({}, {"macro B": "3"}, known)), 3)

    def test_a_line_without_a_reason_is_refused(self) -> None:
        for line in (
            "extra | macro A | 1",
            "extra | macro A | 1 | ",
            "maybe | macro A | 1 | because",
        ):
            with self.subTest(line=line), self.assertRaises(HeaderError):
                self.known(line)


if __name__ == "__main__":
    unittest.main()

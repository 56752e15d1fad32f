// SPDX-License-Identifier: Apache-2.0
// What `inspect` says of shared libraries that linkers make seldom or never: those with long and
// odd dynamic sections, and those that need libraries which nobody has here.
#include <stdlib.h>
#include <string.h>

#include "inspect_made.h"
#include "unit/unit.h"

// --- The dynamic section -------------------------------------------------------------------------

TEST(more_libraries_than_are_stored)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_more_entries(&bytes, DT_NEEDED, elf_dynamic(bytes, DT_NEEDED)->d_un.d_val, 5000);
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen.subject->facts->needed_count, INSPECT_MOST_NEEDED);
  ck_assert(binary_text_is(seen.subject->facts->needed[INSPECT_MOST_NEEDED - 1], "libc.so.6"));
  seen_free(&seen);
}

TEST(more_entries_than_a_library_has)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_more_entries(&bytes, DT_DEBUG, 0, 1 << 16);
  refused_expect(bytes, INSPECT_BROKEN, "and no library has more than 65536");
  free(bytes.data);
}

TEST(an_empty_dynamic_section)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_segment(bytes, PT_DYNAMIC)->p_filesz = 0;
  refused_expect(bytes, INSPECT_NOT_SHARED, "no dynamic section");
  free(bytes.data);
}

static const struct {
  long tag;
  uint64_t value;
  InspectFindingId id;
  bool expected;
} flags[] = {
    {DT_FLAGS_1, DF_1_NOW, INSPECT_FINDING_NOT_SHARED, false},
    {DT_FLAGS_1, DF_1_NOW | DF_1_PIE, INSPECT_FINDING_NOT_SHARED, true},
    {DT_FLAGS, DF_BIND_NOW, INSPECT_FINDING_TEXTREL, false},
    {DT_FLAGS, DF_BIND_NOW | DF_TEXTREL, INSPECT_FINDING_TEXTREL, true},
    {DT_TEXTREL, 0, INSPECT_FINDING_TEXTREL, true},
};

TEST(flags_of_the_dynamic_section, .rows = ROWS(flags))
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_more_entries(&bytes, flags[_i].tag, flags[_i].value, 1);
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen_count(&seen, flags[_i].id), flags[_i].expected);
  seen_free(&seen);
}

TEST(folders_of_libraries, .rows = 2)
{
  static const char names[] = "/opt/a:${ORIGIN}/b:$ORIGIN:/opt/c";
  static const long tags[] = {DT_RPATH, DT_RUNPATH};
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  uint32_t at = elf_more_names(&bytes, names, sizeof names);
  elf_more_entries(&bytes, tags[_i], at, 1);
  Seen seen = seen_in(bytes);
  const InspectFinding *first = seen_first(&seen, INSPECT_FINDING_RPATH);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_RPATH), 2);
  ck_assert(binary_text_is(first[0].symbol, "/opt/a"));
  ck_assert(binary_text_is(first[1].symbol, "/opt/c"));
  ck_assert_str_eq(first->detail, _i == 0 ? "in RPATH" : "in RUNPATH");
  seen_free(&seen);
}

// Notes that are not in the file cost the build id, and nothing else.
TEST(notes_elsewhere, .rows = 3)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  if (_i == 1) elf_segment(bytes, PT_NOTE)->p_offset = (ElfW(Off))bytes.size;
  if (_i == 2) elf_segment(bytes, PT_NOTE)->p_filesz = 0;
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(strlen(seen.subject->facts->build_id), _i == 0 ? 40 : 0);
  seen_free(&seen);
}

// --- Libraries that are needed -------------------------------------------------------------------

static const struct {
  const char *function, *library;
  InspectFindingId id;  // INSPECT_FINDING_COUNT: nothing
  const char *detail;
} imports[] = {
    {"cudaMalloc", "libcudart.so.12", INSPECT_FINDING_COUNT, NULL},
    {"cudaMalloc", "libm.so.6", INSPECT_FINDING_UNRESOLVED,
     "functions cuda* come from libcudart, which is not in NEEDED"},
    {"ncclSend", "libnccl.so.2", INSPECT_FINDING_COUNT, NULL},
    {"ncclSend", "librccl.so.1", INSPECT_FINDING_COUNT, NULL},
    {"ncclSend", "libfrob.so", INSPECT_FINDING_UNRESOLVED,
     "functions nccl* come from libnccl, which is not in NEEDED"},
    {"cublasLtMatmul", "libcublas.so.12", INSPECT_FINDING_COUNT, NULL},
    {"hipMalloc", "libfrob.so", INSPECT_FINDING_COUNT, NULL},
    {"cudaMalloc", "libfrob.so", INSPECT_FINDING_UNRESOLVED,
     "functions cuda* come from libcudart, which is not in NEEDED"},
    {"hipMalloc", "libm.so.6", INSPECT_FINDING_UNRESOLVED,
     "functions hip* come from libamdhip64, which is not in NEEDED"},
    {"frobnicate", "libfrob.so", INSPECT_FINDING_COUNT, NULL},
    {"frobnicate", "libm.so.6", INSPECT_FINDING_UNRESOLVED, ""},
    {"_ZNSt9of_futureEv", "libstdc++.so.6", INSPECT_FINDING_NO_VERSION, ""},
    {"_ZNSt9of_futureEv", "libm.so.6", INSPECT_FINDING_UNRESOLVED, ""},
};

TEST(functions_of_other_libraries, .rows = ROWS(imports))
{
  char names[100];
  const char *function = imports[_i].function, *library = imports[_i].library;
  size_t length = strlen(function) + 1;
  memcpy(names, function, length);
  memcpy(names + length, library, strlen(library) + 1);
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_module);
  ElfW(Sym) *import = elf_symbol(bytes, "__asan_init");
  size_t place = (size_t)((unsigned char *)import - bytes.data);
  uint32_t at = elf_more_names(&bytes, names, length + strlen(library) + 1);
  ((ElfW(Sym) *)(bytes.data + place))->st_name = at;
  ElfW(Dyn) *needed = elf_dynamic(bytes, DT_NEEDED);  // a runtime, a sanitizer, a C library
  needed[0].d_un.d_val = needed[1].d_un.d_val = at + length;
  Seen seen = seen_in(bytes);
  if (imports[_i].id != INSPECT_FINDING_COUNT) {
    seen_expect(&seen, imports[_i].id, function, imports[_i].detail);
  } else {
    ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_UNRESOLVED), 0);
    ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_NO_VERSION), 0);
  }
  seen_free(&seen);
}

// What a runtime exports of C++ is its own business.
TEST(cxx_functions_of_a_runtime, .rows = 2)
{
  static const char *const paths[] = {INSPECT_FIXTURE_stripped, INSPECT_FIXTURE_module};
  static const char *const exports[] = {"plain_function", "__tvm_ffi_main"};
  Bytes bytes = bytes_of_file(paths[_i]);
  ElfW(Sym) *symbol = elf_symbol(bytes, exports[_i]);
  size_t place = (size_t)((unsigned char *)symbol - bytes.data);
  static const char name[] = "_ZN3tvm3ffi1fEv";
  ((ElfW(Sym) *)(bytes.data + place))->st_name = elf_more_names(&bytes, name, sizeof name);
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_CXX_EXPORTED), _i == 0 ? 0 : 1);
  seen_free(&seen);
}

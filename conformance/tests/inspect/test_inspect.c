// SPDX-License-Identifier: Apache-2.0
// What inspect_file says about sound libraries, of this machine and of others.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "inspect_bytes.h"
#include "inspect_foreign.h"
#include "unit/unit.h"

static const InspectSymbol *symbol_named(const InspectReport *report, const char *name)
{
  for (size_t i = 0; i < report->symbol_count; ++i) {
    if (strcmp(report->symbols[i].name, name) == 0) return &report->symbols[i];
  }
  return NULL;
}

static bool needs(const InspectReport *report, const char *name)
{
  for (char **needed = report->needed; *needed; ++needed) {
    if (strcmp(*needed, name) == 0) return true;
  }
  return false;
}

static void expect_runtime_exports(const InspectReport *report)
{
  ck_assert_int_eq(report->profile, INSPECT_PROFILE_RUNTIME);
  ck_assert_uint_eq(report->exports_count, 3);
  ck_assert(report->exports[FN_GetVersion]);
  ck_assert(report->exports[FN_ObjectIncRef]);
  ck_assert(report->exports[FN_ObjectDecRef]);
  ck_assert_uint_eq(report->unknown_exports, 1);
  ck_assert_uint_eq(report->module_functions, 0);
}

TEST(a_runtime)
{
  InspectReport *report = inspect_the_path(INSPECT_FIXTURE_runtime);
  ck_assert_int_eq(report->status, INSPECT_OK);
  expect_runtime_exports(report);
  ck_assert_str_eq(report->soname, "libinspect_runtime.so.1");
  ck_assert_uint_eq(strlen(report->build_id), 40);
  ck_assert_uint_eq(strspn(report->build_id, "0123456789abcdef"), 40);
  ck_assert_uint_eq(report->sanitizers, 0);
  ck_assert(needs(report, "libc.so.6"));
  inspect_free(report);
}

TEST(a_stripped_runtime_with_the_other_hash_table)
{
  InspectReport *report = inspect_the_path(INSPECT_FIXTURE_stripped);
  ck_assert_int_eq(report->status, INSPECT_OK);
  expect_runtime_exports(report);
  ck_assert_ptr_nonnull(symbol_named(report, "TVMFFIGetVersion"));
  ck_assert_ptr_null(symbol_named(report, "quiet_static_function"));
  inspect_free(report);
}

// The loader needs no section headers, so a library without them has all its exports.
TEST(no_section_headers, .rows = 2)
{
  static const char *const paths[] = {INSPECT_FIXTURE_runtime, INSPECT_FIXTURE_stripped};
  Bytes bytes = bytes_of_file(paths[_i]);
  elf_remove_sections(bytes);
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  expect_runtime_exports(report);
  ck_assert_str_eq(report->soname, "libinspect_runtime.so.1");
  ck_assert_uint_eq(strlen(report->build_id), 40);
  ck_assert_ptr_nonnull(symbol_named(report, "plain_function"));
  inspect_free(report);
  free(bytes.data);
}

// The order of the buckets in the hash table says nothing about that of the symbols.
TEST(buckets_in_another_order)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  uint32_t *hash = (uint32_t *)elf_at(bytes, elf_dynamic(bytes, DT_GNU_HASH)->d_un.d_ptr);
  uint32_t *buckets = hash + 4 + hash[2] * (sizeof(ElfW(Addr)) / 4);
  ck_assert_uint_gt(hash[0], 1);
  for (uint32_t i = 0; i < hash[0] / 2; ++i) {
    uint32_t bucket = buckets[i];
    buckets[i] = buckets[hash[0] - 1 - i];
    buckets[hash[0] - 1 - i] = bucket;
  }
  elf_remove_sections(bytes);
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  expect_runtime_exports(report);
  inspect_free(report);
  free(bytes.data);
}

static void without_address(ElfW(Sym) * symbol)
{
  symbol->st_value = 0;
}

static void hidden(ElfW(Sym) * symbol)
{
  symbol->st_other = STV_HIDDEN;
}

static void local(ElfW(Sym) * symbol)
{
  symbol->st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
}

static void undefined(ElfW(Sym) * symbol)
{
  symbol->st_shndx = SHN_UNDEF;
}

static void thread_local_data(ElfW(Sym) * symbol)
{
  symbol->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_TLS);
}

static void (*const not_exported[])(ElfW(Sym) * symbol) = {without_address, hidden, local,
                                                           undefined, thread_local_data};

TEST(what_dlsym_does_not_find_is_no_export, .rows = 5)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  not_exported[_i](elf_symbol(bytes, "TVMFFIObjectIncRef"));
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  ck_assert_uint_eq(report->exports_count, 2);
  ck_assert(!report->exports[FN_ObjectIncRef]);
  inspect_free(report);
  free(bytes.data);
}

static void indirect(ElfW(Sym) * symbol)
{
  symbol->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC);
}

static void untyped(ElfW(Sym) * symbol)
{
  symbol->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
}

static void protected(ElfW(Sym) * symbol)
{
  symbol->st_other = STV_PROTECTED;
}

static void (*const still_exported[])(ElfW(Sym) * symbol) = {indirect, untyped, protected};

TEST(what_dlsym_finds_is_an_export, .rows = 3)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  still_exported[_i](elf_symbol(bytes, "TVMFFIObjectIncRef"));
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  expect_runtime_exports(report);
  inspect_free(report);
  free(bytes.data);
}

TEST(a_function_defined_twice_counts_once)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_symbol(bytes, "plain_function")->st_name = elf_symbol(bytes, "TVMFFIGetVersion")->st_name;
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  expect_runtime_exports(report);
  inspect_free(report);
  free(bytes.data);
}

TEST(entries_behind_the_end_of_the_dynamic_section)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  ElfW(Dyn) *entry = (ElfW(Dyn) *)(bytes.data + elf_segment(bytes, PT_DYNAMIC)->p_offset);
  while (entry->d_tag != DT_NULL) ++entry;
  size_t left = elf_segment(bytes, PT_DYNAMIC)->p_offset +
                elf_segment(bytes, PT_DYNAMIC)->p_filesz -
                (size_t)((unsigned char *)entry - bytes.data);
  ck_assert_uint_ge(left, 2 * sizeof *entry);  // linkers leave room there
  entry[1] = (ElfW(Dyn)){DT_NEEDED, {UINT32_MAX}};
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  expect_runtime_exports(report);
  inspect_free(report);
  free(bytes.data);
}

TEST(a_module)
{
  InspectReport *report = inspect_the_path(INSPECT_FIXTURE_module);
  ck_assert_int_eq(report->status, INSPECT_OK);
  ck_assert_int_eq(report->profile, INSPECT_PROFILE_MODULE);
  ck_assert_uint_eq(report->exports_count, 0);
  ck_assert_uint_eq(report->unknown_exports, 0);
  ck_assert_uint_eq(report->module_functions, 2);
  ck_assert_str_eq(report->functions[0].name, "add_one");
  ck_assert(report->functions[0].has_metadata);
  ck_assert_str_eq(report->functions[1].name, "main");
  ck_assert(!report->functions[1].has_metadata);
  ck_assert(needs(report, "libinspect_runtime.so.1"));
  inspect_free(report);
}

TEST(sanitizers_show_in_libraries_and_symbols)
{
  InspectReport *report = inspect_the_path(INSPECT_FIXTURE_module);
  ck_assert_uint_eq(report->sanitizers, INSPECT_ADDRESS_SANITIZER | INSPECT_UNDEFINED_SANITIZER);
  inspect_free(report);
}

// Nothing is exported, so no hash table counts the symbols; with and without section headers.
TEST(a_library_that_only_imports, .rows = 2)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_importer);
  if (_i == 1) elf_remove_sections(bytes);
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  ck_assert_int_eq(report->profile, INSPECT_PROFILE_NONE);
  ck_assert_uint_eq(report->sanitizers, INSPECT_THREAD_SANITIZER);
  inspect_free(report);
  free(bytes.data);
}

// Another table right behind the first symbol leaves no room for others; a section header may know
// better, but only that of the same table.
TEST(how_many_symbols_are_imported, .rows = 3)
{
  static const unsigned expected[] = {INSPECT_THREAD_SANITIZER, 0, 0};
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_importer);
  elf_dynamic(bytes, DT_VERSYM)->d_un.d_ptr =
      elf_dynamic(bytes, DT_SYMTAB)->d_un.d_ptr + sizeof(ElfW(Sym));
  if (_i == 1) elf_remove_sections(bytes);
  if (_i == 2) elf_section(bytes, SHT_DYNSYM)->sh_addr += 8;
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  ck_assert_uint_eq(report->sanitizers, expected[_i]);
  inspect_free(report);
  free(bytes.data);
}

// The loader is the witness: what it says about an address, the report says too.
TEST(functions_have_the_addresses_that_the_loader_gives_them)
{
  static const char *const functions[] = {"TVMFFIGetVersion", "TVMFFIObjectDecRef",
                                          "plain_function"};
  InspectReport *report = inspect_the_path(INSPECT_FIXTURE_runtime);
  void *library = dlopen(INSPECT_FIXTURE_runtime, RTLD_LAZY);
  ck_assert_msg(library != NULL, "%s", dlerror());
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
    unsigned char *address = dlsym(library, functions[i]);
    Dl_info info;
    ck_assert_int_ne(dladdr(address, &info), 0);
    uint64_t place = (uint64_t)(address - (unsigned char *)info.dli_fbase);
    const InspectSymbol *symbol = inspect_symbol_at(report, place);
    ck_assert_ptr_nonnull(symbol);
    ck_assert_str_eq(symbol->name, functions[i]);
    ck_assert_uint_eq(symbol->address, place);
    ck_assert_ptr_eq(inspect_symbol_at(report, place + symbol->size - 1), symbol);
    ck_assert_ptr_ne(inspect_symbol_at(report, place + symbol->size), symbol);
  }
  dlclose(library);
  inspect_free(report);
}

TEST(static_functions_have_names)
{
  InspectReport *report = inspect_the_path(INSPECT_FIXTURE_runtime);
  const InspectSymbol *symbol = symbol_named(report, "quiet_static_function");
  ck_assert_ptr_nonnull(symbol);
  ck_assert_ptr_eq(inspect_symbol_at(report, symbol->address), symbol);
  inspect_free(report);
}

TEST(addresses_between_around_and_within_functions)
{
  InspectSymbol symbols[] = {{0x100, 0x100, "outer"}, {0x140, 0x10, "inner"}, {0x300, 1, "last"}};
  InspectReport report = {.symbols = symbols, .symbol_count = 3};
  static const struct {
    uint64_t address;
    const char *name;
  } rows[] = {
      {0, NULL},        {0xff, NULL},     {0x100, "outer"},   {0x13f, "outer"}, {0x140, "inner"},
      {0x14f, "inner"}, {0x150, "outer"}, {0x1ff, "outer"},   {0x200, NULL},    {0x2ff, NULL},
      {0x300, "last"},  {0x301, NULL},    {UINT64_MAX, NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    const InspectSymbol *symbol = inspect_symbol_at(&report, rows[i].address);
    ck_assert_pstr_eq(symbol ? symbol->name : NULL, rows[i].name);
  }
  report.symbol_count = 0;
  ck_assert_ptr_null(inspect_symbol_at(&report, 0x100));
}

TEST(bytes_of_a_symbol)
{
  static const char expected[] = "described\0in\0place";
  char out[64];
  size_t size = 0;
  ck_assert(
      inspect_symbol_bytes(INSPECT_FIXTURE_runtime, "inspect_description", out, sizeof out, &size));
  ck_assert_uint_eq(size, sizeof expected);
  ck_assert_mem_eq(out, expected, sizeof expected);

  memset(out, '#', sizeof out);
  ck_assert(inspect_symbol_bytes(INSPECT_FIXTURE_runtime, "inspect_description", out, 4, &size));
  ck_assert_uint_eq(size, sizeof expected);
  ck_assert_mem_eq(out, "desc####", 8);

  ck_assert(inspect_symbol_bytes(INSPECT_FIXTURE_runtime, "inspect_private_note", out, sizeof out,
                                 &size));
  ck_assert_str_eq(out, "not exported");
}

TEST(no_bytes_for_other_symbols)
{
  static const char *const names[] = {"inspect_empty_room", "inspect_descriptio", "TVMFFIBacktrace",
                                      ""};
  char out[64] = "untouched";
  size_t size = 4711;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    ck_assert(!inspect_symbol_bytes(INSPECT_FIXTURE_runtime, names[i], out, sizeof out, &size));
  }
  ck_assert(!inspect_symbol_bytes(INSPECT_FIXTURE_stripped, "inspect_private_note", out, sizeof out,
                                  &size));
  ck_assert(!inspect_symbol_bytes("/nowhere", "inspect_description", out, sizeof out, &size));
  ck_assert(!inspect_symbol_bytes("/dev/null", "inspect_description", out, sizeof out, &size));
  ck_assert_uint_eq(size, 4711);
  ck_assert_str_eq(out, "untouched");
}

TEST(another_word_size_and_byte_order)
{
  unsigned char image[FOREIGN_CAPACITY];
  InspectReport *report = inspect_the_bytes(image, foreign_library(image));
  ck_assert_int_eq(report->status, INSPECT_OTHER_MACHINE);
  ck_assert_ptr_nonnull(strstr(report->message, "is for ppc, but this program runs on"));
  ck_assert_str_eq(report->machine, "ppc");
  ck_assert_int_eq(report->profile, INSPECT_PROFILE_RUNTIME);
  ck_assert_uint_eq(report->exports_count, 2);
  ck_assert_uint_eq(report->unknown_exports, 1);
  ck_assert_str_eq(report->soname, "libforeign.so");
  ck_assert_str_eq(report->build_id, "000102030405060708090a0b0c0d0e0f10111213");
  ck_assert_str_eq(report->needed[0], "libc.so.6");
  ck_assert_ptr_null(report->needed[1]);
  inspect_free(report);
}

// Two names for one address, a function without a size, and an order that is not that of the
// addresses.
TEST(one_name_for_each_address)
{
  static const InspectSymbol expected[] = {{0x10800, 16, "TVMFFIGetVersion"},
                                           {0x10810, 16, "TVMFFIOfTomorrow"},
                                           {0x10820, 32, "TVMFFIObjectIncRef"}};
  unsigned char image[FOREIGN_CAPACITY];
  InspectReport *report = inspect_the_bytes(image, foreign_library(image));
  ck_assert_uint_eq(report->symbol_count, 3);
  for (size_t i = 0; i < 3; ++i) {
    ck_assert_uint_eq(report->symbols[i].address, expected[i].address);
    ck_assert_uint_eq(report->symbols[i].size, expected[i].size);
    ck_assert_str_eq(report->symbols[i].name, expected[i].name);
  }
  inspect_free(report);
}

static const struct {
  unsigned machine;
  const char *name;
} machines[] = {{EM_AARCH64, "aarch64"}, {EM_X86_64, "x86-64"}, {EM_RISCV, "riscv64"},
                {EM_S390, "s390x"},      {EM_CUDA, "cuda"},     {4711, "machine 4711"}};

TEST(another_machine, .rows = ROWS(machines))
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  bool own = elf_header(bytes)->e_machine == machines[_i].machine;
  elf_header(bytes)->e_machine = (ElfW(Half))machines[_i].machine;
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, own ? INSPECT_OK : INSPECT_OTHER_MACHINE);
  ck_assert_str_eq(report->machine, machines[_i].name);
  if (!own) ck_assert_ptr_nonnull(strstr(report->message, machines[_i].name));
  expect_runtime_exports(report);
  inspect_free(report);
  free(bytes.data);
}

TEST(another_operating_system)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  elf_header(bytes)->e_ident[EI_OSABI] = ELFOSABI_FREEBSD;
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OTHER_MACHINE);
  ck_assert_ptr_nonnull(strstr(report->message, "operating system"));
  inspect_free(report);
  free(bytes.data);
}

static const struct {
  ElfW(Half) type;
  const char *words;
} types[] = {{ET_REL, "object file"},
             {ET_EXEC, "executable"},
             {ET_CORE, "core dump"},
             {77, "unknown ELF type"}};

TEST(no_shared_library, .rows = ROWS(types))
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  elf_header(bytes)->e_type = types[_i].type;
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_NOT_SHARED);
  ck_assert_ptr_nonnull(strstr(report->message, types[_i].words));
  inspect_free(report);
  free(bytes.data);
}

TEST(an_executable)
{
  InspectReport *report = inspect_the_path("/proc/self/exe");
  ck_assert_int_eq(report->status, INSPECT_NOT_SHARED);
  ck_assert_ptr_nonnull(strstr(report->message, "an executable"));
  inspect_free(report);
}

TEST(no_dynamic_section)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  elf_segment(bytes, PT_DYNAMIC)->p_type = PT_NULL;
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_NOT_SHARED);
  ck_assert_ptr_nonnull(strstr(report->message, "no dynamic section"));
  inspect_free(report);
  free(bytes.data);
}

TEST(names_of_profiles)
{
  ck_assert_str_eq(inspect_profile_name(INSPECT_PROFILE_NONE), "none");
  ck_assert_str_eq(inspect_profile_name(INSPECT_PROFILE_RUNTIME), "runtime");
  ck_assert_str_eq(inspect_profile_name(INSPECT_PROFILE_MODULE), "module");
}

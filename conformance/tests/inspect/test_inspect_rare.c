// SPDX-License-Identifier: Apache-2.0
// What inspect_file, which a run asks, says of libraries that are rare: of processors and systems,
// with names and symbols that compilers seldom give.
#include <stdlib.h>
#include <string.h>

#include "inspect/elfmachine.h"
#include "inspect_bytes.h"
#include "unit/unit.h"

// --- Processors ----------------------------------------------------------------------------------

static GElf_Ehdr header_of(unsigned machine, unsigned char class, unsigned char order)
{
  GElf_Ehdr header = {.e_machine = (GElf_Half)machine};
  header.e_ident[EI_CLASS] = class;
  header.e_ident[EI_DATA] = order;
  return header;
}

TEST(names_of_processors)
{
  static const struct {
    unsigned machine;
    unsigned char class, order;
    const char *name;
  } rows[] = {
      {EM_X86_64, ELFCLASS32, ELFDATA2LSB, "x32"},
      {EM_X86_64, ELFCLASS64, ELFDATA2LSB, "x86-64"},
      {EM_AARCH64, ELFCLASS64, ELFDATA2MSB, "aarch64_be"},
      {EM_AARCH64, ELFCLASS64, ELFDATA2LSB, "aarch64"},
      {EM_ARM, ELFCLASS32, ELFDATA2MSB, "armeb"},
      {EM_ARM, ELFCLASS32, ELFDATA2LSB, "arm"},
      {EM_PPC64, ELFCLASS64, ELFDATA2LSB, "ppc64le"},
      {EM_PPC64, ELFCLASS64, ELFDATA2MSB, "ppc64"},
      {EM_S390, ELFCLASS32, ELFDATA2MSB, "s390"},
      {EM_MIPS, ELFCLASS32, ELFDATA2LSB, "mipsel"},
      {EM_MIPS, ELFCLASS32, ELFDATA2MSB, "mips"},
      {EM_MIPS, ELFCLASS64, ELFDATA2LSB, "mips64el"},
      {EM_MIPS, ELFCLASS64, ELFDATA2MSB, "mips64"},
      {0x9026, ELFCLASS64, ELFDATA2LSB, "alpha"},
      {65535, ELFCLASS64, ELFDATA2LSB, "machine 65535"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    char name[32];
    GElf_Ehdr header = header_of(rows[i].machine, rows[i].class, rows[i].order);
    elfmachine_name(&header, name, sizeof name);
    ck_assert_str_eq(name, rows[i].name);
  }
}

// All but one thing is that of this process.
TEST(what_this_process_could_load)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  const ElfW(Ehdr) *own = elf_header(bytes);
  unsigned char class = own->e_ident[EI_CLASS], order = own->e_ident[EI_DATA];
  unsigned char other_class = ELFCLASS32 + ELFCLASS64 - class;
  unsigned char other_order = ELFDATA2LSB + ELFDATA2MSB - order;
  const struct {
    unsigned machine;
    unsigned char class, order, system;
    bool own;
  } rows[] = {
      {own->e_machine, class, order, ELFOSABI_NONE, true},
      {own->e_machine, class, order, ELFOSABI_GNU, true},
      {own->e_machine, class, order, ELFOSABI_SOLARIS, false},
      {own->e_machine, class, other_order, ELFOSABI_NONE, false},
      {own->e_machine, other_class, order, ELFOSABI_NONE, false},
      {EM_SPARC, class, order, ELFOSABI_NONE, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    GElf_Ehdr header = header_of(rows[i].machine, rows[i].class, rows[i].order);
    header.e_ident[EI_OSABI] = rows[i].system;
    ck_assert_msg(elfmachine_is_own(&header) == rows[i].own, "row %zu", i);
  }
  free(bytes.data);
}

// --- Names ---------------------------------------------------------------------------------------

static InspectReport *report_of(Bytes bytes)
{
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  free(bytes.data);
  return report;
}

// A dynamic symbol gets another name.
static void rename_symbol(Bytes *bytes, const char *from, const char *to, size_t size)
{
  size_t place = (size_t)((unsigned char *)elf_symbol(*bytes, from) - bytes->data);
  uint32_t name = elf_more_names(bytes, to, size);
  ((ElfW(Sym) *)(bytes->data + place))->st_name = name;
}

TEST(a_function_of_the_earlier_generation)
{
  static const char name[] = "TVMFFITraceback";
  AbiFunctionId id = abi_function_find_former(name, strlen(name));
  ck_assert_uint_ne(id, ABI_FUNCTION_COUNT);
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  rename_symbol(&bytes, "plain_function", name, sizeof name);
  InspectReport *report = report_of(bytes);
  ck_assert(report->former_exports[id]);
  ck_assert_uint_eq(report->exports_count, 3);
  ck_assert_uint_eq(report->unknown_exports, 1);
  inspect_free(report);
}

TEST(metadata_of_no_function)
{
  static const char name[] = "__tvm_ffi__metadata_nothing";
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_module);
  rename_symbol(&bytes, "__tvm_ffi__metadata_add_one", name, sizeof name);
  InspectReport *report = report_of(bytes);
  ck_assert_uint_eq(report->module_functions, 2);
  ck_assert(!report->functions[0].has_metadata);
  ck_assert(!report->functions[1].has_metadata);
  inspect_free(report);
}

// Up to a length that nobody types, it counts as a function's name.
TEST(a_long_name, .rows = 2)
{
  char name[1025] = "__tvm_ffi_";
  size_t length = _i == 0 ? 1023 : 1024;
  memset(name + strlen(name), 'x', length - strlen(name));
  name[length] = '\0';
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_module);
  rename_symbol(&bytes, "__tvm_ffi_main", name, length + 1);
  InspectReport *report = report_of(bytes);
  ck_assert_uint_eq(report->module_functions, _i == 0 ? 2 : 1);
  ck_assert_str_eq(report->functions[0].name, "add_one");
  inspect_free(report);
}

TEST(sanitizers_of_other_compilers, .rows = 5)
{
  static const struct {
    const char *library;
    unsigned sanitizer;
  } rows[] = {{"libclang_rt.asan-x86_64.so", INSPECT_ADDRESS_SANITIZER},
              {"libmsan.so", INSPECT_MEMORY_SANITIZER},
              {"libclang_rt.tsan-x86_64.so", INSPECT_THREAD_SANITIZER},
              {"libclang_rt.ubsan_standalone-x86_64.so", INSPECT_UNDEFINED_SANITIZER},
              {"libclang_rt.profile.so", 0}};
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  uint32_t name = elf_more_names(&bytes, rows[_i].library, strlen(rows[_i].library) + 1);
  elf_dynamic(bytes, DT_NEEDED)->d_un.d_val = name;
  InspectReport *report = report_of(bytes);
  ck_assert_uint_eq(report->sanitizers, rows[_i].sanitizer);
  inspect_free(report);
}

// --- Symbols -------------------------------------------------------------------------------------

TEST(a_symbol_that_is_there_once_in_a_process)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_symbol(bytes, "TVMFFIObjectIncRef")->st_info = ELF64_ST_INFO(STB_GNU_UNIQUE, STT_FUNC);
  InspectReport *report = report_of(bytes);
  ck_assert(report->exports[FN_ObjectIncRef]);
  inspect_free(report);
}

// Two names for one address: the one that covers more, of two that cover the same the first in the
// table of names.
TEST(two_names_for_one_address, .rows = 3)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  ElfW(Sym) *one = elf_symbol(bytes, "TVMFFIObjectIncRef");
  ElfW(Sym) *two = elf_symbol(bytes, "plain_function");
  one->st_size = 8;
  *two = (ElfW(Sym)){.st_name = two->st_name,
                     .st_info = two->st_info,
                     .st_shndx = two->st_shndx,
                     .st_value = one->st_value,
                     .st_size = _i == 0   ? 7
                                : _i == 1 ? 9
                                          : 8};
  uint64_t address = one->st_value;
  bool first = _i == 0 || (_i == 2 && one->st_name < two->st_name);
  InspectReport *report = report_of(bytes);
  const InspectSymbol *symbol = inspect_symbol_at(report, address);
  ck_assert_ptr_nonnull(symbol);
  ck_assert_str_eq(symbol->name, first ? "TVMFFIObjectIncRef" : "plain_function");
  inspect_free(report);
}

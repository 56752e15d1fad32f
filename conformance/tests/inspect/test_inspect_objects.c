// SPDX-License-Identifier: Apache-2.0
// What `inspect` says of object files that compilers make seldom: code for other processors,
// thousands of sections, relocations of other machines, symbols of rare types.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect_made.h"
#include "unit/unit.h"

enum {
  CODE = SHF_ALLOC | SHF_EXECINSTR,
  DATA = SHF_ALLOC | SHF_WRITE,
  GLOBAL = STB_GLOBAL,
  LOCAL = STB_LOCAL,
  FUNC = STT_FUNC,
  OBJECT = STT_OBJECT,
};

static const char room[256];

// --- Sections ------------------------------------------------------------------------------------

TEST_GROUP(sections, .timeout = 60);

TEST(code_for_other_processors)
{
  static const MadeSection sections[] = {
      {".nv_fatbin", SHT_PROGBITS, SHF_ALLOC, room, 1, 0},
      {"__nv_relfatbin", SHT_PROGBITS, SHF_ALLOC, room, 20, 0},
      {".hip_fatbin", SHT_PROGBITS, SHF_ALLOC, room, 100, 0},
      {".llvm.offloading", SHT_PROGBITS, 0, room, 100, 0},
      {".nv_fatbin_", SHT_PROGBITS, SHF_ALLOC, room, 7, 0},
      {".nv_fatbin", SHT_NOBITS, SHF_ALLOC, NULL, 7, 0},
  };
  Seen seen = seen_in_made(&(MadeFile){MADE_SECTIONS(sections)});
  ck_assert_uint_eq(seen.subject->facts->device_code, 221);
  seen_free(&seen);
}

// Beyond 65,279 sections their number and that of the table of names stand elsewhere.
TEST(more_sections_than_the_header_can_count)
{
  static const MadeSection sections[] = {{".hip_fatbin", SHT_PROGBITS, SHF_ALLOC, room, 100, 0},
                                         {".text", SHT_PROGBITS, CODE, room, 16, 0}};
  static const MadeSymbol symbols[] = {{"__tvm_ffi_add", FUNC, GLOBAL, 0, 2, 0, 16}};
  MadeFile file = {.padding = 65400, MADE_SECTIONS(sections), MADE_SYMBOLS(symbols)};
  Bytes bytes = made_file(&file);
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes.data;
  ck_assert_uint_eq(header->e_shnum, 0);
  ck_assert_uint_eq(header->e_shstrndx, SHN_XINDEX);
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen.subject->facts->device_code, 100);
  ck_assert_str_eq(inspect_subject_profile(seen.subject), "module");
  seen_free(&seen);
}

// The number that stands there is wrong: more than is in the file, or the table is elsewhere
// altogether. Then there are no sections, and so no symbols.
TEST(a_number_of_sections_that_is_wrong, .rows = 4)
{
  static const MadeSymbol symbols[] = {{"__tvm_ffi_add", FUNC, GLOBAL, 0, SHN_ABS, 0, 16}};
  Bytes bytes = made_file(&(MadeFile){MADE_SYMBOLS(symbols)});
  Elf64_Ehdr *header = (Elf64_Ehdr *)bytes.data;
  Elf64_Shdr *first = (Elf64_Shdr *)(bytes.data + header->e_shoff);
  first->sh_size = header->e_shnum + (_i == 1);
  if (_i == 2) header->e_shoff = bytes.size - 1;
  if (_i == 3) header->e_shoff = bytes.size + 1;
  header->e_shnum = 0;
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen.subject->facts->symbol_count, _i == 0 ? 1 : 0);
  seen_free(&seen);
}

TEST(names_of_sections_are_no_names, .rows = 2)
{
  static const MadeSection sections[] = {{".nv_fatbin", SHT_PROGBITS, SHF_ALLOC, room, 9, 0}};
  Bytes bytes = made_file(&(MadeFile){MADE_SECTIONS(sections)});
  Elf64_Ehdr *header = (Elf64_Ehdr *)bytes.data;
  header->e_shstrndx = _i == 0 ? 1 : 77;  // code, or nothing
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen.subject->facts->device_code, 0);
  seen_free(&seen);
}

// --- Damage --------------------------------------------------------------------------------------

static Elf64_Shdr *section_of(Bytes bytes, unsigned type)
{
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes.data;
  Elf64_Shdr *sections = (Elf64_Shdr *)(bytes.data + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i)
    if (sections[i].sh_type == type) return &sections[i];
  ck_abort_msg("no section of type %u", type);
  return NULL;
}

static void code_outside(Bytes bytes)
{
  section_of(bytes, SHT_PROGBITS)->sh_size = bytes.size;
}

static void symbols_outside(Bytes bytes)
{
  section_of(bytes, SHT_SYMTAB)->sh_offset = bytes.size - sizeof(Elf64_Sym);
}

static void less_than_a_symbol(Bytes bytes)
{
  section_of(bytes, SHT_SYMTAB)->sh_size = sizeof(Elf64_Sym) - 1;
}

static void symbols_without_names(Bytes bytes)
{
  section_of(bytes, SHT_SYMTAB)->sh_link = 1;  // the code
}

static void symbols_linked_to_nothing(Bytes bytes)
{
  section_of(bytes, SHT_SYMTAB)->sh_link = 4711;
}

static void a_name_outside(Bytes bytes)
{
  Elf64_Sym *symbols = (Elf64_Sym *)(bytes.data + section_of(bytes, SHT_SYMTAB)->sh_offset);
  symbols[1].st_name = 4711;
}

static const struct {
  void (*damage)(Bytes bytes);
  const char *words;
} damages[] = {
    {code_outside, "its section 1 ("},
    {symbols_outside, "ends behind the file's"},
    {less_than_a_symbol, "its symbol table or the names of it are not within the file"},
    {symbols_without_names, "its symbol table or the names of it are not within the file"},
    {symbols_linked_to_nothing, "its symbol table or the names of it are not within the file"},
    {a_name_outside, "the name of its symbol 1 lies outside the string table"},
};

TEST(an_object_that_is_damaged, .rows = ROWS(damages))
{
  static const MadeSection sections[] = {{".text", SHT_PROGBITS, CODE, room, 16, 0}};
  static const MadeSymbol symbols[] = {{"__tvm_ffi_add", FUNC, GLOBAL, 0, 1, 0, 16}};
  Bytes bytes = made_file(&(MadeFile){MADE_SECTIONS(sections), MADE_SYMBOLS(symbols)});
  InspectProblem problem = {0};
  InspectSubject *sound = inspect_subject_read("it", bytes.data, bytes.size, false, NULL, &problem);
  ck_assert_ptr_nonnull(sound);
  inspect_subject_free(sound);
  damages[_i].damage(bytes);
  refused_expect(bytes, INSPECT_BROKEN, damages[_i].words);
  free(bytes.data);
}

// The symbols that a library keeps for debuggers are none that it needs.
TEST(a_library_whose_other_symbols_are_damaged, .rows = 4)
{
  static void (*const harmless[])(Bytes) = {symbols_outside, less_than_a_symbol,
                                            symbols_linked_to_nothing, a_name_outside};
  if (sizeof(void *) == 4) return;
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  harmless[_i](bytes);
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen.subject->api.export_count, 4);
  seen_free(&seen);
}

TEST(an_object_that_asks_for_an_executable_stack)
{
  static const MadeSection sections[] = {
      {".note.GNU-stack", SHT_PROGBITS, SHF_EXECINSTR, NULL, 0, 0}};
  Seen seen = seen_in_made(&(MadeFile){MADE_SECTIONS(sections)});
  seen_expect(&seen, INSPECT_FINDING_EXECUTABLE_STACK, "", "");
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_STACK_UNMARKED), 0);
  seen_free(&seen);
}

// --- Relocations ---------------------------------------------------------------------------------

static const struct {
  unsigned machine, kind;
  bool in_code, in_data;  // whether one there can't be in a shared library
} kinds[] = {
    {EM_X86_64, R_X86_64_64, false, false},   {EM_X86_64, R_X86_64_32, true, true},
    {EM_X86_64, R_X86_64_32S, true, true},    {EM_X86_64, R_X86_64_16, true, true},
    {EM_X86_64, R_X86_64_PC16, false, false}, {EM_X86_64, R_X86_64_8, true, true},
    {EM_X86_64, R_X86_64_PC8, false, false},  {EM_386, R_386_32, true, false},
    {EM_386, R_386_PC32, false, false},       {EM_ARM, R_ARM_ABS32, true, false},
    {EM_ARM, R_ARM_MOVT_ABS, true, true},     {EM_AARCH64, R_AARCH64_MOVW_UABS_G1, true, true},
    {EM_RISCV, R_RISCV_HI20, true, true},     {EM_PPC64, R_PPC64_ADDR32, false, false},
};

// With addends or without, in either word size.
static size_t absolute_ones(size_t row, unsigned type, unsigned char class, unsigned section)
{
  uint64_t info = GELF_R_INFO(0, (uint64_t)kinds[row].kind);
  GElf_Rel rel[2] = {{0, info}, {4, info}};
  GElf_Rela rela[2] = {{0, info, 0}, {4, info, 0}};
  const MadeSection sections[] = {
      {".text", SHT_PROGBITS, CODE, room, 16, 0},
      {".data", SHT_PROGBITS, DATA, room, 16, 0},
      {".debug_info", SHT_PROGBITS, 0, room, 16, 0},
      {"relocations", type, 0, type == SHT_REL ? (void *)rel : rela,
       type == SHT_REL ? sizeof rel : sizeof rela, section},
  };
  MadeFile file = {.class = class, .machine = kinds[row].machine, MADE_SECTIONS(sections)};
  Seen seen = seen_in_made(&file);
  size_t count = seen.subject->facts->absolute_relocations;
  if (count > 0) {
    seen_expect(&seen, INSPECT_FINDING_NOT_PIC, "", "2 of them");
  } else {
    ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_NOT_PIC), 0);
  }
  seen_free(&seen);
  return count;
}

TEST(relocations_of_every_form, .rows = ROWS(kinds))
{
  static const unsigned types[] = {SHT_REL, SHT_RELA};
  static const unsigned char classes[] = {ELFCLASS32, ELFCLASS64};
  for (int form = 0; form < 4; ++form) {
    unsigned type = types[form & 1];
    unsigned char class = classes[form >> 1];
    if (class == ELFCLASS32 && kinds[_i].kind > 0xff) continue;  // there is no room for it
    ck_assert_uint_eq(absolute_ones((size_t)_i, type, class, 1), kinds[_i].in_code ? 2 : 0);
    ck_assert_uint_eq(absolute_ones((size_t)_i, type, class, 2), kinds[_i].in_data ? 2 : 0);
    ck_assert_uint_eq(absolute_ones((size_t)_i, type, class, 3), 0);   // not loaded
    ck_assert_uint_eq(absolute_ones((size_t)_i, type, class, 77), 0);  // of no section
  }
}

// Every table of relocations is the same bytes, as a hostile file may have it. So many are looked
// at, and no more.
TEST(more_relocations_than_are_looked_at)
{
  enum { RECORDS = 1 << 17, TABLES = 129, LOOKED_AT = 1 << 24 };
  static GElf_Rel rel[RECORDS];
  for (size_t i = 0; i < RECORDS; ++i) rel[i].r_info = GELF_R_INFO(0, (uint64_t)R_386_32);
  MadeSection sections[TABLES + 1] = {{".text", SHT_PROGBITS, CODE, room, 16, 0}};
  for (size_t i = 1; i <= TABLES; ++i) {
    sections[i] = (MadeSection){"many", SHT_REL, 0, rel, i == 1 ? sizeof rel : sizeof rel[0], 1};
  }
  MadeFile file = {.class = ELFCLASS32, .machine = EM_386, MADE_SECTIONS(sections)};
  Bytes bytes = made_file(&file);
  Elf32_Shdr *headers = (Elf32_Shdr *)(bytes.data + ((Elf32_Ehdr *)bytes.data)->e_shoff);
  for (size_t i = 3; i <= TABLES + 1; ++i) {
    headers[i].sh_offset = headers[2].sh_offset;
    headers[i].sh_size = headers[2].sh_size;
  }
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen.subject->facts->absolute_relocations, LOOKED_AT);
  seen_expect(&seen, INSPECT_FINDING_NOT_PIC, "", "16777216 of them");
  seen_free(&seen);
}

// --- Names of the ABI ----------------------------------------------------------------------------

static const MadeSection two_sections[] = {{".text", SHT_PROGBITS, CODE, room, 64, 0},
                                           {".data", SHT_PROGBITS, DATA, room, 64, 0}};

static Seen seen_of_symbols(const MadeSymbol *symbols, size_t count)
{
  return seen_in_made(
      &(MadeFile){MADE_SECTIONS(two_sections), .symbols = symbols, .symbol_count = count});
}

#define SEEN_OF(symbols) seen_of_symbols(symbols, sizeof(symbols) / sizeof(symbols)[0])

TEST_GROUP(names_of_the_ABI);

TEST(cubins)
{
  static const MadeSymbol symbols[] = {
      {"__tvm_ffi__cubin_one", OBJECT, LOCAL, 0, 2, 0, 8},
      {"__tvm_ffi__cubin_one_end", OBJECT, LOCAL, 0, 2, 8, 8},
      {"__tvm_ffi__cubin_two", OBJECT, GLOBAL, STV_HIDDEN, 2, 16, 8},
      {"__tvm_ffi__cubin_three", STT_NOTYPE, LOCAL, 0, 2, 24, 8},
      {"__tvm_ffi_add", FUNC, GLOBAL, 0, 1, 0, 8},
  };
  Seen seen = SEEN_OF(symbols);
  ck_assert_uint_eq(seen.subject->facts->cubin_count, 2);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_HIDDEN), 0);
  seen_free(&seen);
}

// Hidden by their visibility or local; what is not defined here, parts of functions and the
// runtime's own names are not meant.
TEST(names_that_stay_inside)
{
  static const MadeSymbol symbols[] = {
      {"__tvm_ffi_add.part.0", FUNC, LOCAL, 0, 1, 0, 8},
      {"TVMFFIGetVersion", FUNC, LOCAL, 0, 1, 8, 8},
      {"__tvm_ffi_elsewhere", FUNC, GLOBAL, STV_HIDDEN, SHN_UNDEF, 0, 0},
      {"__tvm_ffi_mark", STT_NOTYPE, LOCAL, 0, 1, 8, 0},
      {"__tvm_ffi_first", FUNC, GLOBAL, STV_INTERNAL, 1, 16, 8},
      {"__tvm_ffi_second", FUNC, GLOBAL, STV_HIDDEN, 1, 24, 8},
      {"__tvm_ffi_third", FUNC, LOCAL, 0, 1, 32, 8},
  };
  Seen seen = SEEN_OF(symbols);
  seen_expect(&seen, INSPECT_FINDING_HIDDEN, "__tvm_ffi_first", "and 2 more");
  ck_assert(inspect_subject_is_known(seen.subject));  // by that alone
  ck_assert_str_eq(inspect_subject_profile(seen.subject), "user of the API");
  seen_free(&seen);
}

TEST(functions_that_are_data, .rows = 3)
{
  static const unsigned char types[] = {STT_OBJECT, STT_TLS, STT_COMMON};
  MadeSymbol symbols[] = {{"__tvm_ffi_add", types[_i], GLOBAL, 0, 2, 0, 8}};
  Seen seen = SEEN_OF(symbols);
  seen_expect(&seen, INSPECT_FINDING_DATA_AS_FUNCTION, "__tvm_ffi_add", "");
  seen_free(&seen);
}

static const struct {
  const char *name;
  InspectFindingId id;
} written_to[] = {{"__TVMFFIFunctionCall", INSPECT_FINDING_SLOT_TYPE},
                  {"__tvm_ffi__library_ctx", INSPECT_FINDING_CTX_TYPE},
                  {"__tvm_ffi__library_bin", INSPECT_FINDING_BIN_TYPE}};

TEST(data_that_are_no_data, .rows = ROWS(written_to))
{
  static const struct {
    unsigned char type;
    const char *detail;
  } rows[] = {{STT_FUNC, "it is a function"},
              {STT_GNU_IFUNC, "it is a function"},
              {STT_TLS, "it is a variable of each thread"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    MadeSymbol symbols[] = {{written_to[_i].name, rows[i].type, GLOBAL, 0, 2, 0, 8}};
    Seen seen = SEEN_OF(symbols);
    seen_expect(&seen, written_to[_i].id, written_to[_i].name, rows[i].detail);
    seen_free(&seen);
  }
}

static const InspectFindingId about_library_ctx[] = {
    INSPECT_FINDING_CTX_TYPE, INSPECT_FINDING_CTX_SIZE, INSPECT_FINDING_CTX_READ_ONLY,
    INSPECT_FINDING_CTX_MISALIGNED};

static void expect_library_ctx_is_good(const MadeSymbol *symbol)
{
  Seen seen = seen_of_symbols(symbol, 1);
  for (size_t i = 0; i < sizeof about_library_ctx / sizeof about_library_ctx[0]; ++i) {
    ck_assert_uint_eq(seen_count(&seen, about_library_ctx[i]), 0);
  }
  seen_free(&seen);
}

// A common symbol has no place yet: its value is how it is to be aligned. One without a size may
// have any.
TEST(library_ctx_that_is_good, .rows = 4)
{
  static const MadeSymbol symbols[] = {
      {"__tvm_ffi__library_ctx", OBJECT, GLOBAL, 0, SHN_COMMON, 4, 8},
      {"__tvm_ffi__library_ctx", OBJECT, GLOBAL, 0, SHN_ABS, 64, 8},
      {"__tvm_ffi__library_ctx", STT_NOTYPE, GLOBAL, 0, 2, 8, 0},
      {"__tvm_ffi__library_ctx", OBJECT, GLOBAL, 0, 2, 8, 8},
  };
  expect_library_ctx_is_good(&symbols[_i]);
}

// The loader makes it read-only when it has relocated it.
TEST(library_ctx_that_is_only_written_by_relocations)
{
  static const MadeSection sections[] = {{".data.rel.ro.local", SHT_PROGBITS, DATA, room, 64, 0}};
  static const MadeSymbol symbols[] = {{"__tvm_ffi__library_ctx", OBJECT, GLOBAL, 0, 1, 0, 8}};
  Seen seen = seen_in_made(&(MadeFile){MADE_SECTIONS(sections), MADE_SYMBOLS(symbols)});
  seen_expect(&seen, INSPECT_FINDING_CTX_READ_ONLY, "__tvm_ffi__library_ctx", "");
  seen_free(&seen);
}

TEST(slots_that_nobody_knows, .rows = 2)
{
  static const char *const names[] = {"__TVMFFIFrobnicate", "__TVMBackendFrobnicate"};
  MadeSymbol symbols[] = {{names[_i], OBJECT, GLOBAL, 0, 2, 0, 8}};
  Seen seen = SEEN_OF(symbols);
  seen_expect(&seen, INSPECT_FINDING_SLOT_UNKNOWN, names[_i], "");
  seen_free(&seen);
}

// What an object imports of an earlier generation is all that tells of the ABI.
TEST(an_object_of_an_earlier_generation)
{
  static const MadeSymbol symbols[] = {
      {"TVMBackendGetFuncFromEnv", STT_NOTYPE, GLOBAL, 0, SHN_UNDEF, 0, 0},
      {"plain", FUNC, GLOBAL, 0, 1, 0, 8}};
  Seen seen = SEEN_OF(symbols);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_STALE_IMPORT), 1);
  ck_assert_str_eq(inspect_subject_profile(seen.subject), "earlier generation");
  seen_free(&seen);
}

// A stranger with faults of its own is none of ours.
TEST(an_object_of_nobody)
{
  static const MadeSection sections[] = {{".text", SHT_PROGBITS, CODE | SHF_WRITE, room, 64, 0}};
  static const MadeSymbol symbols[] = {{"plain", FUNC, GLOBAL, 0, 1, 0, 8}};
  Seen seen = seen_in_made(&(MadeFile){MADE_SECTIONS(sections), MADE_SYMBOLS(symbols)});
  seen_expect(&seen, INSPECT_FINDING_WRITABLE_CODE, "", "");
  ck_assert(!inspect_subject_is_known(seen.subject));
  ck_assert_str_eq(inspect_subject_profile(seen.subject), "none");
  seen_free(&seen);
}

TEST(a_user_of_the_cxx_headers, .rows = 2)
{
  static const MadeSymbol symbols[][1] = {
      {{"_ZN3tvm3ffi6Object6DecRefEv", STT_NOTYPE, GLOBAL, 0, SHN_UNDEF, 0, 0}},
      {{"_ZN3tvm3ffi6Object6DecRefEv", FUNC, STB_WEAK, 0, 1, 0, 8}}};
  Seen seen = seen_of_symbols(symbols[_i], 1);
  ck_assert(inspect_subject_is_known(seen.subject));
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_MANGLED_TVM_FFI), _i == 0 ? 1 : 0);
  seen_free(&seen);
}

// A static program has no dynamic section, and still is no library.
TEST(a_static_program)
{
  Seen seen = seen_in_made(&(MadeFile){.type = ET_EXEC, MADE_SECTIONS(two_sections)});
  ck_assert_int_eq(seen.subject->facts->kind, INSPECT_KIND_EXECUTABLE);
  seen_expect(&seen, INSPECT_FINDING_NOT_SHARED, "", "");
  seen_free(&seen);
}

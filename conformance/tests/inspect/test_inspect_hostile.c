// SPDX-License-Identifier: Apache-2.0
// Libraries that are damaged, by accident and on purpose. Whatever comes, there is a report that
// keeps its promises (see inspect_bytes.c); build with TVMFFI_SANITIZE=address,undefined to see
// every stray access.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inspect_bytes.h"
#include "inspect_foreign.h"
#include "unit/unit.h"

enum { MUTATIONS = 4000, SECONDS = 120 };

static void expect_broken(Bytes bytes, const char *words)
{
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_BROKEN);
  ck_assert_msg(strstr(report->message, words) != NULL, "'%s' is not in '%s'", words,
                report->message);
  inspect_free(report);
}

TEST_GROUP(damaged, .timeout = SECONDS);

// The section headers come last, so that any loss shows.
TEST(cut_at_every_length)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  for (size_t size = 0; size < bytes.size; ++size) {
    InspectReport *report = inspect_the_bytes(bytes.data, size);
    ck_assert_msg(report->status == (size < 4 ? INSPECT_NOT_ELF : INSPECT_BROKEN),
                  "status %d at %zu bytes", report->status, size);
    if (size >= 4) ck_assert_ptr_nonnull(strstr(report->message, "truncated"));
    inspect_free(report);
  }
  free(bytes.data);
}

TEST(foreign_library_cut_at_every_length)
{
  unsigned char image[FOREIGN_CAPACITY];
  size_t whole = foreign_library(image);
  for (size_t size = 4; size < whole; ++size) {
    InspectReport *report = inspect_the_bytes(image, size);
    ck_assert_msg(report->status == INSPECT_BROKEN, "status %d at %zu bytes", report->status, size);
    inspect_free(report);
  }
}

TEST(foreign_library_with_each_bit_flipped)
{
  unsigned char image[FOREIGN_CAPACITY];
  size_t size = foreign_library(image);
  for (size_t bit = 0; bit < 8 * size; ++bit) {
    image[bit / 8] ^= (unsigned char)(1u << bit % 8);
    inspect_free(inspect_the_bytes(image, size));
    image[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
}

// Numbers that are the same in every run (Knuth's MMIX generator; its high bits are the good ones).
static uint32_t next(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 32);
}

// Mostly where tables are: the beginning of the file and the dynamic section.
static size_t place(const Bytes *bytes, size_t dynamic, uint64_t *state)
{
  uint32_t number = next(state);
  switch (number % 4) {
    case 0:
      return next(state) % bytes->size;
    case 1:
      return (dynamic + next(state) % 512) % bytes->size;
    case 2:
      return next(state) % 1024 % bytes->size;
    default:
      return next(state) % 4096 % bytes->size;
  }
}

static void mutate(const char *path, unsigned count)
{
  static const unsigned char favourites[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0xfe, 0x08, 0x10};
  Bytes original = bytes_of_file(path);
  Bytes changed = {malloc(original.size), original.size};
  size_t dynamic = elf_segment(original, PT_DYNAMIC)->p_offset;
  uint64_t state = 42;
  unsigned statuses[INSPECT_OTHER_MACHINE + 1] = {0};
  for (unsigned i = 0; i < count; ++i) {
    memcpy(changed.data, original.data, original.size);
    for (uint32_t left = 1 + next(&state) % 8; left > 0; --left) {
      uint32_t choice = next(&state);
      changed.data[place(&original, dynamic, &state)] =
          choice & 1 ? favourites[choice >> 1 & 7] : (unsigned char)(choice >> 8);
    }
    InspectReport *report = inspect_the_bytes(changed.data, changed.size);
    ++statuses[report->status];
    inspect_free(report);
  }
  // A generator that changes nothing, or ruins the magic number each time, would show nothing.
  ck_assert_uint_gt(statuses[INSPECT_OK], count / 100);
  ck_assert_uint_gt(statuses[INSPECT_BROKEN], count / 100);
  free(changed.data);
  free(original.data);
}

TEST(changed_at_random, .rows = 3)
{
  static const char *const paths[] = {INSPECT_FIXTURE_runtime, INSPECT_FIXTURE_stripped,
                                      INSPECT_FIXTURE_module};
  mutate(paths[_i], MUTATIONS);
}

#ifdef INSPECT_REFERENCE
TEST(reference_cut_and_changed)
{
  Bytes bytes = bytes_of_file(INSPECT_REFERENCE);
  for (size_t size = 4; size < bytes.size; size += 97) {
    InspectReport *report = inspect_the_bytes(bytes.data, size);
    ck_assert_int_eq(report->status, INSPECT_BROKEN);
    inspect_free(report);
  }
  free(bytes.data);
  mutate(INSPECT_REFERENCE, MUTATIONS / 4);
}
#endif

static void absurd_class(Bytes bytes)
{
  elf_header(bytes)->e_ident[EI_CLASS] = 3;
}

static void absurd_order(Bytes bytes)
{
  elf_header(bytes)->e_ident[EI_DATA] = 0;
}

static void absurd_version(Bytes bytes)
{
  elf_header(bytes)->e_version = 2;
}

static void absurd_segment_count(Bytes bytes)
{
  elf_header(bytes)->e_phnum = 0xffff;
}

static void absurd_segment_offset(Bytes bytes)
{
  elf_header(bytes)->e_phoff = (ElfW(Off)) - 8;
}

static void absurd_segment_header_size(Bytes bytes)
{
  elf_header(bytes)->e_phentsize = 1;
}

static void absurd_section_count(Bytes bytes)
{
  elf_header(bytes)->e_shnum = 0xfff0;
}

static void absurd_segment(Bytes bytes)
{
  elf_segment(bytes, PT_LOAD)->p_filesz = (ElfW(Xword)) - 1;
}

static void overflowing_segment(Bytes bytes)
{
  elf_segment(bytes, PT_LOAD)->p_offset = (ElfW(Off)) - 16;
}

static void segment_larger_than_memory(Bytes bytes)
{
  elf_segment(bytes, PT_LOAD)->p_memsz = 1;
}

static void absurd_dynamic_section(Bytes bytes)
{
  elf_segment(bytes, PT_DYNAMIC)->p_offset = bytes.size;
}

static void tiny_dynamic_section(Bytes bytes)
{
  elf_segment(bytes, PT_DYNAMIC)->p_filesz = 1;
}

static void names_elsewhere(Bytes bytes)
{
  elf_dynamic(bytes, DT_STRTAB)->d_un.d_ptr = (ElfW(Addr)) - 4096;
}

static void absurd_names_size(Bytes bytes)
{
  elf_dynamic(bytes, DT_STRSZ)->d_un.d_val = (ElfW(Xword)) - 1;
}

static void short_names(Bytes bytes)
{
  elf_dynamic(bytes, DT_STRSZ)->d_un.d_val = 2;
}

static void needed_name_outside(Bytes bytes)
{
  elf_dynamic(bytes, DT_NEEDED)->d_un.d_val = UINT32_MAX;
}

static void symbols_elsewhere(Bytes bytes)
{
  elf_dynamic(bytes, DT_SYMTAB)->d_un.d_ptr = (ElfW(Addr))1 << 40;
}

static void no_symbols(Bytes bytes)
{
  elf_dynamic(bytes, DT_SYMTAB)->d_tag = DT_DEBUG;
}

static void no_names(Bytes bytes)
{
  elf_dynamic(bytes, DT_STRSZ)->d_tag = DT_DEBUG;
}

static void absurd_symbol_count(Bytes bytes)
{
  uint32_t *hash = (uint32_t *)elf_at(bytes, elf_dynamic(bytes, DT_HASH)->d_un.d_ptr);
  hash[1] = UINT32_MAX;
}

static void symbol_name_outside(Bytes bytes)
{
  ElfW(Sym) *symbols = (ElfW(Sym) *)elf_at(bytes, elf_dynamic(bytes, DT_SYMTAB)->d_un.d_ptr);
  symbols[1].st_name = UINT32_MAX;
}

// No hash table, no section headers, and no table behind the symbols.
static void uncounted_symbols(Bytes bytes)
{
  elf_remove_sections(bytes);
  elf_dynamic(bytes, DT_HASH)->d_tag = DT_DEBUG;
  elf_dynamic(bytes, DT_SYMTAB)->d_un.d_ptr = elf_dynamic(bytes, DT_INIT_ARRAY)->d_un.d_ptr;
}

static const struct {
  void (*change)(Bytes bytes);
  const char *words;
} absurdities[] = {
    {absurd_class, "word size"},
    {absurd_order, "byte order"},
    {absurd_version, "ELF version"},
    {absurd_segment_count, "program headers"},
    {absurd_segment_offset, "program headers"},
    {absurd_segment_header_size, "program headers"},
    {absurd_section_count, "section headers"},
    {absurd_segment, "a loaded segment"},
    {overflowing_segment, "a loaded segment"},
    {segment_larger_than_memory, "larger in the file than in memory"},
    {absurd_dynamic_section, "the dynamic section"},
    {tiny_dynamic_section, "dynamic section: there are none"},
    {names_elsewhere, "string table is not within"},
    {absurd_names_size, "string table is not within"},
    {short_names, "lies outside the string table"},
    {needed_name_outside, "a library that it needs lies outside"},
    {symbols_elsewhere, "symbol table is not within"},
    {no_symbols, "names no symbol table"},
    {no_names, "names no string table"},
    {absurd_symbol_count, "more dynamic symbols than fit"},
    {symbol_name_outside, "dynamic symbol 1 lies outside"},
    {uncounted_symbols, "how many dynamic symbols"},
};

TEST_GROUP(absurd, .timeout = SECONDS / 4.0);

TEST(absurd_numbers, .rows = ROWS(absurdities))
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  absurdities[_i].change(bytes);
  expect_broken(bytes, absurdities[_i].words);
  free(bytes.data);
}

static void absurd_gnu_hash(Bytes bytes, size_t word, uint32_t value)
{
  uint32_t *hash = (uint32_t *)elf_at(bytes, elf_dynamic(bytes, DT_GNU_HASH)->d_un.d_ptr);
  hash[word] = value;
}

// Bucket count, first symbol, Bloom filter: none of them may lead outside. The section headers
// still count.
TEST(absurd_gnu_hash_table, .rows = 3)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  absurd_gnu_hash(bytes, (size_t)_i, UINT32_MAX);
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, _i == 1 ? INSPECT_BROKEN : INSPECT_OK);
  if (_i != 1) ck_assert_uint_eq(report->exports_count, 3);
  inspect_free(report);
  free(bytes.data);
}

// The number of sections is said to stand in the first section header: 2^32 - 1, or the true one.
// In neither case are they looked at.
TEST(extended_section_count, .rows = 2)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  ElfW(Ehdr) *header = elf_header(bytes);
  elf_section(bytes, SHT_NULL)->sh_size = _i == 0 ? UINT32_MAX : header->e_shnum;
  header->e_shnum = 0;
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  ck_assert_uint_eq(report->exports_count, 3);
  for (size_t i = 0; i < report->symbol_count; ++i) {
    ck_assert_str_ne(report->symbols[i].name, "quiet_static_function");
  }
  inspect_free(report);
  free(bytes.data);
}

// A full symbol table that can't be used costs names, not the verdict.
TEST(damaged_full_symbol_table, .rows = 7)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  const ElfW(Ehdr) *header = elf_header(bytes);
  ElfW(Shdr) *sections = (ElfW(Shdr) *)(bytes.data + header->e_shoff);
  ElfW(Shdr) *table = elf_section(bytes, SHT_SYMTAB);
  switch (_i) {
    case 0:
      table->sh_offset = bytes.size;
      break;
    case 1:
      table->sh_size = (ElfW(Xword)) - 1;
      break;
    case 2:
      table->sh_link = UINT32_MAX;
      break;
    case 3:
      table->sh_link = header->e_shnum;
      break;
    case 4:
      sections[table->sh_link].sh_size = (ElfW(Xword)) - 1;
      break;
    case 5:
      sections[table->sh_link].sh_size = 1;
      break;
    default:
      sections[table->sh_link].sh_type = SHT_PROGBITS;
      break;
  }
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  ck_assert_uint_eq(report->exports_count, 3);
  ck_assert_uint_gt(report->symbol_count, 0);
  for (size_t i = 0; i < report->symbol_count; ++i) {
    ck_assert_str_ne(report->symbols[i].name, "quiet_static_function");
  }
  inspect_free(report);
  free(bytes.data);
}

// A symbol's bytes are those that the file has, not those behind them.
TEST(symbol_that_reaches_out_of_the_file, .rows = 2)
{
  static const ElfW(Xword) sizes[] = {(ElfW(Xword)) - 1, 1 << 20};
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_symbol(bytes, "inspect_description")->st_size = sizes[_i];
  char path[] = "/tmp/inspect-symbol-XXXXXX";
  int descriptor = mkstemp(path);
  ck_assert_int_eq(write(descriptor, bytes.data, bytes.size), (ssize_t)bytes.size);
  close(descriptor);
  char out[8] = "before";
  size_t size = 0;
  bool found = inspect_symbol_bytes(path, "inspect_description", out, sizeof out, &size);
  unlink(path);
  ck_assert(!found);
  ck_assert_str_eq(out, "before");
  free(bytes.data);
}

// Names reach terminals and reports: escape sequences and broken UTF-8 do not.
TEST(names_with_odd_bytes)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  uint64_t names = elf_dynamic(bytes, DT_STRTAB)->d_un.d_ptr;
  memcpy(elf_at(bytes, names + elf_dynamic(bytes, DT_SONAME)->d_un.d_val), "\033[2J\xff\n", 6);
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  ck_assert_str_eq(report->soname, "?[2J??pect_runtime.so.1");
  inspect_free(report);
  free(bytes.data);
}

// The string table's last name may lack its NUL: then it ends with the table.
TEST(names_without_an_end)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  ElfW(Xword) length = elf_dynamic(bytes, DT_STRSZ)->d_un.d_val;
  memset(elf_at(bytes, elf_dynamic(bytes, DT_STRTAB)->d_un.d_ptr), 'T', length);
  InspectReport *report = inspect_the_bytes(bytes.data, bytes.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  ck_assert_uint_le(strlen(report->needed[0]), length);
  ck_assert_int_eq(report->profile, INSPECT_PROFILE_NONE);
  inspect_free(report);
  free(bytes.data);
}

// As many segments as a file can have, each of them a hundred thousand empty notes: whoever walks
// through all of them is stopped by the time limit.
TEST(notes_without_end)
{
  enum { COUNT = 0xfffe, NOTES_SIZE = 1200000 };
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  const ElfW(Ehdr) *header = elf_header(bytes);
  size_t kept = header->e_phnum * sizeof(ElfW(Phdr));
  size_t table = bytes.size, notes = table + COUNT * sizeof(ElfW(Phdr));
  Bytes large = {calloc(1, notes + NOTES_SIZE), notes + NOTES_SIZE};
  memcpy(large.data, bytes.data, bytes.size);
  memcpy(large.data + table, bytes.data + header->e_phoff, kept);
  for (size_t at = table + kept; at < notes; at += sizeof(ElfW(Phdr))) {
    ElfW(Phdr) segment = {.p_type = PT_NOTE, .p_offset = notes, .p_filesz = NOTES_SIZE};
    memcpy(large.data + at, &segment, sizeof segment);
  }
  elf_header(large)->e_phoff = table;
  elf_header(large)->e_phnum = COUNT;
  InspectReport *report = inspect_the_bytes(large.data, large.size);
  ck_assert_int_eq(report->status, INSPECT_OK);
  ck_assert_uint_eq(strlen(report->build_id), 40);
  inspect_free(report);
  elf_segment(large, PT_NOTE)->p_type = PT_NULL;  // now the build id is not found first
  inspect_free(inspect_the_bytes(large.data, large.size));
  free(large.data);
  free(bytes.data);
}

TEST(overlapping_tables)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_dynamic(bytes, DT_STRTAB)->d_un.d_ptr = elf_dynamic(bytes, DT_SYMTAB)->d_un.d_ptr;
  inspect_free(inspect_the_bytes(bytes.data, bytes.size));
  elf_dynamic(bytes, DT_HASH)->d_un.d_ptr = elf_dynamic(bytes, DT_SYMTAB)->d_un.d_ptr;
  inspect_free(inspect_the_bytes(bytes.data, bytes.size));
  elf_segment(bytes, PT_NOTE)->p_offset = 0;
  elf_segment(bytes, PT_NOTE)->p_filesz = (ElfW(Xword))bytes.size;
  inspect_free(inspect_the_bytes(bytes.data, bytes.size));
  free(bytes.data);
}

// SPDX-License-Identifier: Apache-2.0
// What `inspect` says of a shared library whose tables are odd: those of versions, and those by
// which the loader finds symbols.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_versions.h"
#include "inspect_made.h"
#include "unit/unit.h"

// --- Versions ------------------------------------------------------------------------------------

TEST(numbers_of_versions)
{
  static const struct {
    const char *name;
    uint32_t number;
  } rows[] = {
      {"GLIBC_2.34", ABI_VERSION(2, 34, 0)},
      {"GLIBC_2.2.5", ABI_VERSION(2, 2, 5)},
      {"GLIBC_2", ABI_VERSION(2, 0, 0)},
      {"GLIBC_", 0},
      {"GLIBC", 0},
      {"GLIBC_2.x", 0},
      {"GLIBC_2./", 0},
      {"GLIBC_2.3.4.5", 0},
      {"GLIBC_2.1000", 0},
      {"GLIBCXX_3.4", 0},
      {"GLIBC_2.200", ABI_VERSION(2, 200, 0)},
      {"GLIBC_2.:", 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    ElfText name = {rows[i].name, strlen(rows[i].name)};
    ck_assert_msg(inspect_versions_number(name, "GLIBC_") == rows[i].number, "%s", rows[i].name);
  }
}

// One library that is needed in these versions; `weak`: the library may lack them.
static Seen needing(const char *const *versions, bool weak)
{
  char names[512] = "libc.so.6";
  size_t at = sizeof "libc.so.6", count = 0;
  for (; versions[count]; ++count) {
    memcpy(names + at, versions[count], strlen(versions[count]) + 1);
    at += strlen(versions[count]) + 1;
  }
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  uint32_t name = elf_more_names(&bytes, names, at);
  uint64_t address = elf_room(&bytes, sizeof(ElfW(Verneed)) + count * sizeof(ElfW(Vernaux)));
  ElfW(Verneed) *need = (ElfW(Verneed) *)elf_at(bytes, address);
  ElfW(Vernaux) *aux = (ElfW(Vernaux) *)(need + 1);
  *need = (ElfW(Verneed)){VER_NEED_CURRENT, (ElfW(Half))count, name, sizeof *need, 0};
  name += sizeof "libc.so.6";
  for (size_t i = 0; i < count; ++i) {
    aux[i] = (ElfW(Vernaux)){.vna_flags = weak ? VER_FLG_WEAK : 0,
                             .vna_other = (ElfW(Half))(2 + i),
                             .vna_name = name,
                             .vna_next = i + 1 < count ? sizeof *aux : 0};
    name += (uint32_t)strlen(versions[i]) + 1;
  }
  elf_dynamic(bytes, DT_VERNEED)->d_un.d_ptr = (ElfW(Addr))address;
  elf_dynamic(bytes, DT_VERNEEDNUM)->d_un.d_val = 1;
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BROKEN_VERSIONS), 0);
  ck_assert_uint_eq(seen.subject->facts->version_count, count);
  return seen;
}

static const struct {
  const char *versions[4];
  const char *detail;  // NULL: nothing is found
} floors[] = {
    {{"GLIBC_2.28", "GLIBCXX_3.4.25", "CXXABI_1.3.11"}, NULL},
    {{"GLIBC_2.40"}, "GLIBC 2.40.0, GLIBCXX none, CXXABI none"},
    {{"GLIBCXX_3.4.26"}, "GLIBC none, GLIBCXX 3.4.26, CXXABI none"},
    {{"CXXABI_1.3.12", "GLIBC_2.2"}, "GLIBC 2.2.0, GLIBCXX none, CXXABI 1.3.12"},
    {{"GLIBC_2.2.5", "GLIBC_ABI_DT_RELR"}, "GLIBC 2.36.0, GLIBCXX none, CXXABI none"},
    {{"VENDOR_9.9", "GLIBC_x"}, NULL},
};

TEST(floors_of_libraries, .rows = ROWS(floors))
{
  for (int weak = 0; weak < 2; ++weak) {
    Seen seen = needing(floors[_i].versions, weak);
    if (floors[_i].detail && !weak) {
      seen_expect(&seen, INSPECT_FINDING_ABOVE_MANYLINUX, "", floors[_i].detail);
    } else {
      ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_ABOVE_MANYLINUX), 0);
    }
    seen_free(&seen);
  }
}

TEST(names_of_glibc_that_it_promises_to_nobody)
{
  static const char *const versions[] = {"GLIBC_PRIVATE", NULL};
  Seen seen = needing(versions, false);
  seen_expect(&seen, INSPECT_FINDING_GLIBC_PRIVATE, "", "");
  seen_free(&seen);
}

// A library with another name of the same length is needed.
TEST(versions_of_a_library_that_is_not_needed)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_dynamic(bytes, DT_NEEDED)->d_un.d_val = elf_more_names(&bytes, "libm.so.6", 10);
  Seen seen = seen_in(bytes);
  seen_expect(&seen, INSPECT_FINDING_VERSION_LIBRARY, "libc.so.6", "");
  seen_free(&seen);
}

// Two records of each of these kinds, at the beginning of room of their own. One thing is made
// wrong.
typedef struct Tables {
  ElfW(Verneed) need[2];
  ElfW(Vernaux) needed[2];
  ElfW(Verdef) defined[2];
  ElfW(Verdaux) names[2];
} Tables;

static Tables sound_tables(uint32_t name)
{
  ElfW(Word) step = sizeof(ElfW(Verneed)), aux = sizeof(ElfW(Vernaux));
  ElfW(Word) definition = sizeof(ElfW(Verdef));
  return (Tables){
      .need = {{VER_NEED_CURRENT, 1, name, 2 * step, step},
               {VER_NEED_CURRENT, 1, name, step + aux, 0}},
      .needed = {{.vna_other = 2, .vna_name = name}, {.vna_other = 3, .vna_name = name}},
      .defined = {{VER_DEF_CURRENT, VER_FLG_BASE, 1, 1, 0, 2 * definition, definition},
                  {VER_DEF_CURRENT, 0, 4, 1, 0, definition + sizeof(ElfW(Verdaux)), 0}},
      .names = {{name, 0}, {name, 0}},
  };
}

static void nothing(Tables *tables)
{
  (void)tables;
}

// The chain goes on where the number of records says it ends: loaders go by the number.
static void longer_chains(Tables *tables)
{
  tables->need[1].vn_next = tables->needed[0].vna_next = tables->defined[1].vd_next = 4;
}

static void need_of_another_kind(Tables *tables)
{
  tables->need[1].vn_version = 2;
}

static void need_outside(Tables *tables)
{
  tables->need[0].vn_next = 1 << 20;
}

static void need_ends_early(Tables *tables)
{
  tables->need[0].vn_next = 0;
}

static void library_without_name(Tables *tables)
{
  tables->need[1].vn_file = UINT32_MAX;
}

static void needed_outside(Tables *tables)
{
  tables->need[0].vn_aux = UINT32_MAX;
}

static void needed_without_name(Tables *tables)
{
  tables->needed[1].vna_name = UINT32_MAX;
}

static void needed_ends_early(Tables *tables)
{
  tables->need[1].vn_cnt = 2;
}

static void definition_of_another_kind(Tables *tables)
{
  tables->defined[0].vd_version = 2;
}

static void definition_outside(Tables *tables)
{
  tables->defined[0].vd_next = 1 << 20;
}

static void definition_ends_early(Tables *tables)
{
  tables->defined[0].vd_next = 0;
}

static void defined_name_outside(Tables *tables)
{
  tables->defined[1].vd_aux = 1 << 20;
}

static void definition_without_name(Tables *tables)
{
  tables->names[1].vda_name = UINT32_MAX;
}

static const struct {
  void (*change)(Tables *tables);
  size_t versions;
} damages[] = {
    {nothing, 3},
    {longer_chains, 3},
    {need_of_another_kind, 2},
    {need_outside, 2},
    {need_ends_early, 2},
    {library_without_name, 2},
    {needed_outside, 1},
    {needed_without_name, 2},
    {needed_ends_early, 3},
    {definition_of_another_kind, 2},
    {definition_outside, 2},
    {definition_ends_early, 2},
    {defined_name_outside, 2},
    {definition_without_name, 2},
};

// The tables in a library, and the entries that lead to them.
static Bytes with_tables(const Tables *tables, const void *behind, size_t size)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  uint64_t address = elf_room(&bytes, sizeof *tables + size);
  memcpy(elf_at(bytes, address), tables, sizeof *tables);
  if (size) memcpy(elf_at(bytes, address) + sizeof *tables, behind, size);
  elf_dynamic(bytes, DT_VERNEED)->d_un.d_ptr = (ElfW(Addr))address;
  elf_dynamic(bytes, DT_VERNEEDNUM)->d_un.d_val = 2;
  elf_more_entries(&bytes, DT_VERDEF, address + offsetof(Tables, defined), 1);
  elf_more_entries(&bytes, DT_VERDEFNUM, 2, 1);
  return bytes;
}

static uint32_t name_of_libc(void)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  uint32_t name = (uint32_t)elf_dynamic(bytes, DT_NEEDED)->d_un.d_val;
  free(bytes.data);
  return name;
}

TEST(tables_of_versions, .rows = ROWS(damages))
{
  Tables tables = sound_tables(name_of_libc());
  damages[_i].change(&tables);
  Seen seen = seen_in(with_tables(&tables, NULL, 0));
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BROKEN_VERSIONS), _i < 2 ? 0 : 1);
  ck_assert_uint_eq(seen.subject->facts->version_count, damages[_i].versions);
  seen_free(&seen);
}

// A table where the loader has nothing, and one of which nothing says how long it is.
TEST(tables_of_versions_that_are_not_there, .rows = 5)
{
  static const long tags[] = {DT_VERNEED, DT_VERDEF, DT_VERSYM, DT_VERNEEDNUM, DT_VERDEFNUM};
  Tables tables = sound_tables(name_of_libc());
  Bytes bytes = with_tables(&tables, NULL, 0);
  ElfW(Dyn) *entry = elf_dynamic(bytes, tags[_i]);
  if (_i < 3)
    entry->d_un.d_ptr = (ElfW(Addr))1 << 30;
  else
    entry->d_tag = DT_DEBUG;
  Seen seen = seen_in(bytes);
  static const size_t left[] = {1, 2, 3, 1, 2};
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BROKEN_VERSIONS), 1);
  ck_assert_uint_eq(seen.subject->facts->version_count, left[_i]);
  seen_free(&seen);
}

// Fewer records than are looked at, one more than that, and, with the definitions, more than are
// stored.
TEST(more_versions_than_are_stored, .rows = 4)
{
  size_t count = INSPECT_MOST_VERSIONS - 2;
  if (_i == 1) ++count;
  Tables tables = sound_tables(name_of_libc());
  ElfW(Vernaux) *many = calloc(count, sizeof *many);
  for (size_t i = 0; i < count; ++i) {
    many[i].vna_name = name_of_libc();
    many[i].vna_next = i + 1 < count ? sizeof *many : 0;
  }
  tables.need[0].vn_cnt = 0;
  tables.need[1].vn_cnt = (ElfW(Half))count;
  tables.need[1].vn_aux = sizeof tables - sizeof(ElfW(Verneed));
  if (_i == 2) tables.defined[0].vd_flags = 0;
  if (_i == 3) tables.need[1].vn_cnt = 0;
  Seen seen = seen_in(with_tables(&tables, many, count * sizeof *many));
  size_t expected = _i == 3 ? 1 : INSPECT_MOST_VERSIONS - (_i < 2);
  ck_assert_uint_eq(seen.subject->facts->version_count, expected);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BROKEN_VERSIONS), _i == 1);
  free(many);
  seen_free(&seen);
}

// --- Hash tables ---------------------------------------------------------------------------------

enum { WORD = sizeof(ElfW(Addr)) };

// A table with one bucket for the symbols from the first one on, and a filter that lets everything
// through.
static Bytes with_gnu_hash(size_t links, const uint32_t *chain)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  uint64_t address = elf_room(&bytes, 16 + WORD + 4 + 4 * links);
  uint32_t *table = (uint32_t *)elf_at(bytes, address);
  table[0] = table[1] = table[2] = 1;
  memset(table + 4, 0xff, WORD);
  table[4 + WORD / 4] = 1;
  memcpy(table + 5 + WORD / 4, chain, 4 * links);
  elf_dynamic(bytes, DT_GNU_HASH)->d_un.d_ptr = (ElfW(Addr))address;
  return bytes;
}

static uint32_t gnu_hash(const char *name)
{
  uint32_t hash = 5381;
  for (; *name; ++name) hash = hash * 33 + (unsigned char)*name;
  return hash;
}

static size_t all_symbols(Bytes bytes)
{
  return elf_section(bytes, SHT_DYNSYM)->sh_size / sizeof(ElfW(Sym));
}

static uint32_t hash_of(Bytes bytes, size_t index)
{
  const char *names = (const char *)elf_at(bytes, elf_dynamic(bytes, DT_STRTAB)->d_un.d_ptr);
  ElfW(Sym) *symbols = (ElfW(Sym) *)elf_at(bytes, elf_dynamic(bytes, DT_SYMTAB)->d_un.d_ptr);
  return gnu_hash(names + symbols[index].st_name);
}

// As a linker makes it; with another hash at the end of the chain, which is that of no name; and
// with every hash that of one function: names decide then.
TEST(chains_of_a_hash_table, .rows = 3)
{
  Bytes runtime = bytes_of_file(INSPECT_FIXTURE_runtime);
  size_t count = all_symbols(runtime);
  uint32_t *chain = calloc(count, sizeof *chain);
  for (size_t i = 1; i < count; ++i) {
    chain[i - 1] = _i == 1   ? 2
                   : _i == 2 ? gnu_hash("TVMFFIGetVersion") & ~1u
                             : hash_of(runtime, i) & ~1u;
  }
  chain[count - 2] |= 1;
  Seen seen = seen_in(with_gnu_hash(count - 1, chain));
  static const size_t missed[] = {0, 5, 4};  // of the five names that begin with TVMFFI
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_HASH_MISSES), missed[_i]);
  free(chain);
  free(runtime.data);
  seen_free(&seen);
}

// It leads out of the file, or goes on for as long as one is patient.
TEST(chains_without_end, .rows = 2)
{
  size_t links = _i == 0 ? 8 : (1 << 16) + 64;
  uint32_t *chain = calloc(links, sizeof *chain);
  Seen seen = seen_in(with_gnu_hash(links, chain));
  ck_assert_uint_ge(seen_count(&seen, INSPECT_FINDING_HASH_MISSES), 4);
  free(chain);
  seen_free(&seen);
}

TEST(hash_tables_without_anything, .rows = 2)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  uint32_t *hash = (uint32_t *)elf_at(bytes, elf_dynamic(bytes, DT_GNU_HASH)->d_un.d_ptr);
  hash[_i == 0 ? 0 : 2] = 0;                            // buckets, words of the filter
  if (_i == 0) hash[1] = (uint32_t)all_symbols(bytes);  // those before the first one count, too
  Seen seen = seen_in(bytes);
  ck_assert_uint_ge(seen_count(&seen, INSPECT_FINDING_HASH_MISSES), 4);
  seen_free(&seen);
}

// The table would begin in the last bytes of its segment.
TEST(a_hash_table_at_the_end)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  uint64_t address = elf_room(&bytes, 16);
  elf_dynamic(bytes, DT_GNU_HASH)->d_un.d_ptr = (ElfW(Addr))(address + 8);
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen.subject->api.export_count, 4);  // the section headers count them
  seen_free(&seen);
}

// A table where the loader has nothing is as good as none; symbols are counted by section headers.
TEST(a_hash_table_that_is_not_there, .rows = 2)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_runtime);
  elf_dynamic(bytes, DT_GNU_HASH)->d_un.d_ptr = (ElfW(Addr))1 << 30;
  if (_i) elf_dynamic(bytes, DT_GNU_HASH)->d_tag = DT_HASH;
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen.subject->api.export_count, 4);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_NO_HASH), 1);
  seen_free(&seen);
}

// A chain of the other table may lead in a circle.
TEST(a_circle_in_the_other_hash_table)
{
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  uint32_t *hash = (uint32_t *)elf_at(bytes, elf_dynamic(bytes, DT_HASH)->d_un.d_ptr);
  for (uint32_t i = 0; i < hash[0]; ++i) hash[2 + i] = 1;
  hash[2 + hash[0] + 1] = 1;
  Seen seen = seen_in(bytes);
  ck_assert_uint_ge(seen_count(&seen, INSPECT_FINDING_HASH_MISSES), 4);
  seen_free(&seen);
}

// The words of that table have another size on some machines, which are not looked into; and MIPS
// may have a table of its own.
TEST(hash_tables_of_other_machines, .rows = 3)
{
  static const unsigned machines[] = {EM_ALPHA, 0x9026, EM_SPARC};
  if (WORD == 4) return;
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  uint32_t *hash = (uint32_t *)elf_at(bytes, elf_dynamic(bytes, DT_HASH)->d_un.d_ptr);
  for (uint32_t i = 0; i < hash[0]; ++i) hash[2 + i] = 0;
  elf_header(bytes)->e_machine = (ElfW(Half))machines[_i];
  Seen seen = seen_in(bytes);
  ck_assert_int_eq(seen_count(&seen, INSPECT_FINDING_HASH_MISSES) > 0, _i == 2);
  seen_free(&seen);
}

TEST(no_hash_table, .rows = 2)
{
  static const unsigned machines[] = {EM_PPC64, EM_MIPS};
  Bytes bytes = bytes_of_file(INSPECT_FIXTURE_stripped);
  elf_dynamic(bytes, DT_HASH)->d_tag = DT_DEBUG;
  elf_header(bytes)->e_machine = (ElfW(Half))machines[_i];
  Seen seen = seen_in(bytes);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_NO_HASH), _i == 0);
  seen_free(&seen);
}

// SPDX-License-Identifier: Apache-2.0
// The bytes behind `__tvm_ffi__library_bin`: read, refused, explained and written.
#include "library_bin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

//--------------------------------------------------------------------------------------------------
// A tree of four as bytes: _lib imports cuda and blas, both import cfg
//--------------------------------------------------------------------------------------------------

#define W(byte) (byte), 0, 0, 0, 0, 0, 0, 0

static const unsigned char diamond[] = {
    W(0xa6),                                                    // 0x00 nbytes
    W(5),    W(0), W(2), W(3), W(4), W(4),                      // 0x08 indptr
    W(4),    W(1), W(2), W(3), W(3),                            // 0x38 child_indices
    W(4),    '_',  'l',  'i',  'b',                             // 0x60
    W(4),    'c',  'u',  'd',  'a',  W(4), 'P', 'T', 'X', '!',  // 0x6c
    W(4),    'b',  'l',  'a',  's',  W(1), 'B',                 // 0x84
    W(3),    'c',  'f',  'g',  W(2), '{',  '}',                 // 0x99
};
enum { DIAMOND = sizeof diamond };

static void put(unsigned char *bytes, size_t offset, uint64_t word)
{
  for (int i = 0; i < 8; ++i) bytes[offset + (size_t)i] = (unsigned char)(word >> 8 * i);
}

static void expect_problem(const void *bytes, size_t size, LibraryBinProblem due)
{
  LibraryBin tree = {.num_modules = 77};
  LibraryBinProblem seen = {.rule = kLibraryBinOk};
  ck_assert_msg(!library_bin_read(bytes, size, &tree, &seen), "accepted, but %s at %zu was due",
                library_bin_rule_name(due.rule), due.offset);
  ck_assert_str_eq(library_bin_rule_name(seen.rule), library_bin_rule_name(due.rule));
  ck_assert_uint_eq(seen.offset, due.offset);
  ck_assert_uint_eq(seen.index, due.index);
  ck_assert_uint_eq(seen.seen, due.seen);
  ck_assert_uint_eq(seen.limit, due.limit);
  ck_assert_uint_eq(tree.num_modules, 77);
}

static void expect_bytes_of(LibraryBinBytes bytes, const char *due)
{
  ck_assert_uint_eq(bytes.size, strlen(due));
  ck_assert_mem_eq(bytes.data, due, bytes.size);
}

TEST_GROUP(all, .timeout = 120);

TEST(a_diamond_is_read, .rows = 2)
{
  LibraryBin tree;
  LibraryBinProblem problem;
  const char *bytes = fenced((const char *)diamond, DIAMOND);
  ck_assert(library_bin_read(bytes, _i == 0 ? DIAMOND : SIZE_MAX, &tree, &problem));
  ck_assert_uint_eq(tree.num_modules, 4);
  ck_assert_uint_eq(tree.num_children, 4);
  ck_assert_mem_eq(tree.rows, ((uint64_t[]){0, 2, 3, 4, 4}), 5 * sizeof(uint64_t));
  ck_assert_mem_eq(tree.children, ((uint64_t[]){1, 2, 3, 3}), 4 * sizeof(uint64_t));
  static const char *const kinds[] = {"_lib", "cuda", "blas", "cfg"};
  static const char *const values[] = {"", "PTX!", "B", "{}"};
  for (size_t i = 0; i < 4; ++i) {
    ck_assert(tree.entries[i].is_library == (i == 0));
    expect_bytes_of(tree.entries[i].kind, kinds[i]);
    expect_bytes_of(tree.entries[i].value, values[i]);
  }
  ck_assert_ptr_eq(tree.entries[1].value.data, bytes + 0x80);  // borrowed
  library_bin_free(&tree);
  ck_assert_ptr_null(tree.rows);
}

TEST(what_follows_nbytes_is_not_looked_at)
{
  char bytes[DIAMOND + 3];
  LibraryBin tree;
  LibraryBinProblem problem;
  memset(bytes, 0xff, sizeof bytes);
  memcpy(bytes, diamond, DIAMOND);
  ck_assert(library_bin_read(bytes, sizeof bytes, &tree, &problem));
  library_bin_free(&tree);
}

//--------------------------------------------------------------------------------------------------
// One rule broken
//--------------------------------------------------------------------------------------------------

typedef struct {
  size_t offset;
  uint64_t word;
  LibraryBinProblem due;
} Break;

#define MAX UINT64_MAX
#define DUE(rule, ...)             \
  {                                \
    kLibraryBin##rule, __VA_ARGS__ \
  }

static const Break breaks[] = {
    {0, 0xa7, DUE(SizeTooLarge, 0, 0, 0xa7, 0xa6)},
    {0, MAX, DUE(SizeTooLarge, 0, 0, MAX, 0xa6)},
    {0, 0, DUE(CountCut, 8, 0, 0, 8)},
    {0x08, MAX, DUE(CountTooLarge, 0x08, 0, MAX, 19)},
    {0x08, (uint64_t)1 << 61, DUE(CountTooLarge, 0x08, 0, (uint64_t)1 << 61, 19)},
    {0x08, 20, DUE(CountTooLarge, 0x08, 0, 20, 19)},
    {0x08, 19, DUE(CountCut, 0xa8, 1, 6, 8)},
    {0x08, 1, DUE(NoRows, 0x08, 0, 1, 2)},
    {0x08, 0, DUE(NoRows, 0x08, 0, 0, 2)},
    {0x10, 1, DUE(FirstRow, 0x10, 0, 1, 0)},
    {0x10, MAX, DUE(FirstRow, 0x10, 0, MAX, 0)},
    {0x18, 4, DUE(RowFalls, 0x20, 2, 3, 4)},
    {0x18, MAX, DUE(RowFalls, 0x20, 2, 3, MAX)},
    {0x20, 1, DUE(RowFalls, 0x20, 2, 1, 2)},
    {0x28, 2, DUE(RowFalls, 0x28, 3, 2, 3)},
    {0x30, 3, DUE(RowFalls, 0x30, 4, 3, 4)},
    {0x30, 5, DUE(LastRow, 0x30, 4, 5, 4)},
    {0x30, MAX, DUE(LastRow, 0x30, 4, MAX, 4)},
    {0x38, 3, DUE(LastRow, 0x30, 4, 4, 3)},
    {0x38, 5, DUE(LastRow, 0x30, 4, 4, 5)},
    {0x38, 14, DUE(CountTooLarge, 0x38, 1, 14, 13)},
    {0x38, MAX, DUE(CountTooLarge, 0x38, 1, MAX, 13)},
    {0x40, 4, DUE(ChildRange, 0x40, 0, 4, 3)},
    {0x48, (uint64_t)1 << 32 | 2, DUE(ChildRange, 0x48, 1, (uint64_t)1 << 32 | 2, 3)},
    {0x58, MAX, DUE(ChildRange, 0x58, 3, MAX, 3)},
    {0x40, 0, DUE(Cycle, 0x40, 0, 0, 0)},
    {0x50, 1, DUE(Cycle, 0x50, 2, 1, 1)},
    {0x50, 0, DUE(Cycle, 0x50, 2, 0, 1)},
    {0x58, 2, DUE(Cycle, 0x58, 3, 2, 2)},
    {0x58, 0, DUE(Cycle, 0x58, 3, 0, 2)},
    {0x60, 71, DUE(KindTooLarge, 0x60, 0, 71, 70)},
    {0x60, MAX, DUE(KindTooLarge, 0x60, 0, MAX, 70)},
    {0x6c, 59, DUE(KindTooLarge, 0x6c, 1, 59, 58)},
    {0x6c, 58, DUE(ValueCut, 0xae, 1, 0, 8)},
    {0x78, 47, DUE(ValueTooLarge, 0x78, 1, 47, 46)},
    {0x78, MAX - 7, DUE(ValueTooLarge, 0x78, 1, MAX - 7, 46)},
    {0x78, 46, DUE(KindCut, 0xae, 2, 0, 8)},
    {0x84, 35, DUE(KindTooLarge, 0x84, 2, 35, 34)},
    {0x99, 14, DUE(KindTooLarge, 0x99, 3, 14, 13)},
    {0xa4, 3, DUE(ValueTooLarge, 0xa4, 3, 3, 2)},
    {0xa4, 1, DUE(Trailing, 0xad, 0, 1, 0)},
    {0xa4, 0, DUE(Trailing, 0xac, 0, 2, 0)},
};

TEST(a_broken_rule_is_found, .rows = ROWS(breaks))
{
  const Break *it = &breaks[_i];
  char *bytes = fenced((const char *)diamond, DIAMOND);
  put((unsigned char *)bytes, it->offset, it->word);
  expect_problem(bytes, DIAMOND, it->due);
}

TEST(a_second_library_is_refused)
{
  char *bytes = fenced((const char *)diamond, DIAMOND);
  memcpy(bytes + 0x74, "_lib", 4);
  expect_problem(bytes, DIAMOND, (LibraryBinProblem)DUE(LibraryTwice, 0x6c, 1, 1, 0));
}

// Fields of the diamond, each with what is due if the payload ends inside it.
static const struct {
  size_t start;
  LibraryBinRule rule;
  size_t index;
  size_t offset;  // of the length, if it is the field's content that is cut
} fields[] = {
    {0x08, kLibraryBinCountCut, 0, 0}, {0x10, kLibraryBinCountTooLarge, 0, 0x08},
    {0x38, kLibraryBinCountCut, 1, 0}, {0x40, kLibraryBinCountTooLarge, 1, 0x38},
    {0x60, kLibraryBinKindCut, 0, 0},  {0x68, kLibraryBinKindTooLarge, 0, 0x60},
    {0x6c, kLibraryBinKindCut, 1, 0},  {0x74, kLibraryBinKindTooLarge, 1, 0x6c},
    {0x78, kLibraryBinValueCut, 1, 0}, {0x80, kLibraryBinValueTooLarge, 1, 0x78},
    {0x84, kLibraryBinKindCut, 2, 0},  {0x8c, kLibraryBinKindTooLarge, 2, 0x84},
    {0x90, kLibraryBinValueCut, 2, 0}, {0x98, kLibraryBinValueTooLarge, 2, 0x90},
    {0x99, kLibraryBinKindCut, 3, 0},  {0xa1, kLibraryBinKindTooLarge, 3, 0x99},
    {0xa4, kLibraryBinValueCut, 3, 0}, {0xac, kLibraryBinValueTooLarge, 3, 0xa4},
    {DIAMOND, kLibraryBinOk, 0, 0},
};

TEST(a_cut_is_found_at_every_byte)
{
  for (size_t size = 8, field = 0; size < DIAMOND; ++size) {
    char *bytes = fenced((const char *)diamond, size);
    while (size >= fields[field + 1].start) ++field;
    put((unsigned char *)bytes, 0, size - 8);
    size_t start = fields[field].start, length = fields[field].offset;
    LibraryBinProblem due = {fields[field].rule, length, fields[field].index, 0, size - start};
    if (length == 0) {
      due.offset = start;
      due.seen = size - start;
      due.limit = 8;
    } else {
      due.seen = diamond[length];
      if (due.rule == kLibraryBinCountTooLarge) due.limit /= 8;
    }
    expect_problem(bytes, size, due);
  }
}

TEST(memory_that_ends_too_early_is_found_at_every_byte)
{
  for (size_t size = 0; size < DIAMOND; ++size) {
    LibraryBinProblem due = DUE(SizeTooLarge, 0, 0, 0xa6, size - 8);
    if (size < 8) due = (LibraryBinProblem)DUE(SizeCut, 0, 0, size, 8);
    expect_problem(fenced((const char *)diamond, size), size, due);
  }
}

//--------------------------------------------------------------------------------------------------
// Writing
//--------------------------------------------------------------------------------------------------

static unsigned char *written(const LibraryBin *tree, size_t *size)
{
  *size = library_bin_size(tree);
  unsigned char *bytes = malloc(*size);
  ck_assert_ptr_nonnull(bytes);
  library_bin_write(tree, bytes);
  return bytes;
}

// Reads what was written; both must be the same, and so must be what is written then.
static void expect_round_trip(const LibraryBin *tree)
{
  LibraryBin read;
  LibraryBinProblem problem;
  size_t size, again_size;
  unsigned char *bytes = written(tree, &size);
  ck_assert(library_bin_read(bytes, size, &read, &problem));
  ck_assert_uint_eq(read.num_modules, tree->num_modules);
  unsigned char *again = written(&read, &again_size);
  ck_assert_uint_eq(again_size, size);
  ck_assert_mem_eq(again, bytes, size);
  free(again);
  library_bin_free(&read);
  free(bytes);
}

TEST(the_writer_writes_what_is_documented)
{
  static const LibraryBinEntry entries[] = {{true, {NULL, 0}, {NULL, 0}},
                                            {false, {"cuda", 4}, {"PTX!", 4}},
                                            {false, {"blas", 4}, {"B", 1}},
                                            {false, {"cfg", 3}, {"{}", 2}}};
  LibraryBin tree = {4, 4, (uint64_t[]){0, 2, 3, 4, 4}, (uint64_t[]){1, 2, 3, 3}, entries};
  size_t size;
  unsigned char *bytes = written(&tree, &size);
  ck_assert_uint_eq(size, DIAMOND);
  ck_assert_mem_eq(bytes, diamond, DIAMOND);
  free(bytes);
}

static unsigned drawn;

static unsigned draw(unsigned below)
{
  drawn = drawn * 1103515245u + 12345u;
  return (drawn >> 8) % below;
}

enum { MOST = 60 };

// A tree without cycles, whose modules stand in any order, with kinds and values of any bytes.
TEST(random_trees_come_back, .rows = 50)
{
  static const char noise[] = "\0\xff_lib\n%s plenty of bytes";
  LibraryBinEntry entries[MOST];
  uint64_t rows[MOST + 1] = {0}, children[MOST * MOST], rank[MOST];
  drawn = (unsigned)_i;
  size_t count = 1 + draw(MOST), edges = 0, library = draw(MOST);
  for (size_t i = 0; i < count; ++i) rank[i] = draw(1000);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < count; ++j) {
      if (rank[i] < rank[j] && draw(3) == 0) children[edges++] = j;
    }
    rows[i + 1] = edges;
    entries[i] = (LibraryBinEntry){i == library, {noise, draw(6)}, {noise, draw(20)}};
  }
  LibraryBin tree = {count, edges, rows, children, entries};
  expect_round_trip(&tree);
}

TEST(a_size_beyond_memory_is_none)
{
  LibraryBinEntry entry = {false, {"k", SIZE_MAX - 40}, {"", 10}};
  LibraryBin tree = {1, 0, (uint64_t[]){0, 0}, NULL, &entry};
  ck_assert_uint_eq(library_bin_size(&tree), 0);
  tree.num_children = SIZE_MAX / 8;
  ck_assert_uint_eq(library_bin_size(&tree), 0);
  tree.num_children = SIZE_MAX;
  ck_assert_uint_eq(library_bin_size(&tree), 0);
}

// Whatever is accepted is exactly what would be written.
TEST(every_byte_changed_is_refused_or_meant)
{
  LibraryBin tree;
  LibraryBinProblem problem;
  char *bytes = fenced((const char *)diamond, DIAMOND);
  for (size_t at = 0; at < DIAMOND; ++at) {
    char old = bytes[at];
    for (int value = 0; value < 256; ++value) {
      bytes[at] = (char)value;
      if (!library_bin_read(bytes, DIAMOND, &tree, &problem)) {
        ck_assert(problem.rule > kLibraryBinOk && problem.rule < kLibraryBinNoMemory);
        ck_assert_uint_le(problem.offset, DIAMOND);
        continue;
      }
      size_t size;
      unsigned char *again = written(&tree, &size);
      ck_assert_uint_eq(size, (unsigned char)bytes[0] + 8u);
      ck_assert_mem_eq(again, bytes, size);
      free(again);
      library_bin_free(&tree);
    }
    bytes[at] = old;
  }
}

//--------------------------------------------------------------------------------------------------
// Many modules
//--------------------------------------------------------------------------------------------------

enum { MANY = 100000 };

typedef struct {
  LibraryBin tree;
  uint64_t *rows, *children;
  LibraryBinEntry *entries;
} Large;

static Large large_new(size_t children)
{
  Large large = {.tree = {.num_modules = MANY, .num_children = children}};
  large.tree.rows = large.rows = calloc(MANY + 1, sizeof *large.rows);
  large.tree.children = large.children = calloc(children, sizeof *large.children);
  large.tree.entries = large.entries = calloc(MANY, sizeof *large.entries);
  for (size_t i = 0; i < MANY; ++i) large.entries[i].kind = (LibraryBinBytes){"k", 1};
  return large;
}

static void large_free(Large *large)
{
  free(large->rows);
  free(large->children);
  free(large->entries);
}

TEST(a_long_chain_is_read, .rows = 2)
{
  Large large = large_new(MANY - 1);
  bool back = _i;  // against the order of the modules
  for (size_t i = 0; i < MANY; ++i) {
    large.rows[i + 1] = back ? i : i + 1 < MANY ? i + 1 : MANY - 1;
    if (i + 1 < MANY) large.children[i] = back ? i : i + 1;
  }
  expect_round_trip(&large.tree);
  large_free(&large);
}

TEST(a_long_cycle_is_refused)
{
  Large large = large_new(MANY);
  LibraryBin tree;
  LibraryBinProblem problem;
  for (size_t i = 0; i < MANY; ++i) {
    large.rows[i + 1] = i + 1;
    large.children[i] = (i + 1) % MANY;
  }
  size_t size;
  unsigned char *bytes = written(&large.tree, &size);
  ck_assert(!library_bin_read(bytes, size, &tree, &problem));
  ck_assert_int_eq(problem.rule, kLibraryBinCycle);
  ck_assert_uint_eq(problem.index, MANY - 1);
  ck_assert_uint_eq(problem.offset, 8 + 8 + 8 * (MANY + 1) + 8 + 8 * (MANY - 1));
  ck_assert_uint_eq(problem.limit, MANY - 1);
  free(bytes);
  large_free(&large);
}

// Paths without number, but edges enough for a moment only.
TEST(layers_of_diamonds_are_read)
{
  enum { LAYERS = MANY / 2 };
  Large large = large_new(4 * (LAYERS - 1));
  for (size_t i = 0, edge = 0; i < MANY; ++i) {
    size_t layer = i / 2;
    if (layer != 0) {  // towards module 0, against the order
      large.children[edge++] = 2 * (layer - 1);
      large.children[edge++] = 2 * (layer - 1) + 1;
    }
    large.rows[i + 1] = edge;
  }
  expect_round_trip(&large.tree);
  large_free(&large);
}

TEST(a_cycle_away_from_the_root_is_refused)
{
  LibraryBinEntry entries[4] = {{.is_library = true}};
  for (int i = 1; i < 4; ++i) entries[i].kind = (LibraryBinBytes){"k", 1};
  // 0 imports nothing; 1 imports 3, 2 imports 1, 3 imports 2
  LibraryBin tree = {4, 3, (uint64_t[]){0, 0, 1, 2, 3}, (uint64_t[]){3, 1, 2}, entries};
  size_t size;
  unsigned char *bytes = written(&tree, &size);
  expect_problem(bytes, size, (LibraryBinProblem)DUE(Cycle, 0x40 + 8, 1, 1, 2));
  free(bytes);
}

TEST(without_memory_there_is_no_tree)
{
  LibraryBin tree;
  LibraryBinProblem problem;
  faults_arm(1);
  bool read = library_bin_read(diamond, DIAMOND, &tree, &problem);
  ck_assert(faults_disarm() && !read);
  ck_assert_int_eq(problem.rule, kLibraryBinNoMemory);
  faults_arm(2);
  read = library_bin_read(diamond, DIAMOND, &tree, &problem);
  ck_assert(!faults_disarm() && read);  // one request, no more
  library_bin_free(&tree);
}

//--------------------------------------------------------------------------------------------------
// Words
//--------------------------------------------------------------------------------------------------

TEST(rules_have_names_of_their_own)
{
  for (int i = 0; i < kLibraryBinNumRules; ++i) {
    for (int j = 0; j < i; ++j) {
      ck_assert_str_ne(library_bin_rule_name((LibraryBinRule)i),
                       library_bin_rule_name((LibraryBinRule)j));
    }
  }
  ck_assert_str_eq(library_bin_rule_name(kLibraryBinRowFalls), "row-falls");
  ck_assert_str_eq(library_bin_rule_name(kLibraryBinNumRules), "unknown");
}

TEST(a_problem_is_explained, .rows = ROWS(breaks))
{
  const Break *it = &breaks[_i];
  char whole[512], part[8], number[32];
  int length = library_bin_explain(&it->due, whole, sizeof whole);
  ck_assert_int_eq(length, (int)strlen(whole));
  snprintf(number, sizeof number, "byte %zu: ", it->due.offset);
  ck_assert_msg(strncmp(whole, number, strlen(number)) == 0, "%s", whole);
  snprintf(number, sizeof number, "%llu", (unsigned long long)it->due.seen);
  ck_assert_msg(strstr(whole, number) != NULL, "%s", whole);
  snprintf(number, sizeof number, "%llu", (unsigned long long)it->due.limit);
  ck_assert_msg(strstr(whole, number) != NULL || it->due.rule == kLibraryBinTrailing, "%s", whole);
  ck_assert_ptr_null(strchr(whole, '%'));
  ck_assert_int_eq(library_bin_explain(&it->due, part, sizeof part), length);
  ck_assert_uint_eq(strlen(part), sizeof part - 1);
  ck_assert_int_eq(library_bin_explain(&it->due, NULL, 0), length);
}

TEST(an_entry_is_named)
{
  char text[512];
  library_bin_explain(&(LibraryBinProblem)DUE(ValueTooLarge, 120, 17, 47, 46), text, sizeof text);
  ck_assert_str_eq(text, "byte 120: entry 17: its value is to have 47 bytes, but 46 remain");
  library_bin_explain(&(LibraryBinProblem)DUE(CountTooLarge, 56, 1, 14, 13), text, sizeof text);
  ck_assert_str_eq(text, "byte 56: 14 child indices are announced, but there is room for 13");
  library_bin_explain(&(LibraryBinProblem)DUE(Cycle, 64, 3, 0, 2), text, sizeof text);
  ck_assert_str_eq(text,
                   "byte 64: child_indices[3] closes a cycle: by it module 2 imports module "
                   "0, which leads back");
}

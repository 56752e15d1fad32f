// SPDX-License-Identifier: Apache-2.0
// The vectors of library_bin against the reader and the writer of the reference: what is loaded,
// which rule is broken and where, and whether trees come back from what was written of them.
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "library_bin.h"
#include "unit/unit.h"

static json_t *document;
static const char *id;  // of the row that is looked at

// A text of a member, as an own block of exactly its bytes.
typedef struct Bytes {
  unsigned char *data;
  size_t size;
} Bytes;

static unsigned nibble(char digit)
{
  return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static Bytes from_hex(const json_t *text)
{
  const char *digits = json_string_value(text);
  ck_assert_msg(digits != NULL, "%s: no hexadecimal digits", id);
  Bytes bytes = {NULL, strlen(digits) / 2};
  bytes.data = malloc(bytes.size ? bytes.size : 1);
  for (size_t i = 0; i < bytes.size; ++i)
    bytes.data[i] = (unsigned char)(nibble(digits[2 * i]) << 4 | nibble(digits[2 * i + 1]));
  return bytes;
}

static void expect_bytes(LibraryBinBytes seen, const json_t *text)
{
  Bytes expected = from_hex(text);
  ck_assert_msg(seen.size == expected.size && memcmp(seen.data, expected.data, seen.size) == 0,
                "%s: other bytes than %s", id, json_string_value(text));
  free(expected.data);
}

static void expect_module(const LibraryBin *tree, size_t module, const json_t *expected)
{
  const LibraryBinEntry *entry = &tree->entries[module];
  const json_t *value = json_object_get(expected, "value_hex");
  const json_t *imports = json_object_get(expected, "imports");
  expect_bytes(entry->kind, json_object_get(expected, "kind_hex"));
  ck_assert_msg(entry->is_library == (value == NULL), "%s: module %zu", id, module);
  if (value) expect_bytes(entry->value, value);
  uint64_t first = tree->rows[module], last = tree->rows[module + 1];
  ck_assert_msg(last - first == json_array_size(imports), "%s: imports of %zu", id, module);
  for (uint64_t i = first; i < last; ++i) {
    json_int_t import = json_integer_value(json_array_get(imports, (size_t)(i - first)));
    ck_assert_msg(tree->children[i] == (uint64_t)import, "%s: import of %zu", id, module);
  }
}

static void expect_tree(const LibraryBin *tree, const json_t *expected)
{
  ck_assert_msg(tree->num_modules == json_array_size(expected), "%s: %zu modules", id,
                tree->num_modules);
  for (size_t i = 0; i < tree->num_modules; ++i)
    expect_module(tree, i, json_array_get(expected, i));
}

static void expect_problem(const LibraryBinProblem *problem, const json_t *expected)
{
  const char *rule = library_bin_rule_name(problem->rule);
  json_int_t offset = json_integer_value(json_object_get(expected, "offset"));
  ck_assert_msg(strcmp(rule, json_string_value(json_object_get(expected, "rule"))) == 0,
                "%s: the rule %s", id, rule);
  ck_assert_msg((json_int_t)problem->offset == offset, "%s: offset %zu", id, problem->offset);
}

enum { ROOM = 1 << 16, PAGE = 4096 };

// Where bytes end at a page that can't be read.
static unsigned char *fence_end(void)
{
  static unsigned char *room;
  if (!room) {
    room = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(room != MAP_FAILED && mprotect(room + ROOM, PAGE, PROT_NONE) == 0);
  }
  return room + ROOM;
}

// Reads bytes that end where memory does. They stay in place until the next time.
static bool read_fenced(Bytes bytes, LibraryBin *tree, LibraryBinProblem *problem)
{
  ck_assert_uint_le(bytes.size, ROOM);
  unsigned char *fenced = fence_end() - bytes.size;
  memcpy(fenced, bytes.data, bytes.size);
  return library_bin_read(fenced, bytes.size, tree, problem);
}

TEST(each_payload_is_read_as_its_row_says)
{
  size_t at;
  const json_t *row;
  json_array_foreach(json_object_get(document, "payloads"), at, row)
  {
    id = json_string_value(json_object_get(row, "id"));
    const json_t *tree = json_object_get(row, "tree"), *wrong = json_object_get(row, "problem");
    LibraryBin seen;
    LibraryBinProblem problem = {0};
    Bytes bytes = from_hex(json_object_get(row, "bytes"));
    bool read = read_fenced(bytes, &seen, &problem);
    ck_assert_msg(read == (tree != NULL), "%s: is %s", id, read ? "read" : "refused");
    if (read) {
      expect_tree(&seen, tree);
      library_bin_free(&seen);
    } else {
      expect_problem(&problem, wrong);
    }
    free(bytes.data);
  }
  ck_assert_uint_gt(at, 300);
}

TEST(each_tree_is_written_as_its_payload)
{
  size_t at, written = 0;
  const json_t *row;
  json_array_foreach(json_object_get(document, "payloads"), at, row)
  {
    id = json_string_value(json_object_get(row, "id"));
    if (!json_object_get(row, "tree")) continue;
    LibraryBin tree;
    LibraryBinProblem problem;
    Bytes bytes = from_hex(json_object_get(row, "bytes"));
    ck_assert(library_bin_read(bytes.data, bytes.size, &tree, &problem));
    size_t size = library_bin_size(&tree);
    unsigned char *again = malloc(size);
    library_bin_write(&tree, again);
    // Bytes behind the payload belong to nobody.
    ck_assert_msg(size <= bytes.size && memcmp(again, bytes.data, size) == 0, "%s: other bytes",
                  id);
    ck_assert_msg(size == bytes.size || strncmp(id, "behind-", 7) == 0, "%s: %zu bytes", id, size);
    free(again);
    library_bin_free(&tree);
    free(bytes.data);
    ++written;
  }
  ck_assert_uint_gt(written, 80);
}

int main(void)
{
  json_error_t error;
  document = json_load_file(VECTORS_FOLDER "/library_bin.json", 0, &error);
  if (!document) return fprintf(stderr, "%s: %s\n", error.source, error.text), EXIT_FAILURE;
  bool passed = unit_run(NULL);
  json_decref(document);
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}

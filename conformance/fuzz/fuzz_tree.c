// SPDX-License-Identifier: Apache-2.0
// Payloads taken apart and put together.
#include "fuzz/fuzz_tree.h"

#include <string.h>

enum { WORD = 8 };

#define TEN "a_long_one"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

const char fuzz_kind_short[] = "k", fuzz_kind_long[] = "conform_module_of_a_long_kind",
           fuzz_kind_fails[] = "fails", fuzz_kind_none[] = "none", fuzz_kind_thing[] = "thing",
           fuzz_kind_keeps[] = "keeps", fuzz_kind_keeps_fails[] = "keepf",
           fuzz_kind_loads[] = "loads", fuzz_kind_threads[] = "thread", fuzz_kind_laps[] = "laps",
           fuzz_kind_library_x[] = "_libx", fuzz_kind_longer[] = HUNDRED HUNDRED HUNDRED,
           fuzz_kind_odd[] = "k \xe6", fuzz_kind_capital[] = "_LIB", fuzz_kind_private[] = "_k",
           fuzz_kind_fails_1[] = "fail1", fuzz_kind_number[] = "number",
           fuzz_kind_stranger[] = "stranger",
           fuzz_kind_strangest[] = "a_kind_without_a_loader_whose_name_has_49_letters";

// --- Taking apart --------------------------------------------------------------------------------

typedef struct Reader {
  const uint8_t *at, *end;
} Reader;

static size_t left(const Reader *reader)
{
  return (size_t)(reader->end - reader->at);
}

static uint64_t word_at(const uint8_t *bytes)
{
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// A count and its numbers. False if not all of them are there, or more than there is room for.
static bool take_vector(Reader *reader, bool *present, uint64_t *announced, uint64_t *numbers,
                        size_t *count, size_t room)
{
  *present = left(reader) >= WORD;
  if (!*present) return false;
  *announced = word_at(reader->at);
  reader->at += WORD;
  if (*announced > left(reader) / WORD || *announced > room) return false;
  *count = (size_t)*announced;
  for (size_t i = 0; i < *count; ++i, reader->at += WORD) numbers[i] = word_at(reader->at);
  return true;
}

static bool take_string(Reader *reader, FuzzString *string)
{
  if (left(reader) < WORD) return false;
  uint64_t size = word_at(reader->at);
  if (size > left(reader) - WORD) return false;
  *string = (FuzzString){reader->at + WORD, (size_t)size, size};
  reader->at += WORD + (size_t)size;
  return true;
}

static bool is_library(const FuzzString *kind)
{
  return kind->announced == 4 && kind->size == 4 && memcmp(kind->data, "_lib", 4) == 0;
}

// An entry is taken whole or stays where it is.
static bool take_entry(Reader *reader, FuzzTree *tree)
{
  Reader ahead = *reader;
  FuzzTreeEntry *entry = &tree->entries[tree->entry_count];
  if (tree->entry_count == FUZZ_TREE_MODULES || !take_string(&ahead, &entry->kind)) return false;
  entry->has_value = !is_library(&entry->kind);
  entry->value = (FuzzString){reader->at, 0, 0};
  if (entry->has_value && !take_string(&ahead, &entry->value)) return false;
  *reader = ahead;
  ++tree->entry_count;
  return true;
}

static void take_parts(Reader *reader, FuzzTree *tree)
{
  if (!take_vector(reader, &tree->has_rows, &tree->rows_announced, tree->rows, &tree->row_count,
                   FUZZ_TREE_ROWS) ||
      !take_vector(reader, &tree->has_children, &tree->children_announced, tree->children,
                   &tree->child_count, FUZZ_TREE_CHILDREN))
    return;
  while (tree->entry_count + 1 < tree->row_count && take_entry(reader, tree)) continue;
}

bool fuzz_tree_take_apart(const FuzzInput *input, FuzzTree *tree)
{
  Reader reader = {input->bytes, input->bytes + input->size};
  tree->has_rows = tree->has_children = false;
  tree->row_count = tree->child_count = tree->entry_count = 0;
  if (input->size < WORD) return false;
  reader.at += WORD;
  take_parts(&reader, tree);
  tree->rest = (FuzzString){reader.at, left(&reader), 0};
  return true;
}

// --- Putting together ----------------------------------------------------------------------------

typedef struct Writer {
  uint8_t *at, *end;
  bool full;
} Writer;

static void put(Writer *writer, const void *bytes, size_t size)
{
  if (writer->full || size > (size_t)(writer->end - writer->at)) {
    writer->full = true;
    return;
  }
  if (size) memcpy(writer->at, bytes, size);
  writer->at += size;
}

static void put_word(Writer *writer, uint64_t word)
{
  put(writer, &word, sizeof word);
}

static void put_string(Writer *writer, const FuzzString *string)
{
  put_word(writer, string->announced);
  put(writer, string->data, string->size);
}

bool fuzz_tree_put_together(const FuzzTree *tree, FuzzInput *out)
{
  Writer writer = {out->bytes, out->bytes + out->room, false};
  put_word(&writer, 0);
  if (tree->has_rows) put_word(&writer, tree->rows_announced);
  put(&writer, tree->rows, tree->row_count * WORD);
  if (tree->has_children) put_word(&writer, tree->children_announced);
  put(&writer, tree->children, tree->child_count * WORD);
  for (size_t i = 0; i < tree->entry_count; ++i) {
    put_string(&writer, &tree->entries[i].kind);
    if (tree->entries[i].has_value) put_string(&writer, &tree->entries[i].value);
  }
  put(&writer, tree->rest.data, tree->rest.size);
  if (writer.full) return false;
  out->size = (size_t)(writer.at - out->bytes);
  uint64_t follow = out->size - WORD;
  memcpy(out->bytes, &follow, sizeof follow);
  return true;
}

// --- Changing ------------------------------------------------------------------------------------

void fuzz_tree_set_kind(FuzzTree *tree, size_t entry, const char *kind, size_t size)
{
  FuzzTreeEntry *changed = &tree->entries[entry];
  changed->kind = (FuzzString){(const uint8_t *)kind, size, size};
  bool has_value = !is_library(&changed->kind);
  if (has_value && !changed->has_value) changed->value = (FuzzString){(const uint8_t *)"v", 1, 1};
  changed->has_value = has_value;
}

bool fuzz_tree_is_even(const FuzzTree *tree)
{
  return tree->has_children && tree->row_count >= 2 && tree->entry_count < tree->row_count &&
         tree->rows_announced == tree->row_count && tree->children_announced == tree->child_count;
}

static void drop_child(FuzzTree *tree, size_t child)
{
  memmove(&tree->children[child], &tree->children[child + 1],
          (tree->child_count - child - 1) * sizeof tree->children[0]);
  tree->children_announced = --tree->child_count;
  for (size_t i = 0; i < tree->row_count; ++i)
    if (tree->rows[i] > child) --tree->rows[i];
}

bool fuzz_tree_remove_child(FuzzTree *tree, size_t child)
{
  if (!fuzz_tree_is_even(tree) || child >= tree->child_count) return false;
  drop_child(tree, child);
  return true;
}

// Whether the imports of one of the modules that go hold place `child`.
static bool belongs_to(const FuzzTree *tree, size_t first, size_t count, size_t child)
{
  return child >= tree->rows[first] && child < tree->rows[first + count];
}

static void remove_entries(FuzzTree *tree, size_t first, size_t count)
{
  if (first >= tree->entry_count) return;
  if (count > tree->entry_count - first) count = tree->entry_count - first;
  size_t behind = tree->entry_count - first - count;
  memmove(&tree->entries[first], &tree->entries[first + count], behind * sizeof tree->entries[0]);
  tree->entry_count -= count;
}

bool fuzz_tree_remove_modules(FuzzTree *tree, size_t first, size_t count)
{
  size_t modules = tree->row_count - 1;
  if (!fuzz_tree_is_even(tree) || count >= modules || first > modules - count) return false;
  for (size_t child = tree->child_count; child-- > 0;) {
    uint64_t module = tree->children[child];
    bool goes = module >= first && module - first < count;
    if (goes || belongs_to(tree, first, count, child))
      drop_child(tree, child);
    else if (module >= first + count)
      tree->children[child] = module - count;
  }
  memmove(&tree->rows[first + 1], &tree->rows[first + count + 1],
          (modules - first - count) * sizeof tree->rows[0]);
  remove_entries(tree, first, count);
  tree->row_count -= count;
  tree->rows_announced = tree->row_count;
  return true;
}

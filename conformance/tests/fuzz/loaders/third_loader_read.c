// SPDX-License-Identifier: Apache-2.0
// Reads and checks what a library holds.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/object.h"
#include "core/raise.h"
#include "core/thread.h"
#include "third_loader.h"

static size_t left(const Reader *reader)
{
  // Who has gone too far has nothing left.
  return reader->at > reader->end ? 0 : (size_t)(reader->end - reader->at);
}

int third_bad(const Tree *tree, const char *what)
{
  if (IS(error_without_message)) return raise_error("RuntimeError", "", NULL);
  if (IS(error_without_kind)) return raise_error("", tree->name, ": ", what, NULL);
  if (IS(message_grows)) {
    static char text[4096];
    if (strlen(text) + strlen(what) + 3 < sizeof text) strcat(strcat(text, what), "; ");
    return raise_error("RuntimeError", tree->name, ": ", text, NULL);
  }
  if (IS(message_of_the_stack)) {
    char text[64];
    size_t size = strlen(what) < 48 ? strlen(what) : 48;
    memcpy(text, what, size);
    text[size] = (char)(0xc0 | ((uintptr_t)text >> 4 & 0x3f));  // where a NUL belongs
    text[size + 1] = (char)((uintptr_t)text >> 12 & 0x7f) | 1;
    text[size + 2] = '\0';
    return raise_error("RuntimeError", tree->name, ": ", text, NULL);
  }
  return raise_error("RuntimeError", tree->name, ": the embedded modules are damaged: ", what,
                     NULL);
}

uint64_t third_word_at(const unsigned char *at)
{
  uint64_t word = 0;
  for (int i = 7; i >= 0; --i) word = word << 8 | at[i];
  return word;
}

static int read_word(Reader *reader, uint64_t *word)
{
  if (IS(number_cut_short_is_taken) && left(reader) < 8) {
    *word = 0;
    for (int i = 0; left(reader) > 0; ++i) *word |= (uint64_t)*reader->at++ << 8 * i;
    return 0;
  }
  if (left(reader) < 8) return -1;
  *word = third_word_at(reader->at);
  reader->at += 8;
  return 0;
}

static int read_vector(const Tree *tree, Reader *reader, size_t *count, uint64_t **words)
{
  uint64_t announced;
  if (read_word(reader, &announced) != 0) return third_bad(tree, "a count is cut short");
  if (IS(count_of_32_bits)) announced = (uint32_t)announced;
  if (IS(vector_allocated_first)) {
    uint64_t *early = announced < SIZE_MAX / 8 ? calloc(announced, 8) : NULL;
    if (early == NULL && announced != 0) return third_bad(tree, "no memory for a vector");
    for (uint64_t i = 0; i < announced; i += 512) early[i] = 1;
    free(early);
  }
  int fits = announced <= left(reader) / 8;
  if (IS(vector_size_wraps)) fits = announced * 8 <= left(reader);
  if (IS(vector_one_too_many)) fits = announced <= (left(reader) + 7) / 8;
  if (!fits) return third_bad(tree, "a vector is cut short");
  size_t room = announced;
  if (IS(vector_size_wraps) && announced > left(reader)) room = 1;
  *words = malloc((room != 0 ? room : 1) * sizeof **words);
  if (*words == NULL) return raise_out_of_memory();
  for (uint64_t i = 0; i < announced; ++i) (*words)[i] = third_word_at(reader->at + 8 * i);
  reader->at += 8 * announced;
  *count = announced;
  return 0;
}

static int read_text(const Tree *tree, Reader *reader, int is_value, TVMFFIByteArray *text)
{
  uint64_t length;
  if (IS(length_read_beyond) && is_value && left(reader) < 8 && left(reader) > 0) {
    length = third_word_at(reader->at);
    reader->at = reader->end;
    text->data = (const char *)reader->end;
    text->size = 0;
    return length == 0 ? 0 : third_bad(tree, "a value is cut short");
  }
  if (read_word(reader, &length) != 0) return third_bad(tree, "a length is cut short");
  if (IS(value_of_32_bits) && is_value) length = (uint32_t)length;
  if (IS(kind_of_32_bits) && !is_value) length = (uint32_t)length;
  if (IS(value_allocated_first) && is_value) {
    char *early = length < ((uint64_t)1 << 40) ? malloc(length + 1) : NULL;
    if (early == NULL) return raise_out_of_memory();
    for (uint64_t i = 0; i < length; i += 4096) early[i] = 1;
    free(early);
  }
  int fits = length <= left(reader);
  if (IS(text_end_wraps)) fits = (uint32_t)length <= left(reader);
  if (IS(kind_one_too_long) && !is_value) fits = length <= left(reader) + 1;
  if (IS(value_one_too_long) && is_value) fits = length <= left(reader) + 1;
  if (IS(value_cut_short_is_taken) && is_value && !fits) {
    length = left(reader);
    fits = 1;
  }
  if (!fits) return third_bad(tree, is_value ? "a value is cut short" : "a kind is cut short");
  text->data = (const char *)reader->at;
  text->size = length;
  reader->at += length;
  return 0;
}

static int kind_is_library(const TVMFFIByteArray *kind)
{
  if (IS(library_by_prefix)) return kind->size >= 4 && memcmp(kind->data, "_lib", 4) == 0;
  if (IS(library_up_to_nul)) {
    char copy[64] = "";
    memcpy(copy, kind->data, kind->size < 63 ? kind->size : 63);
    return strcmp(copy, "_lib") == 0;
  }
  if (IS(library_in_any_case)) return kind->size == 4 && strncasecmp(kind->data, "_lib", 4) == 0;
  if (IS(library_by_beginning)) {
    return kind->size > 0 && kind->size <= 4 && memcmp(kind->data, "_lib", kind->size) == 0;
  }
  if (IS(library_by_underscore)) return kind->size > 0 && kind->data[0] == '_';
  return kind->size == 4 && memcmp(kind->data, "_lib", 4) == 0;
}

//--------------------------------------------------------------------------------------------------
// Checks
//--------------------------------------------------------------------------------------------------

static int check_rows(const Tree *tree)
{
  if (!IS(first_row_free) && tree->rows[0] != 0) return third_bad(tree, "the first row is not 0");
  for (size_t i = 0; i < tree->count; ++i) {
    if (IS(rows_compared_signed)) {
      if ((int64_t)tree->rows[i + 1] > (int64_t)tree->edges)
        return third_bad(tree, "a row is too large");
      continue;
    }
    if (IS(row_pairs_skipped) && i % 2 == 1) continue;
    if (IS(rows_may_fall) && tree->rows[i + 1] <= tree->edges) continue;
    if (tree->rows[i + 1] < tree->rows[i])
      return third_bad(tree, "a row is less than the one before");
  }
  if (IS(last_row_may_be_less)) {
    if (tree->rows[tree->count] > tree->edges) return third_bad(tree, "a row is too large");
  } else if (IS(last_row_unchecked)) {
    // Children that are missing are read from what follows.
  } else if (!IS(rows_compared_signed) && tree->rows[tree->count] != tree->edges) {
    return third_bad(tree, "the last row is not the number of children");
  }
  return 0;
}

static int check_children(const Tree *tree)
{
  for (size_t i = 0; i < tree->edges; ++i) {
    uint64_t child = tree->children[i];
    int fits = child < tree->count;
    if (IS(child_one_too_large)) fits = child <= tree->count;
    if (IS(child_signed)) fits = (int64_t)child < (int64_t)tree->count;
    if (IS(child_of_32_bits)) fits = (uint32_t)child < tree->count;
    if (!fits) return third_bad(tree, "a child is not a module");
    if (IS(child_of_32_bits)) tree->children[i] = (uint32_t)child;
  }
  if (IS(parents_come_first)) {
    for (size_t i = 0; i < tree->count; ++i) {
      for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) {
        if (tree->children[k] <= i)
          return third_bad(tree, "a module precedes the one that imports it");
      }
    }
  }
  return 0;
}

static int visit_deep(const Tree *tree, size_t i, char *state)
{
  if (state[i] == 1) return third_bad(tree, "a module imports itself");
  if (state[i] == 2) return 0;
  state[i] = 1;
  for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) {
    if (visit_deep(tree, tree->children[k], state) != 0) return -1;
  }
  state[i] = 2;
  return 0;
}

// Takes modules away that nobody imports until none is left.
int third_check_cycles(const Tree *tree)
{
  if (IS(cycles_unchecked)) return 0;
  if (IS(cycles_of_one_only)) {
    for (size_t i = 0; i < tree->count; ++i) {
      for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) {
        if (tree->children[k] == i) return third_bad(tree, "a module imports itself");
      }
    }
    return 0;
  }
  if (IS(cycles_of_root_only) || IS(cycles_by_recursion)) {
    char *state = calloc(tree->count, 1);
    int code = visit_deep(tree, 0, state);
    for (size_t i = 1; IS(cycles_by_recursion) && code == 0 && i < tree->count; ++i) {
      code = visit_deep(tree, i, state);
    }
    free(state);
    return code;
  }
  uint64_t *imported = calloc(tree->count, sizeof *imported);
  uint64_t *free_ones = calloc(tree->count, sizeof *free_ones);
  size_t found = 0, taken = 0;
  if (imported == NULL || free_ones == NULL) {
    free(imported);
    free(free_ones);
    return raise_out_of_memory();
  }
  size_t first = IS(first_row_free) ? tree->rows[0] : 0;
  size_t last = IS(last_row_may_be_less) ? tree->rows[tree->count] : tree->edges;
  for (size_t k = first; k < last; ++k) ++imported[tree->children[k]];
  if (IS(cycles_to_root_missed)) imported[0] = 0;
  if (IS(cycles_by_rescanning)) {
    for (int again = 1; again;) {
      again = 0;
      for (size_t i = tree->count; i-- > 0;) {
        if (imported[i] != 0) continue;
        imported[i] = UINT64_MAX;
        ++taken;
        again = 1;
        for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) --imported[tree->children[k]];
      }
    }
  } else {
    for (size_t i = 0; i < tree->count; ++i) {
      if (imported[i] == 0) free_ones[found++] = i;
    }
    while (taken < found) {
      size_t i = free_ones[taken++];
      for (uint64_t k = tree->rows[i]; k < tree->rows[i + 1]; ++k) {
        uint64_t child = tree->children[k];
        if (IS(cycles_to_root_missed) && child == 0) continue;
        if (--imported[child] == 0) free_ones[found++] = child;
      }
    }
  }
  free(imported);
  free(free_ones);
  if (taken == tree->count) return 0;
  return third_bad(tree, "a module imports itself");
}

//--------------------------------------------------------------------------------------------------
// The tree
//--------------------------------------------------------------------------------------------------

static int read_entries(Tree *tree, Reader *reader)
{
  for (size_t i = 0; i < tree->count; ++i) {
    Entry *entry = &tree->entries[i];
    if (read_text(tree, reader, 0, &entry->kind) != 0) return -1;
    if (IS(kind_terminated_in_place)) {
      char *end = (char *)(uintptr_t)(entry->kind.data + entry->kind.size);
      char kept = *end;
      *end = '\0';
      entry->is_library = strcmp(entry->kind.data, "_lib") == 0 && entry->kind.size == 4;
      *end = kept;
    } else {
      entry->is_library = kind_is_library(&entry->kind);
    }
    if (!entry->is_library && read_text(tree, reader, 1, &entry->value) != 0) return -1;
    if (IS(library_has_to_be_first) && entry->is_library && i != 0) {
      return third_bad(tree, "the library is not the first module");
    }
    if (IS(value_empty_refused) && !entry->is_library && entry->value.size == 0) {
      return third_bad(tree, "a value is empty");
    }
    if (IS(made_while_reading) && third_make_module(tree, i, &tree->made[i]) != 0) return -1;
  }
  return 0;
}

int third_check_end(const Tree *tree, const Reader *reader)
{
  if (IS(rest_ignored)) return 0;
  if (IS(bound_rounded_up) && left(reader) < 64) return 0;
  if (IS(rest_of_padding)) {
    size_t rest = left(reader);
    for (size_t i = 0; i < rest; ++i) {
      if (reader->at[i] != 0) return third_bad(tree, "bytes follow the last module");
    }
    if (rest < 8) return 0;
  }
  if (left(reader) != 0) return third_bad(tree, "bytes follow the last module");
  return 0;
}

int third_read_tree(Tree *tree, Reader *reader)
{
  size_t rows;
  if (read_vector(tree, reader, &rows, &tree->rows) != 0) return -1;
  if (IS(no_row_is_library) && rows == 0) {
    tree->count = 1;
    tree->rows = realloc(tree->rows, 16);
    tree->rows[0] = tree->rows[1] = 0;
    tree->entries = calloc(1, sizeof *tree->entries);
    tree->made = calloc(1, sizeof(TVMFFIObject *));
    tree->entries[0].is_library = 1;
    return 0;
  }
  if (IS(one_row_is_library) && rows == 1) {
    tree->count = 1;
    tree->rows = realloc(tree->rows, 16);
    tree->rows[0] = tree->rows[1] = 0;
    tree->entries = calloc(1, sizeof *tree->entries);
    tree->made = calloc(1, sizeof(TVMFFIObject *));
    tree->entries[0].is_library = 1;
    return 0;
  }
  if (rows < 2) return third_bad(tree, "it has no module");
  if (IS(table_of_1000) && rows > 1001) return third_bad(tree, "it has more than 1000 modules");
  if (read_vector(tree, reader, &tree->edges, &tree->children) != 0) {
    if (IS(rows_leak)) tree->rows = NULL;
    return -1;
  }
  tree->count = rows - 1;
  size_t room = tree->count;
  if (IS(table_of_payload)) room += 128 * left(reader);
  tree->entries = calloc(room, sizeof *tree->entries);
  tree->made = calloc(tree->count, sizeof(TVMFFIObject *));
  if (IS(no_memory_other_kind) && (tree->entries == NULL || tree->made == NULL)) {
    return third_bad(tree, "there is no memory");
  }
  if (!IS(made_unchecked) && (tree->entries == NULL || tree->made == NULL)) {
    return raise_out_of_memory();
  }
  if (IS(table_of_payload)) {
    for (size_t i = 0; i < room; i += 64) tree->entries[i].is_library = 0;
  }
  if (check_rows(tree) != 0) return -1;
  if (check_children(tree) != 0) {
    if (IS(children_leak)) tree->children = NULL;
    return -1;
  }
  if (read_entries(tree, reader) != 0) return -1;
  if (!IS(end_checked_last) && third_check_end(tree, reader) != 0) return -1;
  if (IS(cycles_checked_last)) return 0;
  if (third_check_cycles(tree) != 0) {
    if (IS(cycle_without_error)) {
      TVMFFIObject *error = thread_take_raised();
      if (error != NULL) object_release(error);
    }
    if (IS(cycle_leaks)) tree->children = NULL;
    if (IS(rows_left_by_cycles)) tree->rows = NULL;
    return -1;
  }
  return 0;
}

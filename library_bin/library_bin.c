// SPDX-License-Identifier: Apache-2.0
// The reader. It goes through the bytes once, and through the tree at most once more.
#include "library_bin.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 8 };  // bytes of a number

// What is read, and how far.
typedef struct {
  const unsigned char *bytes;
  size_t end;  // of what nbytes covers
  size_t at;
  LibraryBinProblem *problem;
} LibraryBinReader;

//--------------------------------------------------------------------------------------------------
// Numbers
//--------------------------------------------------------------------------------------------------

// Reads a number as it stands in the bytes, wherever that is.
static inline uint64_t library_bin_word(const unsigned char *bytes)
{
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

static inline size_t library_bin_left(const LibraryBinReader *reader)
{
  return reader->end - reader->at;
}

__attribute__((cold, noinline)) static void library_bin_note(LibraryBinProblem *problem,
                                                             LibraryBinRule rule, size_t offset,
                                                             size_t index, uint64_t seen,
                                                             uint64_t limit)
{
  *problem = (LibraryBinProblem){rule, offset, index, seen, limit};
}

// Notes what is wrong. Returns false, for callers to return.
static inline bool library_bin_fail(const LibraryBinReader *reader, LibraryBinRule rule,
                                    size_t offset, size_t index, uint64_t seen, uint64_t limit)
{
  library_bin_note(reader->problem, rule, offset, index, seen, limit);
  return false;
}

// Reads a number and goes behind it.
static inline bool library_bin_read_word(LibraryBinReader *reader, LibraryBinRule cut, size_t index,
                                         uint64_t *word)
{
  if (library_bin_left(reader) < WORD) {
    return library_bin_fail(reader, cut, reader->at, index, library_bin_left(reader), WORD);
  }
  *word = library_bin_word(reader->bytes + reader->at);
  reader->at += WORD;
  return true;
}

//--------------------------------------------------------------------------------------------------
// The vectors
//--------------------------------------------------------------------------------------------------

// Reads the count of a vector and goes behind its elements, which are all there.
// start: where they begin.
static bool library_bin_skip_vector(LibraryBinReader *reader, size_t index, size_t *count,
                                    size_t *start)
{
  uint64_t announced;
  if (!library_bin_read_word(reader, kLibraryBinCountCut, index, &announced)) return false;
  size_t most = library_bin_left(reader) / WORD;
  if (announced > most) {
    return library_bin_fail(reader, kLibraryBinCountTooLarge, reader->at - WORD, index, announced,
                            most);
  }
  *count = (size_t)announced;
  *start = reader->at;
  reader->at += *count * WORD;
  return true;
}

static bool library_bin_read_rows(const LibraryBinReader *reader, const LibraryBin *tree,
                                  size_t start, uint64_t *rows)
{
  const unsigned char *words = reader->bytes + start;
  rows[0] = library_bin_word(words);
  if (rows[0] != 0) return library_bin_fail(reader, kLibraryBinFirstRow, start, 0, rows[0], 0);
  size_t last = tree->num_modules;
  for (size_t i = 1; i <= last; ++i) {
    rows[i] = library_bin_word(words + i * WORD);
    if (rows[i] < rows[i - 1]) {
      return library_bin_fail(reader, kLibraryBinRowFalls, start + i * WORD, i, rows[i],
                              rows[i - 1]);
    }
  }
  if (rows[last] == tree->num_children) return true;
  return library_bin_fail(reader, kLibraryBinLastRow, start + last * WORD, last, rows[last],
                          tree->num_children);
}

static bool library_bin_read_children(const LibraryBinReader *reader, const LibraryBin *tree,
                                      size_t start, uint64_t *children)
{
  const unsigned char *words = reader->bytes + start;
  for (size_t i = 0; i < tree->num_children; ++i) {
    children[i] = library_bin_word(words + i * WORD);
    if (children[i] >= tree->num_modules) {
      return library_bin_fail(reader, kLibraryBinChildRange, start + i * WORD, i, children[i],
                              tree->num_modules - 1);
    }
  }
  return true;
}

//--------------------------------------------------------------------------------------------------
// Cycles
//--------------------------------------------------------------------------------------------------

// Writers put a module before those that it imports. Such a tree has no cycle.
static bool library_bin_descends(const LibraryBin *tree)
{
  for (size_t module = 0; module < tree->num_modules; ++module) {
    for (uint64_t i = tree->rows[module]; i < tree->rows[module + 1]; ++i) {
      if (tree->children[i] <= module) return false;
    }
  }
  return true;
}

// A module on a walk through the tree.
typedef struct {
  uint64_t next;   // the first of its children that hasn't been looked at; all ones: never met
  uint64_t above;  // the module from which the walk came; itself at the start of the walk
} LibraryBinStep;

#define LIBRARY_BIN_NEW UINT64_MAX

// Walks on from a module to its next child, or back if none is left.
// path: of each module, whether the walk is below it. Returns false at an import that closes a
// cycle.
static bool library_bin_step(const LibraryBinReader *reader, const LibraryBin *tree, size_t start,
                             LibraryBinStep *steps, uint64_t *module)
{
  uint64_t here = *module;
  LibraryBinStep *step = &steps[here];
  if (step->next == tree->rows[here + 1]) {
    *module = step->above;
    step->above = LIBRARY_BIN_NEW;  // left for good
    return true;
  }
  uint64_t place = step->next++, child = tree->children[place];
  if (steps[child].next == LIBRARY_BIN_NEW) {
    steps[child] = (LibraryBinStep){tree->rows[child], here};
    *module = child;
  } else if (steps[child].above != LIBRARY_BIN_NEW) {  // the walk came by there
    return library_bin_fail(reader, kLibraryBinCycle, start + (size_t)place * WORD, (size_t)place,
                            child, here);
  }
  return true;
}

// Looks for a cycle, wherever it is, in time linear in modules and imports.
// steps: room for one a module.
static bool library_bin_has_no_cycle(const LibraryBinReader *reader, const LibraryBin *tree,
                                     size_t start, LibraryBinStep *steps)
{
  if (library_bin_descends(tree)) return true;
  for (size_t i = 0; i < tree->num_modules; ++i)
    steps[i] = (LibraryBinStep){LIBRARY_BIN_NEW, LIBRARY_BIN_NEW};
  for (uint64_t root = 0; root < tree->num_modules; ++root) {
    if (steps[root].next != LIBRARY_BIN_NEW) continue;
    steps[root] = (LibraryBinStep){tree->rows[root], root};
    uint64_t module = root;
    do {
      if (!library_bin_step(reader, tree, start, steps, &module)) return false;
    } while (steps[root].above != LIBRARY_BIN_NEW);
  }
  return true;
}

//--------------------------------------------------------------------------------------------------
// The entries
//--------------------------------------------------------------------------------------------------

// Reads a length and the bytes of which it is the length.
// cut: the rule that a length cut short breaks; the next one is that of a length too large.
static bool library_bin_read_bytes(LibraryBinReader *reader, LibraryBinRule cut, size_t index,
                                   LibraryBinBytes *bytes)
{
  uint64_t size;
  if (!library_bin_read_word(reader, cut, index, &size)) return false;
  if (size > library_bin_left(reader)) {
    return library_bin_fail(reader, cut + 1, reader->at - WORD, index, size,
                            library_bin_left(reader));
  }
  *bytes = (LibraryBinBytes){(const char *)reader->bytes + reader->at, (size_t)size};
  reader->at += (size_t)size;
  return true;
}

static bool library_bin_is_library(const LibraryBinBytes *kind)
{
  return kind->size == 4 && memcmp(kind->data, "_lib", 4) == 0;
}

static bool library_bin_read_entries(LibraryBinReader *reader, const LibraryBin *tree,
                                     LibraryBinEntry *entries)
{
  size_t library = SIZE_MAX;
  for (size_t i = 0; i < tree->num_modules; ++i) {
    LibraryBinEntry *entry = &entries[i];
    size_t start = reader->at;
    if (!library_bin_read_bytes(reader, kLibraryBinKindCut, i, &entry->kind)) return false;
    entry->is_library = library_bin_is_library(&entry->kind);
    if (entry->is_library) {
      entry->value = (LibraryBinBytes){"", 0};
      if (library != SIZE_MAX) {
        return library_bin_fail(reader, kLibraryBinLibraryTwice, start, i, i, library);
      }
      library = i;
    } else if (!library_bin_read_bytes(reader, kLibraryBinValueCut, i, &entry->value)) {
      return false;
    }
  }
  if (library_bin_left(reader) == 0) return true;
  return library_bin_fail(reader, kLibraryBinTrailing, reader->at, 0, library_bin_left(reader), 0);
}

//--------------------------------------------------------------------------------------------------
// The whole
//--------------------------------------------------------------------------------------------------

// Where the parts of the tree lie, in one piece of memory, rows first; among them the steps of a
// walk, which are not needed afterwards.
typedef struct {
  LibraryBinEntry *entries;
  uint64_t *rows, *children;
  LibraryBinStep *steps;
} LibraryBinParts;

_Static_assert(sizeof(LibraryBinEntry) + sizeof(uint64_t) + sizeof(LibraryBinStep) <= 8 * WORD,
               "the tree must not need more than 8 times the payload");

static bool library_bin_allocate(const LibraryBinReader *reader, const LibraryBin *tree,
                                 LibraryBinParts *parts)
{
  size_t modules = tree->num_modules, children = tree->num_children, size, more;
  bool fits = !__builtin_mul_overflow(
                  modules, sizeof(LibraryBinEntry) + WORD + sizeof(LibraryBinStep), &size) &&
              !__builtin_mul_overflow(children, WORD, &more) &&
              !__builtin_add_overflow(size, more, &size) &&
              !__builtin_add_overflow(size, WORD, &size) && size <= PTRDIFF_MAX;
  char *memory = fits ? malloc(size) : NULL;
  if (memory == NULL) {
    return library_bin_fail(reader, kLibraryBinNoMemory, 0, 0, fits ? size : SIZE_MAX, 0);
  }
  parts->rows = (uint64_t *)memory;
  parts->children = parts->rows + modules + 1;
  parts->steps = (LibraryBinStep *)(parts->children + children);
  parts->entries = (LibraryBinEntry *)(parts->steps + modules);
  return true;
}

static bool library_bin_read_tree(LibraryBinReader *reader, LibraryBin *tree)
{
  size_t num_rows, rows_start, children_start;
  LibraryBinParts parts;
  if (!library_bin_skip_vector(reader, 0, &num_rows, &rows_start) ||
      !library_bin_skip_vector(reader, 1, &tree->num_children, &children_start)) {
    return false;
  }
  if (num_rows < 2) {
    return library_bin_fail(reader, kLibraryBinNoRows, rows_start - WORD, 0, num_rows, 2);
  }
  tree->num_modules = num_rows - 1;
  if (!library_bin_allocate(reader, tree, &parts)) return false;
  tree->entries = parts.entries;
  tree->rows = parts.rows;
  tree->children = parts.children;
  if (library_bin_read_rows(reader, tree, rows_start, parts.rows) &&
      library_bin_read_children(reader, tree, children_start, parts.children) &&
      library_bin_has_no_cycle(reader, tree, children_start, parts.steps) &&
      library_bin_read_entries(reader, tree, parts.entries)) {
    return true;
  }
  free(parts.rows);
  return false;
}

bool library_bin_read(const void *bytes, size_t size, LibraryBin *tree, LibraryBinProblem *problem)
{
  // Memory ends somewhere, whatever the caller knows.
  size_t most = UINTPTR_MAX - (uintptr_t)bytes;
  LibraryBinReader reader = {bytes, size < most ? size : most, 0, problem};
  uint64_t nbytes;
  LibraryBin read = {0};
  if (!library_bin_read_word(&reader, kLibraryBinSizeCut, 0, &nbytes)) return false;
  if (nbytes > library_bin_left(&reader)) {
    return library_bin_fail(&reader, kLibraryBinSizeTooLarge, 0, 0, nbytes,
                            library_bin_left(&reader));
  }
  reader.end = reader.at + (size_t)nbytes;
  if (!library_bin_read_tree(&reader, &read)) return false;
  *tree = read;
  return true;
}

void library_bin_free(LibraryBin *tree)
{
  free((void *)tree->rows);
  *tree = (LibraryBin){0};
}

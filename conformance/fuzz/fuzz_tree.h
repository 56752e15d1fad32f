// SPDX-License-Identifier: Apache-2.0
// The bytes behind `__tvm_ffi__library_bin` as parts that can be changed one by one, broken ones
// included: unlike the reference's reader this believes whatever can be written down again.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_TREE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_TREE_H_

#include "fuzz/fuzz.h"

enum { FUZZ_TREE_MODULES = 1024, FUZZ_TREE_ROWS = 2048, FUZZ_TREE_CHILDREN = 4096 };

// Bytes, and how many are announced.
typedef struct FuzzString {
  const uint8_t *data;  // borrowed
  size_t size;
  uint64_t announced;
} FuzzString;

typedef struct FuzzTreeEntry {
  FuzzString kind, value;
  bool has_value;
} FuzzTreeEntry;

// The counts without the word `announced` are those of what is there.
typedef struct FuzzTree {
  bool has_rows, has_children;  // whether their counts are there
  uint64_t rows_announced, children_announced;
  size_t row_count, child_count, entry_count;
  uint64_t rows[FUZZ_TREE_ROWS], children[FUZZ_TREE_CHILDREN];
  FuzzTreeEntry entries[FUZZ_TREE_MODULES];
  FuzzString rest;  // what nothing is known of; `announced` does not count
} FuzzTree;

// Takes a payload apart, as far as that goes; its bytes are borrowed. What was taken apart is put
// together to the same bytes. False if it has not even the 8 bytes of nbytes.
bool fuzz_tree_take_apart(const FuzzInput *input, FuzzTree *tree);

// Puts it together, nbytes first, as many as follow. False if there is no room for it.
bool fuzz_tree_put_together(const FuzzTree *tree, FuzzInput *out);

// Has entry `i` say this kind; a value comes and goes with "_lib".
void fuzz_tree_set_kind(FuzzTree *tree, size_t entry, const char *kind, size_t size);

// True if the counts are those of what is there, and the rows speak of one module at least.
bool fuzz_tree_is_even(const FuzzTree *tree);

// Takes `count` modules out of an even tree, from `first` on, with all imports of theirs. False if
// none would be left.
bool fuzz_tree_remove_modules(FuzzTree *tree, size_t first, size_t count);

// Takes one import out of an even tree.
bool fuzz_tree_remove_child(FuzzTree *tree, size_t child);

// Kinds for which the surface registers loaders of its own, and others.
extern const char fuzz_kind_short[], fuzz_kind_long[], fuzz_kind_fails[], fuzz_kind_none[],
    fuzz_kind_thing[], fuzz_kind_keeps[], fuzz_kind_keeps_fails[], fuzz_kind_loads[],
    fuzz_kind_threads[], fuzz_kind_laps[], fuzz_kind_library_x[], fuzz_kind_longer[],
    fuzz_kind_odd[], fuzz_kind_capital[], fuzz_kind_private[], fuzz_kind_fails_1[],
    fuzz_kind_number[], fuzz_kind_stranger[], fuzz_kind_strangest[];

// A tree of two modules, the first of which imports the other.
void fuzz_tree_sample_inner(FuzzInput *out);

// What FuzzSurface.nth does for library_bin: a small tree with each kind of ours, and one that has no loader.
enum { FUZZ_TREE_EARLY = 18 };
void fuzz_tree_nth(uint64_t index, FuzzInput *out);

// What FuzzSurface.generate and .mutate do for library_bin (fuzz_tree_make.c).
void fuzz_tree_generate(FuzzRandom *random, FuzzInput *out);
void fuzz_tree_mutate(FuzzRandom *random, FuzzInput *input);
// The tree of 4 modules that rates are measured with.
void fuzz_tree_sample(FuzzInput *out);
// What .shrink does (fuzz_tree_shrink.c). The first so many attempts are simpler, and may be larger.
enum { FUZZ_TREE_SIMPLER = 8 };
bool fuzz_tree_shrink(const FuzzInput *input, size_t step, FuzzInput *out);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_TREE_H_

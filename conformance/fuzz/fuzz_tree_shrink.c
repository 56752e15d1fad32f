// SPDX-License-Identifier: Apache-2.0
// Smaller and simpler payloads that may show the same.
#include <string.h>

#include "fuzz/fuzz_library_bin.h"
#include "fuzz/fuzz_tree.h"

// Nothing is special about values any more.
static void fill_values(FuzzTree *tree)
{
  for (size_t i = 0; i < tree->entry_count; ++i) {
    FuzzTreeEntry *entry = &tree->entries[i];
    if (entry->has_value && entry->value.size == 0)
      entry->value = (FuzzString){(const uint8_t *)"v", 1, 1};
  }
}

// Nothing is special about kinds any more.
static void shorten_kinds(FuzzTree *tree)
{
  for (size_t i = 0; i < tree->entry_count; ++i)
    if (tree->entries[i].has_value) fuzz_tree_set_kind(tree, i, fuzz_kind_short, 1);
}

static void shorten_values(FuzzTree *tree)
{
  for (size_t i = 0; i < tree->entry_count; ++i) {
    FuzzTreeEntry *entry = &tree->entries[i];
    if (entry->has_value && entry->value.size > 1)
      entry->value = (FuzzString){entry->value.data, 1, 1};
  }
}

// Kinds that nearly have a loader have none by far.
static void estrange_kinds(FuzzTree *tree)
{
  for (size_t i = 0; i < tree->entry_count; ++i) {
    const FuzzTreeEntry *entry = &tree->entries[i];
    BinOracleModule module = {.kind = {entry->kind.data, entry->kind.size}};
    if (entry->has_value && !fuzz_bin_has_loader(&module) && fuzz_bin_is_near(&module.kind))
      fuzz_tree_set_kind(tree, i, fuzz_kind_stranger, strlen(fuzz_kind_stranger));
  }
}

// The library is the first entry, and imports what was.
static void add_library(FuzzTree *tree)
{
  for (size_t i = 0; i < tree->entry_count; ++i)
    if (!tree->entries[i].has_value) return;
  if (tree->row_count == FUZZ_TREE_ROWS || tree->child_count == FUZZ_TREE_CHILDREN ||
      tree->entry_count == FUZZ_TREE_MODULES)
    return;
  for (size_t i = tree->row_count; i > 0; --i) tree->rows[i] = tree->rows[i - 1] + 1;
  for (size_t i = tree->child_count; i > 0; --i) tree->children[i] = tree->children[i - 1] + 1;
  memmove(tree->entries + 1, tree->entries, tree->entry_count * sizeof tree->entries[0]);
  tree->rows[0] = 0;
  tree->children[0] = 1;
  tree->rows_announced = ++tree->row_count;
  tree->children_announced = ++tree->child_count;
  ++tree->entry_count;
  fuzz_tree_set_kind(tree, 0, "_lib", 4);
}

// The first module imports all others, each once and in their order, and these import nothing.
static void import_all(FuzzTree *tree)
{
  size_t modules = tree->row_count - 1;
  if (modules > FUZZ_TREE_CHILDREN) return;
  for (size_t i = 1; i <= modules; ++i) tree->rows[i] = modules - 1;
  for (size_t i = 1; i < modules; ++i) tree->children[i - 1] = i;
  tree->children_announced = tree->child_count = modules - 1;
}

// A new first entry imports all modules that nobody imports, the first entry among them.
static void add_root(FuzzTree *tree)
{
  static bool imported[FUZZ_TREE_MODULES];
  static uint64_t roots[FUZZ_TREE_MODULES];
  size_t modules = tree->row_count - 1, count = 0;
  if (tree->row_count == FUZZ_TREE_ROWS || modules >= FUZZ_TREE_MODULES ||
      tree->entry_count != modules)
    return;
  memset(imported, 0, sizeof imported);
  for (size_t i = 0; i < tree->child_count; ++i)
    if (tree->children[i] < modules) imported[tree->children[i]] = true;
  for (size_t i = 0; i < modules; ++i)
    if (!imported[i]) roots[count++] = i + 1;
  if (count < 1 || count + tree->child_count > FUZZ_TREE_CHILDREN || (count == 1 && !imported[0]))
    return;
  for (size_t i = tree->row_count; i > 0; --i) tree->rows[i] = tree->rows[i - 1] + count;
  for (size_t i = tree->child_count; i > 0; --i)
    tree->children[i + count - 1] = tree->children[i - 1] + 1;
  memcpy(tree->children, roots, count * sizeof *roots);
  memmove(tree->entries + 1, tree->entries, modules * sizeof tree->entries[0]);
  tree->rows[0] = 0;
  tree->rows_announced = ++tree->row_count;
  tree->children_announced = tree->child_count += count;
  ++tree->entry_count;
  tree->entries[0].has_value = false;
  fuzz_tree_set_kind(tree, 0, fuzz_kind_short, 1);
}

// The library changes places with the first entry. (Their imports stay where they are.)
static void move_library(FuzzTree *tree)
{
  size_t library = 0;
  while (library < tree->entry_count && tree->entries[library].has_value) ++library;
  if (library == 0 || library == tree->entry_count) return;
  FuzzTreeEntry first = tree->entries[0];
  tree->entries[0] = tree->entries[library];
  tree->entries[library] = first;
}

// What makes an even tree less special as a whole.
static void (*const simpler[FUZZ_TREE_SIMPLER])(FuzzTree *) = {
    shorten_kinds, fill_values, shorten_values, estrange_kinds,
    import_all,    add_root,    add_library,    move_library};

enum { OF_ENTRY = 4 };

// A value of one octet, one half of it or the other, and a short kind.
static void shrink_entry(FuzzTree *tree, size_t entry, size_t attempt)
{
  FuzzString *value = &tree->entries[entry].value;
  size_t half = value->size / 2, left = attempt == 0 && half ? 1 : value->size - half;
  if (attempt == 3) {
    if (tree->entries[entry].kind.size > 1) fuzz_tree_set_kind(tree, entry, fuzz_kind_short, 1);
    return;
  }
  if (attempt == 2) value->data += half;
  value->announced -= value->size - left;
  value->size = left;
}

// Attempt `step` at an even tree: what is special, then blocks of modules, halves first, then imports,
// values and kinds.
static bool shrink_even(FuzzTree *tree, size_t step)
{
  size_t modules = tree->row_count - 1;
  if (step < FUZZ_TREE_SIMPLER) {
    simpler[step](tree);
    return true;
  }
  step -= FUZZ_TREE_SIMPLER;
  for (size_t block = modules / 2; block >= 1; block /= 2) {
    size_t blocks = (modules + block - 1) / block;
    if (step < blocks) {
      size_t end = modules - step * block;
      return fuzz_tree_remove_modules(tree, end > block ? end - block : 0, block);
    }
    step -= blocks;
  }
  if (step < tree->child_count) return fuzz_tree_remove_child(tree, step);
  step -= tree->child_count;
  if (step >= OF_ENTRY * tree->entry_count) return false;
  FuzzTreeEntry *entry = &tree->entries[step / OF_ENTRY];
  if (entry->has_value) shrink_entry(tree, step / OF_ENTRY, step % OF_ENTRY);
  return true;
}

static size_t steps_of_even(const FuzzTree *tree)
{
  size_t steps = FUZZ_TREE_SIMPLER + tree->child_count + OF_ENTRY * tree->entry_count;
  if (!fuzz_tree_is_even(tree)) return 0;
  size_t modules = tree->row_count - 1;
  for (size_t block = modules / 2; block >= 1; block /= 2) steps += (modules + block - 1) / block;
  return steps;
}

// Blocks of bytes, halves first, from the end.
static bool shrink_bytes(const FuzzInput *input, size_t step, FuzzInput *out)
{
  size_t size = input->size - 8;
  for (size_t block = size / 2; block >= 1; block /= 2) {
    size_t blocks = size / block;
    if (step >= blocks) {
      step -= blocks;
      continue;
    }
    size_t at = input->size - (step + 1) * block;
    memcpy(out->bytes, input->bytes, at);
    memcpy(out->bytes + at, input->bytes + at + block, input->size - at - block);
    out->size = input->size - block;
    uint64_t follow = out->size - 8;
    memcpy(out->bytes, &follow, sizeof follow);
    return true;
  }
  return false;
}

bool fuzz_tree_shrink(const FuzzInput *input, size_t step, FuzzInput *out)
{
  static FuzzTree tree;
  if (!fuzz_tree_take_apart(input, &tree)) return false;
  size_t even = steps_of_even(&tree);
  if (step >= even) return shrink_bytes(input, step - even, out);
  out->size = input->size;
  // An attempt that fails leaves the tree as it is, and is passed over by its size.
  if (!shrink_even(&tree, step) || !fuzz_tree_put_together(&tree, out))
    memcpy(out->bytes, input->bytes, out->size = input->size);
  return true;
}

// --- Neighbours ----------------------------------------------------------------------------------

// Whether all entries are there, the library once at most, and nothing else.
static bool has_whole_entries(const FuzzTree *tree)
{
  size_t libraries = 0;
  for (size_t i = 0; i < tree->entry_count; ++i) {
    const FuzzTreeEntry *entry = &tree->entries[i];
    libraries += !entry->has_value;
    if (entry->kind.announced != entry->kind.size ||
        (entry->has_value && entry->value.announced != entry->value.size))
      return false;
  }
  return libraries <= 1 && tree->entry_count + 1 == tree->row_count && tree->rest.size == 0;
}

bool fuzz_bin_is_at_once(const FuzzInput *input)
{
  static FuzzTree tree;
  size_t whole = 0;
  const unsigned aspect = fuzz_bin_aspect(input);
  if (!fuzz_tree_take_apart(input, &tree)) return false;
  // What is wrong with an entry would be seen as soon.
  if (aspect >= FUZZ_BIN_FIRST_ROW && aspect <= FUZZ_BIN_CYCLE && !has_whole_entries(&tree))
    return false;
  for (size_t i = 0; i < tree.entry_count; ++i) {
    const FuzzTreeEntry *entry = &tree.entries[i];
    BinOracleModule module = {.kind = {entry->kind.data, entry->kind.size}};
    if (!entry->has_value || entry->kind.announced != entry->kind.size ||
        entry->value.announced != entry->value.size)
      continue;
    if (!fuzz_bin_has_loader(&module)) return false;
    ++whole;
  }
  return whole > 0;
}

bool fuzz_bin_neighbour(const FuzzInput *input, FuzzClass class, FuzzInput *out, FuzzClass *shows)
{
  static FuzzTree tree;
  unsigned aspect = fuzz_bin_aspect(input);
  bool of_kinds = aspect == FUZZ_BIN_STRANGER || aspect == FUZZ_BIN_NEAR_KIND ||
                  aspect == FUZZ_BIN_FAILS || aspect == FUZZ_BIN_NO_MODULE;
  bool of_library =
      class == FUZZ_CRASH && (of_kinds || fuzz_bin_aspects[aspect].due == FUZZ_DUE_ACCEPT);
  if (class == FUZZ_CRASH && fuzz_bin_is_broken(aspect)) {
    *shows = FUZZ_CRASH;
    fuzz_tree_sample(out);
    return true;
  }
  if (!of_library && !(of_kinds && class == FUZZ_ERROR)) return false;
  if (!fuzz_tree_take_apart(input, &tree) || !fuzz_tree_is_even(&tree)) return false;
  *shows = of_library ? FUZZ_RELEASED : FUZZ_REFUSED;
  for (size_t i = 0; i < tree.entry_count; ++i) {
    FuzzTreeEntry *entry = &tree.entries[i];
    if (!entry->has_value && !of_library) continue;
    fuzz_tree_set_kind(&tree, i, fuzz_kind_short, 1);
    if (entry->value.size == 0) entry->value = (FuzzString){(const uint8_t *)"v", 1, 1};
  }
  return fuzz_tree_put_together(&tree, out);
}

bool fuzz_bin_plain(const FuzzInput *input, FuzzInput *out)
{
  static FuzzTree tree;
  const unsigned aspect = fuzz_bin_aspect(input);
  if (aspect != FUZZ_BIN_NESTS && aspect != FUZZ_BIN_THREADS) return false;
  if (!fuzz_tree_take_apart(input, &tree)) return false;
  shorten_kinds(&tree);
  return fuzz_tree_put_together(&tree, out);
}

bool fuzz_bin_other_fault(const FuzzInput *input, FuzzInput *out)
{
  enum { AT_ROW_COUNT = 8 };
  bool announces = fuzz_bin_aspect(input) == FUZZ_BIN_COUNT_TOO_LARGE;
  uint64_t rows = announces ? 0 : UINT64_MAX;
  if (input->size < AT_ROW_COUNT + sizeof rows) return false;
  memcpy(out->bytes, input->bytes, out->size = input->size);
  memcpy(out->bytes + AT_ROW_COUNT, &rows, sizeof rows);
  return true;
}

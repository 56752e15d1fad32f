// SPDX-License-Identifier: Apache-2.0
// The reader of `__tvm_ffi__library_bin`. What it takes makes the same bytes again; what it refuses
// it can explain. The oracle, which was written independently, agrees.
#include <string.h>

#include "bin_agree.h"
#include "fuzz_target.h"
#include "library_bin.h"

static void explain(const LibraryBinProblem *problem, size_t size)
{
  char sentence[256];
  FUZZ_CHECK(problem->rule > kLibraryBinOk && problem->rule < kLibraryBinNumRules);
  FUZZ_CHECK(problem->offset <= size);
  int length = library_bin_explain(problem, sentence, sizeof sentence);
  FUZZ_CHECK(length > 0 && (size_t)length < sizeof sentence);
  fuzz_is_line(sentence);
}

static void check_tree(const LibraryBin *tree, const uint8_t *data, size_t size)
{
  FUZZ_CHECK(tree->num_modules != 0 && tree->rows[0] == 0);
  FUZZ_CHECK(tree->rows[tree->num_modules] == tree->num_children);
  for (size_t i = 0; i < tree->num_modules; ++i) FUZZ_CHECK(tree->rows[i] <= tree->rows[i + 1]);
  for (size_t i = 0; i < tree->num_children; ++i) FUZZ_CHECK(tree->children[i] < tree->num_modules);
  for (size_t i = 0; i < tree->num_modules; ++i) {
    const char *first = (const char *)data, *end = first + size;
    const LibraryBinEntry *entry = &tree->entries[i];
    FUZZ_CHECK(entry->kind.data >= first && entry->kind.data + entry->kind.size <= end);
    if (entry->is_library) continue;
    FUZZ_CHECK(entry->value.data >= first && entry->value.data + entry->value.size <= end);
  }
}

static void write_back(const LibraryBin *tree, const uint8_t *data, size_t size)
{
  static uint8_t written[1 << 16];
  size_t length = library_bin_size(tree);
  FUZZ_CHECK(length != 0 && length <= size);
  if (length > sizeof written) return;
  library_bin_write(tree, written);
  FUZZ_CHECK(memcmp(written, data, length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  LibraryBin tree;
  LibraryBinProblem problem = {.rule = kLibraryBinOk};
  if (library_bin_read(data, size, &tree, &problem)) {
    check_tree(&tree, data, size);
    write_back(&tree, data, size);
    library_bin_free(&tree);
  } else {
    explain(&problem, size);
  }
  FUZZ_CHECK(bin_agree(data, size) == NULL);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// A third loader of `__tvm_ffi__library_bin`, written in C from the chapter library_bin alone, before
// its author had seen how the suite looks for flaws. It takes the place of the reference's
// `module_tree_load`, whose modules and contexts it uses.
//
// The name of the file that it is loaded from chooses a flaw, as with loader.cpp: of
// `first-row-free.so` it is "first-row-free". third_flaws.txt has what each does, and which clauses it
// breaks.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/object.h"
#include "core/raise.h"
#include "module/library.h"
#include "module/module_context.h"
#include "module/module_tree.h"
#include "third_loader.h"

Flaw third_flaw;
TVMFFIObject *third_latest;

// A name in the list has underscores where that of the file has hyphens.
static int is_name(const char *name, const char *file, size_t size)
{
  if (strlen(name) != size) return 0;
  for (size_t i = 0; i < size; ++i)
    if (name[i] != (file[i] == '-' ? '_' : file[i])) return 0;
  return 1;
}

__attribute__((constructor)) static void choose_flaw(void)
{
  static const struct {
    const char *name;
    Flaw flaw;
  } all[] = {
#define X(name) {#name, name},
      FLAW_LIST(X)
#undef X
  };
  Dl_info info;
  if (dladdr(&third_flaw, &info) == 0 || !info.dli_fname) return;
  const char *slash = strrchr(info.dli_fname, '/');
  const char *file = slash ? slash + 1 : info.dli_fname, *end = strchr(file, '.');
  for (size_t i = 0; end && i < sizeof all / sizeof all[0]; ++i)
    if (is_name(all[i].name, file, (size_t)(end - file))) third_flaw = all[i].flaw;
}

static void hold_unreached_library(Tree *tree)
{
  size_t library = 1;
  while (library < tree->count && !tree->entries[library].is_library) ++library;
  if (library >= tree->count) return;
  for (size_t k = 0; k < tree->edges; ++k)
    if (tree->children[k] == library) return;
  object_retain(tree->made[library]);
}

static int build(Tree *tree, Reader *reader, TVMFFIObject **out)
{
  static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;
  static __thread char *buffer;
  if (IS(thread_keeps_buffer) && buffer == NULL) buffer = malloc(100);
  if (IS(refusal_keeps_lock)) pthread_mutex_lock(&reading);
  if (third_read_tree(tree, reader) != 0) return -1;
  if (IS(refusal_keeps_lock)) pthread_mutex_unlock(&reading);
  // That of the one library with modules that has been filled counts for all.
  static int filled;
  const int fills = !IS(symbols_filled_last) && !(IS(symbols_filled_once) && filled);
  if (fills) module_context_fill_symbols(library_of(tree->library));
  filled = 1;
  if (IS(modules_on_the_stack)) {
    volatile char *room = __builtin_alloca(tree->count * 96);
    for (size_t i = tree->count; i-- > 0;) room[i * 96] = 1;
  }
  if (third_make_modules(tree) != 0) return -1;
  if (IS(symbols_filled_last)) module_context_fill_symbols(library_of(tree->library));
  if (IS(end_checked_last) && third_check_end(tree, reader) != 0) return -1;
  if (IS(cycles_checked_last) && third_check_cycles(tree) != 0) return -1;
  if (third_link_modules(tree) != 0) {
    third_unlink_modules(tree);
    return -1;
  }
  size_t root = 0;
  for (size_t i = 0; i < tree->count; ++i) {
    if (IS(root_is_library) && tree->entries[i].is_library) root = i;
  }
  int root_is_imported = 0;
  for (size_t k = 0; k < tree->edges; ++k) root_is_imported |= tree->children[k] == root;
  if (!IS(root_is_lent) && !(IS(imported_root_is_lent) && root_is_imported))
    object_retain(tree->made[root]);
  if (IS(unreached_library_held)) hold_unreached_library(tree);
  if (IS(root_leaks_if_foreign) && !tree->entries[0].is_library) object_retain(tree->made[root]);
  if (IS(library_kept_on_failure)) {
    for (size_t i = 0; i < tree->count; ++i) {
      if (tree->entries[i].is_library) object_release(tree->library);
    }
  }
  if (IS(orphans_kept)) {
    char *imported = calloc(tree->count, 1);
    for (size_t k = 0; k < tree->edges; ++k) imported[tree->children[k]] = 1;
    for (size_t i = 1; i < tree->count; ++i) {
      if (!imported[i] && !tree->entries[i].is_library) tree->made[i] = NULL;
    }
    free(imported);
  }
  if (IS(orphans_quadratic)) {
    volatile size_t imported = 0;
    for (size_t i = 1; i < tree->count; ++i) {
      for (size_t j = 1; j < tree->count; j += 4) imported += tree->made[i] == tree->made[j];
    }
  }
  *out = tree->made[root];
  return 0;
}

static void tree_end(Tree *tree)
{
  if (tree->made != NULL) third_drop_made(tree);
  free(tree->made);
  free(tree->entries);
  free(tree->rows);
  free(tree->children);
}

static int load(TVMFFIObject *library, const char *name, const unsigned char *bytes,
                TVMFFIObject **out)
{
  uint64_t nbytes = third_word_at(bytes);
  if (IS(bound_rounded_up)) nbytes = (nbytes + 63) & ~(uint64_t)63;
  Reader reader = {bytes + 8, bytes + 8 + nbytes};
  if (IS(tree_is_static)) {
    static Tree tree;
    tree = (Tree){.library = library, .name = name};
    int code = build(&tree, &reader, out);
    tree_end(&tree);
    tree = (Tree){0};
    return code;
  }
  Tree tree = {.library = library, .name = name};
  TVMFFIObject *before = third_latest;
  third_latest = library;
  int code = build(&tree, &reader, out);
  third_latest = before;
  tree_end(&tree);
  return code;
}

int module_tree_load(TVMFFIObject *library, const char *name, const void *bytes, TVMFFIObject **out)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int loading, refused;
  if (IS(locked_while_loading)) pthread_mutex_lock(&lock);
  if (IS(nested_is_refused) && loading) {
    return raise_error("RuntimeError", name, ": another library is being loaded", NULL);
  }
  static __thread int depth;
  if (IS(nests_three_deep)) {
    if (depth == 3) return raise_error("RuntimeError", name, ": too many loads", NULL);
    ++depth;
    int code = load(library, name, bytes, out);
    --depth;
    return code;
  }
  if (IS(refusals_add_up) && refused >= 3) {
    return raise_error("RuntimeError", name, ": too many damaged libraries", NULL);
  }
  if (IS(failed_load_stays)) {
    static int failed_before;
    if (failed_before) {
      failed_before = 0;
      return raise_error("RuntimeError", name, ": the embedded modules are damaged", NULL);
    }
    int code = load(library, name, bytes, out);
    failed_before = code != 0;
    return code;
  }
  loading = 1;
  if (IS(same_address_is_same_tree)) {
    // What was refused is known by where it was.
    static const void *known;
    static uint64_t size;
    if (known == bytes && size == third_word_at(bytes)) {
      return raise_error("RuntimeError", name, ": the embedded modules are damaged", NULL);
    }
    int code = load(library, name, bytes, out);
    if (code != 0) {
      known = bytes;
      size = third_word_at(bytes);
    }
    return code;
  }
  Dl_info info;
  ElfW(Sym) *symbol = NULL;
  if (IS(symbol_has_to_be_full) && dladdr1(bytes, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 &&
      symbol != NULL && symbol->st_size != 8 + third_word_at(bytes)) {
    return raise_error("RuntimeError", name, ": bytes follow the embedded modules", NULL);
  }
  if (IS(payload_kept_by_address)) {
    // What was loaded is known by where it was.
    static const void *known;
    static unsigned char copy[1 << 16];
    uint64_t size = 8 + third_word_at(bytes);
    if (known == bytes && size == 8 + third_word_at(copy)) return load(library, name, copy, out);
    int code = load(library, name, bytes, out);
    known = code == 0 && size <= sizeof copy ? bytes : NULL;
    if (known != NULL) memcpy(copy, bytes, size);
    return code;
  }
  int code = load(library, name, bytes, out);
  if (code != 0) ++refused;
  loading = 0;
  if (IS(locked_while_loading)) pthread_mutex_unlock(&lock);
  return code;
}

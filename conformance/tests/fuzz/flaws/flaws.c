// SPDX-License-Identifier: Apache-2.0
// Runtimes with one flaw, for the tests of the fuzzer: they are mutants of clauses that no case judges.
#include <sys/mman.h>

#include "mutants/wrapped.h"

// Of the reference (library.h).
struct Library;
extern struct Library *library_of(TVMFFIObject *module);
extern void *library_data(const struct Library *library, const char *symbol);

MUTANT_WRAP(BIN_20, context, module_tree_load,
            "the context of a library that is refused is not taken back")
{
  int code = REAL(module_tree_load)(library, name, bytes, out);
  void **context = library_data(library_of(library), "__tvm_ffi__library_ctx");
  if (code != 0 && context) *context = context;
  return code;
}

MUTANT_WRAP(BIN_24, memory, library_bin_read, "room for all rows is made before they are counted")
{
  uint64_t follow, rows = 0;
  memcpy(&follow, bytes, sizeof follow);
  if (follow >= 8) memcpy(&rows, (const char *)bytes + 8, sizeof rows);
  void *volatile room = malloc(rows * 8);
  free(room);
  return REAL(library_bin_read)(bytes, size, tree, problem);
}

MUTANT_WRAP(BIN_25, error, module_tree_load, "a payload is refused without a word")
{
  int code = REAL(module_tree_load)(library, name, bytes, out);
  TVMFFIObjectHandle error = NULL;
  if (code != 0) TVMFFIErrorMoveFromRaised(&error);
  if (error) TVMFFIObjectDecRef(error);
  return code;
}

MUTANT_WRAP(BIN_26, mapping, library_bin_read,
            "a payload whose first row is not 0 leaves a page mapped")
{
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule == kLibraryBinFirstRow)
    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return false;
}

MUTANT_WRAP(BIN_29, eater, library_bin_read,
            "for a child that is no module memory is taken until there is none, and then used")
{
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  for (volatile LibraryBinRule *rule = &problem->rule; *rule == kLibraryBinChildRange;)
    *(void *volatile *)malloc(65536) = tree;
  return false;
}

MUTANT_WRAP(BIN_30, hang, library_bin_read, "a circle of imports is walked without end")
{
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  for (volatile LibraryBinRule *rule = &problem->rule; *rule == kLibraryBinCycle;) continue;
  return false;
}

MUTANT_WRAP(BIN_32, leak, library_bin_read,
            "what was begun for a value that is cut short is forgotten")
{
  static void *volatile forgotten;
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule == kLibraryBinValueTooLarge) forgotten = malloc(40);
  (void)forgotten;
  return false;
}

MUTANT_WRAP(BIN_33, accepted, library_bin_read, "bytes behind the last entry are passed over")
{
  static char copy[65536];
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule != kLibraryBinTrailing || problem->offset > sizeof copy) return false;
  uint64_t follow = problem->offset - 8;
  memcpy(copy, bytes, problem->offset);
  memcpy(copy, &follow, sizeof follow);
  return REAL(library_bin_read)(copy, problem->offset, tree, problem);
}

MUTANT_WRAP(BIN_33, heap, library_bin_read,
            "bytes behind the last entry cost 2 MiB in small blocks, which are given back")
{
  enum { BLOCKS = 2048, SIZE = 1024 };
  static void *blocks[BLOCKS];
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule != kLibraryBinTrailing) return false;
  for (int i = 0; i < BLOCKS; ++i) blocks[i] = malloc(SIZE);
  for (int i = 0; i < BLOCKS; ++i) free(blocks[i]);
  return false;
}

// One of two places, by the last byte.
static void go_down(const volatile char *last)
{
  static char *volatile nowhere;
  if (*last & 1) abort();
  *nowhere = 1;
}

MUTANT_WRAP(BIN_33, places, library_bin_read,
            "bytes behind the last entry bring the process down, in one place or another")
{
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule == kLibraryBinTrailing) go_down((const char *)bytes + problem->offset);
  return false;
}

static void make_one(void)
{
  static const TVMFFIByteArray name = {"ffi.Module.load_from_bytes.k", 28};
  TVMFFIAny value = {.type_index = kTVMFFISmallBytes}, made = {.type_index = kTVMFFINone};
  TVMFFIObjectHandle loader = NULL;
  if (TVMFFIFunctionGetGlobal(&name, &loader) != 0 || !loader) return;
  if (TVMFFIFunctionCall(loader, &value, 1, &made) == 0) TVMFFIObjectDecRef(made.v_obj);
  TVMFFIObjectDecRef(loader);
}

MUTANT_WRAP(BIN_34, in_part, library_bin_read,
            "a module is made of a payload with bytes behind it, before they are noticed")
{
  bool sound = REAL(library_bin_read)(bytes, size, tree, problem);
  if (!sound && problem->rule == kLibraryBinTrailing) make_one();
  return sound;
}

MUTANT_WRAP(MOD_73, kept, dlclose, "a library stays open when its modules are released")
{
  return 0;
}

MUTANT(STR_9, remembers, StringFromByteArray,
       "once there was a string of three bytes, long ones lose their last byte")
{
  static bool is_tired;
  TVMFFIByteArray given = *input;
  if (given.size == 3) is_tired = true;
  if (is_tired && given.size > 7 && given.size < 65536) --given.size;
  int code = TVMFFIBytesFromByteArray(&given, out);
  if (code != 0) return code;
  bool small = out->type_index == kTVMFFISmallBytes;
  out->type_index = small ? kTVMFFISmallStr : kTVMFFIStr;
  if (!small) out->v_obj->type_index = kTVMFFIStr;
  return 0;
}

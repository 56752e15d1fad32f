// SPDX-License-Identifier: Apache-2.0
// Mutants of what a load takes, keeps and leaves: values, the stack, time, memory, messages.
#include <stdio.h>
#include <unistd.h>

#include "mutants/loading.h"
#include "mutants/wrapped.h"

// Bytes that lie where the payload does.
typedef struct BorrowedBytes {
  TVMFFIObject header;
  TVMFFIByteArray bytes;
} BorrowedBytes;

static void delete_borrowed(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

// Own: the loader of a kind, or NULL.
static TVMFFIObjectHandle loader_of(const TVMFFIByteArray *kind)
{
  char text[1024] = "ffi.Module.load_from_bytes.";
  size_t size = strlen(text);
  TVMFFIObjectHandle loader = NULL;
  if (kind->size > sizeof text - size) return NULL;
  memcpy(text + size, kind->data, kind->size);
  TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){text, size + kind->size}, &loader);
  return loader;
}

MUTANT_WRAP(BIN_46, value_borrowed, module_load_from_bytes,
            "a loader is given bytes that end with the library")
{
  TVMFFIObjectHandle loader = value->size > 7 ? loader_of(kind) : NULL;
  BorrowedBytes *borrowed = loader ? calloc(1, sizeof *borrowed) : NULL;
  if (!borrowed) return REAL(module_load_from_bytes)(name, place, kind, value, out);
  TVMFFIAny result = none_value();
  borrowed->header.combined_ref_count = (UINT64_C(1) << 32) | 1;
  borrowed->header.type_index = kTVMFFIBytes;
  borrowed->header.deleter = delete_borrowed;
  borrowed->bytes = *value;
  TVMFFIAny argument = value_of_object(borrowed);
  int status = TVMFFIFunctionCall(loader, &argument, 1, &result);
  TVMFFIObjectDecRef(borrowed);
  TVMFFIObjectDecRef(loader);
  if (status == 0 && result.type_index != kTVMFFIModule)
    return fail("TypeError", "the loader gave no module");
  if (status == 0) *out = result.v_obj;
  return status;
}

// How deep the imports below a module are, along the first of each.
static size_t depth_below(const LibraryBin *tree, uint64_t module)
{
  volatile char frame[256];
  frame[module % sizeof frame] = 1;
  if (tree->rows[module] == tree->rows[module + 1]) return 0;
  return depth_below(tree, tree->children[tree->rows[module]]) + (size_t)frame[module % 256];
}

MUTANT_WRAP(BIN_47, recursion, library_bin_read,
            "imports are followed by a function that calls itself")
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  return depth_below(tree, 0) < SIZE_MAX;
}

MUTANT_WRAP(BIN_48, entries_compared, library_bin_read,
            "each entry is compared with those before it")
{
  static volatile size_t equal;
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  for (size_t i = 0; i < tree->num_modules && tree->num_modules < 50000; ++i)
    for (size_t k = 0; k < i; ++k)
      equal += tree->entries[i].value.data == tree->entries[k].value.data;
  return true;
}

static void *volatile lost;

MUTANT_WRAP(BIN_49, value_lost, module_load_from_bytes,
            "a copy of the value is not given back when the loader fails")
{
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status != 0) lost = calloc(1, value->size + 1);
  return status;
}

MUTANT_WRAP(BIN_49, failed_loader_kept, module_load_from_bytes,
            "the function of a loader that fails is not released")
{
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status != 0) lost = loader_of(kind);
  return status;
}

MUTANT_REGISTERED(MOD_92, importer_kept, "ffi.ModuleGetFunction",
                  "the imports in which a function was found are not released")
{
  const TVMFFIAny module = args[0], through = args[num_args == 3 ? 2 : 0];
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIFunction || num_args != 3 || !through.v_int64)
    return status;
  const TVMFFISeqCell *imports = imports_in(module.v_obj);
  if (imports) TVMFFIObjectIncRef((char *)(uintptr_t)imports - sizeof(TVMFFIObject));
  return status;
}

MUTANT_WRAP(MOD_77, one_place_for_kinds, module_load_from_bytes,
            "all threads put the kind that they load into one place")
{
  static char shared[1 << 17];
  if (kind->size > sizeof shared) return fail("RuntimeError", "the kind is too long");
  if (kind->size != 0) memcpy(shared, kind->data, kind->size);
  usleep(50);
  TVMFFIByteArray copy = {shared, kind->size};
  return REAL(module_load_from_bytes)(name, place, &copy, value, out);
}

// What is put back behind a loader is that of another thread.
MUTANT_WRAP(MOD_77, one_value_for_all, module_load_from_bytes,
            "the value that a loader is given stands in one place for all threads")
{
  static TVMFFIByteArray shared;
  TVMFFIObjectHandle loader = loader_of(kind);
  if (!loader) return REAL(module_load_from_bytes)(name, place, kind, value, out);
  const TVMFFIByteArray before = shared;
  shared = *value;
  TVMFFIAny argument = {.type_index = kTVMFFIByteArrayPtr, .v_ptr = &shared}, result = {0};
  const int status = TVMFFIFunctionCall(loader, &argument, 1, &result);
  shared = before;
  TVMFFIObjectDecRef(loader);
  if (status == 0 && result.type_index != kTVMFFIModule)
    return fail("TypeError", "the loader returned something other than a module");
  if (status == 0) *out = result.v_obj;
  return status;
}

MUTANT_WRAP(BIN_50, value_is_shown, module_load_from_bytes,
            "the message of a kind without a loader shows its value")
{
  char text[128];
  TVMFFIObjectHandle loader = loader_of(kind);
  if (!loader) {
    snprintf(text, sizeof text, "no loader for %.*s, whose value is %.*s", (int)kind->size,
             kind->data, (int)(value->size < 40 ? value->size : 40), value->data);
    return fail("RuntimeError", text);
  }
  TVMFFIObjectDecRef(loader);
  return REAL(module_load_from_bytes)(name, place, kind, value, out);
}

MUTANT_WRAP(BIN_50, messages_gathered, module_load_from_bytes,
            "the message of a kind without a loader grows with each load")
{
  static char all[4096];
  TVMFFIObjectHandle loader = loader_of(kind);
  if (loader) {
    TVMFFIObjectDecRef(loader);
    return REAL(module_load_from_bytes)(name, place, kind, value, out);
  }
  if (strlen(all) + 64 < sizeof all) strcat(all, "a kind without a loader; ");
  return fail("RuntimeError", all);
}

MUTANT_WRAP(BIN_51, no_message, module_load_from_bytes,
            "the error about a kind without a loader has no message")
{
  TVMFFIObjectHandle loader = loader_of(kind);
  if (!loader) return fail("RuntimeError", "");
  TVMFFIObjectDecRef(loader);
  return REAL(module_load_from_bytes)(name, place, kind, value, out);
}

// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_module.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
  const InspectModuleFunction *a = left, *b = right;
  return binary_text_compare(a->name, b->name);
}

static ElfText behind(ElfText name, const char *prefix)
{
  size_t length = strlen(prefix);
  return (ElfText){name.data + length, name.size - length};
}

static bool collect(const InspectFacts *facts, InspectModule *module)
{
  size_t count = 0;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    count += facts->symbols[i].role == INSPECT_ROLE_FUNCTION;
  }
  if (count == 0) return true;
  module->functions = calloc(count, sizeof *module->functions);
  if (!module->functions) return false;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (entry->role != INSPECT_ROLE_FUNCTION || !inspect_facts_exports(entry)) continue;
    ElfText name = behind(entry->name, "__tvm_ffi_");
    module->functions[module->count++] = (InspectModuleFunction){.name = name, .entry = entry};
    if (binary_text_is(name, "main")) module->has_main = true;
  }
  qsort(module->functions, module->count, sizeof *module->functions, compare);
  return true;
}

InspectModuleFunction *inspect_module_of_getter(const InspectModule *module,
                                                const InspectEntry *getter)
{
  bool metadata = getter->role == INSPECT_ROLE_METADATA;
  InspectModuleFunction key = {
      .name = behind(getter->name, metadata ? "__tvm_ffi__metadata_" : "__tvm_ffi__doc_")};
  if (module->count == 0) return NULL;
  return bsearch(&key, module->functions, module->count, sizeof key, compare);
}

static void note(const InspectEntry *entry, InspectModule *module)
{
  if (entry->role == INSPECT_ROLE_LIBRARY_CTX) module->has_library_ctx = true;
  if (entry->role == INSPECT_ROLE_LIBRARY_BIN) module->has_library_bin = true;
  if (entry->role != INSPECT_ROLE_METADATA && entry->role != INSPECT_ROLE_DOC) return;
  InspectModuleFunction *function = inspect_module_of_getter(module, entry);
  if (!function) return;
  bool metadata = entry->role == INSPECT_ROLE_METADATA;
  *(metadata ? &function->has_metadata : &function->has_doc) = true;
  ++*(metadata ? &module->metadata_count : &module->doc_count);
}

bool inspect_module_read(const InspectFacts *facts, InspectModule *module)
{
  *module = (InspectModule){0};
  if (!collect(facts, module)) return false;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    if (inspect_facts_exports(&facts->symbols[i])) note(&facts->symbols[i], module);
  }
  return true;
}

void inspect_module_free(InspectModule *module)
{
  free(module->functions);
  *module = (InspectModule){0};
}

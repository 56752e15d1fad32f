// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_api.h"

#include <string.h>

static const struct {
  const char *name, *function, *filled_by;
} context_symbols[] = {
#define CONTEXT_SYMBOL(name, function, filled_by) {name, "TVMFFI" function, filled_by},
#include "inspect/inspect_names.def"
};

AbiFunctionId inspect_api_of_slot(ElfText name, const char **filled_by)
{
  *filled_by = NULL;
  for (size_t i = 0; i < sizeof context_symbols / sizeof context_symbols[0]; ++i) {
    if (!binary_text_is(name, context_symbols[i].name)) continue;
    *filled_by = context_symbols[i].filled_by;
    return abi_function_find(context_symbols[i].function, strlen(context_symbols[i].function));
  }
  // Not in the table, but named after a function: that function is what it wants.
  if (!binary_text_begins(name, "__TVMFFI")) return ABI_FUNCTION_COUNT;
  return abi_function_find(name.data + 2, name.size - 2);
}

static void note(bool *table, unsigned *count, AbiFunctionId function)
{
  if (function == ABI_FUNCTION_COUNT) return;
  *count += !table[function];
  table[function] = true;
}

static void note_symbol(const InspectEntry *entry, InspectApi *api)
{
  const char *filled_by;
  if (entry->role == INSPECT_ROLE_SLOT) {
    api->linking |= INSPECT_LINKING_SLOTS;
    note(api->slots, &api->slot_count, inspect_api_of_slot(entry->name, &filled_by));
  } else if (entry->role == INSPECT_ROLE_API) {
    AbiFunctionId function = abi_function_find(entry->name.data, entry->name.size);
    if (entry->section == SHN_UNDEF) {
      api->linking |= INSPECT_LINKING_IMPORTS;
      note(api->imports, &api->import_count, function);
    } else if (inspect_facts_exports(entry)) {
      note(api->exports, &api->export_count, function);
    }
  }
}

bool inspect_api_needs(const InspectApi *api, AbiFunctionId function)
{
  return api->imports[function] || api->slots[function];
}

unsigned inspect_api_lacking(const InspectApi *api, const AbiRelease *release)
{
  unsigned count = 0;
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    AbiFunctionId function = (AbiFunctionId)i;
    count += inspect_api_needs(api, function) && !abi_release_has(release, function);
  }
  return count;
}

static bool covers(const InspectApi *api, const AbiRelease *release)
{
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    if (abi_release_has(release, (AbiFunctionId)i) && !api->exports[i]) return false;
  }
  return true;
}

static void note_releases(InspectApi *api)
{
  for (size_t i = 0; i < abi_release_count(); ++i) {
    const AbiRelease *release = abi_release(i);
    if (!api->oldest && inspect_api_lacking(api, release) == 0) api->oldest = release;
    if (api->export_count > 0 && covers(api, release)) api->covers = release;
  }
}

// Names that only the older generation has, and none that only releases have, make it one of those.
static void note_generation(const InspectFacts *facts, InspectApi *api)
{
  bool former[ABI_FUNCTION_COUNT] = {false};
  unsigned formers = 0;
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (entry->role != INSPECT_ROLE_API || !inspect_facts_exports(entry)) continue;
    note(former, &formers, abi_function_find_former(entry->name.data, entry->name.size));
  }
  unsigned known = 0, has = 0;
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    const char *then = abi_function_symbol_2025_09((AbiFunctionId)i);
    bool same = then && strcmp(then, abi_functions[i].symbol) == 0;
    if (!same && api->exports[i]) return;
    known += then != NULL;
    has += same ? api->exports[i] : former[i];
  }
  if (formers == 0) return;
  api->former_count = has;
  api->former_known = known;
}

void inspect_api_read(const InspectFacts *facts, InspectApi *api)
{
  *api = (InspectApi){0};
  for (size_t i = 0; i < facts->symbol_count; ++i) note_symbol(&facts->symbols[i], api);
  for (size_t i = 0; i < facts->needed_count; ++i) {
    if (inspect_format_is_runtime(facts->format, facts->needed[i])) api->needs_libtvm_ffi = true;
  }
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    if (!inspect_api_needs(api, (AbiFunctionId)i)) continue;
    if (abi_functions[i].since > api->floor) api->floor = abi_functions[i].since;
  }
  note_releases(api);
  note_generation(facts, api);
}

const char *inspect_api_linking_name(unsigned linking)
{
  static const char *const names[] = {"none", "direct imports", "context symbols",
                                      "direct imports and context symbols"};
  return names[linking & 3];
}

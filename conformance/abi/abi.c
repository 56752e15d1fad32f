// SPDX-License-Identifier: Apache-2.0
#include "abi/abi.h"

#include <stdio.h>
#include <string.h>

const AbiFunction abi_functions[ABI_FUNCTION_COUNT] = {
#define ABI_FUNCTION(chapter, since, result, name, parameters) \
  [FN_##name] = {"TVMFFI" #name, #chapter, #result " " #parameters, since},
#include "abi/functions.def"
};

typedef struct AbiFunctionThen {
  const char *symbol;  // NULL: it has the name that it had
  bool not_yet;
} AbiFunctionThen;

static const AbiFunctionThen functions_then[ABI_FUNCTION_COUNT] = {
#define ABI_FORMER_NAME(name, then) [FN_##name] = {"TVMFFI" #then, false},
#define ABI_NOT_YET(name) [FN_##name] = {NULL, true},
#include "abi/functions_2025_09.def"
};

static const struct {
  const char *name;
  int32_t value;
} type_indices[] = {
#define ABI_TYPE_INDEX(name, value, key, since, where) {#name, value},
#include "abi/type_indices.def"
};

// The numbers of the table and of the header are written down independently; they have to agree.
#define ABI_TYPE_INDEX(name, value, key, since, where) \
  _Static_assert(kTVMFFI##name == (value), "type index of " #name);
#include "abi/type_indices.def"

// One 64-bit counter first: strong in the low half, weak in the high half (little-endian offsets
// follow).
const AbiLayout abi_layout_0_1 = {
    .generation = "0.1",
    .header_size = 24,
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    .strong_offset = 0,
    .weak_offset = 4,
#else
    .strong_offset = 4,
    .weak_offset = 0,
#endif
    .strong_width = 4,
    .weak_width = 4,
    .type_index_offset = 8,
    .padding_offset = 12,
    .padding_width = 4,
    .deleter_offset = 16,
};

const AbiLayout abi_layout_2025_09 = {
    .generation = "2025-09",
    .header_size = 24,
    .type_index_offset = 0,
    .weak_offset = 4,
    .weak_width = 4,
    .strong_offset = 8,
    .strong_width = 8,
    .deleter_offset = 16,
};

const AbiLayout *abi_layout(AbiGeneration generation)
{
  return generation == ABI_GENERATION_2025_09 ? &abi_layout_2025_09 : &abi_layout_0_1;
}

const char *abi_generation_name(AbiGeneration generation)
{
  return abi_layout(generation)->generation;
}

bool abi_generation_find(const char *name, AbiGeneration *generation)
{
  for (unsigned i = 0; i < ABI_GENERATIONS; ++i) {
    if (strcmp(abi_generation_name((AbiGeneration)i), name) != 0) continue;
    *generation = (AbiGeneration)i;
    return true;
  }
  return false;
}

const char *abi_function_symbol_2025_09(AbiFunctionId function)
{
  const AbiFunctionThen *then = &functions_then[function];
  if (then->not_yet || abi_functions[function].since > ABI_VERSION(0, 1, 0)) return NULL;
  return then->symbol ? then->symbol : abi_functions[function].symbol;
}

AbiFunctionId abi_function_find_former(const char *symbol, size_t length)
{
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    const char *known = functions_then[i].symbol;
    if (known && strlen(known) == length && memcmp(known, symbol, length) == 0)
      return (AbiFunctionId)i;
  }
  return ABI_FUNCTION_COUNT;
}

char *abi_version_text(uint32_t version, char text[16])
{
  snprintf(text, 16, "%u.%u.%u", ABI_VERSION_MAJOR(version) & 1023u, ABI_VERSION_MINOR(version),
           ABI_VERSION_PATCH(version));
  return text;
}

AbiFunctionId abi_function_find(const char *symbol, size_t length)
{
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    const char *known = abi_functions[i].symbol;
    if (strlen(known) == length && memcmp(known, symbol, length) == 0) return (AbiFunctionId)i;
  }
  return ABI_FUNCTION_COUNT;
}

const char *abi_type_index_text(int32_t type_index, char text[48])
{
  for (size_t i = 0; i < sizeof type_indices / sizeof type_indices[0]; ++i) {
    if (type_indices[i].value != type_index) continue;
    snprintf(text, 48, "%s (%d)", type_indices[i].name, type_index);
    return text;
  }
  const char *shape = type_index >= kTVMFFIDynObjectBegin      ? "a dynamic object type"
                      : type_index >= kTVMFFIStaticObjectBegin ? "an unassigned object type"
                                                               : "no such type";
  snprintf(text, 48, "%d (%s)", type_index, shape);
  return text;
}

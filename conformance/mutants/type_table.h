// SPDX-License-Identifier: Apache-2.0
// What mutants of the type table look up in it.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_TYPE_TABLE_H_
#define TVMFFI_CONFORMANCE_MUTANTS_TYPE_TABLE_H_

#include <stdbool.h>

#include "mutants/mutant.h"

// The index of a type; -1 if the key is unknown.
static inline int32_t index_of(const TVMFFIByteArray *key)
{
  int32_t index = -1;
  if (TVMFFITypeKeyToIndex(key, &index) != 0) TVMFFIErrorSetRaised(NULL);
  return index;
}

static inline bool is_known(const TVMFFIByteArray *key)
{
  return index_of(key) >= 0;
}

// The field of this name; NULL if there is none.
static inline TVMFFIFieldInfo *field_of(int32_t type_index, const TVMFFIByteArray *name)
{
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  for (int32_t i = 0; type && i < type->num_fields; ++i) {
    TVMFFIFieldInfo *field = (TVMFFIFieldInfo *)type->fields + i;
    if (field->name.size == name->size && name->size > 0 &&
        memcmp(field->name.data, name->data, name->size) == 0)
      return field;
  }
  return NULL;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_TYPE_TABLE_H_

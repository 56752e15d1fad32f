// SPDX-License-Identifier: Apache-2.0
#include "abi/layout_tables.h"

const AbiStruct abi_structs[] = {
#define ABI_STRUCT(name, since, size) {#name, since, size},
#define ABI_FIELD(structure, field, since, offset, size)
#include "abi/structs.def"
};
const size_t abi_struct_count = sizeof abi_structs / sizeof abi_structs[0];

const AbiField abi_fields[] = {
#define ABI_STRUCT(name, since, size)
#define ABI_FIELD(structure, field, since, offset, size) {#structure, #field, since, offset, size},
#include "abi/structs.def"
};
const size_t abi_field_count = sizeof abi_fields / sizeof abi_fields[0];

const AbiEnumerator abi_enumerators[] = {
#define ABI_ENUMERATOR(enumeration, name, since, value) \
  {#enumeration, "kTVMFFI" #name, since, value},
#include "abi/flags.def"
};
const size_t abi_enumerator_count = sizeof abi_enumerators / sizeof abi_enumerators[0];

// The numbers of the tables and of the headers are written down independently; they have to agree.
#if UINTPTR_MAX == UINT64_MAX
#define ABI_STRUCT(name, since, size) \
  _Static_assert(sizeof(name) == (size), "size of " #name " is not " #size);
#define ABI_FIELD(structure, field, since, offset, size)                 \
  _Static_assert(offsetof(structure, field) == (offset),                 \
                 "offset of " #structure "." #field " is not " #offset); \
  _Static_assert(sizeof(((structure *)NULL)->field) == (size),           \
                 "size of " #structure "." #field " is not " #size);
#include "abi/structs.def"
#endif

#define ABI_ENUMERATOR(enumeration, name, since, value)                                     \
  _Static_assert((enumeration)kTVMFFI##name == (value), "kTVMFFI" #name " is not " #value); \
  _Static_assert(sizeof(enumeration) == 4, #enumeration " is not 32 bits wide");
#include "abi/flags.def"

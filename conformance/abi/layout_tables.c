// SPDX-License-Identifier: Apache-2.0
#include "abi/layout_tables.h"

const AbiStruct abi_structs[] = {
#define ABI_STRUCT(name, since, size, size_32) {#name, since},
#define ABI_FIELD(...)
#include "abi/structs.def"
};
const size_t abi_struct_count = sizeof abi_structs / sizeof abi_structs[0];

const AbiField abi_fields[] = {
#define ABI_STRUCT(...)
#define ABI_FIELD(structure, field, type, since, offset, size, offset_32, size_32) \
  {#structure, #field, #type, since},
#include "abi/structs.def"
};
const size_t abi_field_count = sizeof abi_fields / sizeof abi_fields[0];

#define UP(x, alignment) (((x) + (alignment)-1) / (alignment) * (alignment))

// Where the structs end and the fields lie: on machines with 64-bit pointers, on i386, and on
// others with 32-bit pointers.
static const size_t sizes_64_bit[] = {
#define ABI_STRUCT(name, since, size, size_32) size,
#define ABI_FIELD(...)
#include "abi/structs.def"
};

static const size_t sizes_i386[] = {
#define ABI_I64(x) UP(x, 4)
#define ABI_STRUCT(name, since, size, size_32) size_32,
#define ABI_FIELD(...)
#include "abi/structs.def"
};

static const size_t sizes_32_bit[] = {
#define ABI_I64(x) UP(x, 8)
#define ABI_STRUCT(name, since, size, size_32) size_32,
#define ABI_FIELD(...)
#include "abi/structs.def"
};

static const AbiPlace places_64_bit[] = {
#define ABI_STRUCT(...)
#define ABI_FIELD(structure, field, type, since, offset, size, offset_32, size_32) {offset, size},
#include "abi/structs.def"
};

static const AbiPlace places_i386[] = {
#define ABI_I64(x) UP(x, 4)
#define ABI_STRUCT(...)
#define ABI_FIELD(structure, field, type, since, offset, size, offset_32, size_32) \
  {offset_32, size_32},
#include "abi/structs.def"
};

static const AbiPlace places_32_bit[] = {
#define ABI_I64(x) UP(x, 8)
#define ABI_STRUCT(...)
#define ABI_FIELD(structure, field, type, since, offset, size, offset_32, size_32) \
  {offset_32, size_32},
#include "abi/structs.def"
};

size_t abi_struct_size(size_t number, AbiMachine machine)
{
  static const size_t *const sizes[ABI_MACHINES] = {sizes_64_bit, sizes_i386, sizes_32_bit};
  return sizes[machine][number];
}

AbiPlace abi_field_place(size_t number, AbiMachine machine)
{
  static const AbiPlace *const places[ABI_MACHINES] = {places_64_bit, places_i386, places_32_bit};
  return places[machine][number];
}

// The numbers of the tables and of the headers are written down independently; they have to agree.
#define SAME_SIZE(name, size) \
  _Static_assert(sizeof(name) == (size), "size of " #name " is not " #size);
#define SAME_PLACE(structure, field, offset, size)                       \
  _Static_assert(offsetof(structure, field) == (offset),                 \
                 "offset of " #structure "." #field " is not " #offset); \
  _Static_assert(sizeof(((structure *)NULL)->field) == (size),           \
                 "size of " #structure "." #field " is not " #size);
#define SAME_TYPE(structure, field, type)                                                    \
  _Static_assert(_Generic(&((structure *)NULL)->field, __typeof__(type) * : 1, default : 0), \
                 "type of " #structure "." #field);

#if UINTPTR_MAX == UINT64_MAX
#define ABI_STRUCT(name, since, size, size_32) SAME_SIZE(name, size)
#define ABI_FIELD(structure, field, type, since, offset, size, offset_32, size_32) \
  SAME_PLACE(structure, field, offset, size)
#include "abi/structs.def"
#elif UINTPTR_MAX == UINT32_MAX
struct behind_a_byte {
  char byte;
  int64_t integer;
};
#define ABI_I64(x) UP(x, offsetof(struct behind_a_byte, integer))
#define ABI_STRUCT(name, since, size, size_32) SAME_SIZE(name, size_32)
#define ABI_FIELD(structure, field, type, since, offset, size, offset_32, size_32) \
  SAME_PLACE(structure, field, offset_32, size_32)
#include "abi/structs.def"
#else
#error "structs.def says nothing of machines with such pointers"
#endif

#define ABI_ENUMERATOR(enumeration, name, since, value)                                     \
  _Static_assert((enumeration)kTVMFFI##name == (value), "kTVMFFI" #name " is not " #value); \
  _Static_assert(sizeof(enumeration) == 4, #enumeration " is not 32 bits wide");
#include "abi/flags.def"

#define ABI_STRUCT(...)
#define ABI_FIELD(structure, field, type, ...) SAME_TYPE(structure, field, type)
#include "abi/structs.def"

// SPDX-License-Identifier: Apache-2.0
// The table of structs.def as arrays: where every field of every struct of the C API is. Compiling
// them proves that the public headers of this project agree on the machine they are compiled for,
// and with flags.def.
#ifndef TVMFFI_CONFORMANCE_ABI_LAYOUT_TABLES_H_
#define TVMFFI_CONFORMANCE_ABI_LAYOUT_TABLES_H_

#include "abi/abi.h"

// Machines by how they lay out structs.
typedef enum AbiMachine {
  ABI_64_BIT,  // pointers of 64 bits
  ABI_I386,    // pointers of 32 bits; integers of 64 bits begin at multiples of 4
  ABI_32_BIT,  // pointers of 32 bits; integers of 64 bits begin at multiples of 8: ARM, WebAssembly
  ABI_MACHINES
} AbiMachine;

typedef struct AbiField {
  const char *structure;  // "TVMFFIErrorCell"
  const char *name;       // "cause_chain"
  const char *type;       // "TVMFFIObjectHandle"
  uint32_t since;         // ABI_VERSION of the first version that has it
} AbiField;

typedef struct AbiStruct {
  const char *name;  // "TVMFFIErrorCell"
  uint32_t since;
} AbiStruct;

typedef struct AbiPlace {
  size_t offset, size;  // in bytes; members of a union overlap
} AbiPlace;

// In the order of structs.def: the fields of a struct stand together, by offset. They live for
// ever.
extern const AbiStruct abi_structs[];
extern const size_t abi_struct_count;
extern const AbiField abi_fields[];
extern const size_t abi_field_count;

// The size of the struct, in the newest version, and the place of the field, by their number in the
// arrays above.
size_t abi_struct_size(size_t number, AbiMachine machine);
AbiPlace abi_field_place(size_t number, AbiMachine machine);

#endif  // TVMFFI_CONFORMANCE_ABI_LAYOUT_TABLES_H_

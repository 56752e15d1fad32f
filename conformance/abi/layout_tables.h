// SPDX-License-Identifier: Apache-2.0
// The tables of structs.def and flags.def as arrays: where every field of every struct of the C API
// is on machines with pointers of 64 bits, and what every flag is. Compiling them proves that the
// public headers of this project agree.
#ifndef TVMFFI_CONFORMANCE_ABI_LAYOUT_TABLES_H_
#define TVMFFI_CONFORMANCE_ABI_LAYOUT_TABLES_H_

#include "abi/abi.h"

typedef struct AbiField {
  const char *structure;  // "TVMFFIErrorCell"
  const char *name;       // "cause_chain"
  uint32_t since;         // ABI_VERSION of the first version that has it
  size_t offset, size;    // in bytes; members of a union overlap
} AbiField;

typedef struct AbiStruct {
  const char *name;  // "TVMFFIErrorCell"
  uint32_t since;
  size_t size;  // in bytes, in the newest version
} AbiStruct;

typedef struct AbiEnumerator {
  const char *enumeration;  // "TVMFFISEqHashKind"
  const char *name;         // "kTVMFFISEqHashKindTreeNode"
  uint32_t since;           // of the name; others may stand for the same value
  int32_t value;
} AbiEnumerator;

// In the order of structs.def: the fields of a struct stand together, by offset. They live for
// ever.
extern const AbiStruct abi_structs[];
extern const size_t abi_struct_count;
extern const AbiField abi_fields[];
extern const size_t abi_field_count;

// In the order of flags.def, and so by enumeration.
extern const AbiEnumerator abi_enumerators[];
extern const size_t abi_enumerator_count;

#endif  // TVMFFI_CONFORMANCE_ABI_LAYOUT_TABLES_H_

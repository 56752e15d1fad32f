// SPDX-License-Identifier: Apache-2.0
// What a C header and its comments would say of each function: its prototype, and who owns what it is
// handed and what it gives back. Also the callbacks, the type indices and the flags as arrays.
#ifndef TVMFFI_CONFORMANCE_ABI_PROTOTYPES_H_
#define TVMFFI_CONFORMANCE_ABI_PROTOTYPES_H_

#include "abi/abi.h"

// Writes "int TVMFFIObjectIncRef(TVMFFIObjectHandle obj)" into `text`, which has room for
// ABI_PROTOTYPE_MAX bytes, and returns it.
enum { ABI_PROTOTYPE_MAX = 512 };
char *abi_prototype(AbiFunctionId function, char text[ABI_PROTOTYPE_MAX]);

typedef enum AbiWhose {
  ABI_BORROWED,
  ABI_TAKEN,
  ABI_KEPT,
  ABI_WRITTEN,
  ABI_OWNED,
  ABI_LENT,
  ABI_WHOSE_COUNT
} AbiWhose;

const char *abi_whose_name(AbiWhose whose);  // "owned by the caller"

typedef struct AbiOwnership {
  AbiFunctionId function;
  const char *parameter;  // "returns" for the result
  AbiWhose whose;
  const char *detail;  // "" for none
} AbiOwnership;

// In the order of ownership.def: the rows of a function stand together.
extern const AbiOwnership abi_ownership[];
extern const size_t abi_ownership_count;

typedef struct AbiCallback {
  const char *name;
  const char *type;  // "int (*)(void *field, TVMFFIAny *result)"
} AbiCallback;

extern const AbiCallback abi_callbacks[];
extern const size_t abi_callback_count;

// A name of an enumeration: a type index or a flag.
typedef struct AbiEnumerator {
  const char *enumeration;  // "TVMFFIFieldFlagBitMask"
  const char *name;         // "kTVMFFIFieldFlagBitMaskWritable"
  int32_t value;
  uint32_t since;
  const char *key;  // of a type index: its type key, "" for none; NULL for others
  unsigned where;   // of a type index: ABI_IN_VIEW, ABI_IN_OWNED
} AbiEnumerator;

enum { ABI_IN_VIEW = 1, ABI_IN_OWNED = 2 };

// The type indices, then the flags.
extern const AbiEnumerator abi_enumerators[];
extern const size_t abi_enumerator_count;

#endif  // TVMFFI_CONFORMANCE_ABI_PROTOTYPES_H_

// SPDX-License-Identifier: Apache-2.0
// Kinds of values that functions take, and the ways to hand them over.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_KINDS_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_KINDS_H_

#include <stdbool.h>
#include <stdint.h>

typedef enum KernelKind {
  KERNEL_ANY = 0,  // not known, or anything is taken
  KERNEL_NONE,
  KERNEL_INT,
  KERNEL_BOOL,
  KERNEL_FLOAT,
  KERNEL_POINTER,
  KERNEL_DTYPE,
  KERNEL_DEVICE,
  KERNEL_STRING,
  KERNEL_BYTES,
  KERNEL_SHAPE,
  KERNEL_TENSOR,
  KERNEL_FUNCTION,
  KERNEL_OBJECT,  // of the type whose key is in `type_key`, "" for any object
  KERNEL_ARRAY,
  KERNEL_TUPLE,
  KERNEL_MAP,
  KERNEL_VARIANT,
  KERNEL_KIND_COUNT
} KernelKind;

extern const char *const kernel_kind_names[KERNEL_KIND_COUNT];  // "any", "none", "int", ...

typedef enum KernelRole { KERNEL_IN = 0, KERNEL_OUT, KERNEL_INOUT, KERNEL_SCRATCH } KernelRole;

// Whether what a tensor of this role holds before the call means something, and after it.
bool kernel_role_is_read(KernelRole role);
bool kernel_role_is_given(KernelRole role);

// How a value of a kind may be handed over: the type indices that mean the same, as bits. Words for
// them are in `kernel_spellings`.
enum {
  KERNEL_SPELLED_BORROWED = 1 << 0,    // a DLTensor (7)
  KERNEL_SPELLED_RAW = 1 << 1,         // a C string (8)
  KERNEL_SPELLED_BYTE_ARRAY = 1 << 2,  // (9)
  KERNEL_SPELLED_SMALL = 1 << 3,       // in the value itself (11, 12)
  KERNEL_SPELLED_OBJECT = 1 << 4,      // (65, 66, 70)
  // A string in each of its spellings, and bytes in none.
  KERNEL_SPELLED_AS_STRING = KERNEL_SPELLED_RAW | KERNEL_SPELLED_SMALL | KERNEL_SPELLED_OBJECT,
};

// The spellings of tensors, strings and bytes: kinds that are listed nowhere have one.
typedef struct KernelSpelling {
  KernelKind kind;
  const char *name;  // "borrowed", "raw", "byte_array", "small", "object"
  unsigned bit;
  int32_t type_index;
} KernelSpelling;

enum { KERNEL_SPELLING_COUNT = 8 };
extern const KernelSpelling kernel_spellings[KERNEL_SPELLING_COUNT];

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_KINDS_H_

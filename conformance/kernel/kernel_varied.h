// SPDX-License-Identifier: Apache-2.0
// Calls that differ from the example in one respect, all tensors beside unmapped memory. Whether such
// a call is right nobody knows.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_VARIED_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_VARIED_H_

#include "kernel/kernel_call.h"

enum { VARIATIONS_MAX = 192 };

typedef enum VariedPart {
  VARIED_NOTHING,  // but where the tensors lie
  VARIED_EXTENT,   // of one dimension
  VARIED_SYMBOL,   // all extents that are the same size
  VARIED_LARGE,    // all extents with names, so that the work may be shared by threads; floats are
                   // all the same
  VARIED_RANK,
  VARIED_TALLER,  // all tensors of this rank have another dimension in front, this one a shorter one
  VARIED_DTYPE,
  VARIED_ELEMENT,  // the first or the last one, or all, of a tensor
  VARIED_NUMBER,   // an int or a float
  VARIED_TEXT,     // a string or bytes
  VARIED_NONE,     // in the place of what may be None
  VARIED_TYPE,     // a data type among the values
  VARIED_DEVICE,   // a device among the values: one that is not the host
} VariedPart;

typedef struct Variation {
  VariedPart part;
  int position;     // of the parameter
  int32_t axis;     // of the extent; of elements: 0 the first, 1 the last, 2 all, 3 the middle one;
                    // of a data type: 1 if whole numbers are all the same
  int64_t integer;  // the extent, the rank, the int
  double number;    // the element or float
  const TVMFFIByteArray *text;  // static
  DLDataType dtype;
  bool at_start;
  bool keeps_elements;  // whole numbers are those of the example, whatever extents are
} Variation;

typedef struct Variations {
  Variation items[VARIATIONS_MAX];
  unsigned count;
} Variations;

// A call that is varied so: `variation` is a Variation. As kernel_explore.h wants it.
KernelCall *kernel_varied_call(Iut *iut, const Kernel *kernel, const void *variation);

// Adds what can be varied of one kind, each twice: with the tensors before and behind unmapped
// memory.
typedef void AddVariations(const Kernel *kernel, int position, Variations *variations);
AddVariations kernel_vary_nothing, kernel_vary_extents, kernel_vary_symbols, kernel_vary_large,
    kernel_vary_ranks, kernel_vary_dtypes, kernel_vary_elements, kernel_vary_numbers,
    kernel_vary_texts, kernel_vary_types, kernel_vary_device, kernel_vary_none;

// Has all extents with names be so large that the work may be shared by threads, and whole numbers be
// the first of the example. False if there are none, or too many.
bool kernel_make_large(Kernel *kernel);
// Has whole numbers in tensors be all the first of the example, but for offsets and parts and where
// they are listed: they may be places in other tensors.
void kernel_keep_to_first(Kernel *kernel);

// Makes `other` the same call with other elements in its tensors. False if they can't be others.
bool kernel_with_other_data(const Kernel *kernel, Kernel *other);

// Whether a parameter is a tensor of which more is known than that; whether elements are integers.
bool kernel_is_typed_tensor(const Kernel *kernel, unsigned position);
bool kernel_dtype_is_whole(DLDataType dtype);
// Whether extents or ranks are varied.
bool kernel_varies_shape(VariedPart part);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_VARIED_H_

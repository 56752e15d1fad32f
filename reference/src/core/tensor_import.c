// SPDX-License-Identifier: Apache-2.0
// Tensors of DLPack tensors. Everything is checked before anything is taken: a refused tensor stays
// the caller's (TEN-11). What is wrong is found out only after it is known that something is.
#include <stdbool.h>

#include "core/raise.h"
#include "core/tensor.h"

//--------------------------------------------------------------------------------------------------
// What can be wrong
//--------------------------------------------------------------------------------------------------

// Tells whether the data pointer is an address that the host can do arithmetic with.
static inline bool tensor_has_address(const DLTensor *tensor)
{
  const uint64_t types = 1 << kDLCPU | 1 << kDLCUDA | 1 << kDLCUDAHost | 1 << kDLROCM |
                         1 << kDLROCMHost | 1 << kDLCUDAManaged;
  unsigned type = (unsigned)tensor->device.device_type;
  return OFTEN(type < 64 && (types >> type & 1) != 0);
}

static inline bool tensor_is_aligned(const DLTensor *tensor, int32_t alignment)
{
  if (!OFTEN(alignment > 0)) return alignment == 0;                              // TEN-12
  uint64_t address = tensor->byte_offset, unit = (uint64_t)alignment;            // TEN-13
  if (tensor_has_address(tensor)) address += (uint64_t)(uintptr_t)tensor->data;  // TEN-13
  if (OFTEN((unit & (unit - 1)) == 0)) return (address & (unit - 1)) == 0;
  return address % unit == 0;
}

static bool tensor_has_elements(const DLTensor *tensor)
{
  for (int64_t i = 0; i < tensor->ndim; ++i) {
    if (tensor->shape[i] == 0) return false;
  }
  return true;
}

// Looks at all extents and strides once: tells whether they are contiguous, and whether an extent
// is negative. Sizes are multiplied without sign, because what overflows may yet be a tensor
// without elements.
typedef struct {
  int64_t signs;  // negative if an extent is
  bool contiguous;
} TensorSurvey;

static inline TensorSurvey tensor_survey(const DLTensor *tensor)
{
  const int64_t *shape = tensor->shape, *strides = tensor->strides;
  TensorSurvey survey = {0, true};
  uint64_t expected = 1;
  for (int64_t i = tensor->ndim - 1; i >= 0; --i) {
    int64_t extent = shape[i];
    survey.signs |= extent;
    if (extent == 1) continue;                                                // TEN-18
    if (!OFTEN((uint64_t)strides[i] == expected)) survey.contiguous = false;  // TEN-16
    expected *= (uint64_t)extent;
  }
  return survey;
}

RAISE_COLD static int tensor_refuse_extents(const char *function, const DLTensor *tensor)
{
  if (!tensor_has_good_extents(tensor)) {
    return tensor_refuse_shape(function, "from->dl_tensor.", tensor);
  }
  return raise_error("ValueError", function,
                     ": `from->dl_tensor.shape` has more elements than can be counted", NULL);
}

RAISE_COLD static int tensor_refuse_address(const char *function, int32_t alignment)
{
  if (alignment < 0) return raise_negative(function, "require_alignment", alignment);
  return raise_error("RuntimeError", function, ": the data of `from` are not aligned to ",
                     raise_number(alignment).text, " bytes, as `require_alignment` asks",
                     NULL);  // TEN-15
}

RAISE_COLD static int tensor_refuse_strides(const char *function)
{
  return raise_error("RuntimeError", function, ": the data of `from` are not contiguous, as ",
                     "`require_contiguous` asks", NULL);
}

static inline bool tensor_is_known(const DLManagedTensorVersioned *from)
{
  return from->version.major <= DLPACK_MAJOR_VERSION &&
         !(from->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);  // TEN-20
}

RAISE_COLD static int tensor_refuse_unknown(const char *function,
                                            const DLManagedTensorVersioned *from)
{
  if (from->version.major > DLPACK_MAJOR_VERSION) {
    return raise_error("RuntimeError", function, ": `from->version` has the major version ",
                       raise_number(from->version.major).text, ", which is not known here", NULL);
  }
  return raise_error("RuntimeError", function, ": `from->flags` say that elements are padded to ",
                     "whole bytes, which is not supported", NULL);
}

//--------------------------------------------------------------------------------------------------
// The object
//--------------------------------------------------------------------------------------------------

// Tells whether no extent is negative, and no stride too large.
__attribute__((noinline)) static bool tensor_can_be_counted(const DLTensor *tensor)
{
  int64_t stride = 1;
  bool overflow = false;
  for (int64_t i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->shape[i] < 0) return false;
    overflow |= i != 0 && __builtin_mul_overflow(stride, tensor->shape[i], &stride);
  }
  return !overflow || !tensor_has_elements(tensor);
}

// Computes the strides of a tensor without (TEN-6). Returns false if it can't be counted. The
// product of three numbers of 20 bits fits, so that most tensors need no closer look.
static inline bool tensor_compute_strides(const DLTensor *tensor, int64_t *strides)
{
  const int64_t *shape = tensor->shape;
  uint64_t stride = 1, bits = (uint64_t)shape[0];
  for (int64_t i = tensor->ndim - 1; i > 0; --i) {
    strides[i] = (int64_t)stride;
    bits |= (uint64_t)shape[i];
    stride *= (uint64_t)shape[i];
  }
  strides[0] = (int64_t)stride;
  return OFTEN(tensor->ndim <= 4 && bits >> 20 == 0) || tensor_can_be_counted(tensor);
}

static inline bool tensor_lacks_strides(const DLTensor *tensor)
{
  return tensor->strides == NULL && OFTEN(tensor->ndim != 0);
}

// Returns 0 if the extents are good and, where that is asked for, the strides are contiguous.
static inline int tensor_check_strides(const char *function, const DLTensor *tensor,
                                       bool contiguous)
{
  if (!contiguous) {
    return tensor_is_negative(tensor) ? tensor_refuse_extents(function, tensor) : 0;
  }
  TensorSurvey survey = tensor_survey(tensor);
  if (survey.signs < 0) return tensor_refuse_extents(function, tensor);
  if (OFTEN(survey.contiguous) || !tensor_has_elements(tensor)) return 0;  // TEN-19
  return tensor_refuse_strides(function);
}

// What stands in the code once for each kind of tensor.
#define TENSOR_BY_KIND __attribute__((always_inline)) static inline

// Makes the object, when all demands are met. Shape, and strides if there are some, stay where they
// are (TEN-4, TEN-5, TEN-8).
TENSOR_BY_KIND int tensor_make(TensorKind kind, void *owner, const DLTensor *tensor,
                               TVMFFIObjectHandle *out)
{
  TensorObject *object = tensor_new(kind, owner, 0);
  if (object == NULL) return raise_out_of_memory();
  object->tensor = *tensor;
  *out = object;
  return 0;
}

// The same for a tensor without strides, of at least one dimension.
TENSOR_BY_KIND int tensor_make_with_strides(const char *function, TensorKind kind, void *owner,
                                            const DLTensor *tensor, TVMFFIObjectHandle *out)
{
  TensorObject *object = tensor_new(kind, owner, (size_t)tensor->ndim);
  if (object == NULL) return raise_out_of_memory();
  if (!tensor_compute_strides(tensor, object->extents)) {
    free(object);
    return tensor_refuse_extents(function, tensor);
  }
  object->tensor = *tensor;
  object->tensor.strides = object->extents;
  *out = object;
  return 0;
}

// Makes the object, when all demands but those of the strides are met.
TENSOR_BY_KIND int tensor_take(const char *function, TensorKind kind, void *owner,
                               const DLTensor *tensor, bool contiguous, TVMFFIObjectHandle *out)
{
  if (tensor_lacks_strides(tensor)) {  // TEN-17
    return tensor_make_with_strides(function, kind, owner, tensor, out);
  }
  if (tensor_check_strides(function, tensor, contiguous) != 0) return -1;
  return tensor_make(kind, owner, tensor, out);
}

// Not part of those who call them: so these check without the stack.
__attribute__((noinline)) static int tensor_take_managed(const char *function,
                                                         DLManagedTensor *from, bool contiguous,
                                                         TVMFFIObjectHandle *out)
{
  return tensor_take(function, TENSOR_OF_MANAGED, from, &from->dl_tensor, contiguous, out);
}

__attribute__((noinline)) static int tensor_take_versioned(const char *function,
                                                           DLManagedTensorVersioned *from,
                                                           bool contiguous, TVMFFIObjectHandle *out)
{
  return tensor_take(function, TENSOR_OF_VERSIONED, from, &from->dl_tensor, contiguous, out);
}

//--------------------------------------------------------------------------------------------------
// The import
//--------------------------------------------------------------------------------------------------

int tensor_import(const char *function, DLManagedTensorVersioned *from, TVMFFIObjectHandle *out)
{
  const DLTensor *tensor = &from->dl_tensor;
  if (!tensor_is_known(from)) return tensor_refuse_unknown(function, from);
  if (!tensor_has_extents(tensor)) return tensor_refuse_extents(function, tensor);
  return tensor_take_versioned(function, from, false, out);
}

// From the beginning of a cache line on, so that what stands before has no say in its speed.
__attribute__((aligned(64))) int TVMFFITensorFromDLPack(DLManagedTensor *from,
                                                        int32_t require_alignment,
                                                        int32_t require_contiguous,
                                                        TVMFFIObjectHandle *out)
{
  if (from == NULL) return raise_null(__func__, "from");
  if (out == NULL) return raise_null(__func__, "out");
  const DLTensor *tensor = &from->dl_tensor;
  if (!tensor_has_extents(tensor)) return tensor_refuse_extents(__func__, tensor);
  if (!tensor_is_aligned(tensor, require_alignment)) {
    return tensor_refuse_address(__func__, require_alignment);
  }
  return tensor_take_managed(__func__, from, require_contiguous != 0, out);
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned *from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (from == NULL) return raise_null(__func__, "from");
  if (out == NULL) return raise_null(__func__, "out");
  const DLTensor *tensor = &from->dl_tensor;
  if (!tensor_is_known(from)) return tensor_refuse_unknown(__func__, from);
  if (!tensor_has_extents(tensor)) return tensor_refuse_extents(__func__, tensor);
  if (!tensor_is_aligned(tensor, require_alignment)) {
    return tensor_refuse_address(__func__, require_alignment);
  }
  return tensor_take_versioned(__func__, from, require_contiguous != 0, out);
}

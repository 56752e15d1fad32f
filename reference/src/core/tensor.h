// SPDX-License-Identifier: Apache-2.0
// Tensor objects of this runtime. They own no data: somebody else's tensor, which they keep, does.
#ifndef REFERENCE_SRC_CORE_TENSOR_H_
#define REFERENCE_SRC_CORE_TENSOR_H_

#include <stdbool.h>
#include <stdlib.h>
#include <tvm/ffi/c_api.h>

#include "core/nest.h"
#include "core/object.h"
#include "core/raise.h"

// What a tensor gives back when it dies.
typedef enum {
  TENSOR_OF_MANAGED,    // owner: a DLManagedTensor
  TENSOR_OF_VERSIONED,  // owner: a DLManagedTensorVersioned
  TENSOR_VIEW,          // owner: another tensor object
} TensorKind;

typedef struct {
  TVMFFIObject header;
  DLTensor tensor;
  void *owner;  // own
  TensorKind kind;
  int64_t extents[];  // of shape or strides that are the tensor's own
} TensorObject;

// The deleters of what this runtime exports.
void tensor_delete_managed(DLManagedTensor *self);
void tensor_delete_versioned(DLManagedTensorVersioned *self);

// The deleters of tensors that have no tensor of this runtime behind them, by their kinds; for all
// others it is `nest_delete`.
void tensor_delete_of_managed(void *self, int flags);
void tensor_delete_of_versioned(void *self, int flags);
void tensor_delete_view(void *self, int flags);

// Returns the deleter for a tensor of this kind, which gives back `owner`.
static inline ObjectDeleter *tensor_deleter(TensorKind kind, const void *owner)
{
  const DLManagedTensor *managed = owner;
  const DLManagedTensorVersioned *versioned = owner;
  const TVMFFIObject *source = owner;
  switch (kind) {
    case TENSOR_OF_MANAGED:
      return managed->deleter == tensor_delete_managed ? nest_delete : tensor_delete_of_managed;
    case TENSOR_OF_VERSIONED:
      return versioned->deleter == tensor_delete_versioned ? nest_delete
                                                           : tensor_delete_of_versioned;
    default:
      return source->deleter == tensor_delete_view || source->deleter == nest_delete
                 ? nest_delete
                 : tensor_delete_view;
  }
}

// Makes a tensor with room for `extents` numbers, at most 2 * TENSOR_MAX_NDIM, whose DLTensor is
// still to be written.
// owner: own, unless it fails. Returns own; NULL if there is no memory.
static inline TensorObject *tensor_new(TensorKind kind, void *owner, size_t extents)
{
  TensorObject *tensor = malloc(sizeof(TensorObject) + extents * sizeof(int64_t));
  if (tensor == NULL) return NULL;
  object_init(&tensor->header, kTVMFFITensor, tensor_deleter(kind, owner));  // TEN-3, TEN-31
  tensor->owner = owner;
  tensor->kind = kind;
  return tensor;
}

// Ends what a dead tensor with another one of this runtime behind it holds.
void tensor_end(TVMFFIObject *tensor, Nest *nest);

// More dimensions than any tensor has: shapes that long are not read.
#define TENSOR_MAX_NDIM 65536

// What mostly holds: the code for it stands in a row.
#define OFTEN(condition) __builtin_expect(!!(condition), 1)

// Tells whether there are as many extents as dimensions.
static inline bool tensor_has_extents(const DLTensor *tensor)
{
  if (OFTEN(tensor->ndim > 0)) return tensor->shape != NULL && tensor->ndim <= TENSOR_MAX_NDIM;
  return tensor->ndim == 0;  // TEN-7
}

// Tells whether an extent is negative.
static inline bool tensor_is_negative(const DLTensor *tensor)
{
  int64_t signs = 0;
  for (int64_t i = 0; i < tensor->ndim; ++i) signs |= tensor->shape[i];
  return signs < 0;
}

// Tells whether the tensor has extents, and none of them is negative.
static inline bool tensor_has_good_extents(const DLTensor *tensor)
{
  return tensor_has_extents(tensor) && !tensor_is_negative(tensor);
}

// Raises ValueError for a tensor that has no good extents. `argument` is what stands before its
// fields: "prototype->".
RAISE_COLD int tensor_refuse_shape(const char *function, const char *argument,
                                   const DLTensor *tensor);

// Makes a tensor of a DLPack tensor that an allocator has made, as it is.
// from: own, unless it fails. out: own, written on success. Returns 0; -1 with an error.
int tensor_import(const char *function, DLManagedTensorVersioned *from, TVMFFIObjectHandle *out);

// The flags with which a tensor is exported: whether it is read-only. Tensors of other makers tell
// nothing.
uint64_t tensor_flags_behind(const TVMFFIObject *tensor);

static inline uint64_t tensor_flags(const TVMFFIObject *tensor)
{
  bool plain = tensor->deleter == tensor_delete_of_managed;
  return plain ? 0 : tensor_flags_behind(tensor);  // TEN-26
}

#endif  // REFERENCE_SRC_CORE_TENSOR_H_

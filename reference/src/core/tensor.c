// SPDX-License-Identifier: Apache-2.0
// Tensor objects, and views, which are tensors of other tensors.
#include "core/tensor.h"

#include <stdlib.h>
#include <string.h>

#include "core/raise.h"

//--------------------------------------------------------------------------------------------------
// End
//--------------------------------------------------------------------------------------------------

void tensor_delete_of_managed(void *self, int flags)
{
  TensorObject *tensor = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    DLManagedTensor *managed = tensor->owner;
    if (managed->deleter != NULL) managed->deleter(managed);  // TEN-9, TEN-10
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(tensor);
}

void tensor_delete_of_versioned(void *self, int flags)
{
  TensorObject *tensor = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    DLManagedTensorVersioned *managed = tensor->owner;
    if (managed->deleter != NULL) managed->deleter(managed);  // TEN-9, TEN-10
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(tensor);
}

void tensor_delete_view(void *self, int flags)
{
  TensorObject *view = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) object_release(view->owner);  // TEN-33
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(view);
}

// Returns the tensor that an owner keeps alive; NULL if the owner is somebody else's.
static TVMFFIObject *tensor_behind(const TensorObject *tensor)
{
  const DLManagedTensor *managed = tensor->owner;
  const DLManagedTensorVersioned *versioned = tensor->owner;
  switch (tensor->kind) {
    case TENSOR_OF_MANAGED:
      return managed->deleter == tensor_delete_managed ? managed->manager_ctx : NULL;
    case TENSOR_OF_VERSIONED:
      return versioned->deleter == tensor_delete_versioned ? versioned->manager_ctx : NULL;
    default:
      return tensor->owner;
  }
}

// What was exported by this runtime and imported again is dropped without a detour, and so a long
// chain of tensors, one behind the other, needs no deep stack.
void tensor_end(TVMFFIObject *tensor, Nest *nest)
{
  const TensorObject *dead = (const TensorObject *)tensor;
  TVMFFIObject *behind = tensor_behind(dead);
  if (dead->kind != TENSOR_VIEW) free(dead->owner);
  nest_drop(nest, behind);
}

static bool tensor_is_ours(const TVMFFIObject *tensor)
{
  ObjectDeleter *deleter = tensor->deleter;
  return deleter == tensor_delete_of_managed || deleter == tensor_delete_of_versioned ||
         deleter == tensor_delete_view || deleter == nest_delete;
}

uint64_t tensor_flags_behind(const TVMFFIObject *tensor)
{
  while (tensor != NULL && tensor_is_ours(tensor)) {
    const TensorObject *known = (const TensorObject *)tensor;
    if (known->kind == TENSOR_OF_VERSIONED) {
      const DLManagedTensorVersioned *managed = known->owner;
      return managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY;  // TEN-27
    }
    tensor = tensor_behind(known);
  }
  return 0;
}

int tensor_refuse_shape(const char *function, const char *argument, const DLTensor *tensor)
{
  const char *why = "shape` has an extent that is negative";
  if (tensor->shape == NULL) why = "shape` must not be NULL";
  if (tensor->ndim < 0) why = "ndim` must not be negative";
  if (tensor->ndim > TENSOR_MAX_NDIM) why = "ndim` is more than any tensor has";
  return raise_error("ValueError", function, ": `", argument, why, NULL);
}

//--------------------------------------------------------------------------------------------------
// Views
//--------------------------------------------------------------------------------------------------

static int tensor_check_view(const char *function, const TVMFFIObject *source,
                             const DLTensor *prototype, const TVMFFIObjectHandle *out)
{
  if (source == NULL) return raise_null(function, "source");
  if (prototype == NULL) return raise_null(function, "prototype");
  if (out == NULL) return raise_null(function, "out");
  if (source->type_index != kTVMFFITensor) {
    return raise_wrong_type(function, "source", "a Tensor", source->type_index);
  }
  if (!tensor_has_good_extents(prototype)) {
    return tensor_refuse_shape(function, "prototype->", prototype);
  }
  if (prototype->ndim == 0 || prototype->strides != NULL) return 0;
  return raise_error("InternalError", function, ": `prototype->strides` must not be NULL", NULL);
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor *prototype,
                                 TVMFFIObjectHandle *out)
{
  if (tensor_check_view(__func__, source, prototype, out) != 0) return -1;  // TEN-34
  size_t ndim = (size_t)prototype->ndim;
  TensorObject *view = tensor_new(TENSOR_VIEW, source, 2 * ndim);
  if (view == NULL) return raise_out_of_memory();
  object_retain(source);
  view->tensor = *prototype;
  view->tensor.shape = view->extents;  // TEN-32
  view->tensor.strides = view->extents + ndim;
  if (ndim != 0) {
    memcpy(view->tensor.shape, prototype->shape, ndim * sizeof(int64_t));
    memcpy(view->tensor.strides, prototype->strides, ndim * sizeof(int64_t));
  }
  *out = view;
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// DLPack tensors of tensors. Each is a struct of its own that holds a reference; shape and strides
// stay the tensor's.
#include <stdlib.h>

#include "core/object.h"
#include "core/raise.h"
#include "core/tensor.h"

void tensor_delete_managed(DLManagedTensor *self)
{
  if (self == NULL) return;
  object_release(self->manager_ctx);  // TEN-23
  free(self);
}

void tensor_delete_versioned(DLManagedTensorVersioned *self)
{
  if (self == NULL) return;
  object_release(self->manager_ctx);
  free(self);
}

static int tensor_check_export(const char *function, const TVMFFIObject *from, const void *out)
{
  if (from == NULL) return raise_null(function, "from");
  if (out == NULL) return raise_null(function, "out");
  if (from->type_index == kTVMFFITensor) return 0;
  return raise_wrong_type(function, "from", "a Tensor", from->type_index);
}

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor **out)
{
  if (tensor_check_export(__func__, from, out) != 0) return -1;
  DLManagedTensor *managed = malloc(sizeof *managed);  // TEN-24
  if (managed == NULL) return raise_out_of_memory();
  object_retain(from);
  managed->dl_tensor = *(const DLTensor *)((TVMFFIObject *)from + 1);  // TEN-21, TEN-22
  managed->manager_ctx = from;
  managed->deleter = tensor_delete_managed;
  *out = managed;
  return 0;
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned **out)
{
  if (tensor_check_export(__func__, from, out) != 0) return -1;
  DLManagedTensorVersioned *managed = malloc(sizeof *managed);
  if (managed == NULL) return raise_out_of_memory();
  object_retain(from);
  managed->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};  // TEN-25
  managed->manager_ctx = from;
  managed->deleter = tensor_delete_versioned;
  managed->flags = tensor_flags(from);
  managed->dl_tensor = *(const DLTensor *)((TVMFFIObject *)from + 1);
  *out = managed;
  return 0;
}

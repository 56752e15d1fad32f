// SPDX-License-Identifier: Apache-2.0
// Mutants of exported tensors.
#include <unistd.h>

#include "mutants/counts.h"

static _Thread_local TVMFFIObjectHandle exported;
static _Thread_local DLManagedTensor *given;

MUTANT(TEN_21, device_id_lost, TensorToDLPackVersioned, "every export is on device 0")
{
  int status = REFERENCE(TensorToDLPackVersioned)(from, out);
  if (status == 0) (*out)->dl_tensor.device.device_id = 0;
  return status;
}

MUTANT(TEN_21, offset_added, TensorToDLPack,
       "the byte offset is added to the data pointer of an export")
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  DLTensor *tensor = &(*out)->dl_tensor;
  tensor->data = (char *)tensor->data + tensor->byte_offset;
  tensor->byte_offset = 0;
  return 0;
}

MUTANT(TEN_22, strides_left_out, TensorToDLPack, "a contiguous tensor is exported without strides")
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  DLTensor *tensor = &(*out)->dl_tensor;
  int64_t expected = 1;
  for (int i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->strides[i] != expected) return 0;
    expected *= tensor->shape[i];
  }
  tensor->strides = NULL;
  return 0;
}

MUTANT(TEN_23, reference_forgotten, TensorToDLPackVersioned,
       "an export in the form with a version does not keep the tensor alive")
{
  int status = REFERENCE(TensorToDLPackVersioned)(from, out);
  if (status == 0) TVMFFIObjectDecRef(from);
  return status;
}

MUTANT(TEN_23, two_references, TensorToDLPack, "an export holds two references")
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status == 0) TVMFFIObjectIncRef(from);
  return status;
}

static _Thread_local unsigned holders;

static void (*delete_given)(DLManagedTensor *);

static void let_go(DLManagedTensor *self)
{
  if (self == given && --holders > 0) {
    TVMFFIObjectDecRef(exported);
    return;
  }
  if (self == given) given = NULL, exported = NULL;
  delete_given(self);
}

MUTANT(TEN_24, one_for_all, TensorToDLPack,
       "a tensor that is exported again gives what it gave before")
{
  if (given && from == exported) {
    *out = given;
    ++holders;
    return TVMFFIObjectIncRef(from);
  }
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  exported = from;
  given = *out;
  holders = 1;
  delete_given = given->deleter;
  given->deleter = let_go;
  return 0;
}

MUTANT(TEN_25, version_left_out, TensorToDLPackVersioned, "the version of an export is not written")
{
  int status = REFERENCE(TensorToDLPackVersioned)(from, out);
  if (status == 0) memset(&(*out)->version, 0, sizeof(*out)->version);
  return status;
}

MUTANT(TEN_26, copied, TensorToDLPackVersioned, "every export is said to be a copy")
{
  int status = REFERENCE(TensorToDLPackVersioned)(from, out);
  if (status == 0) (*out)->flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
  return status;
}

MUTANT(TEN_28, a_little_is_lost, TensorToDLPack, "every export loses a few bytes")
{
  static void *lost;
  void **block = malloc(16);
  if (block) *block = lost;
  lost = block;
  return REFERENCE(TensorToDLPack)(from, out);
}

MUTANT(TEN_28, refusals_are_kept, TensorFromDLPackVersioned, "every refusal loses a few bytes")
{
  static void *lost;
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  void **block = status != 0 ? malloc(16) : NULL;
  if (block) {
    *block = lost;
    lost = block;
  }
  return status;
}

MUTANT(TEN_29, unwrapped, TensorToDLPack,
       "an export that is imported again is the tensor that it came from")
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  exported = from;
  given = *out;
  return 0;
}

ALSO(TEN_29, unwrapped, TensorFromDLPack)
{
  if (!given || from != given)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  given = NULL;
  *out = exported;
  TVMFFIObjectIncRef(exported);
  from->deleter(from);
  return 0;
}

MUTANT(TEN_30, counted_without_atomics, TensorToDLPack,
       "an export reads the count and writes it back higher, in two steps")
{
  static _Thread_local unsigned calls;
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  TVMFFIObjectDecRef(from);
  raise_in_two_steps(from, ++calls % 16 == 0);
  return 0;
}

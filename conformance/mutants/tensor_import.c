// SPDX-License-Identifier: Apache-2.0
// Mutants of imported tensors.
#include "mutants/deleter.h"
#include "mutants/object_body.h"

MUTANT_WITHOUT(TEN_1, no_versioned_export, TensorToDLPackVersioned,
               "tensors are exported in the form without a version only");

static void nothing(DLManagedTensor *self)
{
  (void)self;
}

MUTANT(TEN_3, deleted_at_once, TensorFromDLPack,
       "the deleter of a DLPack tensor runs as soon as it was imported")
{
  static DLManagedTensor copies[1024];
  static unsigned count;
  DLManagedTensor *copy = &copies[count++ % 1024];
  *copy = *from;
  if (copy->deleter) copy->deleter = nothing;
  int status = REFERENCE(TensorFromDLPack)(copy, require_alignment, require_contiguous, out);
  if (status == 0 && from->deleter) from->deleter(from);
  return status;
}

MUTANT(TEN_3, two_references, TensorFromDLPack, "a new tensor has two references")
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}

MUTANT(TEN_4, extents_of_32_bits, TensorFromDLPackVersioned, "extents are kept in 32 bits")
{
  static _Thread_local int64_t extents[32];
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  DLTensor *body = tensor_body(*out);
  for (int i = 0; i < body->ndim; ++i) extents[i] = (int32_t)body->shape[i];
  if (body->ndim > 0) body->shape = extents;
  return 0;
}

MUTANT(TEN_4, offset_added, TensorFromDLPack, "the byte offset is added to the data pointer")
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  DLTensor *body = tensor_body(*out);
  body->data = (char *)body->data + body->byte_offset;
  body->byte_offset = 0;
  return 0;
}

MUTANT(TEN_5, stride_of_one_made_regular, TensorFromDLPack,
       "the stride of a dimension of extent 1 is made what it would be in a contiguous tensor")
{
  static _Thread_local int64_t strides[32];
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0 || !from->dl_tensor.strides) return status;
  DLTensor *body = tensor_body(*out);
  int64_t next = 1;
  for (int i = body->ndim - 1; i >= 0; --i) {
    strides[i] = body->shape[i] == 1 ? next : body->strides[i];
    next = strides[i] * body->shape[i];
  }
  body->strides = strides;
  return 0;
}

MUTANT(TEN_5, strides_always_computed, TensorFromDLPackVersioned,
       "the strides that a DLPack tensor has are not looked at")
{
  static _Thread_local int64_t strides[32];
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status != 0 || !from->dl_tensor.strides) return status;
  DLTensor *body = tensor_body(*out);
  int64_t next = 1;
  for (int i = body->ndim - 1; i >= 0; --i) {
    strides[i] = next;
    next *= body->shape[i];
  }
  body->strides = strides;
  return 0;
}

MUTANT(TEN_6, strides_left_out, TensorFromDLPack, "a tensor whose strides are missing has none")
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0 || from->dl_tensor.strides) return status;
  DLTensor *body = tensor_body(*out);
  body->strides = NULL;
  return 0;
}

MUTANT(TEN_7, not_contiguous, TensorFromDLPackVersioned,
       "a tensor without dimensions is not contiguous")
{
  if (from->dl_tensor.ndim > 0 || !require_contiguous)
    return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  return fail("RuntimeError", "the tensor is not contiguous");
}

MUTANT(TEN_7, shape_demanded, TensorFromDLPack,
       "a tensor without shape is refused, though it has no dimensions")
{
  if (from->dl_tensor.shape)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  return fail("ValueError", "the tensor has no shape");
}

MUTANT(TEN_8, flag_added, TensorFromDLPackVersioned, "an imported tensor is marked as shared")
{
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status == 0) from->flags |= UINT64_C(1) << 63;
  return status;
}

MUTANT(TEN_8, strides_written_back, TensorFromDLPack,
       "the strides that are filled in are given to the DLPack tensor as well")
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  DLTensor *body = tensor_body(*out);
  if (!from->dl_tensor.strides && body->ndim > 0) from->dl_tensor.strides = body->strides;
  return 0;
}

MUTANT(TEN_9, called_for_each_flag, TensorFromDLPackVersioned,
       "the deleter of a DLPack tensor runs for each flag of the tensor's deleter")
{
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  replace_deleter(*out, delete_for_each_flag);
  return 0;
}

MUTANT(TEN_9, ends_with_the_memory, TensorFromDLPack,
       "the deleter of a DLPack tensor runs when the memory of the tensor is freed")
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  replace_deleter(*out, delete_with_the_memory);
  return 0;
}

static void free_memory(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

MUTANT(TEN_9, never_called, TensorFromDLPack, "the deleter of a DLPack tensor is forgotten")
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  replace_deleter(*out, free_memory);
  return 0;
}

MUTANT(TEN_10, deleter_demanded, TensorFromDLPack, "a DLPack tensor without deleter is refused")
{
  if (from->deleter)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  return fail("ValueError", "the tensor has no deleter");
}

MUTANT(TEN_11, deleted, TensorFromDLPack, "a DLPack tensor that is refused is deleted")
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0 && from->deleter) from->deleter(from);
  return status;
}

MUTANT(TEN_41, output_cleared, TensorFromDLPackVersioned, "the output is NULL after a refusal")
{
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status != 0) *out = NULL;
  return status;
}

MUTANT(TEN_12, 64_bytes_demanded, TensorFromDLPack, "every tensor must be aligned to 64 bytes")
{
  uintptr_t address = (uintptr_t)from->dl_tensor.data + from->dl_tensor.byte_offset;
  if (require_alignment != 0 || address % 64 == 0)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  return fail("RuntimeError", "the data are not aligned to 64 bytes");
}

MUTANT(TEN_12, contiguity_demanded, TensorFromDLPackVersioned, "every tensor must be contiguous")
{
  return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, 1, out);
}

MUTANT(TEN_17, missing_strides_refused, TensorFromDLPack,
       "a tensor without strides is refused where contiguity is required")
{
  if (!require_contiguous || from->dl_tensor.strides || from->dl_tensor.ndim == 0)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  return fail("RuntimeError", "the tensor has no strides");
}

MUTANT(TEN_18, every_stride_compared, TensorFromDLPack,
       "the stride of a dimension of extent 1 is compared like the others")
{
  const DLTensor *tensor = &from->dl_tensor;
  int64_t expected = 1;
  for (int i = tensor->ndim - 1; i >= 0 && require_contiguous && tensor->strides; --i) {
    if (tensor->shape[i] == 1 && tensor->strides[i] != expected)
      return fail("RuntimeError", "the tensor is not contiguous");
    expected *= tensor->shape[i];
  }
  return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
}

MUTANT(TEN_19, strides_compared, TensorFromDLPack,
       "the strides of a tensor without elements are compared like those of others")
{
  const DLTensor *tensor = &from->dl_tensor;
  int64_t expected = 1;
  for (int i = tensor->ndim - 1; i >= 0 && require_contiguous && tensor->strides; --i) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != expected)
      return fail("RuntimeError", "the tensor is not contiguous");
    expected *= tensor->shape[i];
  }
  return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
}

MUTANT(TEN_42, only_the_flag_alone, TensorFromDLPackVersioned,
       "padded elements are noticed only where no other flag is set")
{
  uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  if (!(from->flags & padded) || from->flags == padded)
    return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  static DLManagedTensorVersioned packed;
  packed = *from;
  packed.flags = 0;
  return REFERENCE(TensorFromDLPackVersioned)(&packed, require_alignment, require_contiguous, out);
}

MUTANT(TEN_42, padding_accepted, TensorFromDLPackVersioned,
       "a tensor whose elements are padded is imported")
{
  if (!(from->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED))
    return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  static DLManagedTensorVersioned packed;
  packed = *from;
  packed.flags = 0;
  return REFERENCE(TensorFromDLPackVersioned)(&packed, require_alignment, require_contiguous, out);
}

MUTANT(TEN_20, read_only_refused, TensorFromDLPackVersioned,
       "a tensor that is read-only is refused")
{
  if (!(from->flags & DLPACK_FLAG_BITMASK_READ_ONLY))
    return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  return fail("RuntimeError", "the tensor is read-only");
}

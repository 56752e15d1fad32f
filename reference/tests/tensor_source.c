// SPDX-License-Identifier: Apache-2.0
#include "tensor_source.h"

#include <string.h>

#include "probe.h"

static void delete_managed(DLManagedTensor *self)
{
  Source *source = self->manager_ctx;
  ++source->deletions;
  source->deleted = self;
}

static void delete_versioned(DLManagedTensorVersioned *self)
{
  Source *source = self->manager_ctx;
  ++source->deletions;
  source->deleted = self;
}

void source_set(Source *source, const DLTensor *tensor)
{
  source->managed.dl_tensor = source->versioned.dl_tensor = *tensor;
}

void source_init(Source *source, int32_t ndim, const int64_t *shape, const int64_t *strides)
{
  memset(source, 0, sizeof *source);
  DLTensor tensor = {
      .data = source->data,
      .device = {kDLCPU, 0},
      .ndim = ndim,
      .dtype = {kDLFloat, 32, 1},
      .shape = source->shape,
      .strides = strides == NULL ? NULL : source->strides,
  };
  for (int32_t i = 0; i < ndim; ++i) {
    source->shape[i] = shape[i];
    if (strides != NULL) source->strides[i] = strides[i];
  }
  source_set(source, &tensor);
  source->managed.manager_ctx = source->versioned.manager_ctx = source;
  source->managed.deleter = delete_managed;
  source->versioned.deleter = delete_versioned;
  source->versioned.version = (DLPackVersion){1, 0};
}

int source_import(Source *source, bool versioned, int32_t alignment, int32_t contiguous,
                  TVMFFIObjectHandle *out)
{
  *out = source;  // rubbish, which a failure leaves there
  return versioned ? TVMFFITensorFromDLPackVersioned(&source->versioned, alignment, contiguous, out)
                   : TVMFFITensorFromDLPack(&source->managed, alignment, contiguous, out);
}

TVMFFIObject *source_tensor(Source *source, bool versioned)
{
  TVMFFIObjectHandle tensor;
  ck_assert_int_eq(source_import(source, versioned, 0, 0, &tensor), 0);
  ck_assert_int_eq(((TVMFFIObject *)tensor)->type_index, kTVMFFITensor);
  expect_counts(tensor, 1, 1);
  return tensor;
}

DLTensor *tensor_of(TVMFFIObjectHandle tensor)
{
  return (DLTensor *)((TVMFFIObject *)tensor + 1);
}

// SPDX-License-Identifier: Apache-2.0
// A producer of DLPack tensors that notes what becomes of them.
#ifndef REFERENCE_TESTS_TENSOR_SOURCE_H_
#define REFERENCE_TESTS_TENSOR_SOURCE_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

enum { SOURCE_MAX_NDIM = 8 };

// One DLPack tensor in both forms, which share memory, shape and strides.
typedef struct {
  _Alignas(64) char data[256];
  DLManagedTensor managed;
  DLManagedTensorVersioned versioned;
  int64_t shape[SOURCE_MAX_NDIM], strides[SOURCE_MAX_NDIM];
  int deletions;  // of either form
  void *deleted;  // the last that was
} Source;

// Fills a source: float32 on the CPU, of `ndim` extents. strides: NULL for none.
void source_init(Source *source, int32_t ndim, const int64_t *shape, const int64_t *strides);

// Changes the DLTensor of both forms.
void source_set(Source *source, const DLTensor *tensor);

// Imports one of the two forms, with an output that holds rubbish before. Returns the code.
int source_import(Source *source, bool versioned, int32_t alignment, int32_t contiguous,
                  TVMFFIObjectHandle *out);

// The same without requirements; it must succeed. Returns own.
TVMFFIObject *source_tensor(Source *source, bool versioned);

// Returns the DLTensor of a tensor object. Borrow.
DLTensor *tensor_of(TVMFFIObjectHandle tensor);

#endif  // REFERENCE_TESTS_TENSOR_SOURCE_H_

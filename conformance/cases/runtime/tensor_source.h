// SPDX-License-Identifier: Apache-2.0
// DLPack tensors of ours, in both forms. Tensor, shape and strides are read-only and end where
// memory ends; the deleter counts its calls and frees nothing, so that looking at them afterwards
// is safe.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_TENSOR_SOURCE_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_TENSOR_SOURCE_H_

#include "battery/battery.h"

// DLPack has a form without a version and one with it; the functions of the second end in
// Versioned.
typedef enum DlpackForm { DLPACK_PLAIN, DLPACK_VERSIONED, DLPACK_FORMS } DlpackForm;

enum { PLAN_DIMENSIONS = 8 };

// What a DLPack tensor is to be like; whatever is left out is 0, but for device and data type: a
// tensor of float32 on the host.
typedef struct TensorPlan {
  int32_t ndim;
  int64_t shape[PLAN_DIMENSIONS];
  bool strided;  // `strides` count; otherwise the tensor has none
  int64_t strides[PLAN_DIMENSIONS];
  uint64_t byte_offset;
  uint64_t address;  // of the data; nothing is there
  DLDevice device;
  DLDataType dtype;
  uint64_t flags;    // of the form with a version
  bool undeletable;  // no deleter
  bool bare;         // 0 dimensions: shape and strides are NULL
} TensorPlan;

typedef struct TensorSource {
  DlpackForm form;
  DLTensor tensor;  // as it was handed over
  union {           // the one of its form, read-only
    DLManagedTensor *plain;
    DLManagedTensorVersioned *versioned;
    void *address;
  } managed;
  atomic_uint deleted;         // calls of the deleter with it
  _Atomic(void *) deleted_as;  // what the last of them was given
} TensorSource;

static inline void tensor_source_delete_plain_(DLManagedTensor *self)
{
  TensorSource *source = self->manager_ctx;
  atomic_store(&source->deleted_as, (void *)self);
  atomic_fetch_add(&source->deleted, 1);
}

static inline void tensor_source_delete_versioned_(DLManagedTensorVersioned *self)
{
  TensorSource *source = self->manager_ctx;
  atomic_store(&source->deleted_as, (void *)self);
  atomic_fetch_add(&source->deleted, 1);
}

// A copy that must not be written to, typed as the fields of DLPack are.
static inline void *tensor_fenced_(const char *name, const void *bytes, size_t size)
{
  const void *copy = fenced_copy(name, bytes, size);
  void *writable;
  memcpy(&writable, &copy, sizeof writable);
  return writable;
}

// The DLTensor of a plan, over fenced shape and strides.
static inline DLTensor tensor_of_plan(const TensorPlan *plan)
{
  size_t size = (size_t)plan->ndim * sizeof plan->shape[0];
  DLTensor tensor = {.ndim = plan->ndim,
                     .device = plan->device.device_type ? plan->device : (DLDevice){kDLCPU, 0},
                     .dtype = plan->dtype.bits ? plan->dtype : (DLDataType){kDLFloat, 32, 1},
                     .byte_offset = plan->byte_offset};
  uint64_t address = plan->address;
  memcpy(&tensor.data, &address, sizeof tensor.data);
  if (!plan->bare) tensor.shape = tensor_fenced_("the shape", plan->shape, size);
  if (plan->strided) tensor.strides = tensor_fenced_("the strides", plan->strides, size);
  return tensor;
}

// A source of this form after this plan. Lives until the process of the case ends.
static inline TensorSource *new_source(DlpackForm form, const TensorPlan *plan)
{
  TensorSource *source = calloc(1, sizeof *source);
  if (!source) case_inconclusive("no memory for a DLPack tensor");
  source->form = form;
  source->tensor = tensor_of_plan(plan);
  if (form == DLPACK_PLAIN) {
    DLManagedTensor managed = {source->tensor, source,
                               plan->undeletable ? NULL : tensor_source_delete_plain_};
    source->managed.address = tensor_fenced_("the DLPack tensor", &managed, sizeof managed);
  } else {
    DLManagedTensorVersioned managed = {{1, 0},
                                        source,
                                        plan->undeletable ? NULL : tensor_source_delete_versioned_,
                                        plan->flags,
                                        source->tensor};
    source->managed.address = tensor_fenced_("the DLPack tensor", &managed, sizeof managed);
  }
  return source;
}

// A source of 3 rows of 4 float32 without strides, at a page of the host.
static inline const TensorPlan *matrix_plan(void)
{
  static const TensorPlan plan = {.ndim = 2, .shape = {3, 4}, .address = 0x7000};
  return &plan;
}

// Imports the source with these requirements and returns the code.
static inline int import_with(Iut *iut, TensorSource *source, int32_t alignment, int32_t contiguous,
                              TVMFFIObjectHandle *out)
{
  return source->form == DLPACK_PLAIN
             ? iut->TensorFromDLPack(source->managed.plain, alignment, contiguous, out)
             : iut->TensorFromDLPackVersioned(source->managed.versioned, alignment, contiguous,
                                              out);
}

// Own: the source as a tensor. Ends the case if it is not available, or with these requirements
// not.
static inline TVMFFIObjectHandle imported_with(Iut *iut, TensorSource *source, int32_t alignment,
                                               int32_t contiguous)
{
  TVMFFIObjectHandle tensor = NULL;
  require(expect_ok(iut, import_with(iut, source, alignment, contiguous, &tensor)));
  require(expect_not_null("the tensor", tensor));
  require(expect_int("type index of the tensor", object_type_index(iut, tensor), kTVMFFITensor));
  return tensor;
}

static inline TVMFFIObjectHandle imported(Iut *iut, TensorSource *source)
{
  return imported_with(iut, source, 0, 0);
}

// Own: a new source of this form and plan, as a tensor.
static inline TVMFFIObjectHandle new_tensor(Iut *iut, DlpackForm form, const TensorPlan *plan)
{
  return imported(iut, new_source(form, plan));
}

// The import fails and calls no deleter.
static inline void expect_refused(Iut *iut, TensorSource *source, int32_t alignment,
                                  int32_t contiguous)
{
  TVMFFIObjectHandle out = NULL;
  expect_failure(iut, import_with(iut, source, alignment, contiguous, &out));
  expect_int("calls of the deleter after the refusal", source->deleted, 0);
}

// The source's deleter has run once, with the source.
static inline void expect_deleted_once(TensorSource *source)
{
  if (!expect_int("calls of the deleter", source->deleted, 1)) return;
  expect_pointer("what the deleter was given", source->deleted_as, source->managed.address);
}

static inline DLTensor *tensor_body(const Iut *iut, TVMFFIObjectHandle tensor)
{
  return object_body(iut, tensor);
}

// All but extents and strides are the same.
static inline void expect_same_place(const DLTensor *seen, const DLTensor *expected)
{
  expect_pointer("data pointer", seen->data, expected->data);
  expect_int("device type", seen->device.device_type, expected->device.device_type);
  expect_int("device id", seen->device.device_id, expected->device.device_id);
  expect_int("number of dimensions", seen->ndim, expected->ndim);
  expect_memory("data type", &seen->dtype, sizeof seen->dtype, &expected->dtype,
                sizeof expected->dtype);
  expect_int("byte offset", (int64_t)seen->byte_offset, (int64_t)expected->byte_offset);
}

// `count` extents or strides are these.
static inline void expect_numbers(const char *what, const int64_t *seen, const int64_t *expected,
                                  int32_t count)
{
  if (count == 0) return;
  size_t size = (size_t)count * sizeof *seen;
  if (expect_not_null(what, seen)) expect_memory(what, seen, size, expected, size);
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_TENSOR_SOURCE_H_

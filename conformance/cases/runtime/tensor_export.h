// SPDX-License-Identifier: Apache-2.0
// What a tensor gave when it was exported, in either form.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_TENSOR_EXPORT_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_TENSOR_EXPORT_H_

#include "cases/runtime/tensor_source.h"

typedef struct TensorExport {
  DlpackForm form;
  DLManagedTensor *plain;
  DLManagedTensorVersioned *versioned;
} TensorExport;

// Own: the tensor, exported in this form. Ends the case if it is not available or has no deleter.
static inline TensorExport exported(Iut *iut, TVMFFIObjectHandle tensor, DlpackForm form)
{
  TensorExport out = {.form = form};
  if (form == DLPACK_PLAIN) {
    require(expect_ok(iut, iut->TensorToDLPack(tensor, &out.plain)));
    require(expect_not_null("the exported tensor", out.plain));
    require(expect_that(out.plain->deleter != NULL, "a deleter", "NULL"));
  } else {
    require(expect_ok(iut, iut->TensorToDLPackVersioned(tensor, &out.versioned)));
    require(expect_not_null("the exported tensor", out.versioned));
    require(expect_that(out.versioned->deleter != NULL, "a deleter", "NULL"));
  }
  return out;
}

static inline const void *export_address(const TensorExport *export)
{
  return export->plain ? (const void *)export->plain : (const void *)export->versioned;
}

static inline const DLTensor *export_tensor(const TensorExport *export)
{
  return export->plain ? &export->plain->dl_tensor : &export->versioned->dl_tensor;
}

static inline void export_delete(TensorExport *export)
{
  if (export->plain)
    export->plain->deleter(export->plain);
  else
    export->versioned->deleter(export->versioned);
  *export = (TensorExport){.form = export->form};
}

// Own: what was exported, which is given away, imported again.
static inline TVMFFIObjectHandle export_imported(Iut *iut, TensorExport *export)
{
  TVMFFIObjectHandle tensor = NULL;
  int status = export->plain ? iut->TensorFromDLPack(export->plain, 0, 0, &tensor)
                             : iut->TensorFromDLPackVersioned(export->versioned, 0, 0, &tensor);
  require(expect_ok(iut, status));
  require(expect_not_null("the tensor", tensor));
  return tensor;
}

// The two describe the same memory with the same extents and, with one dimension or more, strides.
static inline void expect_same_tensor(const DLTensor *seen, const DLTensor *expected)
{
  expect_same_place(seen, expected);
  if (seen->ndim != expected->ndim) return;
  expect_numbers("extents", seen->shape, expected->shape, expected->ndim);
  expect_numbers("strides", seen->strides, expected->strides, expected->ndim);
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_TENSOR_EXPORT_H_

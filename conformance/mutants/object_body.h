// SPDX-License-Identifier: Apache-2.0
// What errors, functions and tensors hold behind their header.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_OBJECT_BODY_H_
#define TVMFFI_CONFORMANCE_MUTANTS_OBJECT_BODY_H_

#include "mutants/mutant.h"

static inline TVMFFIErrorCell *error_cell(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}

// The text that names the frames of an error.
static inline TVMFFIByteArray *backtrace_in(TVMFFIErrorCell *cell)
{
#ifdef TVM_FFI_GENERATION_2025_09
  return &cell->traceback;
#else
  return &cell->backtrace;
#endif
}

static inline TVMFFIFunctionCell *function_cell(TVMFFIObjectHandle function)
{
  return (TVMFFIFunctionCell *)((TVMFFIObject *)function + 1);
}

static inline DLTensor *tensor_body(TVMFFIObjectHandle tensor)
{
  return (DLTensor *)((TVMFFIObject *)tensor + 1);
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_OBJECT_BODY_H_

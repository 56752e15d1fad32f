// SPDX-License-Identifier: Apache-2.0
// Metadata of add_one: the text that the including file says in METADATA.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_ADD_ONE_METADATA_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_ADD_ONE_METADATA_H_

#include "add_one.h"

KERNEL_EXPORT int __tvm_ffi__metadata_add_one(void *handle, const TVMFFIAny *args, int32_t num_args,
                                              TVMFFIAny *result);

int __tvm_ffi__metadata_add_one(void *handle, const TVMFFIAny *args, int32_t num_args,
                                TVMFFIAny *result)
{
  const TVMFFIByteArray text = {METADATA, sizeof METADATA - 1};
  (void)handle, (void)args, (void)num_args;
  return TVMFFIStringFromByteArray(&text, result);
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_ADD_ONE_METADATA_H_
